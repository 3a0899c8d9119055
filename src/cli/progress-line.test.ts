import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressLine } from './progress-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that keeps what is written, and a line on it whose clock the test moves. */
function lineOn({ isTTY, columns = 60 }: { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  return { written, line: new ProgressLine({ stream, now: () => Date.now() }) };
}

const rows = (done: number) => ({ doing: 'Exporting', done, unit: 'rows' });

describe('on a terminal', () => {
  it('is written over, at most five times a second', () => {
    const { written, line } = lineOn({ isTTY: true });
    for (let done = 0; done <= 100; done++) {
      line.show(rows(done));
      vi.advanceTimersByTime(10);
    }
    expect(written[0]).toBe('\rExporting: 0 rows\u001b[K');
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(written.length).toBeLessThanOrEqual(7);
    line.clear();
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('moves although the work says nothing, and no longer once it is over', () => {
    const { written, line } = lineOn({ isTTY: true });
    line.show({ doing: 'Opening the database' });
    vi.advanceTimersByTime(3_000);
    expect(written).toEqual([
      '\rOpening the database…\u001b[K',
      '\rOpening the database: 1 s\u001b[K',
      '\rOpening the database: 2 s\u001b[K',
      '\rOpening the database: 3 s\u001b[K',
    ]);
    line.clear();
    const before = written.length;
    vi.advanceTimersByTime(10_000);
    expect(written).toHaveLength(before);
  });

  it('tells of other work at once, with a rate of its own', () => {
    const { written, line } = lineOn({ isTTY: true });
    line.show(rows(1_000));
    vi.advanceTimersByTime(10_000);
    line.show({ doing: 'Checking', done: 0, unit: 'rows' });
    expect(written.at(-1)).toBe('\rChecking: 0 rows\u001b[K');
    vi.advanceTimersByTime(1_000);
    line.show({ doing: 'Checking', done: 500, unit: 'rows' });
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe('\rChecking: 500 rows, 250/s\u001b[K');
  });

  it('fits the width, so that the next one covers it', () => {
    const { written, line } = lineOn({ isTTY: true, columns: 20 });
    line.show({ doing: 'Opening a database with a long name' });
    expect(written).toEqual(['\rOpening a database \u001b[K']);
  });

  it('is whole on a terminal that does not know its width', () => {
    const { written, line } = lineOn({ isTTY: true, columns: 0 });
    line.show({ doing: 'Opening a database with a long name' });
    expect(written).toEqual(['\rOpening a database with a long name…\u001b[K']);
  });

  it('leaves nothing where nothing was shown', () => {
    const { written, line } = lineOn({ isTTY: true });
    line.clear();
    expect(written).toEqual([]);
  });
});

describe('elsewhere', () => {
  it('says nothing of what takes less than a minute', () => {
    const { written, line } = lineOn({ isTTY: false });
    for (let second = 0; second < 59; second++) {
      line.show(rows(second * 1_000));
      vi.advanceTimersByTime(1_000);
    }
    line.clear();
    expect(written).toEqual([]);
  });

  it('is a whole line every minute, also while the work says nothing', () => {
    const { written, line } = lineOn({ isTTY: false });
    line.show({ ...rows(6_000), total: 12_000 });
    vi.advanceTimersByTime(150_000);
    line.clear();
    expect(written).toEqual([
      'tender: Exporting: 6,000 of 12,000 rows (50 %), 100/s, 1 min 0 s left\n',
      'tender: Exporting: 6,000 of 12,000 rows (50 %), 50/s, 2 min 0 s left\n',
    ]);
  });
});
