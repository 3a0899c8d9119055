// How far back a limit looks, as an administrator writes it: 90s, 30m, 24h or 7d.

import { type InputKind, readBy } from '../../domain/input-kinds.ts';

const MAX_WINDOW_MS = 31 * 24 * 60 * 60 * 1000;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const A_WINDOW = 'a time up to 31d such as 90s, 30m, 24h or 7d';

/** Read as milliseconds. */
export const timeWindow = readBy(A_WINDOW, readWindow);

export const timeWindowOrNone: InputKind<number | 'none'> = readBy(`${A_WINDOW}, or none`, (text) =>
  text === 'none' ? text : readWindow(text),
);

function readWindow(text: string): number | undefined {
  const [, figure, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const windowMs = Number(figure) * UNITS[unit as keyof typeof UNITS];
  return windowMs <= MAX_WINDOW_MS ? windowMs : undefined;
}

/** In the largest unit that leaves nothing over. */
export function writeWindow(windowMs: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, one]) => windowMs % one === 0) ?? ['s', UNITS.s];
  return `${windowMs / length}${unit}`;
}
