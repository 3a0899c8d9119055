// Transfers from the merchant's side: from card to card in two steps, and from the merchant's balance to a card.
// Whatever the bank does, the sender's money is either with the receiver or back.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { FaultPlan, type Faults } from '../../src/acquirers/simulator/faults.ts';
import {
  CARD,
  type Client,
  describeGateway,
  type Fields,
  newOrderId,
  type OAuthOptions,
  type Reply,
} from '../harness.ts';

const RECEIVER = '5555555555554444';
const CANNOT_RECEIVE = '5105105105105100';

type Shop = { client: Client; id: number };

const transferFields = (changes: Fields = {}): Fields => ({
  client_orderid: newOrderId(),
  amount: '10.00',
  currency: 'USD',
  credit_card_number: CARD,
  card_printed_name: 'ANN EXAMPLE',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
  'destination-card-no': RECEIVER,
  ...changes,
});

const NO_CARD: Fields = {
  credit_card_number: undefined,
  card_printed_name: undefined,
  expire_month: undefined,
  expire_year: undefined,
  cvv2: undefined,
};

const byReference = (changes: Fields = {}): Fields => ({
  client_orderid: newOrderId(),
  amount: '10.00',
  currency: 'USD',
  'destination-card-no': RECEIVER,
  ...changes,
});

const BY_REFERENCE = { path: '/api/v4/transfer-by-ref' };

function transfer(
  { client, id }: Shop,
  fields: Fields,
  options: OAuthOptions & { path?: string } = {},
): Promise<Reply> {
  return client.oauth(options.path ?? '/api/v4/transfer', fields, { endpoint: id, ...options });
}

async function transferred(shop: Shop, fields: Fields, options: OAuthOptions & { path?: string } = {}) {
  const accepted = await transfer(shop, fields, options);
  expect(accepted.body).toMatchObject({ type: 'async-response', status: 'processing' });
  return shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
}

async function storedCard({ client, id }: Shop, overrides: Fields = {}): Promise<string> {
  const sale = await client.saleUntilFinal(overrides, { endpoint: id });
  const named = { client_orderid: sale['merchant-order-id'], orderid: sale['paynet-order-id'] };
  const { body } = await client.oauth('/api/v4/create-card-ref', named, { endpoint: id });
  return body['card-ref-id'];
}

const codes = ({ body }: Reply) => body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);

const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

/** Faults that spare the first instruction and strike the second. */
function strikingSecond(rate: Partial<Faults>): Partial<Faults> {
  for (let seed = 1; ; seed++) {
    const faults = { ...rate, seed, messages: ['instruct' as const] };
    const plan = new FaultPlan(faults);
    const [first, second, third] = [1, 2, 3].map(() => plan.fateOf('instruct').end);
    if (first === 'answered' && second !== 'answered' && third === 'answered') return faults;
  }
}

describeGateway('transfers', { acquirerTimeoutMs: 500, holdMs: 1_500 }, (gateway) => {
  async function shopWith(minor: number, changes = {}): Promise<Shop> {
    const shop = await gateway.newMerchant(changes);
    if (minor > 0) await shop.client.saleUntilFinal({ amount: String(minor) }, { endpoint: shop.id });
    return shop;
  }

  /** What the bank did with each leg. */
  async function legsOf(orderId: string): Promise<string[]> {
    const entries = await gateway.bookedFor(orderId);
    return entries.map(({ kind, outcome }) => `${kind} ${outcome}`);
  }

  it('take from one card and send to another', async () => {
    const shop = await shopWith(0);
    const status = await transferred(
      shop,
      transferFields({ receiver_first_name: 'Bob', receiver_last_name: 'Receiver' }),
    );
    expect(status).toMatchObject({
      status: 'approved',
      'transaction-type': 'transfer',
      amount: '10.00',
      bin: '411111',
      'last-four-digits': '1111',
      'dest-bin': '555555',
      'dest-last-four-digits': '4444',
      'dest-card-type': 'MASTERCARD',
    });
    expect(status).not.toHaveProperty('destination-card-ref-id');
    expect(await legsOf(status['paynet-order-id'])).toEqual(['pull approved', 'push approved']);
    expect(await gateway.balances(shop.id)).toEqual({ clearing: 0, transit: 0 });
  });

  it('from the merchant’s balance send only', async () => {
    const shop = await shopWith(3000);
    const status = await transferred(shop, transferFields({ ...NO_CARD, deposit2card: 'true' }));
    expect(status).toMatchObject({ status: 'approved', 'dest-last-four-digits': '4444' });
    expect(status).not.toHaveProperty('bin');
    expect(await legsOf(status['paynet-order-id'])).toEqual(['push approved']);
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 2000, clearing: -2000, reserved: 0 });
  });

  it('by reference take from a stored card, or from the balance', async () => {
    const shop = await shopWith(5000);
    const source = await storedCard(shop);
    const target = await storedCard(shop, { credit_card_number: RECEIVER });
    const before = (await gateway.balances(shop.id)).merchant;
    const both = byReference({
      'destination-card-no': undefined,
      'source-card-ref-id': source,
      'destination-card-ref-id': target,
    });
    const status = await transferred(shop, both, BY_REFERENCE);
    expect(status).toMatchObject({
      status: 'approved',
      bin: '411111',
      'dest-bin': '555555',
      'destination-card-ref-id': target,
    });
    expect(await legsOf(status['paynet-order-id'])).toEqual(['pull approved', 'push approved']);
    expect((await gateway.balances(shop.id)).merchant).toBe(before);
    const deposit = await transferred(shop, byReference(), BY_REFERENCE);
    expect(await legsOf(deposit['paynet-order-id'])).toEqual(['push approved']);
    expect((await gateway.balances(shop.id)).merchant).toBe((before as number) - 1000);
  });

  it('between cards named by their recurring payment ids work too', async () => {
    const shop = await shopWith(0);
    const [source, target] = [await storedCard(shop), await storedCard(shop, { credit_card_number: RECEIVER })];
    const status = await transferred(
      shop,
      transferFields({
        ...NO_CARD,
        card_recurring_payment_id: source,
        'destination-card-no': undefined,
        destination_card_recurring_payment_id: target,
      }),
    );
    expect(status).toMatchObject({ status: 'approved', 'destination-card-ref-id': target });
  });

  it('that were made can be neither returned nor voided', async () => {
    const shop = await shopWith(3000);
    const deposit = { ...NO_CARD, deposit2card: 'true' };
    for (const fields of [transferFields(), transferFields(deposit)]) {
      const status = await transferred(shop, fields);
      expect(status.status).toBe('approved');
      for (const kind of ['return', 'void'] as const) {
        const refused = await shop.client.followUp(kind, status, {}, { endpoint: shop.id });
        expect(refused).toMatchObject({ status: 400, body: { 'error-code': '40' } });
      }
    }
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 2000, clearing: -2000 });
  });

  it('that the sender’s bank declines send nothing', async () => {
    const shop = await shopWith(0);
    const status = await transferred(shop, transferFields({ cvv2: '116' }));
    expect(status).toMatchObject({ status: 'declined', 'error-code': '116' });
    expect(await legsOf(status['paynet-order-id'])).toEqual(['pull declined']);
    expect(await gateway.balances(shop.id)).toEqual({});
  });

  it.each([
    ['the receiver’s card cannot take it', { 'destination-card-no': CANNOT_RECEIVE }, '111'],
    ['the receiver’s bank declines', { amount: '1.16' }, '116'],
  ])('give the sender’s money back when %s', async (_, changes, code) => {
    const shop = await shopWith(0);
    const fields = transferFields(changes);
    await transfer(shop, fields);
    await gateway.untilAllFinal();
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status).toMatchObject({ status: 'declined', 'error-code': code });
    expect(await legsOf(status['paynet-order-id'])).toEqual(['pull reversed', 'push declined']);
    expect(await gateway.balances(shop.id)).toEqual({ clearing: 0, transit: 0 });
  });

  it('in doubt at the second step are asked about, and neither sent again nor taken back', async () => {
    const shop = await shopWith(0);
    const fields = transferFields({ amount: '2.17' });
    const { body } = await transfer(shop, fields);
    await expect.poll(() => legsOf(body['paynet-order-id'])).toHaveLength(2);
    await expect.poll(() => gateway.balances(shop.id)).toEqual({ clearing: -217, transit: 217 });
    // The security code was for the first step, which has its answer.
    const [row] = await gateway.query(
      `select leg, sealed_cvv from transactions where order_id = ${body['paynet-order-id']}`,
    );
    expect(row).toEqual({ leg: 2, sealed_cvv: null });
    await gateway.untilAllFinal();
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(await legsOf(body['paynet-order-id'])).toEqual(['pull approved', 'push approved']);
    expect(await gateway.balances(shop.id)).toEqual({ clearing: 0, transit: 0 });
  });

  it.each([
    ['the answer to the second step is lost', { loseAnswerRate: 0.5 }],
    ['the second step never arrives', { loseRequestRate: 0.5 }],
    ['the second step is refused a connection', { refuseRate: 0.5 }],
  ])('end well when %s', async (_, rate) => {
    const shop = await shopWith(0);
    gateway.bank.faults.set(strikingSecond(rate));
    const fields = transferFields();
    await transfer(shop, fields);
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(await legsOf(status['paynet-order-id'])).toEqual(['pull approved', 'push approved']);
    expect(await gateway.balances(shop.id)).toEqual({ clearing: 0, transit: 0 });
  });

  it('go back to the sender when the bank can never say what became of the second step', async () => {
    const shop = await shopWith(0);
    gateway.bank.faults.set(strikingSecond({ loseAnswerRate: 0.5 }));
    const fields = transferFields();
    const { body } = await transfer(shop, fields);
    await expect.poll(() => legsOf(body['paynet-order-id'])).toHaveLength(2);
    gateway.bank.faults.set({ messages: ['inquire'], refuseRate: 1 });
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status).toMatchObject({ status: 'error', 'error-code': '504' });
    expect(await legsOf(body['paynet-order-id'])).toEqual(['pull reversed', 'push reversed']);
    expect(await gateway.balances(shop.id)).toEqual({ clearing: 0, transit: 0 });
  });

  it('are finished by the next process when this one stops between the steps', async () => {
    const shop = await shopWith(0);
    gateway.bank.faults.set(strikingSecond({ loseRequestRate: 0.5 }));
    const fields = transferFields();
    const { body } = await transfer(shop, fields);
    await expect.poll(() => legsOf(body['paynet-order-id'])).toHaveLength(1);
    gateway.bank.faults.set({});
    await gateway.restart();
    await gateway.untilAllFinal();
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(await legsOf(body['paynet-order-id'])).toEqual(['pull approved', 'push approved']);
  });

  it('from the balance are refused when it does not cover them', async () => {
    const shop = await shopWith(999);
    for (const [fields, options] of [
      [transferFields({ ...NO_CARD, deposit2card: 'true' }), {}],
      [byReference(), BY_REFERENCE],
    ] as const) {
      const refused = await transfer(shop, fields, options);
      expect(codes(refused)).toEqual(['amount 45']);
      expect(refused.body['error-message']).toContain('9.99 USD available');
    }
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => transfer(shop, byReference({ amount: '1.00' }), BY_REFERENCE)),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(9);
    await gateway.untilAllFinal();
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 99, clearing: -99, reserved: 0 });
  });

  it('that are repeated are the same order', async () => {
    const shop = await shopWith(0);
    const fields = transferFields();
    const idempotencyKey = randomUUID();
    const first = await transfer(shop, fields, { idempotencyKey });
    expect((await transfer(shop, fields, { idempotencyKey })).body).toEqual(first.body);
    const again = await transfer(shop, fields);
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    expect(codes(await transfer(shop, { ...fields, amount: '11.00' }))).toEqual(['client_orderid 31']);
    expect(codes(await transfer(shop, transferFields(), { idempotencyKey }))).toEqual(['Idempotency-Key 32']);
    await gateway.untilAllFinal();
    expect(await legsOf(first.body['paynet-order-id'])).toHaveLength(2);
  });

  it('wait for 3-D Secure where the endpoint demands it of a payer who is there', async () => {
    const shop = await shopWith(0);
    const source = await storedCard(shop);
    await gateway.changeEndpoint(shop.id, { threeDSecure: 'required' });
    const typed = (await transfer(shop, transferFields())).body;
    const asking = await shop.client.status({ client_orderid: typed['merchant-order-id'] }, { endpoint: shop.id });
    expect(asking.body).toMatchObject({ status: 'processing', 'order-stage': 'transfer_3d_validating' });
    const stored = await transfer(shop, byReference({ 'source-card-ref-id': source }), BY_REFERENCE);
    expect(stored.status).toBe(200);
  });

  it('of another merchant’s cards are refused like cards that do not exist, both at once', async () => {
    const owner = await shopWith(0);
    const foreign = await storedCard(owner);
    const shop = await shopWith(5000);
    const named = byReference({ 'destination-card-no': undefined });
    const attempt = (reference: string) =>
      transfer(shop, { ...named, 'source-card-ref-id': reference, 'destination-card-ref-id': reference }, BY_REFERENCE);
    const refused = await attempt(foreign);
    expect(codes(refused)).toEqual(['source-card-ref-id 50', 'destination-card-ref-id 50']);
    expect(withoutSerial(refused)).toEqual(withoutSerial(await attempt('999')));
    const stored = { ...NO_CARD, card_recurring_payment_id: foreign };
    const byRecurring = await transfer(shop, transferFields(stored));
    expect(codes(byRecurring)).toEqual(['card_recurring_payment_id 50']);
  });

  it.each<[string, Fields, string[]]>([
    ['no source', NO_CARD, ['credit_card_number 1']],
    ['two sources', { deposit2card: 'true' }, ['deposit2card 5']],
    ['no destination', { 'destination-card-no': undefined }, ['destination-card-no 1']],
    ['two destinations', { destination_card_recurring_payment_id: '12' }, ['destination_card_recurring_payment_id 5']],
    [
      'half a card and a mistyped destination',
      { cvv2: undefined, expire_year: undefined, 'destination-card-no': '4111', amount: '0' },
      ['amount 2', 'destination-card-no 2', 'expire_year 1', 'cvv2 1'],
    ],
    ['an expired card', { expire_year: '2020' }, ['expire_year 33']],
    ['a card number for a name', { receiver_first_name: CARD }, ['receiver_first_name 2']],
  ])('are refused for %s', async (_, changes, faults) => {
    const shop = await shopWith(0);
    expect(codes(await transfer(shop, transferFields(changes)))).toEqual(faults);
  });

  it('leave neither card in clear anywhere', async () => {
    const shop = await shopWith(0);
    const [from, to] = ['4000056655665556', '5200828282828210'];
    const fields = { credit_card_number: from, 'destination-card-no': to, order_desc: `from ${from} to ${to}` };
    const status = await transferred(shop, transferFields(fields));
    await gateway.journalLine(
      (await shop.client.status({ client_orderid: status['merchant-order-id'] }, { endpoint: shop.id })).body,
    );
    const stored = await gateway.everythingStored();
    for (const secret of [from, to]) {
      for (const form of [secret, Buffer.from(secret).toString('hex')]) {
        expect(stored.includes(form)).toBe(false);
        expect(gateway.log.join('\n').includes(form)).toBe(false);
      }
    }
  });

  it('agree with the bank’s books to the last cent', async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
