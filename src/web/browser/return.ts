// The last page: the browser carries the signed fields back to the merchant, unless the payer wants to stay. A payer
// who asked for it goes at once, but not when the back button led here: that would lead nowhere but to the merchant.

const RETURN_MS = 5_000;

export function returnByItself(form: HTMLFormElement): void {
  const note = form.querySelector<HTMLElement>('[data-return-note]');
  note?.removeAttribute('hidden');
  const timer = setTimeout(() => form.requestSubmit(), form.dataset.return === 'now' && isFirstVisit() ? 0 : RETURN_MS);
  form.querySelector('[data-stay]')?.addEventListener('click', () => {
    clearTimeout(timer);
    note?.setAttribute('hidden', '');
    form.querySelector<HTMLElement>('button[type=submit]')?.focus();
  });
  form.addEventListener('submit', () => clearTimeout(timer));
}

/** Not after the back button, nor after a reload. */
function isFirstVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type === 'navigate';
}
