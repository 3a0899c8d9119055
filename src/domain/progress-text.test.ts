import { describe, expect, it } from 'vitest';
import { durationText, type ProgressState, progressText } from './progress-text.ts';

describe('how far slow work has come', () => {
  it.each<[ProgressState, number, string]>([
    [{ doing: 'Opening the database' }, 0, 'Opening the database…'],
    [{ doing: 'Opening the database' }, 999, 'Opening the database…'],
    [{ doing: 'Opening the database' }, 12_000, 'Opening the database: 12 s'],
    [{ doing: 'Migrating', at: '0031-people' }, 0, 'Migrating: 0031-people'],
    [{ doing: 'Exporting', done: 500, unit: 'rows', at: 'orders' }, 500, 'Exporting: 500 rows, orders'],
    [{ doing: 'Exporting', done: 52_000, unit: 'rows' }, 2_000, 'Exporting: 52,000 rows, 26,000/s'],
    [
      { doing: 'Verifying', done: 1_200_000, total: 5_000_000, unit: 'orders' },
      30_000,
      'Verifying: 1,200,000 of 5,000,000 orders (24 %), 40,000/s, 1 min 35 s left',
    ],
    [{ doing: 'Verifying', done: 0, total: 10, unit: 'orders' }, 5_000, 'Verifying: 0 of 10 orders (0 %)'],
    [{ doing: 'Verifying', done: 10, total: 10, unit: 'orders' }, 5_000, 'Verifying: 10 of 10 orders (100 %), 2/s'],
    // While it worked there came more.
    [{ doing: 'Verifying', done: 11, total: 10, unit: 'orders' }, 5_000, 'Verifying: 11 orders, 2/s'],
    [{ doing: 'Verifying', done: 0, total: 0, unit: 'orders' }, 5_000, 'Verifying: 0 orders'],
    [{ doing: 'Importing', done: 999, total: 1_000, unit: 'rows' }, 500, 'Importing: 999 of 1,000 rows (99 %)'],
  ])('%j after %i ms', (state, elapsedMs, text) => {
    expect(progressText(state, elapsedMs)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min 0 s'],
    [3_599_000, '59 min 59 s'],
    [7_260_000, '2 h 1 min'],
  ])('%i ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
