import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newOrder } from '../../../test/new-order.ts';
import type { Approval, Decline } from '../acquirer/acquirer-answer.ts';
import { Refusal } from '../errors.ts';
import { entriesOf } from '../money/ledger.ts';
import { askedAgainAt, type Command, decide, evolve, type NewOrder, type OrderEvent, startOrder } from './decide.ts';
import { type Order, purposeOf } from './order.ts';
import {
  AUTHENTICATION_MS,
  CHALLENGE_PAUSES_MS,
  INQUIRY_PAUSES_MS,
  MAX_SENDS,
  RESEND_PAUSES_MS,
  REVERSAL_PAUSES_MS,
} from './retry-schedule.ts';
import { isFinal, type Stage } from './stages.ts';

const NOW = Date.UTC(2026, 5, 1);
const LEASE_MS = 45_000;
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

const at = (now: number) => ({ now, leaseMs: LEASE_MS, holdMs: HOLD_MS });

const intent = newOrder;

const approval: Approval = { word: 'approved', approvalCode: 'A1B2C3', rrn: '123456789012', processorTxId: 'TX-77' };
const decline: Decline = { word: 'declined', code: '116' };
const unknown = { word: 'unknown', reason: 'time-out' } as const;
const pending = { word: 'pending' } as const;
const notFound = { word: 'not-found' } as const;

const sent = (answer: Extract<Command, { type: 'sent' }>['answer']): Command => ({
  type: 'sent',
  seq: 1,
  leg: 1,
  answer,
});
const inquired = (answer: Extract<Command, { type: 'inquired' }>['answer'], resendable = true): Command => ({
  type: 'inquired',
  seq: 1,
  leg: 1,
  answer,
  resendable,
});
const reversal = (word: 'reversed' | 'not-found' | 'unknown'): Command => ({
  type: 'reversal-answered',
  seq: 1,
  leg: 1,
  answer: word === 'unknown' ? unknown : { word },
});

const fresh = () => startOrder(intent, at(NOW));

function decided(order: Order, command: Command, now: number): OrderEvent[] {
  const events = decide(order, command, at(now));
  if (events instanceof Refusal) throw new Error(events.faults[0].message);
  return events;
}

/** Applies commands a minute apart; returns the order and all events. */
function run(commands: readonly Command[], order = fresh()): { order: Order; events: OrderEvent[] } {
  const events: OrderEvent[] = [];
  let now = NOW;
  for (const command of commands) {
    now += 60_000;
    for (const event of decided(order, command, now)) {
      order = evolve(order, event);
      events.push(event);
    }
  }
  return { order, events };
}

const stageOf = (order: Order): Stage => order.transactions[0]?.stage as Stage;

describe('a new order', () => {
  it('is leased to the node that accepted it and has moved no money', () => {
    const order = fresh();
    expect(order).toMatchObject({ authorised: 0n, captured: 0n, reversed: 0n, version: 1 });
    expect(order.transactions).toMatchObject([{ seq: 1, type: 'sale', stage: 'sending', dueAt: NOW + LEASE_MS }]);
  });

  it('cannot be for nothing', () => {
    expect(() => startOrder({ ...intent, amount: 0n }, at(NOW))).toThrow('positive');
  });
});

describe('the outcome of a sale', () => {
  it.each<[string, Command[], Stage]>([
    ['approved at once', [sent(approval)], 'approved'],
    ['declined at once', [sent(decline)], 'declined'],
    ['no answer, then found approved', [sent(unknown), inquired(approval)], 'approved'],
    ['no answer, then found declined', [sent(unknown), inquired(decline)], 'declined'],
    ['no answer, bank still at it', [sent(unknown), inquired(pending), inquired(pending)], 'asking'],
    ['taken over, already approved', [inquired(approval)], 'approved'],
    ['taken over, never seen: to be sent again', [inquired(notFound)], 'sending'],
    ['taken over, never seen, sent again', [inquired(notFound), sent(approval)], 'approved'],
    ['never seen, but the security code is gone', [inquired(notFound, false)], 'undoing'],
    ['undone', [inquired(notFound, false), reversal('reversed')], 'error'],
    ['nothing to undo', [inquired(notFound, false), reversal('not-found')], 'error'],
    ['late approval while undoing', [inquired(notFound, false), sent(approval)], 'undoing'],
    ['late approval after undoing', [inquired(notFound, false), reversal('reversed'), sent(approval)], 'error'],
    ['answered twice', [sent(approval), sent(approval)], 'approved'],
    ['approved, then contradicted', [sent(approval), sent(decline)], 'approved'],
    ['declined, then contradicted', [sent(decline), inquired(approval)], 'declined'],
  ])('%s', (_, commands, stage) => {
    expect(stageOf(run(commands).order)).toBe(stage);
  });

  it('books the money once, however often the approval is heard', () => {
    const { order, events } = run([sent(unknown), inquired(approval), sent(approval), inquired(approval)]);
    expect(order).toMatchObject({ authorised: 1042n, captured: 1042n });
    expect(events.flatMap((event) => entriesOf(order, event))).toEqual([
      { seq: 1, line: 1, account: 'clearing', currency: 'USD', amount: -1042n },
      { seq: 1, line: 2, account: 'merchant', currency: 'USD', amount: 1042n },
    ]);
  });

  it('asks on its schedule, then undoes on its schedule, then calls a person', () => {
    let order = run([sent(unknown)]).order;
    let asked = 0;
    while (stageOf(order) === 'asking') {
      const at = order.transactions[0]?.changedAt ?? 0;
      expect((order.transactions[0]?.dueAt ?? 0) - at).toBe(INQUIRY_PAUSES_MS[asked]);
      order = run([inquired(unknown)], order).order;
      asked += 1;
    }
    expect(asked).toBe(INQUIRY_PAUSES_MS.length);
    let undone = 0;
    while (stageOf(order) === 'undoing') {
      const at = order.transactions[0]?.changedAt ?? 0;
      expect((order.transactions[0]?.dueAt ?? 0) - at).toBe(REVERSAL_PAUSES_MS[undone]);
      order = run([reversal('unknown')], order).order;
      undone += 1;
    }
    expect(undone).toBe(REVERSAL_PAUSES_MS.length);
    expect(order.transactions[0]).toMatchObject({ stage: 'stuck', dueAt: undefined });
  });

  it('hears from whoever lost it to another what the bank has, not what it does not have', () => {
    const order = fresh();
    const [claim] = order.transactions.map(({ dueAt = 0 }) => dueAt);
    const asked = (answer: Parameters<typeof inquired>[0], leaseUntil: number): Command =>
      ({ ...inquired(answer), leaseUntil }) as Command;
    expect(decided(order, asked(notFound, claim! - 1), NOW)).toEqual([]);
    expect(decided(order, asked(notFound, claim!), NOW)).toMatchObject([{ to: 'sending' }]);
    expect(decided(order, asked(approval, claim! - 1), NOW)).toMatchObject([{ to: 'approved' }]);
  });

  it('sends a bounded number of times', () => {
    let order = fresh();
    let sends = 0;
    while (stageOf(order) === 'sending') {
      order = run([sent(unknown), inquired(notFound)], order).order;
      sends += 1;
    }
    expect(sends).toBe(MAX_SENDS);
    expect(stageOf(order)).toBe('undoing');
  });

  it('gives a bank that never sees it longer and longer before it is sent again', () => {
    let order = fresh();
    const pauses: number[] = [];
    while (stageOf(order) === 'sending') {
      order = run([sent(unknown)], order).order;
      pauses.push((order.transactions[0]?.dueAt ?? 0) - (order.transactions[0]?.changedAt ?? 0));
      order = run([inquired(notFound)], order).order;
    }
    expect(pauses).toEqual([0, 5_000, 15_000, 30_000, 60_000]);
    expect(pauses).toEqual(RESEND_PAUSES_MS);
  });

  it('asks no sooner after a second send than after the first, and no later', () => {
    let order = run([sent(unknown), inquired(notFound), sent(unknown)]).order;
    for (const pause of [5_000, 5_000, 15_000, 60_000]) {
      expect((order.transactions[0]?.dueAt ?? 0) - (order.transactions[0]?.changedAt ?? 0)).toBe(pause);
      order = run([inquired(unknown)], order).order;
    }
  });
});

const authenticated: Command = { type: 'authenticated', seq: 1 };
const authenticationEnded: Command = { type: 'authentication-ended', seq: 1 };
describe('a sale whose security code is lost', () => {
  const lost = { type: 'inquired', seq: 1, leg: 1, answer: notFound, resendable: false, codeLost: true } as const;

  it.each<[string, Command[], Partial<NewOrder>, Stage, string | undefined]>([
    ['is taken back although no bank knows it', [lost], {}, 'undoing', '194'],
    ['is declined with a code of its own', [lost, reversal('not-found')], {}, 'declined', '194'],
    ['is declined when a late message was taken back', [lost, reversal('reversed')], {}, 'declined', '194'],
    ['is not tried with less', [lost, reversal('not-found')], { alternatives: [500n] }, 'declined', '194'],
    [
      'that no other bank can be asked for either',
      [lost, reversal('not-found')],
      { route: { terminals: ['one', 'two'], reason: 'two banks' } },
      'declined',
      '194',
    ],
    [
      'and which a person finds approved',
      [lost, ...REVERSAL_PAUSES_MS.map(() => reversal('unknown')), { type: 'settled', seq: 1, outcome: 'approved' }],
      {},
      'approved',
      undefined,
    ],
    ['after it may have been sent', [sent(unknown), lost, reversal('not-found')], {}, 'error', undefined],
    ['but which the bank knows', [{ ...lost, answer: approval }], {}, 'approved', undefined],
    ['but of which the bank says nothing', [{ ...lost, answer: unknown }], {}, 'asking', undefined],
  ])('%s', (_, commands, given, stage, code) => {
    const { order } = run(commands, startOrder({ ...intent, ...given }, at(NOW)));
    const { answer } = purposeOf(order);
    expect([stageOf(order), order.transactions.length]).toEqual([stage, 1]);
    expect(answer?.word === 'declined' ? answer.code : undefined).toBe(code);
  });

  it('asks the payer of a hosted form for a card again', () => {
    const given: Command = {
      ...{ type: 'card-given', seq: 1, filterReason: undefined, needsAuthentication: false, mustWait: false },
    };
    const form = startOrder({ ...intent, form: 'pays', formTries: 3 }, at(NOW));
    const { order } = run([given, lost, reversal('not-found')], form);
    expect(order.transactions.map((one) => one.stage)).toEqual(['declined', 'awaiting-payer']);
  });

  it('is a transfer that nobody calls made', () => {
    const stuck = [lost, ...REVERSAL_PAUSES_MS.map(() => reversal('unknown'))];
    const transfer = startOrder({ ...intent, type: 'transfer', operation: 'transfer', legs: 2 }, at(NOW));
    const settled: Command = { type: 'settled', seq: 1, outcome: 'approved' };
    expect(stageOf(run(stuck, transfer).order)).toBe('stuck');
    expect(stageOf(run([...stuck, settled], transfer).order)).toBe('sending');
  });
});

const authenticationRefused: Command = { type: 'authentication-refused', seq: 1, code: '190', reason: 'N' };

const unauthenticated = () => startOrder({ ...intent, needsAuthentication: true }, at(NOW));

describe('a sale whose payer must prove to be the cardholder', () => {
  it('waits for that, as long as its security code is kept', () => {
    const [transaction] = unauthenticated().transactions;
    expect(transaction).toMatchObject({ stage: 'authenticating', dueAt: NOW + AUTHENTICATION_MS, sends: 0 });
  });

  it.each<[string, Command[], Stage]>([
    ['authenticated: to be sent', [authenticated], 'sending'],
    ['authenticated and approved', [authenticated, sent(approval)], 'approved'],
    ['not authenticated', [authenticationRefused], 'declined'],
    ['refused, then heard otherwise', [authenticationRefused, authenticated], 'declined'],
    ['authenticated, then heard otherwise', [authenticated, authenticationRefused], 'sending'],
    ['authenticated twice', [authenticated, authenticated], 'sending'],
    ['looked at before its time', [authenticationEnded], 'authenticating'],
    ['an answer of a bank that was never asked', [sent(approval)], 'authenticating'],
  ])('%s', (_, commands, stage) => {
    expect(stageOf(run(commands, unauthenticated()).order)).toBe(stage);
  });

  it.each<[string, Command, number, Stage, string | undefined]>([
    ['authenticated at the last moment', authenticated, AUTHENTICATION_MS - 1, 'sending', undefined],
    ['authenticated too late', authenticated, AUTHENTICATION_MS, 'declined', '192'],
    ['never heard of again', authenticationEnded, AUTHENTICATION_MS, 'declined', '192'],
    ['refused too late: for what it was refused', authenticationRefused, AUTHENTICATION_MS, 'declined', '190'],
  ])('%s', (_, command, after, stage, code) => {
    const order = unauthenticated();
    const [event] = decided(order, command, NOW + after);
    const { answer, ...transaction } = (event ? evolve(order, event) : order)
      .transactions[0] as Order['transactions'][number];
    expect(transaction.stage).toBe(stage);
    expect(answer).toEqual(code && { word: 'declined', code });
  });

  it('is leased to whoever sends it from the moment it may be sent', () => {
    const [event] = decided(unauthenticated(), authenticated, NOW + 5_000);
    expect(event).toMatchObject({ to: 'sending', dueAt: NOW + 5_000 + LEASE_MS, sends: 0 });
  });
});

describe('any history', () => {
  const anyAnswer = fc.constantFrom(approval, decline, unknown, pending);
  const anyCommand: fc.Arbitrary<Command> = fc.oneof(
    anyAnswer.map((answer) => sent(answer)),
    fc
      .tuple(fc.oneof(anyAnswer, fc.constant(notFound)), fc.boolean())
      .map(([answer, again]) => inquired(answer, again)),
    fc.constantFrom('reversed' as const, 'not-found' as const, 'unknown' as const).map(reversal),
    fc.constantFrom(authenticated, authenticationRefused, authenticationEnded),
  );

  it('keeps every promise', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(anyCommand, { maxLength: 60 }), (mustAuthenticate, commands) => {
        let order = mustAuthenticate ? unauthenticated() : fresh();
        let isSendable = !mustAuthenticate;
        let finalAt: Stage | undefined;
        const booked = { merchant: 0n, clearing: 0n, reserved: 0n, transit: 0n };
        commands.forEach((command, index) => {
          for (const event of decided(order, command, NOW + index)) {
            for (const { account, amount } of entriesOf(order, event)) booked[account] += amount;
            const before = order;
            order = evolve(order, event);
            expect(order.version).toBe(before.version + 1);
            // Nothing is sent, asked or paid before the payer was authenticated.
            isSendable ||= command === authenticated;
            if (!isSendable) expect(stageOf(order)).toBe('declined');
          }
          const { stage, dueAt } = order.transactions[0] as Order['transactions'][number];
          // A final stage is for ever, and every other one has a next step.
          if (finalAt) expect(stage).toBe(finalAt);
          else if (isFinal(stage)) finalAt = stage;
          expect(dueAt === undefined).toBe(isFinal(stage) || stage === 'stuck');
        });
        expect(booked.merchant + booked.clearing).toBe(0n);
        expect(booked.merchant).toBe(stageOf(order) === 'approved' ? order.amount : 0n);
        expect(order.captured).toBe(booked.merchant);
      }),
      { numRuns: 1_000 },
    );
  });

  it('ends when the bank answers what it is asked', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 40 }), (commands) => {
        const ending = [inquired(decline), reversal('reversed')];
        const { order } = run([...commands, ...ending]);
        expect(isFinal(stageOf(order)) || stageOf(order) === 'stuck').toBe(true);
      }),
    );
  });
});

describe('a challenge of the bank', () => {
  const challenge = (url = 'https://bank.example/confirm') => ({ word: 'challenge', url }) as const;
  const ahead = (answer: Extract<Command, { type: 'inquired' }>['answer']): Command => ({
    ...(inquired(answer) as Extract<Command, { type: 'inquired' }>),
    ahead: true,
  });
  const first = ({ transactions: [transaction] }: Order) => transaction as Order['transactions'][number];

  it('keeps the address until the bank has decided', () => {
    const { order } = run([sent(challenge())]);
    expect(first(order)).toMatchObject({ stage: 'challenged', challengeUrl: 'https://bank.example/confirm' });
    expect(first(run([inquired(pending)], order).order).challengeUrl).toBe('https://bank.example/confirm');
    expect(first(run([inquired(approval)], order).order)).toMatchObject({ stage: 'approved', challengeUrl: undefined });
  });

  it('is asked about by the schedule for about a quarter of an hour, then taken back', () => {
    const { order } = run([sent(challenge()), ...CHALLENGE_PAUSES_MS.map(() => inquired(challenge()))]);
    expect(first(order).stage).toBe('undoing');
    const sum = CHALLENGE_PAUSES_MS.reduce((total, pause) => total + pause, 0);
    expect(sum).toBe(15 * 60_000);
  });

  it.each(['http://bank.example', 'https://bank.example/a?b=c#d', 'HTTPS://bank.example/'])(
    'is followed to a page of the web: %s',
    (url) => {
      expect(first(run([sent(challenge(url))]).order)).toMatchObject({ stage: 'challenged', challengeUrl: url });
    },
  );

  it.each([
    '',
    'bank.example',
    '//bank.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/hosts',
    'https://',
    `https://bank.example/${'x'.repeat(4_096)}`,
  ])('is not followed anywhere else: %s', (url) => {
    const { order } = run([sent(challenge(url))]);
    expect(first(order)).toMatchObject({ stage: 'asking', challengeUrl: undefined });
    expect(first(run([inquired(challenge(url))], order).order).stage).toBe('asking');
  });

  it.each<[string, Command, Command]>([
    ['the same challenge', sent(challenge()), ahead(challenge())],
    ['a pending payment', sent(challenge()), ahead(pending)],
    ['no answer', sent(challenge()), ahead(unknown)],
    ['an instruction that was never seen', sent(challenge()), ahead(notFound)],
    ['an unknown outcome that is still pending', sent(unknown), ahead(pending)],
    ['an unknown outcome nobody can tell', sent(unknown), ahead(unknown)],
    ['an unknown outcome of what was never seen', sent(unknown), ahead(notFound)],
    ['a bank that cannot be asked', sent(challenge()), { ...ahead(unknown), unanswerable: true } as Command],
  ])('asked about ahead of time changes nothing without news: %s', (_, before, command) => {
    const { order } = run([before]);
    for (let times = 0; times < 2 * CHALLENGE_PAUSES_MS.length; times++) {
      expect(decided(order, command, NOW + times)).toEqual([]);
    }
  });

  it.each<[string, Command, Command, Stage]>([
    ['approved', sent(challenge()), ahead(approval), 'approved'],
    ['declined', sent(challenge()), ahead(decline), 'declined'],
    ['another address', sent(challenge()), ahead(challenge('https://bank.example/again')), 'challenged'],
    ['approved after all', sent(unknown), ahead(approval), 'approved'],
    ['declined after all', sent(unknown), ahead(decline), 'declined'],
    ['the payer is needed after all', sent(unknown), ahead(challenge()), 'challenged'],
  ])('asked about ahead of time takes the news: %s', (_, before, command, stage) => {
    expect(first(run([before, command]).order).stage).toBe(stage);
  });

  it('with a new address each time is bounded, and not ended by questions ahead of time', () => {
    let { order } = run([sent(challenge())]);
    for (let times = 0; times < 3 * CHALLENGE_PAUSES_MS.length; times++) {
      ({ order } = run([ahead(challenge(`https://bank.example/${times}`))], order));
    }
    expect(first(order)).toMatchObject({ stage: 'challenged', attempts: CHALLENGE_PAUSES_MS.length - 1 });
    expect(first(run([inquired(challenge())], order).order).stage).toBe('undoing');
  });

  it('is due again when the schedule says, whatever was claimed or asked in between', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(challenge(), pending, unknown), { maxLength: 20 }), (answers) => {
        for (const begin of [challenge(), unknown]) {
          const { order } = run([sent(begin), ...answers.map((answer) => inquired(answer))]);
          const transaction = first(order);
          const isAsked = transaction.stage === 'challenged' || transaction.stage === 'asking';
          expect(askedAgainAt(transaction)).toBe(isAsked ? transaction.dueAt : undefined);
          // A lease moves what is due, and not what the schedule says.
          expect(askedAgainAt({ ...transaction, dueAt: NOW })).toBe(askedAgainAt(transaction));
        }
      }),
    );
  });
});

describe('a payout that its bank returns', () => {
  const returned = { type: 'payout-returned', seq: 1, requestSerial: 'back', answer: decline } as const;
  const begun = (type: 'payout' | 'transfer' | 'sale', legs = 1) =>
    startOrder({ ...intent, operation: type, type, legs }, at(NOW));
  const paid = (type: 'payout' | 'transfer' | 'sale', legs = 1) =>
    run([sent(approval), { type: 'sent', seq: 1, leg: 2, answer: approval }], begun(type, legs)).order;

  it.each([
    ['a payout', paid('payout'), ['payout approved', 'reversal approved']],
    ['a transfer from the balance', paid('transfer'), ['transfer approved', 'reversal approved']],
    ['a transfer from a card', paid('transfer', 2), ['transfer approved']],
    ['a sale', paid('sale'), ['sale approved']],
    ['a payout on its way', begun('payout'), ['payout sending']],
    ['a payout that was declined', run([sent(decline)], begun('payout')).order, ['payout declined']],
    ['one that came back before', run([returned], paid('payout')).order, ['payout approved', 'reversal approved']],
  ])('%s', (_, order, expected) => {
    const { transactions } = run([{ ...returned, requestSerial: 'again' }], order).order;
    expect(transactions.map(({ type, stage }) => `${type} ${stage}`)).toEqual(expected);
  });

  it('is in the balance again, all of it', () => {
    const { order, events } = run([returned], paid('payout'));
    expect(order).toMatchObject({ captured: 1042n, reversed: 1042n });
    const booked = events.flatMap((event) => entriesOf(order, event));
    expect(booked.map(({ seq, account, amount }) => [seq, account, amount])).toEqual([
      [2, 'clearing', -1042n],
      [2, 'merchant', 1042n],
    ]);
  });
});
