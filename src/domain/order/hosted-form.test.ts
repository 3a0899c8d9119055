import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newOrder } from '../../../test/new-order.ts';
import type { Approval, Decline } from '../acquirer/acquirer-answer.ts';
import { Refusal } from '../errors.ts';
import { entriesOf } from '../money/ledger.ts';
import { type Command, decide, evolve, type NewOrder, type OrderEvent, startOrder } from './decide.ts';
import { failureOf } from './failure.ts';
import { formTriesOf, isLocked, payableUntil, triesOf } from './hosted-form.ts';
import { acquirerReference, type Order, purposeOf } from './order.ts';
import { FORM_MS } from './retry-schedule.ts';
import { isFinal, type Stage, stages } from './stages.ts';

const NOW = Date.UTC(2026, 5, 1);
const MINUTE = 60_000;
const at = (now: number) => ({ now, leaseMs: 45_000, holdMs: 7 * 24 * 60 * MINUTE });

const intent: NewOrder = {
  ...newOrder,
  form: 'pays',
};

const payout: Partial<NewOrder> = { operation: 'payout', type: 'payout' };

const approval: Approval = { word: 'approved', approvalCode: 'A1B2C3', rrn: '123456789012', processorTxId: 'TX-77' };
const decline: Decline = { word: 'declined', code: '116' };
const stolen: Decline = { word: 'declined', code: '209' };

const card = (seq: number): Command => ({
  ...{ type: 'card-given', seq, filterReason: undefined },
  ...{ mustWait: false, needsAuthentication: false },
});
const filtered = (seq: number): Command => ({ ...card(seq), filterReason: 'card-blocked' }) as Command;
const uncovered = (seq: number): Command => ({ ...card(seq), mustWait: true }) as Command;
const answered = (seq: number, answer: Approval | Decline): Command => ({ type: 'sent', seq, leg: 1, answer });
const unanswered = (seq: number): Command => ({
  type: 'sent',
  seq,
  leg: 1,
  answer: { word: 'unknown', reason: 'time-out' },
});
const secured = (seq: number): Command => ({ ...card(seq), needsAuthentication: true }) as Command;
const authenticated = (seq: number): Command => ({ type: 'authenticated', seq });
const refused = (seq: number): Command => ({ type: 'authentication-refused', seq, code: '190', reason: 'N' });
const ended: Command = { type: 'waiting-ended' };
const confirm: Command = { type: 'confirm' };
const left = (seq: number): Command => ({ type: 'payer-left', seq });

/** Applies each command at the minute given with it, or a minute after the one before. */
function run(steps: readonly (Command | [number, Command])[], changes: Partial<NewOrder> = {}) {
  let order = startOrder({ ...intent, ...changes }, at(NOW));
  const events: OrderEvent[] = [];
  let minute = 0;
  for (const step of steps) {
    const [when, command] = Array.isArray(step) ? step : [minute + 1, step];
    minute = when;
    const decided = decide(order, command, at(NOW + minute * MINUTE));
    if (decided instanceof Refusal) throw new Error(decided.faults[0].message);
    for (const event of decided) {
      order = evolve(order, event);
      events.push(event);
    }
  }
  return { order, events };
}

const stagesOf = (order: Order): Stage[] => order.transactions.map(({ stage }) => stage);

describe('an order whose card is entered on the hosted form', () => {
  it('begins without a card and waits half an hour for one', () => {
    const { order } = run([]);
    expect(order.transactions[0]).toMatchObject({ stage: 'awaiting-payer', dueAt: NOW + FORM_MS, sends: 0 });
    expect(payableUntil(order)).toBe(NOW + FORM_MS);
  });

  it.each<[string, (Command | [number, Command])[], Stage[]]>([
    ['a card is sent', [card(1)], ['sending']],
    ['approved', [card(1), answered(1, approval)], ['approved']],
    ['the same card twice: once', [card(1), card(1)], ['sending']],
    ['a card after the money is there: nothing', [card(1), answered(1, approval), card(1), card(2)], ['approved']],
    ['declined: another card may be tried', [card(1), answered(1, decline)], ['declined', 'awaiting-payer']],
    ['a tab that still shows the first try', [card(1), answered(1, decline), card(1)], ['declined', 'awaiting-payer']],
    [
      'a second card is approved',
      [card(1), answered(1, decline), card(2), answered(2, approval)],
      ['declined', 'approved'],
    ],
    [
      'an issuer that will never approve: another card all the same',
      [card(1), answered(1, stolen)],
      ['declined', 'awaiting-payer'],
    ],
    [
      'the third card fails: locked',
      [card(1), answered(1, decline), card(2), answered(2, decline), card(3), answered(3, decline), card(4)],
      ['declined', 'declined', 'declined'],
    ],
    ['stopped by a rule: ended', [filtered(1), card(1), card(2)], ['filtered']],
    ['nobody came', [[30, ended]], ['abandoned']],
    ['looked at too early', [[29, ended]], ['awaiting-payer']],
    ['a card at the last moment', [[29.99, card(1)]], ['sending']],
    ['a card too late', [[30, card(1)]], ['awaiting-payer']],
    ['no other card in time after a decline', [card(1), answered(1, decline), [30, ended]], ['declined', 'given-up']],
    ['back to the shop after a decline', [card(1), answered(1, decline), left(2)], ['declined', 'given-up']],
    [
      'back to the shop, by two clicks, and a card from another tab',
      [card(1), answered(1, decline), left(2), left(2), card(2), [30, ended]],
      ['declined', 'given-up'],
    ],
    ['back to the shop before any card: the form stays open', [left(1)], ['awaiting-payer']],
    ['back to the shop while the bank is asked: nothing', [card(1), left(1), left(2)], ['sending']],
    ['back to the shop while nobody knows: nothing', [card(1), unanswered(1), left(1)], ['asking']],
    ['back to the shop while the payer is authenticated: nothing', [secured(1), left(1)], ['authenticating']],
    [
      'back to the shop from a tab that is out of date: nothing',
      [card(1), answered(1, decline), card(2), left(2), left(1)],
      ['declined', 'sending'],
    ],
    [
      'back to the shop from a tab of the try before: the form stays open',
      [card(1), answered(1, decline), card(2), answered(2, decline), left(2)],
      ['declined', 'declined', 'awaiting-payer'],
    ],
    ['back to the shop with the money there: nothing', [card(1), answered(1, approval), left(1)], ['approved']],
    [
      'declined when the time is over: no other card',
      [
        [29, card(1)],
        [31, answered(1, decline)],
      ],
      ['declined'],
    ],
    [
      'the time ends while the bank is asked: nothing',
      [
        [29, card(1)],
        [31, ended],
      ],
      ['sending'],
    ],
    ['nobody knows: no other card meanwhile', [card(1), unanswered(1), card(1), card(2)], ['asking']],
    ['authenticated first, then sent', [secured(1), authenticated(1)], ['sending']],
    ['twice while it is authenticated: once', [secured(1), card(1), secured(1)], ['authenticating']],
    ['not authenticated: another card', [secured(1), refused(1)], ['declined', 'awaiting-payer']],
    [
      'not authenticated three times: locked',
      [secured(1), refused(1), secured(2), refused(2), secured(3), refused(3), card(4)],
      ['declined', 'declined', 'declined'],
    ],
    ['a merchant cannot confirm what has no card', [confirm], ['awaiting-payer']],
  ])('%s', (_, steps, stages) => {
    expect(stagesOf(run(steps).order)).toEqual(stages);
  });

  it.each<[string, (Command | [number, Command])[], Stage[]]>([
    ['signed: paid at once', [card(1), answered(1, approval)], ['approved']],
    ['signed, and declined: another card', [card(1), answered(1, decline)], ['declined', 'awaiting-payer']],
    ['signed, and the balance is short: waits', [uncovered(1)], ['waiting']],
    ['short, then confirmed', [uncovered(1), confirm], ['sending']],
    [
      'short on the second card, then confirmed',
      [card(1), answered(1, decline), uncovered(2), confirm],
      ['declined', 'sending'],
    ],
    ['short, and never confirmed', [uncovered(1), [24 * 60 + 5, ended]], ['expired']],
  ])('a payout, %s', (_, steps, stages) => {
    expect(stagesOf(run(steps, payout).order)).toEqual(stages);
  });

  it('a payout nobody signed waits for the merchant', () => {
    const waits: Partial<NewOrder> = { ...payout, form: 'waits' };
    expect(stagesOf(run([card(1)], waits).order)).toEqual(['waiting']);
    expect(stagesOf(run([card(1), card(1)], waits).order)).toEqual(['waiting']);
    expect(stagesOf(run([card(1), [31, ended]], waits).order)).toEqual(['waiting']);
    expect(stagesOf(run([card(1), confirm], waits).order)).toEqual(['sending']);
    // The payee has left: the merchant who confirmed it is told.
    expect(stagesOf(run([card(1), confirm, answered(1, decline), card(2)], waits).order)).toEqual(['declined']);
    expect(run([card(1)], waits).order.transactions[0]?.dueAt).toBe(NOW + 24 * 60 * MINUTE);
  });

  it.each([1, 2, 3, 4, 5])('takes %i cards when the endpoint says so', (formTries) => {
    const failing = Array.from({ length: 6 }, (_, index) => [card(index + 1), answered(index + 1, decline)]);
    let order = startOrder({ ...intent, formTries }, at(NOW));
    for (const command of failing.flat()) {
      // An answer to a card that was not taken has no transaction.
      if (command.type === 'sent' && !order.transactions[command.seq - 1]) continue;
      const events = decide(order, command, at(NOW));
      if (!(events instanceof Refusal)) order = events.reduce(evolve, order);
    }
    expect(stagesOf(order)).toEqual(Array(formTries).fill('declined'));
    // One card that fails is a decline like any other.
    expect(isLocked(order)).toBe(formTries > 1);
  });

  it.each([
    [undefined, false, 3],
    [undefined, true, 1],
    [5, false, 5],
    [2, true, 2],
    [1, false, 1],
  ] as const)('of an endpoint set to %s, with legacy replies %s, takes %i', (formTries, legacyReplies, tries) => {
    expect(formTriesOf({ formTries, legacyReplies })).toBe(tries);
  });

  it('made before tries were counted by endpoint takes three', () => {
    expect(triesOf({ formTries: undefined })).toBe(3);
  });

  it.each([
    ['back to the shop', left(2)],
    ['no other card in time', [30, ended]],
  ] as [string, Command | [number, Command]][])('ends with the last decline: %s', (_, step) => {
    const refusing: Decline = { word: 'declined', code: '116', rrn: '123456789012', processorTxId: 'TX-1' };
    const { order } = run([card(1), answered(1, refusing), step]);
    const { stage, answer, sends, dueAt } = purposeOf(order);
    expect({ stage, answer, sends, dueAt }).toEqual({
      stage: 'given-up',
      answer: refusing,
      sends: 0,
      dueAt: undefined,
    });
    expect(failureOf(purposeOf(order))?.code).toBe('116');
    expect(stages['given-up'].status).toBe('declined');
  });

  it('is locked after three failed cards, and only then', () => {
    const failed = [card(1), answered(1, decline), card(2), answered(2, decline), card(3)];
    expect(isLocked(run(failed).order)).toBe(false);
    expect(isLocked(run([...failed, answered(3, decline)]).order)).toBe(true);
    expect(isLocked(run([card(1), answered(1, decline)], { form: undefined }).order)).toBe(false);
    // Several amounts were declined where there is no form.
    const amounts = run([answered(1, decline), answered(2, decline), answered(3, decline)], {
      ...{ form: undefined, alternatives: [900n, 800n] },
    });
    expect(stagesOf(amounts.order)).toEqual(['declined', 'declined', 'declined']);
    expect(isLocked(amounts.order)).toBe(false);
  });

  it('says which card a return is about', () => {
    const { order } = run([card(1), answered(1, decline), card(2), answered(2, approval)]);
    const back = decide(
      order,
      { type: 'follow-up', kind: 'return', amounts: [], requestSerial: 'r', comment: undefined },
      at(NOW),
    );
    expect(back).toMatchObject([{ transaction: { type: 'reversal', originalSeq: 2 } }]);
  });

  it('releases the hold of the card that was held', () => {
    const held = { operation: 'preauth', type: 'preauth' } as const;
    const { order } = run([card(1), answered(1, decline), card(2), answered(2, approval)], held);
    const week = at((order.holdUntil ?? 0) + 1);
    const released = decide(order, { type: 'hold-ended', requestSerial: 'r' }, week);
    expect(released).toMatchObject([{ seq: 2 }, { transaction: { type: 'cancel', originalSeq: 2 } }]);
  });
});

describe('any history of a form', () => {
  const seqs = fc.integer({ min: 1, max: 4 });
  const anyCommand: fc.Arbitrary<Command> = fc.oneof(
    seqs.map(card),
    seqs.map(filtered),
    seqs.map(secured),
    seqs.map(authenticated),
    seqs.map(refused),
    fc.tuple(seqs, fc.constantFrom(approval, decline)).map(([seq, answer]) => answered(seq, answer)),
    seqs.map(unanswered),
    seqs.map(left),
    fc.constant(ended),
    fc.constant(confirm),
  );
  const kinds = fc.constantFrom<Partial<NewOrder>>({}, { formTries: 1 }, { formTries: 5 }, payout, {
    ...payout,
    form: 'waits',
  });

  it('sends each card once, under a reference of its own, and ends once', () => {
    fc.assert(
      fc.property(
        kinds,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), anyCommand), { maxLength: 40 }),
        (kind, steps) => {
          let order = startOrder({ ...intent, ...kind }, at(NOW));
          let now = NOW;
          const sent: string[] = [];
          const booked = { merchant: 0n, clearing: 0n, reserved: 0n, transit: 0n };
          for (const [minutes, command] of steps) {
            now += minutes * MINUTE;
            // Commands about transactions that do not exist are left out.
            if (
              'seq' in command &&
              !['card-given', 'payer-left'].includes(command.type) &&
              !order.transactions[command.seq - 1]
            )
              continue;
            const wasOver = isFinal(purposeOf(order).stage);
            const events = decide(order, command, at(now));
            if (events instanceof Refusal) throw new Error('refused');
            if (wasOver) expect(events).toEqual([]);
            for (const event of events) {
              order = evolve(order, event);
              for (const { account, amount } of entriesOf(order, event)) booked[account] += amount;
              if (event.type === 'transaction-moved' && event.to === 'sending') {
                sent.push(acquirerReference(order, { seq: event.seq, leg: event.leg }));
              }
            }
          }
          expect(new Set(sent).size).toBe(sent.length);
          expect(order.transactions.length).toBeLessThanOrEqual(triesOf(order));
          // One outcome at most, and it is the last try's.
          const outcomes = order.transactions.filter(
            (one) => isFinal(one.stage) && (one.originalSeq !== undefined || one === purposeOf(order)),
          );
          expect(outcomes.length).toBeLessThanOrEqual(1);
          const approved = order.transactions.filter(({ stage }) => stage === 'approved');
          expect(approved.length).toBeLessThanOrEqual(1);
          expect(order.captured).toBe(approved.length === 1 ? intent.amount : 0n);
          expect(Object.values(booked).reduce((sum, one) => sum + one, 0n)).toBe(0n);
          const open = order.transactions.filter(({ stage }) => !isFinal(stage));
          expect(open.length).toBeLessThanOrEqual(1);
          const reserved = open.some(
            ({ stage, type }) => type === 'payout' && stage !== 'waiting' && stage !== 'awaiting-payer',
          );
          expect(booked.reserved).toBe(reserved ? intent.amount : 0n);
        },
      ),
    );
  });
});
