// Times in the payer's own time zone; the server writes them in UTC.

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  time: { timeStyle: 'short' },
  date: { dateStyle: 'medium', timeStyle: 'short' },
};

export function showLocalTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-style]')) {
    const style = STYLES[element.dataset.style ?? ''];
    if (style) {
      const format = new Intl.DateTimeFormat(document.documentElement.lang, style);
      element.textContent = format.format(new Date(element.dateTime));
    }
  }
}
