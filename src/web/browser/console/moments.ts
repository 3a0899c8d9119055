// Moments in the reader's own time zone; the server writes them in UTC, and that stays on pointing at one.

/** The console speaks English, and writes every date in one way. */
export const DATE_LANGUAGE = 'en-GB';

const FORMAT = new Intl.DateTimeFormat(DATE_LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' });

export function showMoments(place: ParentNode): void {
  for (const element of place.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    element.textContent = FORMAT.format(new Date(element.dateTime));
  }
  for (const element of place.querySelectorAll('[data-zone]')) {
    element.textContent = `Times are in your time zone, ${FORMAT.resolvedOptions().timeZone}.`;
  }
}
