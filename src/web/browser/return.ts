// The last page: the browser carries the signed fields back to the merchant, unless the payer wants to stay.

const RETURN_MS = 5_000;

export function returnByItself(form: HTMLFormElement): void {
  const note = form.querySelector<HTMLElement>('[data-return-note]');
  note?.removeAttribute('hidden');
  const timer = setTimeout(() => form.requestSubmit(), form.dataset.return === 'now' ? 0 : RETURN_MS);
  form.querySelector('[data-stay]')?.addEventListener('click', () => {
    clearTimeout(timer);
    note?.setAttribute('hidden', '');
    form.querySelector<HTMLElement>('button[type=submit]')?.focus();
  });
  form.addEventListener('submit', () => clearTimeout(timer));
}
