// Numbers and times of a message, all from its trace, so that every node gives a message the same, before and after a
// crash. Merchants' time zones are not known, so local times are in UTC as well.

import type { Trace } from '../acquirer.ts';

const STANS = 999_999;

/** 000001 to 999999: zero is no trace number, and the numbers of a million less two neighbours differ. */
export function stanOf({ number }: Pick<Trace, 'number'>): string {
  const place = (((number - 1) % STANS) + STANS) % STANS;
  return String(place + 1).padStart(6, '0');
}

/** MMDDhhmmss. */
export function transmissionOf({ at }: Pick<Trace, 'at'>): string {
  return localMomentOf({ at }).slice(2);
}

/** YYMMDDhhmmss. */
export function localMomentOf({ at }: Pick<Trace, 'at'>): string {
  return new Date(at).toISOString().slice(2, 19).replaceAll(/\D/g, '');
}

/** The retrieval reference number: the last digit of the year, the day of the year, the hour, the trace number. */
export function retrievalNumberOf(trace: Trace): string {
  const moment = new Date(trace.at);
  const year = moment.getUTCFullYear();
  const day = Math.floor((trace.at - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  const hour = String(moment.getUTCHours()).padStart(2, '0');
  return `${year % 10}${String(day).padStart(3, '0')}${hour}${stanOf(trace)}`;
}
