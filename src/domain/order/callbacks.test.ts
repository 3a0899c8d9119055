import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { callbackPlan, callbacksDue } from './callbacks.ts';
import { type Command, decide, evolve, filtered, startOrder } from './decide.ts';
import type { Order } from './order.ts';

const MOMENT = { now: Date.UTC(2026, 5, 1), leaseMs: 45_000, holdMs: 604_800_000 };
const BOTH = { server: 'a.example:443', notify: 'b.example:443' };

function newOrder(callbacks: Order['callbacks'], changes: Partial<Parameters<typeof startOrder>[0]> = {}): Order {
  return startOrder(
    {
      ...{ merchantId: 1, orderId: 77, endpointId: 101, clientOrderId: 'inv-1', operation: 'sale', type: 'sale' },
      ...{ currency: 'USD', notation: 'major', amount: 1042n, requestSerial: 'serial', callbacks, ...changes },
    } as Parameters<typeof startOrder>[0],
    MOMENT,
  );
}

const approval = { word: 'approved', approvalCode: 'A1', rrn: '1', processorTxId: 'T' } as const;
const decline = { word: 'declined', code: '116' } as const;
const sent = (seq: number, answer: typeof approval | typeof decline): Command => ({
  type: 'sent',
  seq,
  leg: 1,
  answer,
});
const back: Command = { type: 'follow-up', kind: 'return', amounts: [100n], requestSerial: 'back', comment: undefined };

/** Carries out the commands as one change; returns the callbacks that it makes due. */
function change(before: Order, ...commands: Command[]): { after: Order; due: string[] } {
  let after = before;
  for (const command of commands) {
    const events = decide(after, command, MOMENT);
    if (events instanceof Refusal) throw new Error(events.faults[0].message);
    after = events.reduce(evolve, after);
  }
  return { after, due: callbacksDue(before, after).map(({ seq, target, stage }) => `${seq} ${target} ${stage}`) };
}

describe('what is to be told', () => {
  it.each([
    ['both', BOTH, ['1 server approved', '1 notify approved']],
    ['server only', { server: 'a.example:443' }, ['1 server approved']],
    ['notify only', { notify: 'b.example:443' }, ['1 notify approved']],
    ['nobody', undefined, []],
  ])('of a sale, to %s', (_, plan, due) => {
    expect(change(newOrder(plan), sent(1, approval)).due).toEqual(due);
  });

  it('is nothing while a transaction is not final, and nothing twice', () => {
    const unknown: Command = { type: 'sent', seq: 1, leg: 1, answer: { word: 'unknown', reason: 'silence' } };
    const { after, due } = change(newOrder(BOTH), unknown);
    expect(due).toEqual([]);
    const found = change(after, { type: 'inquired', seq: 1, leg: 1, answer: approval, resendable: true });
    expect(found.due).toHaveLength(2);
    expect(change(found.after, sent(1, approval)).due).toEqual([]);
  });

  it('of later transactions goes to notify_url alone', () => {
    const sold = change(newOrder(BOTH), sent(1, approval)).after;
    const begun = change(sold, back);
    expect(begun.due).toEqual([]);
    expect(change(begun.after, sent(2, approval)).due).toEqual(['2 notify approved']);
    expect(change(begun.after, sent(2, decline)).due).toEqual(['2 notify declined']);
  });

  it('of a payout that came back goes to both: nobody asked for it', () => {
    const paid = change(newOrder(BOTH, { operation: 'payout', type: 'payout' }), sent(1, approval)).after;
    const returned: Command = { type: 'payout-returned', seq: 1, requestSerial: 'back', answer: decline };
    expect(change(paid, returned).due).toEqual(['2 server approved', '2 notify approved']);
  });

  it('of amounts tried in turn is only how the last of them ended', () => {
    const order = newOrder(BOTH, { operation: 'rebill', alternatives: [500n, 100n] });
    const first = change(order, sent(1, decline));
    expect(first.due).toEqual([]);
    const second = change(first.after, sent(2, approval));
    expect(second.due).toEqual(['2 server approved', '2 notify approved']);
    const third = change(change(first.after, sent(2, decline)).after, sent(3, decline));
    expect(third.due).toEqual(['3 server declined', '3 notify declined']);
    // Commands that arrive together are written as one change, with the same result.
    expect(change(order, sent(1, decline), sent(2, approval)).due).toEqual(['2 server approved', '2 notify approved']);
  });

  it('of an order that was stopped is due with its start', () => {
    const due = callbacksDue(undefined, filtered(newOrder(BOTH), 'card-blocked'));
    expect(due.map(({ target, stage }) => `${target} ${stage}`)).toEqual(['server filtered', 'notify filtered']);
    expect(callbacksDue(undefined, newOrder(BOTH))).toEqual([]);
  });
});

describe('the plan of an order', () => {
  it.each([
    [{}, undefined],
    [{ serverCallbackUrl: 'https://a.example/x' }, { server: 'a.example:443' }],
    [{ notifyUrl: 'http://b.example:8080/x' }, { notify: 'b.example:8080' }],
    [
      { serverCallbackUrl: 'https://a.example/x', notifyUrl: 'https://a.example/y' },
      { server: 'a.example:443', notify: 'a.example:443' },
    ],
    // A URL that is given twice is called once.
    [{ serverCallbackUrl: 'https://a.example/x', notifyUrl: 'https://a.example/x' }, { notify: 'a.example:443' }],
  ])('%j is %j', (details, plan) => {
    expect(callbackPlan(details)).toEqual(plan);
  });
});
