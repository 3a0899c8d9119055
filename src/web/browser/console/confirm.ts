// Asks before a form is sent that cannot be taken back.

export function askBeforeSending(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    const question = form instanceof HTMLFormElement ? form.dataset.confirm : undefined;
    if (question !== undefined && !window.confirm(question)) event.preventDefault();
  });
}
