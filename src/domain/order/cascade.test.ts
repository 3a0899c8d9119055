import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newOrder } from '../../../test/new-order.ts';
import type { Answer, Approval, Decline, InquiryAnswer, ReversalAnswer } from '../acquirer/acquirer-answer.ts';
import { isCardAttempt } from '../card/card-attempts.ts';
import { isFinalDecline } from '../card/network-limits.ts';
import { Refusal } from '../errors.ts';
import { reservationOf } from '../money/ledger.ts';
import { firstTryOf, isStillExpected, keepsSecurityCode, mayAskAnotherBank, nextTerminal } from './cascade.ts';
import { changeBy } from './change.ts';
import { type Command, type NewOrder, startOrder } from './decide.ts';
import { type Order, purposeOf, transactionOf } from './order.ts';
import { CHALLENGE_PAUSES_MS, CVV_MS } from './retry-schedule.ts';
import type { Stage } from './stages.ts';
import { findingsOf } from './verification.ts';

const NOW = Date.UTC(2026, 5, 1);
const MINUTE = 60_000;
const at = (now: number) => ({ now, leaseMs: 45_000, holdMs: 7 * 24 * 60 * MINUTE });

const intent: NewOrder = {
  ...newOrder,
  route: { terminals: ['one', 'two', 'three'], reason: 'rule 1' },
};

const approval: Approval = { word: 'approved', approvalCode: 'A1B2C3', rrn: '123456789012', processorTxId: 'TX-77' };
const technical: Decline = { word: 'declined', code: '909' };
const refused: Decline = { word: 'declined', code: '116' };
const unsent = { word: 'unsent', reason: 'no connection' } as const;
const unknown = { word: 'unknown', reason: 'silence' } as const;
const challenge = { word: 'challenge', url: 'https://bank.example/pay' } as const;

const sent = (seq: number, answer: Answer): Command => ({ type: 'sent', seq, leg: 1, answer });
const inquired = (seq: number, answer: InquiryAnswer, unanswerable = false): Command => ({
  ...{ type: 'inquired', seq, leg: 1, answer, resendable: true, unanswerable },
});
const reversed = (seq: number, answer: ReversalAnswer): Command => ({ type: 'reversal-answered', seq, leg: 1, answer });

/** Applies commands a second apart, and holds the order to its own events. */
function played(commands: readonly Command[], given: Partial<NewOrder> = {}, stepMs = 1_000): Order {
  let now = NOW;
  let order = startOrder({ ...intent, ...given }, at(now));
  const { stage } = purposeOf(order);
  const serial = intent.requestSerial;
  const events: Record<string, unknown>[] = [{ type: 'order-started', amount: Number(order.amount), serial, stage }];
  const entries = [...reservationOf(order)];
  for (const command of commands) {
    now += stepMs;
    const change = changeBy(order, command, at(now));
    if (change instanceof Refusal) throw new Error(change.faults[0].message);
    order = change.after;
    entries.push(...change.entries);
    for (const event of change.events) {
      events.push(JSON.parse(JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))));
    }
  }
  const stored = { order, entries, withCvv: [], events: events.map((event, index) => ({ version: index + 1, event })) };
  const moment = { now, overdueMs: 10 * MINUTE, cvvMs: CVV_MS, isServed: true };
  expect(findingsOf(stored, moment).filter(({ kind }) => kind === 'violation')).toEqual([]);
  return order;
}

const tries = (order: Order) => order.transactions.map(({ terminal, stage }) => `${terminal}: ${stage}`);

describe('a further terminal', () => {
  it.each<[string, Command[], string[]]>([
    ['is not tried after an approval', [sent(1, approval)], ['one: approved']],
    ['is not tried after a decline by the issuer', [sent(1, refused)], ['one: declined']],
    ['is tried after a decline that lies with the bank', [sent(1, technical)], ['one: passed-on', 'two: sending']],
    ['is tried when nothing was sent', [sent(1, unsent)], ['one: passed-on', 'two: sending']],
    ['is not tried while an outcome is unknown', [sent(1, unknown)], ['one: asking']],
    ['is not tried while the bank works on it', [sent(1, { word: 'pending' })], ['one: asking']],
    ['is not tried while the payer is at the bank', [sent(1, challenge)], ['one: challenged']],
    [
      'is not tried when the bank never saw it, before the bank took it back',
      [sent(1, unknown), inquired(1, { word: 'not-found' })],
      ['one: undoing'],
    ],
    [
      'is tried when the bank promises not to carry it out',
      [sent(1, unknown), inquired(1, { word: 'not-found' }), reversed(1, { word: 'not-found' })],
      ['one: passed-on', 'two: sending'],
    ],
    [
      'is tried when the bank took it back',
      [sent(1, unknown), inquired(1, unknown, true), reversed(1, { word: 'reversed' })],
      ['one: passed-on', 'two: sending'],
    ],
    [
      'is not tried while nobody knows whether it was taken back',
      [sent(1, unknown), inquired(1, unknown, true), reversed(1, unknown)],
      ['one: undoing'],
    ],
    ['approves it', [sent(1, technical), sent(2, approval)], ['one: passed-on', 'two: approved']],
    ['declines it', [sent(1, technical), sent(2, refused)], ['one: passed-on', 'two: declined']],
    [
      'is tried until none is left',
      [sent(1, technical), sent(2, unsent), sent(3, technical)],
      ['one: passed-on', 'two: passed-on', 'three: declined'],
    ],
    [
      'that is the last is asked about, as ever, when nothing was sent',
      [sent(1, technical), sent(2, technical), sent(3, unsent)],
      ['one: passed-on', 'two: passed-on', 'three: asking'],
    ],
    [
      'changes nothing for late answers of the first',
      [sent(1, unsent), sent(1, approval), inquired(1, approval), sent(2, approval)],
      ['one: passed-on', 'two: approved'],
    ],
  ])('%s', (_, commands, expected) => {
    expect(tries(played(commands))).toEqual(expected);
  });

  it('is tried only for what charges a card in one step', () => {
    const route = { terminals: ['one', 'two'], reason: 'rule 1' };
    for (const [type, legs] of [
      ['payout', 1],
      ['transfer', 1],
      ['transfer', 2],
      ['pan-eligibility', 1],
    ] as const) {
      const amount = type === 'pan-eligibility' ? 0n : 1042n;
      const order = played([sent(1, technical)], { type, legs, amount, route, operation: type });
      expect(tries(order)[0]).toBe('one: declined');
      expect(order.transactions).toHaveLength(1);
    }
    for (const type of ['sale', 'preauth', 'account-verification'] as const) {
      const amount = type === 'account-verification' ? 0n : 1042n;
      expect(played([sent(1, technical)], { type, amount, route }).transactions).toHaveLength(2);
    }
  });

  it('is not tried for a payer who has gone long ago', () => {
    const late = [sent(1, unknown), inquired(1, unknown, true), reversed(1, { word: 'reversed' })];
    expect(tries(played(late, {}, CVV_MS))).toEqual(['one: error']);
    const taken = { stage: 'undoing', createdAt: NOW, changedAt: NOW + MINUTE } as const;
    expect(isStillExpected(taken, NOW + CVV_MS - 1)).toBe(true);
    expect(isStillExpected(taken, NOW + CVV_MS)).toBe(false);
  });

  it('is tried for a payer who took a long time to enter the card', () => {
    const given: Command = {
      ...{ type: 'card-given', seq: 1, filterReason: undefined, needsAuthentication: false, mustWait: false },
      ...{ route: intent.route, terminal: 'one' },
    };
    const late = played([given, sent(1, technical)], { form: 'pays', route: undefined }, CVV_MS - MINUTE);
    expect(tries(late)).toEqual(['one: passed-on', 'two: sending']);
  });

  it('is no further card of a hosted form', () => {
    const given: Command = {
      ...{ type: 'card-given', seq: 1, filterReason: undefined, needsAuthentication: false, mustWait: false },
      ...{ route: intent.route, terminal: 'one' },
    };
    const order = played([given, sent(1, technical), sent(2, refused)], {
      form: 'pays',
      formTries: 2,
      route: undefined,
    });
    expect(tries(order)).toEqual(['one: passed-on', 'two: declined', 'two: awaiting-payer']);
  });

  it('is an attempt on a card only where a bank before it declined', () => {
    const isCounted = (answer: Answer) => {
      const order = played([sent(1, answer)]);
      return isCardAttempt(order, transactionOf(order, 1));
    };
    expect([isCounted(technical), isCounted(unsent)]).toEqual([true, false]);
  });

  it('leaves smaller amounts to be tried where it declines, too', () => {
    const order = played([sent(1, technical), sent(2, refused), sent(3, approval)], { alternatives: [500n] });
    expect(order.transactions.map(({ terminal, amount, stage }) => [terminal, amount, stage])).toEqual([
      ['one', 1042n, 'passed-on'],
      ['two', 1042n, 'declined'],
      ['two', 500n, 'approved'],
    ]);
    expect(order.alternatives).toEqual([]);
  });

  it('has the follow-ups of what it approved', () => {
    const followUp: Command = {
      ...{ type: 'follow-up', kind: 'return', amounts: [], comment: undefined, traceId: 900 },
      requestSerial: '01890000-0000-7000-8000-000000000002',
    };
    const order = played([sent(1, technical), sent(2, approval), followUp]);
    expect(order.transactions.at(-1)).toMatchObject({
      type: 'reversal',
      originalSeq: 2,
      terminal: 'two',
      traceId: 900,
    });
  });

  it('is never tried while money may have moved, whatever the banks say', () => {
    const words: Answer[] = [approval, technical, refused, unsent, unknown, { word: 'pending' }, challenge];
    const certain = new Set<Stage>(['passed-on', 'declined', 'error']);
    const heard = fc.record({
      kind: fc.constantFrom('sent', 'inquired', 'reversed'),
      word: fc.nat(6),
      back: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(heard, { maxLength: 12 }), (all) => {
        let now = NOW;
        let order = startOrder(intent, at(now));
        for (const { kind, word, back } of all) {
          now += 1_000;
          const { seq } = purposeOf(order);
          const answer = words[word] as Answer;
          const taken = [unknown, { word: 'reversed' }, { word: 'not-found' }][back] as ReversalAnswer;
          const asked = answer.word === 'unsent' ? ({ word: 'not-found' } as const) : answer;
          const commands = { sent: sent(seq, answer), inquired: inquired(seq, asked), reversed: reversed(seq, taken) };
          const change = changeBy(order, commands[kind as keyof typeof commands], at(now));
          if (change instanceof Refusal) throw new Error('refused');
          order = change.after;
          const before = order.transactions.slice(0, -1).map(({ stage }) => stage);
          expect(before.every((stage) => certain.has(stage))).toBe(true);
          expect(order.transactions.filter(({ stage }) => stage === 'approved').length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('nextTerminal', () => {
  it('is the one behind, and none for orders without a choice', () => {
    const order = played([]);
    const first = purposeOf(order);
    expect(nextTerminal(order, first)).toBe('two');
    expect(nextTerminal(order, { ...first, terminal: 'three' })).toBeUndefined();
    expect(nextTerminal(order, { ...first, terminal: 'elsewhere' })).toBeUndefined();
    expect(nextTerminal(order, { ...first, originalSeq: 1 })).toBeUndefined();
    expect(nextTerminal({ ...order, route: undefined }, first)).toBeUndefined();
  });
});

describe('a card that is passed on', () => {
  it('keeps its security code only where no bank has seen it', () => {
    const kept = (commands: readonly Command[]) => {
      const order = played(commands);
      return keepsSecurityCode(order, purposeOf(order));
    };
    expect(kept([sent(1, unsent)])).toBe(true);
    expect(kept([sent(1, technical)])).toBe(false);
    expect(kept([sent(1, technical), sent(2, unsent)])).toBe(true);
    expect(kept([])).toBe(false);
  });

  it('is authenticated with its first try', () => {
    expect(firstTryOf(played([sent(1, unsent), sent(2, technical)]), 3)).toBe(1);
    expect(firstTryOf(played([sent(1, refused)], { alternatives: [500n] }), 2)).toBe(2);
  });
});

describe('mayAskAnotherBank', () => {
  const codes = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'));

  it('says yes only of what lies with the bank or the way to the issuer', () => {
    expect(codes.filter(mayAskAnotherBank)).toEqual([
      '109',
      '113',
      '115',
      '120',
      '903',
      '904',
      '905',
      '906',
      '907',
      '909',
      '910',
      '911',
      '912',
      '920',
      '921',
      '950',
    ]);
  });

  it('never contradicts the card networks', () => {
    expect(codes.filter((code) => mayAskAnotherBank(code) && isFinalDecline(code))).toEqual([]);
  });
});

describe('a payer at an address of the bank', () => {
  it('is told of until the bank has answered', () => {
    const waits = played([sent(1, challenge), inquired(1, { word: 'pending' })]);
    expect(purposeOf(waits)).toMatchObject({ stage: 'challenged', challengeUrl: challenge.url, attempts: 1 });
    const ended = played([sent(1, challenge), inquired(1, approval)]);
    expect(purposeOf(ended)).toMatchObject({ stage: 'approved', challengeUrl: undefined });
  });

  it('can be sent there after an answer that was lost', () => {
    const order = played([sent(1, unknown), inquired(1, challenge)]);
    expect(purposeOf(order)).toMatchObject({ stage: 'challenged', challengeUrl: challenge.url });
  });

  it('who never comes back ends with the money taken back', () => {
    const asked = CHALLENGE_PAUSES_MS.map(() => inquired(1, challenge));
    expect(purposeOf(played([sent(1, challenge), ...asked.slice(1)])).stage).toBe('challenged');
    expect(purposeOf(played([sent(1, challenge), ...asked])).stage).toBe('undoing');
  });

  it('has about a quarter of an hour', () => {
    const total = CHALLENGE_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBe(15 * MINUTE);
  });
});
