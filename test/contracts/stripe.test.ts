// The connector to Stripe against a server that behaves like Stripe's: what it asks, and what it makes of the answers.
// The shapes of its requests are also held against Stripe's own mock server where STRIPE_MOCK_URL names one.

import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Acquirer, Approval, Instruction, Notice } from '../../src/acquirers/acquirer.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { CARDS } from './stripe-books.ts';
import { HandClock, SECRET_KEY, StripeHost } from './stripe-host.ts';
import {
  around,
  charge,
  followUp,
  newReference,
  openStripe,
  originOf,
  RETURN_URL,
  WEBHOOK_SECRET,
  withoutCode,
} from './stripe-orders.ts';

let host: StripeHost;
let clock: HandClock;
let acquirer: Acquirer;

beforeEach(async () => {
  host = await new StripeHost().start();
  clock = new HandClock();
  acquirer = openStripe({ baseUrl: host.url }, clock);
});
afterEach(async () => {
  await acquirer.close();
  await host.stop();
});

const send = (instruction: Instruction, choice = {}) => acquirer.send(instruction, around(clock, choice));
const sentOf = (instruction: Instruction, choice = {}) => ({
  instruction: withoutCode(instruction),
  around: around(clock, choice),
  again: false,
});
const inquire = (instruction: Instruction, choice = {}) =>
  acquirer.inquire(instruction.reference, sentOf(instruction, choice));

/** A charge that was approved, and what follow-ups on it are told. */
async function approved(choice: Parameters<typeof charge>[0] = {}) {
  const instruction = charge(choice);
  const answer = (await send(instruction)) as Approval;
  expect(answer.word).toBe('approved');
  return { instruction, known: { origin: originOf(instruction, answer.processorTxId, clock) } };
}

describe('a charge', () => {
  it('is approved with what the networks said', async () => {
    const sale = charge();
    expect(await send(sale)).toEqual({
      word: 'approved',
      approvalCode: '831000',
      rrn: '703112000042',
      processorTxId: host.books.paymentOf(sale.reference).id,
      networkTransactionId: expect.stringMatching(/^net\w+$/),
      checks: { address: 'A', securityCode: 'M' },
    });
    expect(host.books.paymentOf(sale.reference)).toMatchObject({ status: 'succeeded', amount: 1042, currency: 'usd' });
  });

  it('carries our reference as its key and in its metadata, and the pinned version', async () => {
    const sale = charge();
    await send(sale);
    const [begun] = host.to('POST /v1/payment_intents');
    expect(begun?.headers).toMatchObject({
      'idempotency-key': sale.reference,
      'stripe-version': '2026-08-26.dahlia',
      authorization: `Bearer ${SECRET_KEY}`,
    });
    expect(begun?.params).toEqual({
      amount: '1042',
      currency: 'usd',
      capture_method: 'automatic',
      'payment_method_types[]': 'card',
      'metadata[reference]': sale.reference,
    });
    const [card] = host.to('/v1/payment_methods');
    expect(card?.params).toEqual({
      type: 'card',
      'card[number]': CARDS.good,
      'card[exp_month]': '12',
      'card[exp_year]': '2031',
      'card[cvc]': '123',
      'billing_details[name]': 'Ada Lovelace',
      'billing_details[email]': 'ada@shop.example',
      'billing_details[address][postal_code]': 'N1 9GU',
      'billing_details[address][country]': 'GB',
    });
  });

  it.each([
    [CARDS.declined, '100'],
    [CARDS.poor, '116'],
    [CARDS.stolen, '209'],
    [CARDS.expired, '101'],
    ['4242424242424241', '111'],
  ])('of card %s is declined with %s', async (number, code) => {
    const sale = charge({ number });
    const answer = await send(sale);
    expect(answer).toMatchObject({ word: 'declined', code });
    expect(host.books.outstanding()).toBe(0);
    if (number !== '4242424242424241') {
      expect(await inquire(sale)).toMatchObject({ word: 'declined', code });
      expect(answer).toMatchObject({ processorTxId: expect.stringMatching(/^pi_/), checks: { securityCode: 'M' } });
    }
  });

  it('tells a wrong security code', async () => {
    expect(await send(charge({ number: CARDS.badCode }))).toMatchObject({ checks: { securityCode: 'N' } });
    expect(await send(charge({ cvv: null }))).toMatchObject({ checks: { address: 'A' } });
  });

  it.each([
    ['5 ISK', 5n, 'ISK', '500'],
    ['500 JPY', 500n, 'JPY', '500'],
    ['5.120 KWD', 5_120n, 'KWD', '5120'],
  ])('of %s', async (_says, minor, currency, asked) => {
    expect(await send(charge({ amount: { minor, currency } }))).toMatchObject({ word: 'approved' });
    expect(host.to('POST /v1/payment_intents')[0]?.params).toMatchObject({ amount: asked });
  });

  it.each([
    ['5.124 KWD, which Stripe cannot count, never leaves', 5_124n, 'KWD', 0],
    ['0.10 USD, which is too little', 10n, 'USD', 2],
  ])('of %s', async (_says, minor, currency, requests) => {
    const sale = charge({ amount: { minor, currency } });
    expect(await send(sale)).toEqual({ word: 'declined', code: '110' });
    expect(host.asked).toHaveLength(requests);
    expect(host.books.charges).toEqual([]);
  });

  it('hands over the result of 3-D Secure', async () => {
    const cavv = new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA=');
    const authentication = { version: '2.2.0', status: 'Y', eci: '05', cavv, dsTransactionId: 'ds-1' } as const;
    expect(await send(charge({ number: CARDS.challenged, authentication }))).toMatchObject({ word: 'approved' });
    expect(host.to('/confirm')[0]?.params).toMatchObject({
      'payment_method_options[card][three_d_secure][version]': '2.2.0',
      'payment_method_options[card][three_d_secure][cryptogram]': cavv.reveal(),
      'payment_method_options[card][three_d_secure][transaction_id]': 'ds-1',
      'payment_method_options[card][three_d_secure][ares_trans_status]': 'Y',
      'payment_method_options[card][three_d_secure][electronic_commerce_indicator]': '05',
    });
  });

  it.each([
    ['an indicator that Stripe does not take', { eci: '00', dsTransactionId: 'ds-1' }, ['cryptogram']],
    ['the name of version 1', { eci: '05', xid: 'xid-1' }, ['cryptogram', 'transaction_id']],
    ['no name of the transaction', { eci: '05' }, []],
  ])('of 3-D Secure with %s', async (_says, given, handed) => {
    const authentication = { version: '2.1.0', status: 'A', cavv: new Secret('AAAA'), ...given } as const;
    await send(charge({ authentication }));
    const names = Object.keys(host.to('/confirm')[0]?.params ?? {}).filter((name) => name.includes('three_d_secure'));
    const shortNames = names.map((name) => name.split('[').at(-1)?.slice(0, -1));
    expect(shortNames).toEqual(handed.length > 0 ? expect.arrayContaining(handed) : []);
    expect(shortNames.includes('electronic_commerce_indicator')).toBe(given.eci === '05' && handed.length > 0);
  });

  it('of a card that is stored now asks for later use, and of a stored one says that nobody is there', async () => {
    await send(charge(), { stored: 'now' });
    expect(host.to('/confirm').at(-1)?.params).toMatchObject({ setup_future_usage: 'off_session' });
    const rebill = charge({ initiator: 'merchant', cvv: null });
    await send(rebill, { stored: 'before', firstNetworkTransactionId: 'net-1' });
    const { params } = host.to('/confirm').at(-1) ?? { params: {} };
    expect(params).toMatchObject({ off_session: 'true' });
    expect(Object.keys(params).filter((name) => /return_url|setup_future|mit_exemption/.test(name))).toEqual([]);
  });

  it("hands over the network's first id where Stripe has opened that", async () => {
    const opened = openStripe({ baseUrl: host.url, networkTransactionIds: true }, clock);
    const rebill = charge({ initiator: 'merchant', cvv: null });
    await opened.send(rebill, around(clock, { stored: 'before', firstNetworkTransactionId: 'net-1' }));
    expect(host.to('/confirm')[0]?.params).toMatchObject({
      'payment_method_options[card][mit_exemption][network_transaction_id]': 'net-1',
    });
    await opened.close();
  });

  it('is refused with a code of its own when the key is wrong', async () => {
    const stranger = openStripe({ baseUrl: host.url, secretKey: 'sk_test_wrong' }, clock);
    expect(await stranger.send(charge(), around(clock))).toEqual({ word: 'declined', code: '109' });
    expect(await stranger.inquire('1', sentOf(charge()))).toMatchObject({ word: 'unknown' });
    expect(await stranger.reverse('1', sentOf(charge()))).toMatchObject({ word: 'unknown' });
    await stranger.close();
  });

  it('is refused when the account may not be given card numbers', async () => {
    host.books.takesCards = false;
    expect(await send(charge())).toEqual({ word: 'declined', code: '904' });
  });
});

describe('a challenge', () => {
  const challenged = async () => {
    const sale = charge({ number: CARDS.challenged });
    const answer = await send(sale);
    expect(answer).toEqual({ word: 'challenge', url: expect.stringMatching(/^https:\/\/hooks\.stripe\.example\//) });
    expect(host.to('/confirm')[0]?.params).toMatchObject({ return_url: RETURN_URL });
    expect(await inquire(sale)).toEqual(answer);
    return { sale, id: host.books.paymentOf(sale.reference).id };
  };

  it('that is passed ends with an approval', async () => {
    const { sale, id } = await challenged();
    host.books.endChallenge(id, 'passed');
    expect(await inquire(sale)).toMatchObject({ word: 'approved', processorTxId: id });
  });

  it('that is failed ends with a decline', async () => {
    const { sale, id } = await challenged();
    host.books.endChallenge(id, 'failed');
    expect(await inquire(sale)).toMatchObject({ word: 'declined', code: '190' });
  });

  it('that is taken back can no longer be passed', async () => {
    const { sale, id } = await challenged();
    expect(await acquirer.reverse(sale.reference, sentOf(sale))).toEqual({ word: 'not-found' });
    expect(() => host.books.endChallenge(id, 'passed')).toThrow('waits for nobody');
    expect(await inquire(sale)).toMatchObject({ word: 'declined', code: '914' });
  });

  it.each([
    ['a payer who cannot be sent anywhere', charge({ number: CARDS.challenged }), { returnUrl: undefined }],
    ['nobody there', charge({ number: CARDS.challenged, initiator: 'merchant' }), {}],
    ['a card to be checked', charge({ number: CARDS.challenged, kind: 'verification' }), { returnUrl: undefined }],
  ])('with %s is declined', async (_says, instruction, choice) => {
    expect(await send(instruction, choice)).toMatchObject({ word: 'declined', code: '191' });
    expect(host.books.outstanding()).toBe(0);
  });

  it('never leads to anything but a web page', async () => {
    const { sale, id } = await challenged();
    const intent = host.books.intents.get(id) as { next: object };
    intent.next = { type: 'redirect_to_url', redirect_to_url: { url: 'javascript:alert(1)' } };
    expect(await inquire(sale)).toMatchObject({ word: 'declined', code: '191' });
    expect(host.books.intents.get(id)?.status).toBe('canceled');
  });
});

describe('a check of a card', () => {
  it('moves nothing', async () => {
    const check = charge({ kind: 'verification', amount: { minor: 0n, currency: 'USD' } });
    const answer = await send(check);
    expect(answer).toMatchObject({ word: 'approved', processorTxId: expect.stringMatching(/^seti_/) });
    expect(await inquire(check)).toEqual(answer);
    expect(await acquirer.reverse(check.reference, sentOf(check))).toEqual({ word: 'reversed' });
    expect(host.books.charges).toEqual([]);
  });

  it('is declined by the issuer', async () => {
    const check = charge({ kind: 'verification', number: CARDS.poor, amount: { minor: 0n, currency: 'USD' } });
    expect(await send(check)).toMatchObject({ word: 'declined', code: '116' });
  });
});

describe('a follow-up', () => {
  it('captures a part, and the rest is free', async () => {
    const { instruction, known } = await approved({ kind: 'preauth' });
    expect(host.books.outstanding()).toBe(1042);
    const capture = followUp('capture', instruction, 400n);
    expect(await send(capture, known)).toMatchObject({ word: 'approved', processorTxId: known.origin.processorTxId });
    expect(host.books.outstanding()).toBe(400);
    expect(await inquire(capture, known)).toMatchObject({ word: 'approved' });
    expect(await send(followUp('capture', instruction, 100n), known)).toEqual({ word: 'declined', code: '902' });
    expect(await send(followUp('cancel', instruction, 642n), known)).toMatchObject({ word: 'approved' });
    expect(await send(followUp('cancel', instruction, 643n), known)).toEqual({ word: 'declined', code: '902' });
  });

  it('cancels a hold, once and again', async () => {
    const { instruction, known } = await approved({ kind: 'preauth' });
    const cancel = followUp('cancel', instruction);
    expect(await send(cancel, known)).toMatchObject({ word: 'approved' });
    expect(await inquire(cancel, known)).toMatchObject({ word: 'approved' });
    expect(host.books.outstanding()).toBe(0);
    expect(await send(followUp('capture', instruction), known)).toEqual({ word: 'declined', code: '914' });
  });

  it('captures no more than is held', async () => {
    const { instruction, known } = await approved({ kind: 'preauth' });
    expect(await send(followUp('capture', instruction, 2_000n), known)).toEqual({ word: 'declined', code: '110' });
    expect(host.books.outstanding()).toBe(1042);
  });

  it('refunds in parts, and never more than was paid', async () => {
    const { instruction, known } = await approved();
    const first = followUp('refund', instruction, 400n);
    const answer = await send(first, known);
    expect(answer).toMatchObject({ word: 'approved', processorTxId: expect.stringMatching(/^re_/) });
    expect(await inquire(first, known)).toEqual(answer);
    expect(await send(followUp('refund', instruction, 642n), known)).toMatchObject({ word: 'approved' });
    expect(await send(followUp('refund', instruction, 1n), known)).toEqual({ word: 'declined', code: '902' });
    expect(host.books.refunds.map(({ amount }) => amount)).toEqual([400, 642]);
  });

  it('refunds nothing that was not captured', async () => {
    const { instruction, known } = await approved({ kind: 'preauth' });
    expect(await send(followUp('refund', instruction), known)).toEqual({ word: 'declined', code: '902' });
    expect(host.books.outstanding()).toBe(1042);
  });

  it('a refund that Stripe works on is pending until it is known', async () => {
    const { instruction, known } = await approved();
    host.books.refundStatus = 'pending';
    const refund = followUp('refund', instruction);
    expect(await send(refund, known)).toEqual({ word: 'pending' });
    expect(await inquire(refund, known)).toEqual({ word: 'pending' });
    Object.assign(host.books.refunds[0] ?? {}, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    expect(await inquire(refund, known)).toMatchObject({ word: 'declined', code: '208' });
    Object.assign(host.books.refunds[0] ?? {}, { status: 'succeeded' });
    expect(await inquire(refund, known)).toMatchObject({ word: 'approved' });
  });

  it.each([
    ['a sale by a refund', 'sale', 1],
    ['a hold by its end', 'preauth', 0],
  ] as const)('voids %s', async (_says, kind, refunds) => {
    const { instruction, known } = await approved({ kind });
    const voided = followUp('void', instruction);
    expect(await send(voided, known)).toMatchObject({ word: 'approved' });
    expect(await inquire(voided, known)).toMatchObject({ word: 'approved' });
    expect(host.books.outstanding()).toBe(0);
    expect(host.books.refunds).toHaveLength(refunds);
  });

  it("finds the payment by our reference when Stripe's name for it is missing", async () => {
    const { instruction, known } = await approved();
    const { processorTxId: _gone, ...origin } = known.origin;
    expect(await send(followUp('refund', instruction, 100n), { origin })).toMatchObject({ word: 'approved' });
    host.searchLags = true;
    expect(await send(followUp('refund', instruction, 100n), { origin })).toMatchObject({ word: 'unsent' });
    expect(await inquire(followUp('refund', instruction, 100n), { origin })).toMatchObject({ word: 'unknown' });
    expect(host.books.refunds).toHaveLength(1);
  });

  it('puts nothing into an address that is no name of a payment', async () => {
    const { instruction, known } = await approved();
    const origin = { ...known.origin, reference: 'nobody', processorTxId: 'pi_1/../../balance?x=' };
    const refund = { ...followUp('refund', instruction), original: 'nobody' };
    expect(await send(refund, { origin })).toMatchObject({ word: 'unsent' });
    expect(host.asked.filter(({ path }) => path.includes('balance'))).toEqual([]);
  });

  it('at an account that does not know the payment is declined, but an inquiry there says nothing', async () => {
    const instruction = charge();
    const known = { origin: originOf(instruction, 'pi_ofanotheraccount', clock) };
    for (const kind of ['capture', 'cancel', 'refund'] as const) {
      expect(await send(followUp(kind, instruction), known)).toEqual({ word: 'declined', code: '914' });
      expect(await inquire(followUp(kind, instruction), known)).toMatchObject({ word: 'unknown' });
    }
  });
});

it('does not do what it does not say', async () => {
  const push = {
    kind: 'push',
    reference: newReference(),
    amount: { minor: 1n, currency: 'USD' },
    to: { card: { number: new Secret(CARDS.good) } },
  } as const;
  expect(await send(push)).toMatchObject({ word: 'unsent' });
  expect(await inquire(push)).toMatchObject({ word: 'unknown' });
  expect(host.asked).toEqual([]);
});

describe('notices', () => {
  const event = (object: object, type = 'payment_intent.succeeded') =>
    JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  const signed = (payload: string, choice: { secret?: string; timestamp?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp: Math.floor(clock.now() / 1000),
      ...choice,
    });
  const receive = (body: string, signature: string | undefined, choice: Partial<Notice> = {}) =>
    acquirer.receive?.({
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: { 'stripe-signature': signature },
      body: Buffer.from(body),
      ...choice,
    });
  const intent = (metadata: object) => ({ id: 'pi_1', object: 'payment_intent', metadata });

  it.each([
    ['a payment', intent({ reference: '7-1-abc' }), 'payment_intent.succeeded', '7-1-abc'],
    ['a capture', intent({ reference: '7-1-abc', capture: '7-2-abc' }), 'payment_intent.succeeded', '7-2-abc'],
    ['its end', intent({ reference: '7-1-abc', capture: '7-2-abc' }), 'payment_intent.canceled', '7-1-abc'],
    ['a refund', { id: 're_1', object: 'refund', metadata: { reference: '7-3-abc' } }, 'refund.updated', '7-3-abc'],
    ['a check', { object: 'setup_intent', metadata: { reference: '7-1-abc' } }, 'setup_intent.succeeded', '7-1-abc'],
    ['a payment of others', intent({}), 'payment_intent.succeeded', undefined],
    ['a reference that is none of ours', intent({ reference: "x' or 1" }), 'payment_intent.succeeded', undefined],
    ['something else', { object: 'charge', metadata: { reference: '7-1-abc' } }, 'charge.updated', undefined],
  ])('about %s', async (_says, object, type, reference) => {
    const body = event(object, type);
    expect(await receive(body, signed(body))).toEqual({ status: 200, noticeId: 'evt_1', reference });
  });

  it.each([
    ['no signature', () => undefined],
    ['an empty signature', () => ''],
    ['a signature of another secret', (body: string) => signed(body, { secret: 'whsec_another' })],
    ['a signature of another body', (body: string) => signed(`${body} `)],
    ['a time of its own', (body: string) => signed(body).replace(/t=\d+/, `t=${Math.floor(clock.now() / 1000) - 1}`)],
    ['only another scheme', (body: string) => signed(body).replace('v1=', 'v0=')],
    ['half a signature', (body: string) => signed(body).slice(0, -32)],
    ['an old time', (body: string) => signed(body, { timestamp: Math.floor(clock.now() / 1000) - 301 })],
    ['a time to come', (body: string) => signed(body, { timestamp: Math.floor(clock.now() / 1000) + 301 })],
  ])('with %s are refused', async (_says, sign) => {
    const body = event(intent({ reference: '7-1-abc' }));
    const read = await receive(body, sign(body));
    expect(read).toMatchObject({ status: 400 });
    expect(read).not.toHaveProperty('reference');
  });

  it('are taken up to five minutes late, and with one right signature among several', async () => {
    const body = event(intent({ reference: '7-1-abc' }));
    const late = signed(body, { timestamp: Math.floor(clock.now() / 1000) - 300 });
    expect(await receive(body, late)).toMatchObject({ status: 200 });
    expect(await receive(body, late.replace('v1=', `v1=${'0'.repeat(64)},v1=`))).toMatchObject({ status: 200 });
    const headers = { 'Stripe-Signature': signed(body) };
    expect(await receive(body, undefined, { headers })).toMatchObject({ status: 200 });
  });

  it('that are no events are refused, whoever signed them', async () => {
    for (const body of ['', '[]', '{}', '{"id":7}', 'nonsense']) {
      expect(await receive(body, signed(body))).toMatchObject({ status: 400 });
    }
    expect(await receive('{}', signed('{}'), { method: 'GET' })).toMatchObject({ status: 405 });
  });

  it('are refused without a secret', async () => {
    const open = openStripe({ baseUrl: host.url, webhookSecret: undefined }, clock);
    expect(await open.receive?.({ ...({} as Notice), method: 'POST', headers: {} })).toMatchObject({ status: 400 });
    await open.close();
  });
});

describe('test()', () => {
  it('says that a test key moves no money', async () => {
    expect(await acquirer.test()).toEqual([
      { what: 'Stripe answers', works: true },
      { what: 'the secret key is accepted', works: true, detail: 'test mode: no money moves' },
      { what: 'the account takes card numbers', works: true },
      { what: 'notices', works: true, detail: 'are taken at https://gateway.example/notices/stripe-test' },
    ]);
    expect(host.books.charges).toEqual([]);
  });

  it('says what is wrong', async () => {
    host.books.takesCards = false;
    const bare = openStripe({ baseUrl: host.url, webhookSecret: undefined }, clock);
    expect((await bare.test()).at(-1)?.detail).toContain('no webhookSecret is set');
    await bare.close();
    expect(await acquirer.test()).toContainEqual({
      what: 'the account takes card numbers',
      works: false,
      detail: expect.stringContaining('Stripe must open raw card data'),
    });
    const stranger = openStripe({ baseUrl: host.url, secretKey: 'rk_test_wrong' }, clock);
    expect(await stranger.test()).toContainEqual({
      what: 'the secret key is accepted',
      works: false,
      detail: 'the key is wrong or was revoked',
    });
    await stranger.close();
    expect(await stranger.test()).toEqual([
      { what: 'Stripe answers', works: false, detail: 'the connector is closed' },
    ]);
  });
});

describe('traced()', () => {
  it('shows the latest exchanges without anything that must not be seen', async () => {
    const cavv = new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA=');
    const authentication = { version: '2.2.0', status: 'Y', cavv, dsTransactionId: 'ds-1' } as const;
    await send(charge({ cvv: '987', authentication, reference: newReference() }));
    const text = JSON.stringify(acquirer.traced?.());
    expect(text).toContain('POST /v1/payment_intents amount=1042');
    expect(text).toMatch(/payment_intent pi_\w+ succeeded req_test/);
    for (const unseen of [CARDS.good, '987', SECRET_KEY, cavv.reveal(), 'Lovelace', 'ada@shop', 'N1 9GU', '424242']) {
      expect(text).not.toContain(unseen);
    }
  });

  it('forgets what is older than fifty exchanges', async () => {
    for (let count = 0; count < 20; count += 1) await send(charge());
    const lines = acquirer.traced?.() ?? [];
    expect(lines).toHaveLength(100);
    expect(lines.at(-1)?.text).toContain('succeeded');
  });
});

it("leaves payments that Stripe's own client reads", async () => {
  const { instruction, known } = await approved();
  await send(followUp('refund', instruction, 400n), known);
  const { protocol, hostname, port } = new URL(host.url);
  const client = new Stripe(SECRET_KEY, {
    host: hostname,
    port,
    protocol: protocol.slice(0, -1) as 'http',
    telemetry: false,
  });
  const payment = await client.paymentIntents.retrieve(known.origin.processorTxId as string);
  expect(payment).toMatchObject({ amount_received: 1042, metadata: { reference: instruction.reference } });
  const { data } = await client.refunds.list({ payment_intent: payment.id });
  expect(data).toMatchObject([{ amount: 400, status: 'succeeded' }]);
});

/** Stripe's mock server knows the shape of every request, and nothing about money. */
const { STRIPE_MOCK_URL } = process.env;
const shapes = [
  { name: 'the server of these tests', at: () => host.url, secretKey: SECRET_KEY },
  ...(STRIPE_MOCK_URL ? [{ name: "Stripe's mock server", at: () => STRIPE_MOCK_URL, secretKey: 'sk_test_123' }] : []),
];

describe.each(shapes)('the shapes of requests at $name', ({ at, secretKey }) => {
  let shaped: Acquirer;
  beforeEach(() => {
    shaped = openStripe({ baseUrl: at(), secretKey }, systemClock);
  });
  afterEach(() => shaped.close());

  /** Statuses of the answers so far. */
  const statuses = () => (shaped.traced?.() ?? []).filter((one) => one.direction === 'in').map(({ text }) => text);

  const authentication = {
    version: '2.2.0',
    status: 'Y',
    eci: '05',
    cavv: new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA='),
    dsTransactionId: '5c4a1f4e-0d4f-4f35-9f5a-0d5bcb5c7a11',
  } as const;
  const payer = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@shop.example',
    phone: '+442071234567',
    address: '12 St James Square',
    city: 'London',
    state: 'London',
    zipCode: 'SW1Y 4JH',
    country: 'GB',
  };

  it.each([
    ['a sale', charge(), {}],
    ['a sale in yen', charge({ amount: { minor: 500n, currency: 'JPY' } }), {}],
    ['a sale with everything', charge({ authentication }), { payer, stored: 'now' as const }],
    ['a sale without a payer to send', charge(), { returnUrl: undefined }],
    ['a rebill', charge({ initiator: 'merchant', cvv: null }), { stored: 'before' as const }],
    ['a preauth', charge({ kind: 'preauth' }), {}],
    ['a check', charge({ kind: 'verification', authentication, amount: { minor: 0n, currency: 'USD' } }), { payer }],
  ])('%s, the question about it, and its end', async (_says, instruction, choice) => {
    const told = around(systemClock, choice);
    const sent = { instruction: withoutCode(instruction), around: told, again: false };
    await shaped.send(instruction, told);
    await shaped.inquire(instruction.reference, sent);
    await shaped.reverse(instruction.reference, sent);
    expect(statuses().length).toBeGreaterThanOrEqual(6);
    // A payment that was taken cannot be cancelled, and is given back instead.
    const refused = statuses().filter((text) => !text.startsWith('200 ') && !text.includes('_unexpected_state'));
    expect(refused).toEqual([]);
  });

  it('follow-ups, questions about them, and old ones', async () => {
    const preauth = charge({ kind: 'preauth' });
    const told = around(systemClock);
    const answer = await shaped.send(preauth, told);
    const id = answer.word === 'approved' ? answer.processorTxId : 'pi_1PgafyB7WZ01zgkWSjxsAJo3';
    const origin = originOf(preauth, id, systemClock);
    const day = 24 * 60 * 60 * 1000;
    const old = { number: 1, at: systemClock.now() - day };
    for (const kind of ['capture', 'refund', 'void', 'cancel'] as const) {
      const asked = followUp(kind, preauth, kind === 'refund' ? 42n : 1042n);
      const known = { ...told, origin };
      await shaped.send(asked, known);
      await shaped.inquire(asked.reference, { instruction: asked, around: known, again: false });
      await shaped.inquire(asked.reference, { instruction: asked, around: { ...known, trace: old }, again: true });
    }
    const sent = { instruction: withoutCode(preauth), around: { ...told, trace: old }, again: true };
    await shaped.inquire(preauth.reference, sent);
    await shaped.test();
    const refused = statuses().filter((text) => !text.startsWith('200 '));
    const meant = /_unexpected_state|charge_already_refunded|amount_too_large/;
    expect(refused.filter((text) => !meant.test(text))).toEqual([]);
  });
});
