import { expect, it } from 'vitest';
import { notTooMany } from './whole-reconciliation.ts';

async function* lines(count: number) {
  for (let line = 1; line <= count; line++) yield line;
}

async function all<T>(from: AsyncIterable<T>) {
  const taken: T[] = [];
  for await (const one of from) taken.push(one);
  return taken;
}

it('lines of a bank are taken up to a bound, beyond which it is said what to do instead', async () => {
  expect(await all(notTooMany(lines(3), 3))).toEqual([1, 2, 3]);
  const many = all(notTooMany(lines(4), 3));
  await expect(many).rejects.toThrow(/more than 3 lines, .* "tender reconcile" compares them in a process of its own/);
});
