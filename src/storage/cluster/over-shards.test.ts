import { expect, it } from 'vitest';
import { ofShard } from './over-shards.ts';

const texts: readonly [whole: string, ofThree: string][] = [
  ['select 1 from orders o', 'select 1 from (select * from orders where shard = 3) o'],
  ['select 1 from orders where x', 'select 1 from (select * from orders where shard = 3) orders where x'],
  ['select 1 from orders', 'select 1 from (select * from orders where shard = 3) orders'],
  [
    'select 1 from merchants m join orders as o on true left join cards using (a)',
    'select 1 from merchants m join (select * from orders where shard = 3) o on true left join ' +
      '(select * from cards where shard = 3) cards using (a)',
  ],
];

it.each(texts)('is about one shard: %s', (text, expected) => {
  expect(ofShard({ name: text, text }, 3).text).toBe(expected);
});
