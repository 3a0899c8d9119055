import { describe, expect, it } from 'vitest';
import type { Seen } from '../../telemetry/seen.ts';
import { Lines } from './lines.ts';
import { paintOf, seenLine } from './seen-line.ts';

const AT = Date.UTC(2027, 0, 31, 18, 5, 7, 42);
const plain = paintOf({});
const request: Seen = {
  ...{ kind: 'request', at: AT, operation: 'SALE', orderId: '17', httpStatus: 200 },
  ...{ outcome: 'accepted', milliseconds: 3.4 },
};

describe('a line', () => {
  it.each<[Seen, string]>([
    [request, '18:05:07.042  -> SALE                     order 17      accepted  3 ms'],
    [
      { ...request, operation: undefined, orderId: undefined, httpStatus: 404, outcome: '1 no such path' },
      '18:05:07.042  -> no operation                           404 1 no such path  3 ms',
    ],
    [
      { kind: 'bank', at: AT, instruction: 'sale', orderId: '17', outcome: 'declined 116', milliseconds: 12 },
      '18:05:07.042     bank sale                order 17      declined 116  12 ms',
    ],
    [
      {
        ...{ kind: 'callback', at: AT, orderId: '17', destination: 'shop:80', outcome: '200', isTaken: true },
        milliseconds: 8,
      },
      '18:05:07.042  <- callback                 order 17      200 from shop:80  8 ms',
    ],
  ])('says what happened: %#', (seen, line) => {
    expect(seenLine(seen, plain)).toBe(line);
  });

  it('tells a terminal nothing that somebody sent', () => {
    expect(seenLine({ ...request, outcome: 'a\u001b[2Jb' }, plain)).not.toContain('\u001b');
  });
});

describe('lines', () => {
  it('are written together, later, and of too many the rest is counted', async () => {
    const written: string[] = [];
    const lines = new Lines({ write: (text) => written.push(text) }, plain);
    for (let count = 0; count < 2_010; count++) lines.see(request);
    expect(written).toEqual([]);
    lines.flush();
    expect(written).toHaveLength(1);
    expect(written[0]?.split('\n')).toHaveLength(2_002);
    expect(written[0]).toContain('10 more were not shown');
  });
});
