import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';
import { keptOf, textOfAll } from './summed-figures.ts';

/** A process that answered so many sales, works on so many orders, and sees a database with so much due. */
async function processWith(sales: number, inFlight: number, due: number, left: number) {
  const metrics = new Metrics();
  for (let sale = 0; sale < sales; sale++) metrics.observeRequest('SALE', 200, 3);
  const tries = metrics.counter('tries_total', 'Tries.', ['outcome']);
  tries.inc({ outcome: 'failed' }, sales);
  metrics.gauge('in_flight', 'Its own.', () => inFlight);
  metrics.gauge('due', 'Of all.', () => due, 'max');
  metrics.gauge('seconds_left', 'Of all.', () => left, 'min');
  metrics.gauges({ name: 'is_open', help: 'Of all.', label: 'terminal' }, () => [['a', 1]], 'max');
  metrics.gauge('unknown', 'No number.', () => Number.NaN);
  // As it arrives.
  return JSON.parse(JSON.stringify(await metrics.figures()));
}

const figuresIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^(tender_request_seconds_(count|bucket.*le="0.005")|tries|in_fl|due|sec|is_)/.test(line));

it('adds up what each process counted, and tells once what is the same for all', async () => {
  const all = await Promise.all([processWith(3, 5, 7, 60), processWith(4, 6, 7, 50)]);
  const text = await textOfAll(all);
  expect(figuresIn(text)).toEqual([
    'tender_request_seconds_bucket{le="0.005",operation="SALE",status="200"} 7',
    'tender_request_seconds_count{operation="SALE",status="200"} 7',
    'tries_total{outcome="failed"} 7',
    'in_flight 11',
    'due 7',
    'seconds_left 50',
    'is_open{terminal="a"} 1',
  ]);
  // What is no number is left out, and is no 0.
  expect(text).not.toMatch(/^unknown /m);
});

it('keeps what a process counted after its end, and nothing of what it was working on', async () => {
  const ended = await keptOf([await processWith(3, 5, 7, 60), await keptOf([await processWith(2, 1, 1, 10)])]);
  const text = await textOfAll([await processWith(4, 6, 7, 50), ended]);
  expect(figuresIn(text)).toEqual([
    'tender_request_seconds_bucket{le="0.005",operation="SALE",status="200"} 9',
    'tender_request_seconds_count{operation="SALE",status="200"} 9',
    'tries_total{outcome="failed"} 9',
    'in_flight 6',
    'due 7',
    'seconds_left 50',
    'is_open{terminal="a"} 1',
  ]);
});
