import { expect, it } from 'vitest';
import { KeyUses, usesOfAll } from './key-uses.ts';

it('tells what all processes of a gateway saw, since the last of them started', () => {
  const clock = { at: 0, now: () => clock.at, sleep: async () => {} };
  const first = new KeyUses(clock);
  first.used(1, 'old');
  clock.at = 10;
  const second = new KeyUses(clock);
  second.used(1, 'old');
  second.used(1, 'new');
  clock.at = 20;
  first.used(1, 'old');
  const seen = usesOfAll([first.told(), second.told()]);
  expect(seen.since).toBe(10);
  expect(seen.of(1, 'old')).toEqual({ count: 3, lastAt: 20 });
  expect(seen.of(1, 'new')).toEqual({ count: 1, lastAt: 10 });
  expect(seen.of(2, 'new')).toBeUndefined();
});
