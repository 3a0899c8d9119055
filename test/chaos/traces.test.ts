// A promise without its trace is noticed, whatever it was; otherwise a run that found nothing would prove nothing.

import { expect, it } from 'vitest';
import type { BookEntry } from '../../src/acquirers/index.ts';
import type { Acknowledgement } from './acknowledgements.ts';
import { missingTraces } from './traces.ts';

const merchant = 'demo';
const order = { merchant, clientOrderId: 'inv-1', orderId: '7' };

const PROMISED: readonly (readonly [Acknowledgement, trace: string])[] = [
  [{ operation: 'SALE', ...order }, 'order inv-1 7'],
  [{ operation: 'RETURN', ...order, serial: 'r-1' }, 'request r-1'],
  [{ operation: 'PAYOUT_V4_PAY', ...order }, 'confirmation 7'],
  [{ operation: 'CARDREF', merchant, reference: '21' }, 'card 21'],
  [{ operation: 'CARDREF_V4', merchant, reference: '22' }, 'card 22'],
  [{ operation: 'CREATE_RP_V4', merchant, reference: '23' }, 'recurring 23'],
  [{ operation: 'TDS_UPLOAD_METHOD_URL_RESULT', ...order }, 'upload 7 method-url-result'],
  [{ operation: 'TDS_UPLOAD_CRES_RESULT', ...order }, 'upload 7 CRes'],
  [{ operation: 'TDS_UPLOAD_PARES_RESULT', ...order }, 'upload 7 PARes'],
];

const everything = PROMISED.map(([, trace]) => trace);
const keeping = (traces: readonly string[]) => async () => traces.map((trace) => ({ trace }));
const booked = (reference: string, outcome = 'approved') => ({ reference, outcome }) as BookEntry;

it('finds nothing missing where everything is kept', async () => {
  const promised = PROMISED.map(([one]) => one);
  const books = [booked('7-1', 'declined'), booked('7-2'), booked('77-1')];
  expect(await missingTraces(keeping(everything), books, promised)).toEqual([]);
});

it.each(PROMISED)('misses what %o left behind', async (one, trace) => {
  const others = everything.filter((each) => each !== trace);
  const [first, ...more] = await missingTraces(keeping(others), [], [one]);
  expect(first).toMatch(new RegExp(`^${one.operation} .* was acknowledged and is gone$`));
  expect(more).toEqual([]);
});

it('notices a payout that was paid twice', async () => {
  const paid = { operation: 'PAYOUT_V4_PAY', ...order } as const;
  const books = [booked('7-1'), booked('7-2')];
  expect(await missingTraces(keeping(everything), books, [paid, paid])).toEqual(['payout inv-1 was paid 2 times']);
});
