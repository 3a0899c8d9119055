import { describe, expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import type { Command } from '../../domain/order/decide.ts';
import { decide, evolve, startOrder } from '../../domain/order/decide.ts';
import { namesReference, withBankExchanges } from './bank-exchanges.ts';

const APPROVED = { word: 'approved', approvalCode: '004711', rrn: '632300000001', processorTxId: 'x' } as const;
const SILENCE = { word: 'unknown', reason: 'the bank gave no answer' } as const;
const OF_FIRST = { seq: 1, leg: 1 } as const;

/** The order after these commands, a second between them, and its changes as they are stored. */
function lived(commands: readonly Command[], terminals = ['first', 'second']) {
  const moment = (now: number) => ({ now, leaseMs: 60_000, holdMs: 60_000 });
  let now = 1_000;
  let order = startOrder(
    {
      ...{ merchantId: 1, orderId: 7, endpointId: 101, clientOrderId: 'a', operation: 'sale', type: 'sale' },
      ...{ currency: 'USD', notation: 'major', amount: 1042n, requestSerial: 's', terminal: 'first' },
      route: { terminals, reason: 'a rule' },
    },
    moment(now),
  );
  const changes = [{ at: now, version: 1, event: { type: 'order-started', stage: 'sending' } as unknown }];
  for (const command of commands) {
    now += 1_000;
    const events = decide(order, command, moment(now));
    if (events instanceof Refusal) throw events;
    for (const event of events) {
      order = evolve(order, event);
      changes.push({
        ...{ at: now, version: changes.length + 1 },
        event: JSON.parse(JSON.stringify(event, (_, one) => (typeof one === 'bigint' ? `${one}` : one))),
      });
    }
  }
  return { order, changes };
}

const bankExchanges = (...given: Parameters<typeof withBankExchanges>) =>
  withBankExchanges(...given).filter((one) => one.kind === 'exchange');

const told = (commands: readonly Command[], terminals?: string[]) => {
  const { order, changes } = lived(commands, terminals);
  return bankExchanges(order, changes, () => undefined);
};

describe('what a bank was asked', () => {
  it('is told of an instruction, with its reference, amount, codes and time', () => {
    const { order, changes } = lived([{ type: 'sent', ...OF_FIRST, answer: APPROVED }]);
    expect(bankExchanges(order, changes, (terminal, reference) => (terminal + reference).length)).toEqual([
      {
        ...{ kind: 'exchange', at: 2_000, transaction: 1, asked: 'instruction', type: 'sale', terminal: 'first' },
        ...{ reference: '7-1-rs', amount: { minor: 1042n, currency: 'USD' }, answer: 'approved' },
        ...{ approvalCode: '004711', declineCode: undefined, rrn: '632300000001', reason: undefined },
        ...{ milliseconds: 1_000, messages: 11 },
      },
    ]);
  });

  it('is told of every question, also those without an answer, and of what was taken back', () => {
    const commands: Command[] = [
      { type: 'sent', ...OF_FIRST, answer: SILENCE },
      { type: 'inquired', ...OF_FIRST, answer: SILENCE, resendable: false },
      { type: 'inquired', ...OF_FIRST, answer: { word: 'not-found' }, resendable: false },
      { type: 'reversal-answered', ...OF_FIRST, answer: { word: 'reversed' } },
    ];
    expect(
      told(commands).map(({ asked, answer, reason, milliseconds }) => [asked, answer, reason, milliseconds]),
    ).toEqual([
      ['instruction', 'no answer that says how it ended', SILENCE.reason, 1_000],
      ['inquiry', 'no answer that says how it ended', SILENCE.reason, undefined],
      ['inquiry', 'it never got the instruction', undefined, undefined],
      ['reversal', 'taken back', undefined, undefined],
    ]);
  });

  it('is told as a question where somebody took over what may have been sent', () => {
    const asked = (...commands: Command[]) =>
      told(commands, ['first']).map(({ asked: what, answer, milliseconds }) => [what, answer, milliseconds]);
    const inquired = { type: 'inquired', ...OF_FIRST, resendable: true } as const;
    const sent = { type: 'sent', ...OF_FIRST, answer: APPROVED } as const;
    expect(asked({ ...inquired, answer: { word: 'not-found' } }, sent)).toEqual([
      ['inquiry', 'it never got the instruction', undefined],
      ['instruction', 'approved', 1_000],
    ]);
    expect(asked({ ...inquired, answer: APPROVED })).toEqual([['inquiry', 'approved', undefined]]);
  });

  it('is told of each terminal that was tried', () => {
    const commands: Command[] = [
      { type: 'sent', ...OF_FIRST, answer: { word: 'declined', code: '907' } },
      { type: 'sent', seq: 2, leg: 1, answer: APPROVED },
    ];
    expect(
      told(commands).map(({ terminal, reference, answer, declineCode }) => [terminal, reference, answer, declineCode]),
    ).toEqual([
      ['first', '7-1-rs', 'declined', '907'],
      ['second', '7-2-rs', 'approved', undefined],
    ]);
  });

  it('is read out of events from before findings were kept', () => {
    const { order } = lived([]);
    const old = (to: string) => ({
      at: 5,
      version: 2,
      event: { type: 'transaction-moved', seq: 1, from: 'sending', to },
    });
    const answers = ['approved', 'declined', 'asking', 'error'].map((to) => bankExchanges(order, [old(to)], () => 0));
    expect(answers.flat().map(({ answer, milliseconds }) => [answer, milliseconds])).toEqual([
      ['approved', undefined],
      ['declined', undefined],
      ['no answer that says how it ended', undefined],
      ['taken back', undefined],
    ]);
  });
});

it.each([
  ['sale reference=7-1-rs amount=1', '7-1-rs', true],
  ['7-1-rs', '7-1-rs', true],
  ['reference=17-1-rs', '7-1-rs', false],
  ['reference=7-1-rsx', '7-1-rs', false],
  ['reference=7-1-rs-2', '7-1-rs', false],
  ['original=17-1-rs reference=7-1-rs', '7-1-rs', true],
  ['nothing', '7-1-rs', false],
])('%j names %s: %s', (text, reference, is) => expect(namesReference(text, reference)).toBe(is));
