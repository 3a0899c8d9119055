import { describe, expect, it } from 'vitest';
import { MAX_LINES, StrangerLines } from './stranger-lines.ts';

const HOUR = 60 * 60_000;
const NOW = 1_000 * HOUR;

function linesFor(lines: StrangerLines, block: string, requests: number): number {
  return Array.from({ length: requests }, () => lines.admits(block)).filter((admitted) => admitted).length;
}

function begun(): StrangerLines {
  const lines = new StrangerLines();
  lines.endedBy(NOW);
  return lines;
}

describe('lines about strangers', () => {
  it('are written for one address range up to its bound, and the rest is told when the hour is over', () => {
    const lines = begun();
    expect(linesFor(lines, 'a', 2_000)).toBe(MAX_LINES.block);
    expect(lines.endedBy(NOW + HOUR - 1)).toEqual([]);
    expect(lines.endedBy(NOW + HOUR)).toEqual([{ block: 'a', leftOut: 2_000 - MAX_LINES.block }]);
    expect(lines.endedBy(NOW + HOUR)).toEqual([]);
    expect(linesFor(lines, 'a', 5)).toBe(5);
  });

  it('are bounded for all address ranges together', () => {
    const lines = begun();
    const written = Array.from({ length: 20_000 }, (_, one) => linesFor(lines, `b${one}`, 1));
    expect(written.reduce((sum, one) => sum + one, 0)).toBe(MAX_LINES.all);
    const told = lines.endedBy(NOW + HOUR);
    expect(told).toHaveLength(51);
    expect(told.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(20_000 - MAX_LINES.all);
  });

  it('leave nothing to tell when all were written, and what is left out on purpose is told', () => {
    const lines = begun();
    linesFor(lines, 'a', 3);
    expect(lines.end()).toEqual([]);
    lines.leaveOut('c');
    expect(lines.end()).toEqual([{ block: 'c', leftOut: 1 }]);
  });
});
