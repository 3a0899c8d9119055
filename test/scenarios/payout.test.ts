// Payouts from the merchant's side: to cards, stored cards and bank accounts, out of a balance that is never overdrawn.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  CARD,
  type Client,
  describeGateway,
  type Fields,
  newOrderId,
  type OAuthOptions,
  type Reply,
  until,
} from '../harness.ts';
import { returnedPayout, toldReturned } from './whole-life.ts';

const IBAN = 'DE89370400440532013000';
const DAY_MS = 24 * 60 * 60 * 1000;

type Shop = { client: Client; id: number };

const payoutFields = (changes: Fields = {}): Fields => ({
  client_orderid: newOrderId(),
  amount: '10.00',
  currency: 'USD',
  credit_card_number: CARD,
  ...changes,
});

const account = (changes: Fields = {}): Fields =>
  payoutFields({ credit_card_number: undefined, account_number: IBAN, account_name: 'Ann Example', ...changes });

function payout({ client, id }: Shop, fields: Fields, options: OAuthOptions & { path?: string } = {}): Promise<Reply> {
  return client.oauth(options.path ?? '/api/v4/payout', fields, { endpoint: id, ...options });
}

/** Pays out and waits for the end. */
async function paidOut(shop: Shop, fields: Fields, options: OAuthOptions & { path?: string } = {}) {
  const accepted = await payout(shop, fields, options);
  expect(accepted.body).toMatchObject({ type: 'async-response', status: 'processing' });
  return shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
}

const check = (shop: Shop, fields: Fields) => payout(shop, fields, { path: '/api/v4/payout-check' });

const pay = ({ client, id }: Shop, fields: Fields, options: OAuthOptions = {}) =>
  client.oauth('/api/v4/payout-pay', fields, { endpoint: id, ...options });

const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

const codes = ({ body }: Reply) => body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);

describeGateway('payouts', { acquirerTimeoutMs: 500, holdMs: 200 }, (gateway) => {
  /** A merchant with this balance, in minor units. */
  async function shopWith(minor: number, changes = {}): Promise<Shop> {
    const shop = await gateway.newMerchant(changes);
    if (minor > 0) await shop.client.saleUntilFinal({ amount: String(minor) }, { endpoint: shop.id });
    return shop;
  }

  it('pay a card out of the balance', async () => {
    const shop = await shopWith(5000);
    const fields = payoutFields({ first_name: 'Ann', order_desc: 'Winnings', expire_month: '12', expire_year: '31' });
    const accepted = await payout(shop, fields, { path: '/api/v2/payout' });
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        type: 'async-response',
        'merchant-order-id': fields.client_orderid,
        'end-point-id': String(shop.id),
        status: 'processing',
      },
    });
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status).toMatchObject({
      status: 'approved',
      'transaction-type': 'payout',
      'order-stage': 'payout_approved',
      amount: '10.00',
      bin: '411111',
      'last-four-digits': '1111',
      'card-type': 'VISA',
      'card-exp-year': '2031',
    });
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 4000, clearing: -4000, reserved: 0 });
  });

  it('pay a card whose expiry nobody told', async () => {
    const status = await paidOut(await shopWith(1000), payoutFields());
    expect(status.status).toBe('approved');
    expect(status).not.toHaveProperty('card-exp-month');
  });

  it('pay a bank account, and show only its end', async () => {
    const shop = await shopWith(3000);
    const status = await paidOut(shop, account({ account_number: 'de89 3704 0044 0532 0130 00', bank_name: 'Bank' }));
    expect(status).toMatchObject({ status: 'approved', 'dest-account-number': '******************3000' });
    expect(status).not.toHaveProperty('bin');
    const [entry] = await gateway.bookedFor(status['paynet-order-id']);
    expect(entry).toMatchObject({ kind: 'push', to: { accountEnd: '3000' } });
    const other = await paidOut(shop, account({ account_number: '12345678', routing_number: '021000021' }));
    expect(other).toMatchObject({ status: 'approved', 'dest-account-number': '****5678' });
  });

  it('pay a stored card by its reference', async () => {
    const shop = await shopWith(3000);
    const sale = await shop.client.saleUntilFinal({}, { endpoint: shop.id });
    const reference = await shop.client.oauth(
      '/api/v4/create-card-ref',
      { client_orderid: sale['merchant-order-id'], orderid: sale['paynet-order-id'] },
      { endpoint: shop.id },
    );
    const byCard = { credit_card_number: undefined, card_recurring_payment_id: reference.body['recurring-payment-id'] };
    expect(await paidOut(shop, payoutFields(byCard))).toMatchObject({ status: 'approved', bin: '411111' });
  });

  it('that are paid can be neither returned nor voided', async () => {
    const shop = await shopWith(5000);
    const status = await paidOut(shop, payoutFields());
    for (const kind of ['return', 'void'] as const) {
      const refused = await shop.client.followUp(kind, status, {}, { endpoint: shop.id });
      expect(refused).toMatchObject({ status: 400, body: { 'error-code': '40' } });
    }
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 4000, clearing: -4000, reserved: 0 });
  });

  it('give the money back when the bank declines', async () => {
    const shop = await shopWith(5000);
    const status = await paidOut(shop, payoutFields({ amount: '11.16' }));
    expect(status).toMatchObject({ status: 'declined', 'error-code': '116' });
    const refused = await paidOut(shop, account({ account_number: '00000000' }));
    expect(refused).toMatchObject({ status: 'declined', 'error-code': '111' });
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 5000, clearing: -5000, reserved: 0 });
  });

  it('that the bank returns later are in the balance again, and told to whoever waits for the order', async () => {
    const shop = await gateway.shop();
    const fields = { ...payoutFields(), server_callback_url: shop.url('/returned') };
    await gateway.demo.saleUntilFinal({ amount: '5000' });
    const before = await gateway.balances();
    const paid = await returnedPayout(gateway, fields);
    expect(await gateway.balances()).toEqual({ reserved: 0, ...before });
    const orderId = paid['paynet-order-id'];
    const { body } = await gateway.demo.status({ client_orderid: paid['merchant-order-id'] });
    expect(body).toMatchObject({ status: 'approved', 'transaction-type': 'reversal', amount: '10.00' });
    expect(body['processor-rrn']).toBe(paid['processor-rrn']);
    await until('both ends are told', () => shop.of(paid).length === 2);
    expect(shop.of(paid).map(({ fields: { type, status } }) => `${type} ${status}`)).toEqual([
      'payout approved',
      'reversal approved',
    ]);
    expect(shop.complaints).toEqual([]);
    // Told once more it changes nothing. Of what it never paid a bank learns that telling it again is of no use.
    const reference = await gateway.bankReference(orderId);
    expect((await toldReturned(gateway, reference)).status).toBe(200);
    expect((await toldReturned(gateway, '1-1-x')).status).toBe(404);
    expect(await gateway.balances()).toEqual({ reserved: 0, ...before });
  });

  it('come back by the word of the bank alone', async () => {
    const shop = await shopWith(5000);
    const paid = await paidOut(shop, payoutFields());
    const reference = await gateway.bankReference(paid['paynet-order-id']);
    expect((await toldReturned(gateway, reference)).status).toBe(200);
    gateway.bank.faults.set({ messages: ['inquire'], refuseRate: 1 });
    expect((await toldReturned(gateway, reference)).status).toBe(503);
    gateway.bank.faults.set({});
    const sale = await shop.client.saleUntilFinal({}, { endpoint: shop.id });
    expect((await toldReturned(gateway, await gateway.bankReference(sale['paynet-order-id']))).status).toBe(200);
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 5042, reserved: 0 });
  });

  it('keep the money aside while nobody knows, and pay once', async () => {
    const shop = await shopWith(5000);
    const fields = payoutFields({ amount: '2.17' });
    expect((await payout(shop, fields)).status).toBe(200);
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4783, reserved: 217 });
    await gateway.untilAllFinal();
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 4783, clearing: -4783, reserved: 0 });
  });

  it('are sent again from what is sealed when the bank never saw them', async () => {
    const shop = await shopWith(5000);
    gateway.bank.faults.set({ messages: ['instruct'], refuseRate: 1 });
    const toAccount = account();
    const toCard = payoutFields();
    await payout(shop, toAccount);
    await payout(shop, toCard);
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    for (const { client_orderid } of [toAccount, toCard]) {
      const status = await shop.client.untilFinal(client_orderid as string, { endpoint: shop.id });
      expect(status.status).toBe('approved');
      expect(await gateway.bookedFor(status['paynet-order-id'])).toHaveLength(1);
    }
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 3000, reserved: 0 });
  });

  it('are booked once when the bank answers and nobody hears it', async () => {
    const shop = await shopWith(5000);
    gateway.bank.faults.set({ messages: ['instruct'], loseAnswerRate: 1 });
    const fields = account();
    await payout(shop, fields);
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    const status = await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(await gateway.bookedFor(status['paynet-order-id'])).toHaveLength(1);
  });

  it('are refused when the balance does not cover them, and leave no trace', async () => {
    const shop = await shopWith(999);
    const fields = payoutFields();
    const refused = await payout(shop, fields);
    expect(refused).toMatchObject({ status: 400, body: { 'error-code': '45' } });
    expect(refused.body['error-message']).toContain('9.99 USD available');
    const status = await shop.client.status({ client_orderid: fields.client_orderid }, { endpoint: shop.id });
    expect(status.body['error-code']).toBe('30');
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 999, clearing: -999 });
    // The same order id may be used once there is enough.
    await gateway.changeEndpoint(shop.id, { creditLimit: 1n });
    expect(await paidOut(shop, fields)).toMatchObject({ status: 'approved' });
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: -1 });
    const more = await payout(shop, payoutFields({ amount: '0.01' }));
    expect(more.body['error-message']).toContain('0.00 USD available');
  });

  it('of a merchant who never earned anything are refused', async () => {
    const refused = await payout(await shopWith(0), payoutFields());
    expect(refused.body).toMatchObject({ 'error-code': '45' });
  });

  it('keep the limits of the endpoint', async () => {
    const shop = await shopWith(0, { minimum: 100n, maximum: 2000n });
    expect(codes(await payout(shop, payoutFields({ amount: '0.99' })))).toEqual(['amount 12']);
    expect(codes(await payout(shop, payoutFields({ amount: '20.01' })))).toEqual(['amount 13']);
    expect(codes(await payout(shop, payoutFields({ currency: 'EUR' })))).toEqual(['currency 11']);
  });

  it('that are repeated are the same order, also when the balance is gone', async () => {
    const shop = await shopWith(1000);
    const fields = payoutFields();
    const first = await payout(shop, fields);
    const again = await payout(shop, fields);
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    const other = await payout(shop, { ...fields, credit_card_number: '5555555555554444' });
    expect(codes(other)).toEqual(['client_orderid 31']);
    await gateway.untilAllFinal();
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 0, reserved: 0 });
  });

  it('with an Idempotency-Key get the stored reply', async () => {
    const shop = await shopWith(3000);
    const idempotencyKey = randomUUID();
    const fields = payoutFields();
    const first = await payout(shop, fields, { idempotencyKey });
    expect((await payout(shop, fields, { idempotencyKey })).body).toEqual(first.body);
    const other = await payout(shop, payoutFields(), { idempotencyKey });
    expect(codes(other)).toEqual(['Idempotency-Key 32']);
  });

  it('sent twice at once under one key or one order id are one', async () => {
    const shop = await shopWith(9000);
    const fields = payoutFields();
    const idempotencyKey = randomUUID();
    const replies = await Promise.all(Array.from({ length: 8 }, () => payout(shop, fields, { idempotencyKey })));
    expect(new Set(replies.map(({ body }) => body['paynet-order-id'])).size).toBe(1);
    const others = payoutFields();
    const repeats = await Promise.all(Array.from({ length: 8 }, () => payout(shop, others)));
    expect(new Set(repeats.map(({ body }) => body['paynet-order-id'])).size).toBe(1);
    await gateway.untilAllFinal();
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 7000, reserved: 0 });
  });

  it.each<[string, Fields, string[]]>([
    ['nobody to pay', { credit_card_number: undefined }, ['credit_card_number 1']],
    ['two to pay', { account_number: IBAN }, ['account_number 5']],
    ['a mistyped card', { credit_card_number: '4111111111111112' }, ['credit_card_number 2']],
    ['half an expiry', { expire_month: '12' }, ['expire_year 1']],
    ['an expired card', { expire_month: '01', expire_year: '2020' }, ['expire_year 33']],
    [
      'a mistyped IBAN and more',
      { credit_card_number: undefined, account_number: 'DE89370400440532013001', amount: '10.001', phone: 'none' },
      ['amount 2', 'account_number 2', 'phone 2'],
    ],
    [
      'an IBAN too short',
      { credit_card_number: undefined, account_number: 'DE8937040044053201300' },
      ['account_number 2'],
    ],
    [
      'an account number too long',
      { credit_card_number: undefined, account_number: '1'.repeat(35) },
      ['account_number 3'],
    ],
    ['an account number of no bank', { credit_card_number: undefined, account_number: 'Кто' }, ['account_number 2']],
    [
      'everything missing',
      { client_orderid: undefined, amount: undefined, currency: undefined, credit_card_number: undefined },
      ['client_orderid 1', 'amount 1', 'currency 1', 'credit_card_number 1'],
    ],
  ])('are refused for %s', async (_, changes, faults) => {
    const shop = await shopWith(0);
    for (const path of ['/api/v2/payout', '/api/v4/payout', '/api/v4/payout-check']) {
      const refused = await payout(shop, payoutFields(changes), { path });
      expect(refused.status).toBe(400);
      expect(codes(refused)).toEqual(faults);
    }
  });

  it('to another merchant’s card reference are refused like one that does not exist', async () => {
    const owner = await shopWith(0);
    const sale = await owner.client.saleUntilFinal({}, { endpoint: owner.id });
    const named = { client_orderid: sale['merchant-order-id'], orderid: sale['paynet-order-id'] };
    const { body } = await owner.client.oauth('/api/v4/create-card-ref', named, { endpoint: owner.id });
    const thief = await shopWith(5000);
    const fields = payoutFields({ credit_card_number: undefined });
    const foreign = await payout(thief, { ...fields, card_recurring_payment_id: body['recurring-payment-id'] });
    const nonexistent = await payout(thief, { ...fields, card_recurring_payment_id: '123456789' });
    expect(codes(foreign)).toEqual(['card_recurring_payment_id 50']);
    expect(withoutSerial(foreign)).toEqual(withoutSerial(nonexistent));
  });

  it('never overdraw, however many are sent at once', async () => {
    const shop = await shopWith(25_500);
    const replies = await Promise.all(Array.from({ length: 40 }, () => payout(shop, payoutFields())));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(25);
    for (const { status, body } of replies) if (status === 400) expect(body['error-code']).toBe('45');
    await gateway.untilAllFinal();
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 500, clearing: -500, reserved: 0 });
  });

  it('beside sales and returns keep every balance exact', async () => {
    const shop = await shopWith(5_000);
    const sales = Array.from({ length: 10 }, () => shop.client.sale({ amount: '300' }, { endpoint: shop.id }));
    const payouts = Array.from({ length: 20 }, (_, index) =>
      payout(shop, payoutFields({ amount: index % 4 === 0 ? '2.17' : '5.00' })),
    );
    await Promise.all([...sales, ...payouts]);
    await gateway.untilAllFinal();
    const { merchant = -1, reserved } = await gateway.balances(shop.id);
    expect(merchant).toBeGreaterThanOrEqual(0);
    expect(reserved).toBe(0);
  });

  it('that are only checked reserve nothing, wait, and are paid by payout-pay', async () => {
    const shop = await shopWith(1000);
    const fields = payoutFields();
    const checked = await check(shop, fields);
    expect(checked.status).toBe(200);
    const { client_orderid } = fields;
    const named = { client_orderid, orderid: checked.body['paynet-order-id'] };
    const waiting = await shop.client.status({ client_orderid }, { endpoint: shop.id });
    expect(waiting.body).toMatchObject({ status: 'processing', bin: '411111' });
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 1000, clearing: -1000 });
    expect(await gateway.bookedFor(named.orderid)).toEqual([]);

    const paid = await pay(shop, named);
    expect(withoutSerial(paid)).toEqual(withoutSerial(checked));
    const status = await shop.client.untilFinal(client_orderid as string, { endpoint: shop.id });
    expect(status.status).toBe('approved');
    expect(withoutSerial(await pay(shop, named))).toEqual(withoutSerial(paid));
    expect(await gateway.bookedFor(named.orderid)).toHaveLength(1);
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 0, reserved: 0 });
    const bySerial = await shop.client.status(
      { ...named, 'by-request-sn': paid.body['serial-number'] },
      { endpoint: shop.id },
    );
    expect(bySerial.body).toMatchObject({ status: 'approved', 'transaction-type': 'payout' });
  });

  it('that are checked are paid once, however many confirm them at once', async () => {
    const shop = await shopWith(5000);
    const fields = account();
    const { body } = await check(shop, fields);
    const named = { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] };
    const replies = await Promise.all(Array.from({ length: 12 }, () => pay(shop, named)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect((await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id })).status).toBe(
      'approved',
    );
    expect(await gateway.bookedFor(named.orderid)).toHaveLength(1);
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4000, reserved: 0 });
  });

  it('that are checked are refused by payout-pay while the balance is short, and stay payable', async () => {
    const shop = await shopWith(500);
    const fields = payoutFields();
    const { body } = await check(shop, fields);
    const named = { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] };
    const refused = await pay(shop, named);
    expect(refused.body).toMatchObject({ 'error-code': '45' });
    expect(refused.body['error-message']).toContain('5.00 USD available');
    await shop.client.saleUntilFinal({ amount: '500' }, { endpoint: shop.id });
    expect((await pay(shop, named)).status).toBe(200);
  });

  it('that are checked are refused by payout-pay while the endpoint is disabled', async () => {
    const shop = await shopWith(5000);
    const fields = payoutFields();
    const { body } = await check(shop, fields);
    const named = { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] };
    await gateway.changeEndpoint(shop.id, { enabled: false });
    expect(await pay(shop, named)).toMatchObject({ status: 400, body: { 'error-code': '14' } });
    expect(await gateway.balances(shop.id)).toEqual({ merchant: 5000, clearing: -5000 });
    await gateway.changeEndpoint(shop.id, { enabled: true });
    expect((await pay(shop, named)).status).toBe(200);
  });

  it('that are checked and confirmed under an Idempotency-Key get the stored reply', async () => {
    const shop = await shopWith(5000);
    const idempotencyKey = randomUUID();
    const first = payoutFields();
    const second = payoutFields();
    const named = await Promise.all(
      [first, second].map(async (fields) => {
        const { body } = await check(shop, fields);
        return { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] as string };
      }),
    );
    const paid = await pay(shop, named[0] as Fields, { idempotencyKey });
    expect((await pay(shop, named[0] as Fields, { idempotencyKey })).body).toEqual(paid.body);
    const again = { idempotencyKey: randomUUID() };
    const parallel = await Promise.all(Array.from({ length: 6 }, () => pay(shop, named[1] as Fields, again)));
    expect(new Set(parallel.map(({ body }) => body['serial-number'])).size).toBe(1);
    expect(codes(await pay(shop, named[1] as Fields, { idempotencyKey }))).toEqual(['Idempotency-Key 32']);
    expect(codes(await payout(shop, payoutFields(), { idempotencyKey }))).toEqual(['Idempotency-Key 32']);
  });

  it('that are not there, not yours or not waiting are refused by payout-pay', async () => {
    const owner = await shopWith(5000);
    const fields = payoutFields();
    const { body } = await check(owner, fields);
    const named = { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] };
    const stranger = await shopWith(5000);
    const foreign = await pay(stranger, named);
    expect(codes(foreign)).toEqual(['orderid 30']);
    expect(withoutSerial(foreign)).toEqual(withoutSerial(await pay(stranger, { ...named, orderid: '77' })));
    expect(codes(await pay(owner, { ...named, client_orderid: 'another' }))).toEqual(['orderid 30']);
    expect(codes(await pay(owner, {}))).toEqual(['client_orderid 1', 'orderid 1']);

    const direct = await paidOut(owner, payoutFields());
    const sale = await owner.client.saleUntilFinal({}, { endpoint: owner.id });
    for (const done of [direct, sale]) {
      const refused = await pay(owner, { client_orderid: done['merchant-order-id'], orderid: done['paynet-order-id'] });
      expect(codes(refused)).toEqual(['orderid 40']);
    }
    expect(await gateway.bookedFor(named.orderid)).toEqual([]);
    expect((await pay(owner, named)).status).toBe(200);
  });

  it('that are checked open under new keys after a rotation', async () => {
    const shop = await shopWith(5000);
    const fields = account();
    const { body } = await check(shop, fields);
    const { vault } = gateway.store;
    await vault.newDataKey();
    const next = vault.walk(() => {});
    while ((await next(100)) > 0);
    await vault.removeOldKeys();
    await pay(shop, { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] });
    expect((await shop.client.untilFinal(fields.client_orderid as string, { endpoint: shop.id })).status).toBe(
      'approved',
    );
  });

  it('leave account and card numbers nowhere in clear', async () => {
    const shop = await shopWith(5000);
    const card = '5200828282828210';
    const number = 'GB82WEST12345698765432';
    await paidOut(shop, account({ account_number: number }));
    await paidOut(shop, payoutFields({ credit_card_number: card, order_desc: `to ${card}` }));
    await check(shop, account({ account_number: number }));
    const refused = await payout(shop, account({ account_number: number, amount: '99999' }));
    await gateway.journalLine(refused.body);
    const stored = await gateway.everythingStored();
    for (const secret of [card, number]) {
      for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
        expect(stored.includes(form)).toBe(false);
        expect(gateway.log.join('\n').includes(form)).toBe(false);
      }
    }
  });

  it('keep no account number that was written into a description', async () => {
    const status = await paidOut(await shopWith(1000), account({ order_desc: `to ${IBAN}` }));
    const [row] = await gateway.query(`select details from orders where order_id = ${status['paynet-order-id']}`);
    expect(row?.details).toMatchObject({ description: 'to ******************3000' });
  });

  it('that nobody confirms within a day end, and say so', async () => {
    const shop = await shopWith(5000);
    const [late, inTime] = [payoutFields(), payoutFields()];
    const [lateCheck, timelyCheck] = [await check(shop, late), await check(shop, inTime)];
    gateway.clock.advance(DAY_MS - 60_000);
    const paid = await pay(shop, {
      client_orderid: inTime.client_orderid,
      orderid: timelyCheck.body['paynet-order-id'],
    });
    expect(paid.status).toBe(200);
    await shop.client.untilFinal(inTime.client_orderid as string, { endpoint: shop.id });
    gateway.clock.advance(60_000);
    const named = { client_orderid: late.client_orderid, orderid: lateCheck.body['paynet-order-id'] };
    expect(codes(await pay(shop, named))).toEqual(['orderid 46']);
    const status = await shop.client.untilFinal(late.client_orderid as string, { endpoint: shop.id });
    expect(status).toMatchObject({ status: 'error', 'error-code': '46' });
    expect(status['error-message']).toContain('24 hours');
    expect(codes(await pay(shop, named))).toEqual(['orderid 46']);
    expect(await gateway.bookedFor(named.orderid)).toEqual([]);
    expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4000, reserved: 0 });
  });

  if (gateway.kind === 'postgres') {
    it('from two gateways on one database never overdraw together', async () => {
      const shop = await shopWith(25_500);
      const second = await gateway.second(shop.client);
      const shops = [shop, { ...shop, client: second }];
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, index) => payout(shops[index % 2] as Shop, payoutFields())),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(25);
      const fields = payoutFields({ amount: '5.00' });
      const { body } = await check(shop, fields);
      const named = { client_orderid: fields.client_orderid, orderid: body['paynet-order-id'] };
      const confirmed = await Promise.all(
        Array.from({ length: 10 }, (_, index) => pay(shops[index % 2] as Shop, named)),
      );
      expect(confirmed.every(({ status }) => status === 200)).toBe(true);
      await gateway.untilAllFinal();
      expect(await gateway.bookedFor(named.orderid)).toHaveLength(1);
      expect(await gateway.balances(shop.id)).toEqual({ merchant: 0, clearing: 0, reserved: 0 });
    });
  }

  it('agree with the bank’s books to the last cent', async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
