// Leads back to the page before, where a script can and there is one.

export function offerWayBack(button: HTMLElement): void {
  if (history.length < 2) return;
  button.removeAttribute('hidden');
  button.addEventListener('click', () => history.back());
}
