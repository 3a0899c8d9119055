// On narrow screens the menu is behind a button; without scripts it stands above the page.

export function switchMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-switch');
  const menu = document.getElementById('menu');
  if (!button || !menu) return;
  button.hidden = false;
  menu.classList.add('switched');
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    menu.classList.toggle('open', isOpen);
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    show(false);
    button.focus();
  });
}
