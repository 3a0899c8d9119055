// Times in the payer's own time zone; the server writes them in UTC.

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  time: { timeStyle: 'short' },
  date: { dateStyle: 'medium', timeStyle: 'short' },
};

/** As the browser's owner writes them, where that is the language of the page: British English has its own dates. */
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
