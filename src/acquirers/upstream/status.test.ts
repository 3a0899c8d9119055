import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { Instruction, InstructionKind } from '../acquirer.ts';
import { answerIn, isAbout, type ProviderStatus, readProviderStatus } from './status.ts';

const card = { number: new Secret('4111111111111111'), expireMonth: 12, expireYear: 2031 };
const amount = { minor: 1042n, currency: 'USD' };

function instruction(kind: InstructionKind): Instruction {
  switch (kind) {
    case 'sale':
    case 'preauth':
    case 'pull':
    case 'verification':
      return { kind, reference: '7-1', amount, card, descriptor: 'Shop', initiator: 'payer' };
    case 'push':
      return { kind, reference: '7-1', amount, to: { card } };
    case 'eligibility':
      return { kind, reference: '7-1', sending: card };
    default:
      return { kind, reference: '7-2', original: '7-1', amount };
  }
}

const told = {
  type: 'status-response',
  'paynet-order-id': '42',
  'merchant-order-id': '7-1',
  'transaction-type': 'sale',
  'by-request-sn': 'AB',
  amount: '10.42',
  currency: 'USD',
};

function found(reply: Record<string, string | undefined>): ProviderStatus {
  const said = Object.entries({ ...told, ...reply }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  const status = readProviderStatus(Object.fromEntries(said), { clientOrderId: '7-1' });
  if (!status) throw new Error('no status');
  return status;
}

const answer = (reply: Record<string, string | undefined>, kind: InstructionKind = 'sale') =>
  answerIn(found(reply), instruction(kind), '42');

describe('a status reply', () => {
  it.each([
    ['another type', { type: 'async-response', status: 'approved' }],
    ['an unknown status', { status: 'paid' }],
    ['a status that every object has', { status: 'constructor' }],
    ['no order', { status: 'approved', 'paynet-order-id': '' }],
    ['an order that is no number', { status: 'approved', 'paynet-order-id': '4/2' }],
    ['another order', { status: 'approved', 'merchant-order-id': '7-9' }],
  ])('of %s says nothing', (_, reply) => {
    expect(readProviderStatus({ ...told, ...reply }, { clientOrderId: '7-1' })).toBeUndefined();
  });

  it('about another request says nothing, and serial numbers may be spelled in either case', () => {
    const reply = { ...told, status: 'approved' };
    expect(readProviderStatus(reply, { clientOrderId: '7-1', serial: 'ac' })).toBeUndefined();
    expect(readProviderStatus(reply, { clientOrderId: '7-1', serial: 'ab' })).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['10.42', 'USD', true],
    ['1042', 'USD', true],
    ['10.43', 'USD', false],
    ['10.42', 'EUR', false],
    ['10.42', 'XXX', false],
    ['ten', 'USD', false],
    ['', 'USD', false],
  ])('of %s %s is about 10.42 USD: %s', (text, currency, isSo) => {
    expect(isAbout(found({ status: 'approved', amount: text, currency }), amount)).toBe(isSo);
  });
});

describe('the answer in a status', () => {
  it.each([
    ['approved', { word: 'approved', approvalCode: '', rrn: '', processorTxId: '42' }],
    ['declined', { word: 'declined', code: '100', processorTxId: '42' }],
    ['filtered', { word: 'declined', code: '100', processorTxId: '42' }],
    ['error', { word: 'declined', code: '909', processorTxId: '42' }],
    ['processing', { word: 'pending' }],
    ['chain_declined', { word: 'pending' }],
    ['unknown', { word: 'unknown', reason: 'the provider does not know yet how it ended' }],
  ])('%s is %j', (status, expected) => {
    expect(answer({ status })).toEqual(expected);
  });

  it('carries what the bank said', () => {
    const codes = { 'approval-code': '123456', 'processor-rrn': '612345678901', 'terminal-id': 'T1' };
    expect(answer({ status: 'approved', ...codes })).toEqual({
      word: 'approved',
      approvalCode: '123456',
      rrn: '612345678901',
      processorTxId: '42',
      terminalId: 'T1',
    });
    expect(answer({ status: 'declined', 'error-code': '116', 'processor-rrn': '1' })).toMatchObject({
      code: '116',
      rrn: '1',
    });
    expect(answer({ status: 'approved', 'approval-code': 'a\u0000b', 'processor-rrn': 'x'.repeat(65) })).toMatchObject({
      approvalCode: '',
      rrn: '',
    });
  });

  it('is unknown when another amount was approved, or another transaction is spoken of', () => {
    expect(answer({ status: 'approved', amount: '10.43' })).toMatchObject({
      word: 'unknown',
      reason: 'the provider approved 10.43 USD, not 10.42 USD',
    });
    for (const status of ['approved', 'declined', 'error', 'processing']) {
      expect(answer({ status, 'transaction-type': 'reversal' })).toMatchObject({ word: 'unknown' });
      expect(answer({ status, 'transaction-type': 'chargeback' }, 'sale')).toMatchObject({ word: 'unknown' });
    }
  });

  it.each([
    [{ status: 'approved' }, { word: 'declined', code: '100', processorTxId: '42', returned: true }],
    [
      { status: 'approved', amount: undefined },
      { word: 'unknown', reason: 'the provider does not say how much was returned' },
    ],
    [
      { status: 'approved', 'processor-rrn': '7' },
      { word: 'declined', rrn: '7', returned: true },
    ],
    [
      { status: 'approved', amount: '5.00' },
      { word: 'unknown', reason: 'the provider returned another amount' },
    ],
    [{ status: 'processing' }, { word: 'unknown' }],
    [{ status: 'declined' }, { word: 'unknown' }],
  ])('about a payout whose return is %j is %j', (reply, expected) => {
    expect(answer({ ...reply, 'transaction-type': 'reversal' }, 'push')).toMatchObject(expected);
  });

  it.each<[InstructionKind, string]>([
    ['sale', 'sale'],
    ['pull', 'sale'],
    ['preauth', 'preauth'],
    ['verification', 'account-verification'],
    ['capture', 'capture'],
    ['cancel', 'cancel'],
    ['refund', 'reversal'],
    ['void', 'void'],
    ['push', 'payout'],
    ['eligibility', 'pan-eligibility'],
  ])('of a %s is found under %s', (kind, type) => {
    expect(answer({ status: 'approved', 'transaction-type': type }, kind).word).toBe('approved');
  });

  it.each([
    ['https://acs.example/x', 'challenge'],
    ['http://127.0.0.1:1/x', 'challenge'],
    ['javascript:alert(1)', 'pending'],
    ['//acs.example', 'pending'],
    [`https://acs.example/${'x'.repeat(3000)}`, 'pending'],
    ['', 'pending'],
  ])('sends the payer to %s: %s', (url, word) => {
    expect(answer({ status: 'processing', 'redirect-to': url }).word).toBe(word);
  });

  it('sends nobody anywhere once the order has ended', () => {
    expect(answer({ status: 'declined', 'redirect-to': 'https://acs.example/x' }).word).toBe('declined');
  });

  it('tells which cards can send and receive', () => {
    const reply = {
      status: 'approved',
      'transaction-type': 'pan-eligibility',
      'sending-eligible': 'true',
      'sending-network': 'VISA',
      'sending-product': 'DEBIT',
      'sending-country': 'USA',
      'sending-issuer': 'Any Bank',
      'receiving-eligible': 'false',
    };
    expect(answer(reply, 'eligibility')).toMatchObject({
      eligibility: {
        sending: { eligible: true, network: 'VISA', product: 'DEBIT', country: 'USA', issuer: 'Any Bank' },
        receiving: { eligible: false, network: '', product: '', country: '', issuer: '' },
      },
    });
  });
});
