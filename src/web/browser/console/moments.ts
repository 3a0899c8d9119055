// Moments in the reader's own time zone; the server writes them in UTC, and that stays on pointing at one.

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function showMoments(place: ParentNode): void {
  for (const element of place.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    element.textContent = FORMAT.format(new Date(element.dateTime));
  }
}
