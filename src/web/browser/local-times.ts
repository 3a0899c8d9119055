// Times in the payer's own time zone; the server writes them in UTC.

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  time: { timeStyle: 'short' },
  date: { dateStyle: 'medium', timeStyle: 'short' },
};

/** The locale of the payer, if it is of the page's language: British English writes dates in its own way. */
function locale(): string {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one.split('-', 1)[0] === lang) ?? lang;
}

export function showLocalTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-style]')) {
    const style = STYLES[element.dataset.style ?? ''];
    if (style) {
      const format = new Intl.DateTimeFormat(locale(), style);
      element.textContent = format.format(new Date(element.dateTime));
    }
  }
}
