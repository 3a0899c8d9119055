import { expect, it } from 'vitest';
import { createLog } from './log.ts';
import { OutageLog } from './outage-log.ts';

let now = 0;

/** An outage log, and the lines it has written so far: level, message and fields. */
function watched() {
  now = Date.UTC(2026, 0, 1);
  const lines: [level: string, message: string, told: object][] = [];
  const log = createLog((line) => {
    const { at: _, level, message, ...told } = JSON.parse(line);
    lines.push([level, message, told]);
  });
  const outage = new OutageLog({ log, clock: { now: () => now }, begins: 'away', lasts: 'still away', ends: 'back' });
  return { lines, outage };
}

const SECOND = 1_000;

it('says nothing while all goes well', () => {
  const { lines, outage } = watched();
  outage.worked();
  expect(lines).toEqual([]);
});

it('says once that it begins and once that it ends, however many notice', () => {
  const { lines, outage } = watched();
  for (let notice = 0; notice < 225; notice++) {
    outage.failed({ detail: 'connection refused' });
    now += 75;
  }
  now += 10 * SECOND;
  outage.worked();
  outage.worked();
  expect(lines).toEqual([
    ['error', 'away', { detail: 'connection refused' }],
    ['info', 'back', { count: 225, milliseconds: 224 * 75 }],
  ]);
});

it('reminds once a minute at most, with how many it concerns', () => {
  const { lines, outage } = watched();
  for (let seconds = 0; seconds <= 130; seconds++) {
    outage.failed({ detail: `try ${seconds}` });
    now += SECOND;
  }
  expect(lines).toEqual([
    ['error', 'away', { detail: 'try 0' }],
    ['error', 'still away', { detail: 'try 60', count: 61, milliseconds: 60 * SECOND }],
    ['error', 'still away', { detail: 'try 120', count: 121, milliseconds: 120 * SECOND }],
  ]);
});

it('goes on while some work and others fail, as the last calls of an outage do', () => {
  const { lines, outage } = watched();
  for (let seconds = 0; seconds < 30; seconds++) {
    outage.failed({});
    outage.worked();
    now += SECOND;
  }
  expect(lines).toHaveLength(1);
  now += 9 * SECOND;
  outage.worked();
  expect(lines.at(-1)).toEqual(['info', 'back', { count: 30, milliseconds: 29 * SECOND }]);
});

it('begins anew', () => {
  const { lines, outage } = watched();
  outage.failed({});
  now += 60 * SECOND;
  outage.worked();
  outage.failed({});
  expect(lines.map(([, message]) => message)).toEqual(['away', 'back', 'away']);
});
