// Offers to print the page, where a script can.

export function offerPrint(button: HTMLElement): void {
  button.removeAttribute('hidden');
  button.addEventListener('click', () => window.print());
}
