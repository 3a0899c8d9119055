// On a phone the menu opens by a button; without scripts it stands below the page.

export function openMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-switch');
  const menu = document.getElementById('menu');
  if (!button || !menu) return;
  button.hidden = false;
  document.body.classList.add('has-menu-switch');
  button.addEventListener('click', () => {
    const isOpen = menu.classList.toggle('is-open');
    button.setAttribute('aria-expanded', String(isOpen));
  });
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}
