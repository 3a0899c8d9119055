import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { ChargeInstruction } from '../acquirer.ts';
import { PAYMENTS, readIntent } from './intent.ts';
import { judgeIntent, retrievalNumber, shortCode } from './judgement.ts';

const TRACE = { number: 42, at: Date.UTC(2027, 0, 31, 12) };
const SALE: ChargeInstruction = {
  kind: 'sale',
  reference: '1-1-abc',
  amount: { minor: 1042n, currency: 'USD' },
  card: { number: new Secret('4242424242424242'), expireMonth: 1, expireYear: 2031 },
  descriptor: 'Shoes',
  initiator: 'payer',
};

const judge = (body: object, kind: ChargeInstruction['kind'] = 'sale') => {
  const intent = readIntent({ id: 'pi_1', object: 'payment_intent', amount: 1042, currency: 'usd', ...body }, PAYMENTS);
  return intent ? judgeIntent(intent, { ...SALE, kind }, TRACE) : undefined;
};

const redirect = (url: unknown) => ({
  status: 'requires_action',
  next_action: { type: 'redirect_to_url', redirect_to_url: { url } },
});

describe('judgeIntent', () => {
  it.each([
    ['a paid sale', { status: 'succeeded' }, 'sale', 'approved'],
    ['a hold', { status: 'requires_capture' }, 'preauth', 'approved'],
    ['a hold that was captured since', { status: 'succeeded' }, 'preauth', 'approved'],
    ['a sale that is only held', { status: 'requires_capture' }, 'sale', 'unknown'],
    ['one that is worked on', { status: 'processing' }, 'sale', 'pending'],
    ['one that no card was tried with', { status: 'requires_payment_method' }, 'sale', 'idle'],
    ['one with a card that was not tried', { status: 'requires_confirmation' }, 'sale', 'idle'],
    ['a failed try', { status: 'requires_payment_method', last_payment_error: {} }, 'sale', 'declined'],
    ['a try without an error', { status: 'requires_payment_method', latest_charge: 'ch_1' }, 'sale', 'declined'],
    ['a cancelled one', { status: 'canceled' }, 'sale', 'declined'],
    ['another amount', { status: 'succeeded', amount: 1043 }, 'sale', 'unknown'],
    ['another currency', { status: 'succeeded', currency: 'eur' }, 'sale', 'unknown'],
    ['no amount', { status: 'succeeded', amount: '1042' }, 'sale', 'unknown'],
    ['a status of tomorrow', { status: 'requires_patience' }, 'sale', 'unknown'],
    ['a web page', redirect('https://bank.example/3ds'), 'sale', 'challenge'],
    ['a script', redirect('javascript:alert(1)'), 'sale', 'stranded'],
    ['data', redirect('data:text/html,x'), 'sale', 'stranded'],
    ['half an address', redirect('/3ds'), 'sale', 'stranded'],
    ['no address', redirect(null), 'sale', 'stranded'],
    ['a script of Stripe', { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } }, 'sale', 'stranded'],
  ] as const)('%s', (_says, body, kind, word) => {
    expect(judge(body, kind)?.word).toBe(word);
  });

  it.each([
    ['something else', { object: 'charge', status: 'succeeded' }],
    ['no name', { id: undefined, status: 'succeeded' }],
    ['a name that is a path', { id: 'pi_1/cancel', status: 'succeeded' }],
    ['no status', {}],
  ])('%s is no intent', (_says, body) => {
    expect(judge(body)).toBeUndefined();
  });
});

describe('numbers of our own', () => {
  it.each([
    ['the first moment of a year', Date.UTC(2026, 0, 1), 7, '600100000007'],
    ['the last hour of a leap year', Date.UTC(2028, 11, 31, 23, 59), 999_999, '836623999999'],
    ['a number beyond six digits', Date.UTC(2027, 1, 1, 5), 12_000_345, '703205000345'],
  ])('%s', (_says, at, number, expected) => {
    expect(retrievalNumber({ at, number })).toBe(expected);
  });

  it('an approval code of six characters', () => {
    expect(shortCode('ch_3AbcDefGhi')).toBe('DEFGHI');
    expect(shortCode('re_1')).toBe('000RE1');
  });
});
