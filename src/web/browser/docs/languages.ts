// Examples in several languages: one is shown at a time, the same on every page until the browser is closed.

const CHOICE = 'documentation-language';

export function chooseLanguages(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('[data-examples]')].map(groupOf);
  const choose = (language: string) => {
    remember(language);
    for (const show of groups) show(language);
  };
  for (const show of groups) show(remembered(), choose);
}

type Show = (language: string | undefined, choose?: (language: string) => void) => void;

function groupOf(group: HTMLElement): Show {
  const figures = [...group.querySelectorAll('figure')];
  const nameOf = (figure: HTMLElement) => figure.querySelector('figcaption')?.textContent ?? '';
  const list = document.createElement('div');
  list.className = 'languages-choice';
  list.setAttribute('role', 'group');
  list.setAttribute('aria-label', 'Language');
  const buttons = figures.map((figure) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = nameOf(figure);
    list.append(button);
    return button;
  });
  group.prepend(list);
  group.classList.add('is-chosen');
  return (language, choose) => {
    const wanted = figures.some((figure) => nameOf(figure) === language) ? language : nameOf(figures[0] as HTMLElement);
    for (const [at, figure] of figures.entries()) {
      const button = buttons[at] as HTMLButtonElement;
      const isShown = nameOf(figure) === wanted;
      figure.hidden = !isShown;
      button.setAttribute('aria-pressed', String(isShown));
      if (choose) button.addEventListener('click', () => choose(nameOf(figure)));
    }
  };
}

/** A browser may forbid to keep anything; then every page begins with the first language. */
function remember(language: string): void {
  try {
    sessionStorage.setItem(CHOICE, language);
  } catch {}
}

function remembered(): string | undefined {
  try {
    return sessionStorage.getItem(CHOICE) ?? undefined;
  } catch {
    return undefined;
  }
}
