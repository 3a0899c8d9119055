// Every request is read by the operation that it is meant for, as a provider would: no field is refused, the money is
// the instruction's, and the signature covers what the operation's formula says.

import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { canonicalName, readForm } from '../../operations/form.ts';
import { operations } from '../../operations/index.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { amountReadings } from '../../signing/amount-readings.ts';
import type { ChargeInstruction, Circumstances, FollowUpInstruction } from '../acquirer.ts';
import {
  askAboutCards,
  askBarrier,
  askCharge,
  askFollowUp,
  askPayout,
  askStatus,
  askStatusByKey,
  askStoredCard,
  askStoredCharge,
  type ProviderRequest,
} from './requests.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const asker = { login: 'shop', endpointId: '101', noticeUrl: 'https://us.example/notices/1' };
const card = {
  number: new Secret('4111111111111111'),
  expireMonth: 2,
  expireYear: 2031,
  cvv: new Secret('123'),
  holder: 'ANN EXAMPLE',
};
const around: Circumstances = {
  site: {
    merchantNumber: '1',
    terminalNumber: undefined,
    category: '5999',
    country: 'US',
    acquirerNumber: '1',
    descriptor: 'Socks',
  },
  trace: { number: 1, at: NOW },
  payer: {
    email: 'ann@example.com',
    firstName: 'Ann',
    lastName: 'Example',
    phone: '+12025550123',
    address: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zipCode: '12345',
    country: 'US',
    ipAddress: '203.0.113.7',
    browser: {
      browserInfo: 'true',
      browserAcceptHeader: '*/*',
      browserColorDepth: '24',
      browserJavaEnabled: 'false',
      browserJavascriptEnabled: 'true',
      browserLanguage: 'en',
      browserScreenHeight: '900',
      browserScreenWidth: '1600',
      browserTimeZone: '-60',
      browserUserAgent: 'Any',
    },
  },
  returnUrl: 'https://us.example/back',
};
const bare: Circumstances = { ...around, payer: {}, returnUrl: undefined };
const USD = { minor: 1042n, currency: 'USD' };
const JPY = { minor: 1000n, currency: 'JPY' };
const KWD = { minor: 1_234n, currency: 'KWD' };
const order = { orderId: '42', clientOrderId: '7-1' };

const charge = (kind: ChargeInstruction['kind'], amount = USD): ChargeInstruction => ({
  kind,
  reference: '7-1-mfx8k2ab',
  amount,
  card,
  descriptor: 'Socks',
  initiator: 'payer',
});
const account = { number: new Secret('DE89370400440532013000'), name: 'Ann', bankName: 'Any', bankCode: 'COBADEFF' };
const followUp = (kind: FollowUpInstruction['kind'], amount = USD) =>
  askFollowUp({ kind, reference: '7-2-mfx8k2ab', amount, idempotencyKey: 'k' }, order, asker);

const requests: [string, ProviderRequest, typeof USD | undefined][] = [
  ['a sale', askCharge(charge('sale'), around, asker), USD],
  ['a sale of a payer nobody knows', askCharge(charge('sale', JPY), bare, asker), JPY],
  ['a preauthorization', askCharge(charge('preauth', KWD), around, asker), KWD],
  ['the funding of a transfer', askCharge(charge('pull'), bare, { ...asker, noticeUrl: undefined }), USD],
  ['a verification', askCharge(charge('verification', { minor: 0n, currency: 'USD' }), around, asker), undefined],
  ['a card to be stored', askStoredCard(charge('sale'), 'card-1'), undefined],
  ['a charge of a stored card', askStoredCharge({ ...charge('sale'), kind: 'sale' }, '77', around, asker), USD],
  ['a hold on a stored card', askStoredCharge({ ...charge('preauth'), kind: 'preauth' }, '77', bare, asker), USD],
  ['a capture', followUp('capture'), USD],
  ['a cancellation', followUp('cancel', JPY), JPY],
  ['a refund', followUp('refund', KWD), KWD],
  ['a void', followUp('void'), undefined],
  [
    'a payout to a card',
    askPayout({ kind: 'push', reference: '7-1', amount: USD, to: { card } }, around, asker, true),
    USD,
  ],
  [
    'a payout to an account, signed with the control key',
    askPayout({ kind: 'push', reference: '7-1', amount: KWD, to: { account } }, bare, asker, false),
    KWD,
  ],
  [
    'a question about both cards',
    askAboutCards({ kind: 'eligibility', reference: '7-1', sending: card, receiving: card }, asker),
    undefined,
  ],
  [
    'a question about a sending card',
    askAboutCards({ kind: 'eligibility', reference: '7-1', sending: card }, asker),
    undefined,
  ],
  [
    'a question about a receiving card',
    askAboutCards({ kind: 'eligibility', reference: '7-1', receiving: card }, asker),
    undefined,
  ],
  ['a status', askStatus({ clientOrderId: '7-1' }, asker), undefined],
  [
    'the status of a transaction',
    askStatus({ clientOrderId: '7-1', orderId: '42', serial: '3d671629-a410-4a5d-9288-b38ceadd41f2' }, asker),
    undefined,
  ],
  ['a status signed with the private key', askStatusByKey('7-1'), undefined],
  ['a form that bars an id', askBarrier('7-1', USD, asker, { withKey: true }), USD],
];

/** The request as the operation of a provider reads it. */
function readBy({ operation: name, path, fields, by }: ProviderRequest) {
  const operation = (operations as readonly AnyOperation[]).find((one) => one.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  expect(operation.path).toBe(path);
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const parameters = new Map(given.map(([field, value]) => [canonicalName(field), value]));
  if ('control' in by) parameters.set('control', '0'.repeat(40));
  const known = new Set(operation.request.named.map((one) => one.name));
  expect([...parameters.keys()].filter((field) => !known.has(field) && field !== 'login')).toEqual([]);
  const currency = parameters.get('currency');
  const { values, faults } = readForm(operation.request, parameters, { now: NOW, currency, notation: 'major' });
  expect(faults).toEqual([]);
  return { operation, parameters, values: values as Record<string, unknown> };
}

describe('a provider reads', () => {
  it.each(requests)('%s', (_, request, amount) => {
    const { operation, parameters, values } = readBy(request);
    if (amount) expect(values.amount).toEqual(amount);
    const { auth } = operation;
    if (!('control' in request.by)) {
      expect(auth).toEqual({ scheme: 'oauth', method: request.by.oauth });
      return;
    }
    if (auth.scheme !== 'control') throw new Error('it is not signed with a control');
    const signed = auth.over.map((name) => {
      if (name === 'endpointId') return asker.endpointId;
      if (name !== 'amount') return parameters.get(name) ?? '';
      return amountReadings(parameters.get('amount') ?? '', parameters.get('currency') ?? '').map((one) => one.signed);
    });
    request.by.control.forEach((value, at) => {
      const formula = signed[at];
      if (Array.isArray(formula)) expect(formula).toContain(value);
      else expect(value).toBe(formula);
    });
    expect(request.by.control).toHaveLength(signed.length);
  });
});

describe('a request', () => {
  it('tells a provider where to call only if it can', () => {
    const { fields } = askCharge(charge('sale'), around, { ...asker, noticeUrl: undefined });
    expect(fields.server_callback_url).toBeUndefined();
    expect(fields.notify_url).toBeUndefined();
  });

  it('gives each payer without an e-mail address one of its own', () => {
    const one = askCharge(charge('pull'), bare, asker).fields.email;
    const other = askCharge({ ...charge('pull'), reference: '8-1' }, bare, asker).fields.email;
    expect(one).not.toBe(other);
  });

  it('voids by the whole amount, which cannot be read in two ways', () => {
    expect(followUp('void').fields).toMatchObject({ amount: '10.42', currency: 'USD' });
  });

  it('to bar an id is the same whenever it is made, and never the same as the charge', () => {
    const bar = askBarrier('7-1-mfx8k2ab', USD, asker, { withKey: false });
    expect(askBarrier('7-1-mfx8k2ab', USD, asker, { withKey: false })).toEqual(bar);
    expect(bar.by).not.toEqual(askCharge(charge('sale'), bare, asker).by);
    expect(bar.idempotencyKey).toBeUndefined();
  });
});
