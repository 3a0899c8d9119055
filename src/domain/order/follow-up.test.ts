import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approval, Decline } from '../acquirer/acquirer-answer.ts';
import { type ErrorName, Refusal } from '../errors.ts';
import { type Account, entriesOf, reservationOf } from '../money/ledger.ts';
import { type Command, decide, evolve, type NewOrder, type OrderEvent, startOrder } from './decide.ts';
import { type FollowUpKind, heldBy, type ReturnSource, returnableBy, wholeOf } from './follow-up.ts';
import type { Order } from './order.ts';
import { isFinal } from './stages.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 24 * 60 * 60 * 1000;
const at = (now: number) => ({ now, leaseMs: 45_000, holdMs: 7 * DAY });

const approval: Approval = { word: 'approved', approvalCode: 'A1B2C3', rrn: '123456789012', processorTxId: 'TX' };
const decline: Decline = { word: 'declined', code: '116' };

const intent: NewOrder = {
  merchantId: 1,
  orderId: 77,
  endpointId: 101,
  clientOrderId: 'inv-1',
  operation: 'preauth',
  type: 'preauth',
  currency: 'USD',
  notation: 'minor',
  amount: 1000n,
  requestSerial: 'first',
};

type Step =
  | { do: FollowUpKind; amount?: bigint; from?: ReturnSource }
  | { answer: 'approved' | 'declined' | 'unknown'; to?: number }
  | { later: number };

const approve: Step = { answer: 'approved' };

/** Plays steps on a fresh order; a refusal is noted and changes nothing. */
function play(kind: 'sale' | 'preauth', steps: readonly Step[]) {
  let now = NOW;
  let order = startOrder({ ...intent, operation: kind, type: kind }, at(now));
  const refusals: ErrorName[] = [];
  const balances: Record<Account, bigint> = { merchant: 0n, clearing: 0n, reserved: 0n, transit: 0n };
  const apply = (command: Command) => {
    const decided = decide(order, command, at(now));
    if (decided instanceof Refusal) refusals.push(decided.faults[0].error);
    else for (const event of decided) order = book(order, event, balances);
  };
  steps.forEach((step, index) => {
    if ('later' in step) now += step.later;
    else if ('do' in step) {
      const amounts = step.amount === undefined ? [] : [step.amount];
      const { do: kind, from } = step;
      apply({ type: 'follow-up', kind, amounts, from, requestSerial: `request-${index}`, comment: undefined });
    } else {
      const seq = Math.min(step.to ?? Number.POSITIVE_INFINITY, order.transactions.length);
      const answer = { approved: approval, declined: decline, unknown: { word: 'unknown', reason: '' } as const }[
        step.answer
      ];
      apply({ type: 'sent', seq, leg: 1, answer });
    }
  });
  return { order, refusals, balances, now };
}

function book(order: Order, event: OrderEvent, balances: Record<Account, bigint>): Order {
  const after = evolve(order, event);
  for (const { account, amount } of entriesOf(after, event)) balances[account] += amount;
  return after;
}

describe('what may be done with the money of an order', () => {
  it.each<[string, 'sale' | 'preauth', Step[], ErrorName[]]>([
    ['a preauth is captured whole', 'preauth', [approve, { do: 'capture' }, approve], []],
    [
      'a preauth is captured in parts',
      'preauth',
      [approve, { do: 'capture', amount: 400n }, approve, { do: 'capture', amount: 600n }],
      [],
    ],
    ['more than is held', 'preauth', [approve, { do: 'capture', amount: 1001n }], ['amount-exceeds-hold']],
    [
      'a second capture beyond the hold',
      'preauth',
      [approve, { do: 'capture', amount: 600n }, approve, { do: 'capture', amount: 401n }],
      ['amount-exceeds-hold'],
    ],
    [
      'a capture beside one in flight',
      'preauth',
      [approve, { do: 'capture', amount: 600n }, { do: 'capture', amount: 600n }],
      ['amount-exceeds-hold'],
    ],
    [
      'again after the one in flight was declined',
      'preauth',
      [approve, { do: 'capture', amount: 600n }, { answer: 'declined' }, { do: 'capture', amount: 600n }],
      [],
    ],
    ['a capture of an unanswered preauth', 'preauth', [{ do: 'capture' }], ['follow-up-not-possible']],
    [
      'a capture of a declined preauth',
      'preauth',
      [{ answer: 'declined' }, { do: 'capture' }],
      ['follow-up-not-possible'],
    ],
    ['a capture of a sale', 'sale', [approve, { do: 'capture' }], ['follow-up-not-possible']],
    ['a capture after seven days', 'preauth', [approve, { later: 7 * DAY }, { do: 'capture' }], ['hold-expired']],
    [
      'a capture of nothing left',
      'preauth',
      [approve, { do: 'capture' }, approve, { do: 'capture' }],
      ['amount-exceeds-hold'],
    ],
    [
      'a return of a sale in parts',
      'sale',
      [approve, { do: 'return', amount: 300n }, approve, { do: 'return', amount: 700n }],
      [],
    ],
    [
      'a return beyond the sale',
      'sale',
      [approve, { do: 'return', amount: 300n }, approve, { do: 'return', amount: 701n }],
      ['amount-exceeds-captured'],
    ],
    [
      'two returns in flight beyond the sale',
      'sale',
      [approve, { do: 'return', amount: 600n }, { do: 'return', amount: 600n }],
      ['amount-exceeds-captured'],
    ],
    [
      'a return of a sale that was declined',
      'sale',
      [{ answer: 'declined' }, { do: 'return' }],
      ['follow-up-not-possible'],
    ],
    ['a return of a sale nobody has answered', 'sale', [{ do: 'return' }], ['follow-up-not-possible']],
    [
      'a capture after the hold was cancelled',
      'preauth',
      [approve, { do: 'return' }, approve, { do: 'capture' }],
      ['amount-exceeds-hold'],
    ],
    [
      'a cancel beside a capture in flight',
      'preauth',
      [approve, { do: 'capture', amount: 400n }, { do: 'return' }],
      ['follow-up-not-possible'],
    ],
    [
      'a return beyond what was captured',
      'preauth',
      [approve, { do: 'capture', amount: 600n }, approve, { do: 'return', amount: 601n }],
      ['amount-exceeds-captured'],
    ],
    [
      'a return beyond what is held and was captured, while the capture is under way',
      'preauth',
      [approve, { do: 'capture', amount: 400n }, { do: 'return', amount: 601n }],
      ['follow-up-not-possible'],
    ],
    [
      'a return of an amount that a capture under way may have taken',
      'preauth',
      [approve, { do: 'capture', amount: 400n }, { do: 'return', amount: 400n }],
      ['follow-up-not-possible'],
    ],
    [
      'a second return of what was captured, though as much is held',
      'preauth',
      [
        approve,
        { do: 'capture', amount: 400n },
        approve,
        { do: 'return', amount: 400n },
        approve,
        { do: 'return', amount: 400n },
      ],
      ['amount-exceeds-captured'],
    ],
    [
      'a cancel of more than is left beside a capture under way',
      'preauth',
      [approve, { do: 'capture', amount: 400n }, { do: 'return', amount: 601n, from: 'hold' }],
      ['amount-exceeds-hold'],
    ],
    [
      'a capture of what a cancel under way gives back',
      'preauth',
      [approve, { do: 'return', amount: 600n, from: 'hold' }, { do: 'capture', amount: 401n }],
      ['amount-exceeds-hold'],
    ],
    ['a cancel of a sale', 'sale', [approve, { do: 'return', from: 'hold' }], ['follow-up-not-possible']],
    ['a reversal of a mere hold', 'preauth', [approve, { do: 'return', from: 'payment' }], ['follow-up-not-possible']],
    ['a void of a sale', 'sale', [approve, { do: 'void' }, approve], []],
    ['a void with the whole amount', 'sale', [approve, { do: 'void', amount: 1000n }], []],
    ['a void of a part', 'sale', [approve, { do: 'void', amount: 999n }], ['void-whole-amount']],
    ['a second void', 'sale', [approve, { do: 'void' }, approve, { do: 'void' }], ['follow-up-not-possible']],
    ['a void beside one in flight', 'sale', [approve, { do: 'void' }, { do: 'void' }], ['follow-up-not-possible']],
    [
      'a void after a return',
      'sale',
      [approve, { do: 'return', amount: 1n }, approve, { do: 'void' }],
      ['follow-up-not-possible'],
    ],
    [
      'a return after a void',
      'sale',
      [approve, { do: 'void' }, approve, { do: 'return' }],
      ['amount-exceeds-captured'],
    ],
    ['a void of a preauth', 'preauth', [approve, { do: 'void' }], ['follow-up-not-possible']],
    ['a void of a capture', 'preauth', [approve, { do: 'capture', amount: 400n }, approve, { do: 'void' }], []],
  ])('%s', (_, kind, steps, refusals) => {
    expect(play(kind, steps).refusals).toEqual(refusals);
  });

  it.each<[string, 'sale' | 'preauth', Step[], bigint]>([
    ['a sale', 'sale', [approve], 1000n],
    ['a preauth alone', 'preauth', [approve], 0n],
    ['a capture of a part', 'preauth', [approve, { do: 'capture', amount: 400n }, approve], 400n],
    ['a return of a part', 'sale', [approve, { do: 'return', amount: 300n }, approve], 700n],
    ['a declined return', 'sale', [approve, { do: 'return', amount: 300n }, { answer: 'declined' }], 1000n],
    ['a void', 'sale', [approve, { do: 'void' }, approve], 0n],
    ['a cancel', 'preauth', [approve, { do: 'return' }, approve], 0n],
  ])('books %s', (_, kind, steps, balance) => {
    const { balances } = play(kind, steps);
    expect(balances.merchant).toBe(balance);
    expect(balances.clearing).toBe(-balance);
  });

  it('shows a return of a preauth as a cancel, and one of a capture as a reversal', () => {
    const types = (steps: Step[]) => play('preauth', steps).order.transactions.map(({ type }) => type);
    expect(types([approve, { do: 'return' }])).toEqual(['preauth', 'cancel']);
    expect(types([approve, { do: 'capture', amount: 1n }, approve, { do: 'return' }])).toEqual([
      'preauth',
      'capture',
      'reversal',
    ]);
  });

  const captured = (amount: bigint): Step[] => [approve, { do: 'capture', amount }, approve];

  it.each<[string, Step[], ['cancel' | 'reversal', bigint]]>([
    ['what is left, named', [...captured(400n), { do: 'return', amount: 600n }], ['cancel', 600n]],
    ['more than was captured', [...captured(400n), { do: 'return', amount: 401n }], ['cancel', 401n]],
    ['as much as was captured', [...captured(400n), { do: 'return', amount: 400n }], ['reversal', 400n]],
    ['no amount', [...captured(400n), { do: 'return' }], ['reversal', 400n]],
    ['no amount, of the hold', [...captured(400n), { do: 'return', from: 'hold' }], ['cancel', 600n]],
    ['a part of the hold', [...captured(600n), { do: 'return', amount: 100n, from: 'hold' }], ['cancel', 100n]],
    ['a part of the payment', [...captured(600n), { do: 'return', amount: 100n, from: 'payment' }], ['reversal', 100n]],
    [
      'what is left, beside a capture under way',
      [approve, { do: 'capture', amount: 400n }, { do: 'return', amount: 600n }],
      ['cancel', 600n],
    ],
  ])('a return of a partly captured preauth gives back %s', (_, steps, [type, amount]) => {
    const { order, refusals } = play('preauth', steps);
    expect(refusals).toEqual([]);
    expect(order.transactions.at(-1)).toMatchObject({ type, amount, originalSeq: 1 });
  });

  it('a return without an amount that is sent again gives back nothing more', () => {
    const { order, refusals } = play('preauth', [...captured(400n), { do: 'return' }, approve, { do: 'return' }]);
    expect(refusals).toEqual(['amount-exceeds-captured']);
    expect(heldBy(order)).toBe(600n);
  });

  it('voids the latest capture that no other void has begun to undo', () => {
    const part: Step[] = [{ do: 'capture', amount: 400n }, approve];
    const { order } = play('preauth', [approve, ...part, ...part, { do: 'void' }, { do: 'void' }]);
    const voids = order.transactions.filter(({ type }) => type === 'void');
    expect(voids.map(({ originalSeq }) => originalSeq)).toEqual([3, 2]);
  });

  it('gives a hold that ran out back, once, and only what is left of it', () => {
    const { order } = play('preauth', [approve, { do: 'capture', amount: 400n }, approve]);
    const tooEarly = decide(order, { type: 'hold-ended', requestSerial: 'system' }, at(NOW + 6 * DAY));
    expect(tooEarly).toEqual([]);
    const ended = decide(order, { type: 'hold-ended', requestSerial: 'system' }, at(NOW + 7 * DAY));
    if (ended instanceof Refusal) throw new Error('refused');
    const after = ended.reduce(evolve, order);
    expect(after.transactions.at(-1)).toMatchObject({ type: 'cancel', amount: 600n, stage: 'sending' });
    expect(decide(after, { type: 'hold-ended', requestSerial: 'again' }, at(NOW + 8 * DAY))).toEqual([]);
  });

  it.each([
    ['declined', [1000n]],
    ['approved', [600n]],
  ] as const)('gives all of it back that a capture under way did not take: it is %s', (word, back) => {
    const { order } = play('preauth', [approve, { do: 'capture', amount: 400n }]);
    const answer = word === 'approved' ? approval : decline;
    const commands: Command[] = [
      { type: 'hold-ended', requestSerial: 'too early' },
      { type: 'sent', seq: 2, leg: 1, answer },
      { type: 'hold-ended', requestSerial: 'system' },
      { type: 'hold-ended', requestSerial: 'again' },
    ];
    const after = commands.reduce((before, command) => {
      const events = decide(before, command, at(NOW + 7 * DAY));
      return events instanceof Refusal ? before : events.reduce(evolve, before);
    }, order);
    const releases = after.transactions.filter(({ type }) => type === 'cancel');
    expect(releases.map(({ amount }) => amount)).toEqual(back);
    expect(heldBy(after)).toBe(0n);
  });
});

describe('any history of follow-ups', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record(
      {
        do: fc.constantFrom<FollowUpKind>('capture', 'return', 'void'),
        amount: fc.bigInt({ min: 1n, max: 1100n }),
        from: fc.constantFrom<ReturnSource>('hold', 'payment'),
      },
      { requiredKeys: ['do'] },
    ),
    fc.record({
      answer: fc.constantFrom('approved' as const, 'declined' as const, 'unknown' as const),
      to: fc.integer({ min: 1, max: 12 }),
    }),
    fc.constant<Step>(approve),
    fc.constant<Step>({ later: DAY }),
  );

  it('keeps every cap, whatever is asked and answered in whatever order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sale' as const, 'preauth' as const),
        fc.array(step, { maxLength: 40 }),
        (kind, steps) => {
          const { order, balances } = play(kind, [approve, ...steps]);
          expect(order.captured + order.released).toBeLessThanOrEqual(order.authorised);
          expect(order.reversed).toBeLessThanOrEqual(order.captured);
          expect(heldBy(order)).toBeGreaterThanOrEqual(0n);
          expect(returnableBy(order)).toBeGreaterThanOrEqual(0n);
          expect(balances.merchant).toBe(order.captured - order.reversed);
          expect(balances.merchant + balances.clearing).toBe(0n);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('money that is sent out', () => {
  const move = (order: Order, command: Command, balances: Record<Account, bigint>) => {
    const decided = decide(order, command, at(NOW));
    if (decided instanceof Refusal) throw new Error('refused');
    return decided.reduce((before, event) => book(before, event, balances), order);
  };
  const start = (overrides: Partial<NewOrder>) => {
    const balances: Record<Account, bigint> = { merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n };
    const order = startOrder({ ...intent, operation: 'payout', type: 'payout', ...overrides }, at(NOW));
    for (const { account, amount } of reservationOf(order)) balances[account] += amount;
    return { order, balances };
  };
  const sent = (answer: Approval | Decline, leg = 1): Command => ({ type: 'sent', seq: 1, leg, answer });

  it('is set aside at once, and paid or given back', () => {
    const paid = start({});
    expect(paid.balances).toMatchObject({ merchant: 4000n, reserved: 1000n });
    move(paid.order, sent(approval), paid.balances);
    expect(paid.balances).toEqual({ merchant: 4000n, clearing: -4000n, reserved: 0n, transit: 0n });
    const refused = start({});
    move(refused.order, sent(decline), refused.balances);
    expect(refused.balances).toEqual({ merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n });
  });

  it('waits for a confirmation where one is asked for, and ends without it', () => {
    const waiting = start({ awaitsConfirmation: true });
    expect(waiting.order.transactions[0]).toMatchObject({ stage: 'waiting', dueAt: NOW + DAY });
    expect(waiting.balances.reserved).toBe(0n);
    const confirmed = move(waiting.order, { type: 'confirm' }, waiting.balances);
    expect(confirmed.transactions[0]?.stage).toBe('sending');
    expect(waiting.balances).toMatchObject({ merchant: 4000n, reserved: 1000n });
    expect(decide(confirmed, { type: 'confirm' }, at(NOW))).toEqual([]);
    expect(decide(waiting.order, { type: 'confirm' }, at(NOW + DAY))).toEqual([]);
    const expired = decide(waiting.order, { type: 'waiting-ended' }, at(NOW + DAY));
    expect(expired).toMatchObject([{ to: 'expired' }]);
    const claimed = waiting.order.transactions.map((one) => ({ ...one, dueAt: NOW + 2 * DAY }));
    const later = decide({ ...waiting.order, transactions: claimed }, { type: 'waiting-ended' }, at(NOW + DAY));
    expect(later).toMatchObject([{ to: 'expired' }]);
  });

  it.each([
    ['payout', 'return', 1],
    ['payout', 'void', 1],
    ['transfer', 'return', 2],
    ['transfer', 'void', 2],
  ] as const)('by an approved %s is out of reach of a %s', (type, kind, legs) => {
    const { order, balances } = start({ operation: type, type, legs });
    let paid = order;
    for (let leg = 1; leg <= legs; leg++) paid = move(paid, sent(approval, leg), balances);
    expect(paid).toMatchObject({ captured: 1000n });
    const asked: Command = { type: 'follow-up', kind, amounts: [], requestSerial: 'second', comment: undefined };
    const refused = decide(paid, asked, at(NOW));
    expect(refused instanceof Refusal && refused.faults[0].message).toContain('payouts and transfers cannot be');
  });

  it('from card to card is taken first, then sent', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    expect(balances.merchant).toBe(5000n);
    const taken = move(order, sent(approval), balances);
    // The second leg is an instruction of its own, and none of it was sent yet.
    expect(taken.transactions[0]).toMatchObject({ stage: 'sending', leg: 2, sends: 0 });
    expect(balances).toMatchObject({ transit: 1000n, clearing: -6000n });
    const done = move(taken, sent(approval, 2), balances);
    expect(done.transactions[0]).toMatchObject({ stage: 'approved' });
    expect(balances).toEqual({ merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n });
  });

  it('from card to card goes back to the sender when it cannot be sent', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const taken = move(order, sent(approval), balances);
    const refused = move(taken, sent(decline, 2), balances);
    expect(refused.transactions[0]).toMatchObject({ stage: 'undoing', leg: 1 });
    const undone = move(refused, { type: 'reversal-answered', seq: 1, leg: 1, answer: { word: 'reversed' } }, balances);
    expect(undone.transactions[0]).toMatchObject({ stage: 'declined', answer: { code: '116' } });
    expect(balances).toEqual({ merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n });
  });

  it('from card to card stays in transit until the sender has it back', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const taken = move(order, sent(approval), balances);
    const refused = move(taken, sent(decline, 2), balances);
    expect(balances).toMatchObject({ transit: 1000n });
    const unanswered: Command = {
      type: 'reversal-answered',
      seq: 1,
      leg: 1,
      answer: { word: 'unknown', reason: 'silence' },
    };
    let stuck = refused;
    while (stuck.transactions[0]?.stage === 'undoing') stuck = move(stuck, unanswered, balances);
    expect(stuck.transactions[0]).toMatchObject({ stage: 'stuck', leg: 1 });
    expect(decide(stuck, { type: 'settled', seq: 1, outcome: 'approved' }, at(NOW))).toEqual([]);
    const settled = move(stuck, { type: 'settled', seq: 1, outcome: 'declined' }, balances);
    expect(settled.transactions[0]).toMatchObject({ stage: 'declined' });
    expect(balances).toEqual({ merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n });
  });

  it('from card to card goes back whatever the bank of the receiver says', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const before = { ...balances };
    const taken = move(order, sent(approval), balances);
    const refused = move(taken, sent({ ...decline, code: '194' }, 2), balances);
    expect(balances).toMatchObject({ transit: 1000n });
    const back: Command = { type: 'reversal-answered', seq: 1, leg: 1, answer: { word: 'reversed' } };
    expect(move(refused, back, balances).transactions[0]).toMatchObject({ stage: 'declined' });
    expect(balances).toEqual(before);
  });

  it('from card to card was never in transit when the security code was lost before any bank saw it', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const before = { ...balances };
    const asking = { ...order, transactions: [{ ...order.transactions[0]!, stage: 'asking' } as const] };
    const lost: Command = {
      type: 'inquired',
      seq: 1,
      leg: 1,
      answer: { word: 'not-found' },
      resendable: false,
      codeLost: true,
    };
    const undoing = move(asking, lost, balances);
    expect(undoing.transactions[0]).toMatchObject({ stage: 'undoing', leg: 1, answer: { code: '194' } });
    const gone: Command = { type: 'reversal-answered', seq: 1, leg: 1, answer: { word: 'not-found' } };
    expect(move(undoing, gone, balances).transactions[0]).toMatchObject({ stage: 'declined' });
    expect(balances).toEqual(before);
  });

  it.each([
    ['approved', { stage: 'approved', dueAt: undefined }],
    ['declined', { stage: 'declined', dueAt: undefined }],
    ['reversed', { stage: 'error', dueAt: undefined }],
  ] as const)('an operator says a sale nobody could tell about was %s, and why', (outcome, expected) => {
    const { order, balances } = start({ operation: 'sale', type: 'sale' });
    const stuck = {
      ...order,
      transactions: [{ ...order.transactions[0]!, stage: 'stuck', dueAt: undefined } as const],
    };
    const [event] = decide(stuck, { type: 'settled', seq: 1, outcome, note: 'by phone' }, at(NOW)) as OrderEvent[];
    expect(event).toMatchObject({ finding: outcome, reason: 'by phone', from: 'stuck' });
    const before = balances.merchant;
    const after = move(stuck, { type: 'settled', seq: 1, outcome, note: 'by phone' }, balances);
    expect(after.transactions[0]).toMatchObject(expected);
    expect(balances.merchant - before).toBe(outcome === 'approved' ? 1000n : 0n);
    // Once is enough.
    expect(decide(after, { type: 'settled', seq: 1, outcome: 'approved' }, at(NOW))).toEqual([]);
  });

  it.each(['approved', 'declined'] as const)('an operator says each leg was %s', (outcome) => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const silence = { word: 'unknown', reason: 'silence' } as const;
    const untilStuck = (before: Order, leg: number) => {
      let after = move(before, { type: 'sent', seq: 1, leg, answer: silence }, balances);
      while (after.transactions[0]?.stage === 'asking') {
        after = move(after, { type: 'inquired', seq: 1, leg, answer: silence, resendable: true }, balances);
      }
      while (after.transactions[0]?.stage === 'undoing') {
        after = move(after, { type: 'reversal-answered', seq: 1, leg, answer: silence }, balances);
      }
      expect(after.transactions[0]).toMatchObject({ stage: 'stuck', leg });
      return after;
    };
    const sending = move(untilStuck(order, 1), { type: 'settled', seq: 1, outcome: 'approved' }, balances);
    expect(sending.transactions[0]).toMatchObject({ stage: 'sending', leg: 2 });
    expect(balances.transit).toBe(1000n);
    const settled = move(untilStuck(sending, 2), { type: 'settled', seq: 1, outcome }, balances);
    const expected = { approved: { stage: 'approved' }, declined: { stage: 'undoing', leg: 1 } }[outcome];
    expect(settled.transactions[0]).toMatchObject(expected);
    if (outcome === 'declined') {
      move(settled, { type: 'reversal-answered', seq: 1, leg: 1, answer: { word: 'reversed' } }, balances);
    }
    expect(balances).toEqual({ merchant: 5000n, clearing: -5000n, reserved: 0n, transit: 0n });
  });

  it('hears nothing of a leg that is over', () => {
    const { order, balances } = start({ operation: 'transfer', type: 'transfer', legs: 2 });
    const taken = move(order, sent(approval), balances);
    expect(decide(taken, sent(decline, 1), at(NOW))).toEqual([]);
  });

  it('tries other amounts in turn when one is declined', () => {
    let order = startOrder({ ...intent, operation: 'rebill', type: 'sale', alternatives: [500n, 100n] }, at(NOW));
    const balances: Record<Account, bigint> = { merchant: 0n, clearing: 0n, reserved: 0n, transit: 0n };
    order = move(order, sent(decline), balances);
    expect(order.transactions.map(({ amount, stage }) => [amount, stage])).toEqual([
      [1000n, 'declined'],
      [500n, 'sending'],
    ]);
    order = move(order, { type: 'sent', seq: 2, leg: 1, answer: decline }, balances);
    order = move(order, { type: 'sent', seq: 3, leg: 1, answer: approval }, balances);
    expect(order.transactions.every(({ stage }) => isFinal(stage))).toBe(true);
    expect(order).toMatchObject({ captured: 100n, alternatives: [] });
    expect(balances.merchant).toBe(100n);
  });

  it('tries no other amount when the issuer will never approve', () => {
    const order = startOrder({ ...intent, operation: 'rebill', type: 'sale', alternatives: [500n] }, at(NOW));
    const events = decide(order, sent({ word: 'declined', code: '209' }), at(NOW));
    expect(events).toMatchObject([{ type: 'transaction-moved', to: 'declined' }]);
  });

  it.each<[string, Partial<NewOrder>]>([
    ['other amounts could be tried', { alternatives: [500n] }],
    ['the payer could give another card', { form: 'pays' }],
  ])('begins nothing after a declined return, though %s', (_, more) => {
    const balances: Record<Account, bigint> = { merchant: 0n, clearing: 0n, reserved: 0n, transit: 0n };
    const order = startOrder({ ...intent, operation: 'sale', type: 'sale', ...more }, at(NOW));
    const given: Command = {
      type: 'card-given',
      seq: 1,
      filterReason: undefined,
      needsAuthentication: false,
      mustWait: false,
    };
    const paid = move(order.form === undefined ? order : move(order, given, balances), sent(approval), balances);
    const asked: Command = {
      type: 'follow-up',
      kind: 'return',
      amounts: [],
      requestSerial: 'second',
      comment: undefined,
    };
    const declined = decide(move(paid, asked, balances), { type: 'sent', seq: 2, leg: 1, answer: decline }, at(NOW));
    expect(declined).toMatchObject([{ type: 'transaction-moved', seq: 2, to: 'declined' }]);
  });
});

describe('a part of an amount', () => {
  const sale = play('sale', [approve]).order;
  const captured = play('preauth', [approve, { do: 'capture', amount: 600n }, approve]).order;
  const held = play('preauth', [approve]).order;

  it.each([
    ['a return of all', sale, 'reversal', 1000n, undefined],
    ['a return of a part', sale, 'reversal', 999n, 1000n],
    ['a capture of all', held, 'capture', 1000n, undefined],
    ['a capture of a part', held, 'capture', 1n, 1000n],
    ['a release of all', held, 'cancel', 1000n, undefined],
    ['a release of what a capture left', captured, 'cancel', 400n, 1000n],
    ['a return of everything captured', captured, 'reversal', 600n, undefined],
    ['a return of a part of what was captured', captured, 'reversal', 100n, 600n],
    ['a void', sale, 'void', 1000n, undefined],
  ] as const)('%s', (_what, order, type, amount, whole) => {
    expect(wholeOf(order, { type, amount, originalSeq: 1 })).toBe(whole);
  });
});
