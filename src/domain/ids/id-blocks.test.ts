import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRange, type IdRange, isLow, LEAST_BLOCK, leftIn, MOST_BLOCK, takeId, topUp } from './id-blocks.ts';

const range = (from: number, until: number): IdRange => ({ from, until });

describe('an id', () => {
  it.each<[string, IdRange[], number, number | undefined, IdRange[]]>([
    ['is the first of the range', [range(1, 4)], 1, 1, [range(2, 4)]],
    ['may be the last of it', [range(3, 4)], 1, 3, []],
    ['is as far ahead as the step', [range(1, 10)], 5, 5, [range(6, 10)]],
    ['comes from the next range when the first is too short', [range(1, 3), range(20, 30)], 4, 23, [range(24, 30)]],
    ['is not there when nothing is left', [], 1, undefined, []],
    ['is not there when no range is long enough', [range(1, 3)], 4, undefined, [range(1, 3)]],
  ])('%s', (_, ranges, step, id, left) => {
    const taken = takeId(ranges, step);
    expect(taken?.id).toBe(id);
    expect(taken?.ranges ?? ranges).toEqual(left);
  });
});

describe('a top-up', () => {
  const usual = { size: 64, left: 32, lastedMs: 5000, waiting: 0, stride: 1 };
  it.each([
    ['fills the block up again', {}, { size: 64, taken: 32 }],
    ['doubles it when it was used up soon', { lastedMs: 999 }, { size: 128, taken: 96 }],
    ['halves it when it lasted, and may need none', { lastedMs: 10_001 }, { size: 32, taken: 0 }],
    ['never goes below the least', { size: LEAST_BLOCK, left: 0, lastedMs: 60_000 }, { size: 16, taken: 16 }],
    ['never goes above the most', { size: MOST_BLOCK, left: 0, lastedMs: 1 }, { size: 8192, taken: 8192 }],
    ['is enough for all who wait', { left: 0, waiting: 500 }, { size: 500, taken: 500 }],
    ['has room for the longest steps', { left: 10, stride: 10 }, { size: 64, taken: 630 }],
  ])('%s', (_, changes, expected) => {
    expect(topUp({ ...usual, ...changes })).toEqual(expected);
  });
});

it('ranges that meet become one', () => {
  expect(addRange([range(1, 4)], range(4, 9))).toEqual([range(1, 9)]);
  expect(addRange([range(1, 4)], range(7, 9))).toEqual([range(1, 4), range(7, 9)]);
  expect(addRange([], range(7, 9))).toEqual([range(7, 9)]);
});

// Three nodes on one counter, which take ids at any pace, die and start again.
type Move = { readonly node: number; readonly doing: 'take' | 'die'; readonly afterMs: number; readonly luck: number };

class SomeNode {
  ranges: readonly IdRange[] = [];
  size = LEAST_BLOCK;
  filledAt = 0;
  last = 0;
}

const move = fc.record({
  node: fc.integer({ min: 0, max: 2 }),
  doing: fc.oneof(
    { weight: 50, arbitrary: fc.constant('take' as const) },
    { weight: 1, arbitrary: fc.constant('die' as const) },
  ),
  afterMs: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 30_000 })),
  luck: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

it.each([1, 7])(
  'no id is given twice, those of a node rise, and a death loses at most a block, stride %d',
  (stride) => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 3000 }), (moves: Move[]) => {
        let [counter, now, lost, passedOver] = [1, 0, 0, 0];
        const given = new Set<number>();
        const nodes = Array.from({ length: 3 }, () => new SomeNode());
        const fill = (node: SomeNode) => {
          const asked = {
            size: node.size,
            left: leftIn(node.ranges),
            lastedMs: now - node.filledAt,
            waiting: 0,
            stride,
          };
          const { size, taken } = topUp(asked);
          node.size = size;
          node.filledAt = now;
          if (taken > 0) node.ranges = addRange(node.ranges, range(counter, counter + taken));
          counter += taken;
        };
        for (const { node: index, doing, afterMs, luck } of moves) {
          now += afterMs;
          const node = nodes[index] as SomeNode;
          if (doing === 'die') {
            expect(leftIn(node.ranges)).toBeLessThanOrEqual(MOST_BLOCK * stride);
            lost += leftIn(node.ranges);
            nodes[index] = new SomeNode();
            continue;
          }
          const step = 1 + Math.floor(luck * stride);
          if (!takeId(node.ranges, step)) fill(node);
          const before = leftIn(node.ranges);
          const taken = takeId(node.ranges, step);
          if (!taken) throw new Error('a filled node has an id');
          expect(given.has(taken.id)).toBe(false);
          expect(taken.id).toBeGreaterThan(node.last);
          given.add(taken.id);
          node.last = taken.id;
          node.ranges = taken.ranges;
          passedOver += before - leftIn(taken.ranges) - 1;
          if (isLow(leftIn(node.ranges), node.size, stride)) fill(node);
          expect(leftIn(node.ranges)).toBeLessThanOrEqual(node.size * stride);
        }
        const held = nodes.reduce((sum, node) => sum + leftIn(node.ranges), 0);
        expect(given.size + passedOver + lost + held).toBe(counter - 1);
        if (stride === 1) expect(passedOver).toBe(0);
      }),
      { numRuns: 100 },
    );
  },
);
