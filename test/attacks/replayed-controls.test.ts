// A control is a bearer token: whoever recorded a request can send it again, to another operation or as it is. What can
// be told apart is refused, and a RETURN of the same bytes is the same RETURN. What stays possible is shown as well.

import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { shared } from '../contracts/databases.ts';
import { booksOf, newPlace } from '../crash/place.ts';
import { FAST } from '../crash/promises.ts';
import {
  Client,
  DEMO,
  describeGateway,
  encode,
  type Fields,
  kindsOfThisFile,
  type Reply,
  type ReplyBody,
  sha1,
  type TestGateway,
} from '../harness.ts';
import { Belongings, startBankProcess, startProcess, tender } from '../scenarios/tender-process.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Old keys are looked for once in so long. */
const FORGOTTEN_WITHIN_MS = 61_000;
const TIMES = 5;
const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const usd = (amount: string): Fields => ({ amount, currency: 'USD' });

/** The body of a request about an order, as it could be recorded. */
function recorded({ login, key }: Pick<Client, 'login' | 'key'>, order: ReplyBody, money?: Fields): string {
  const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
  const signedMoney = money ? `${money.amount?.replace('.', '')}${money.currency}` : '';
  const control = sha1(`${login}${client_orderid}${orderid}${signedMoney}${key}`);
  return encode({ login, client_orderid, orderid, ...money, control });
}

const replay = (client: Client, operation: string, endpoint: number, rawBody: string): Promise<Reply> =>
  client.post(`/api/v2/${operation}/${endpoint}`, {}, { rawBody });

/** All of them are one reply, byte for byte. */
function expectOneReply(replies: readonly Reply[]): void {
  expect(replies[0]?.status).toBe(200);
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
}

async function refundsOf(gateway: TestGateway, order: ReplyBody): Promise<number[]> {
  const booked = await gateway.bookedFor(order['paynet-order-id']);
  return booked.filter(({ kind }) => kind === 'refund').map(({ amount }) => Number(amount.minor));
}

describeGateway('a recorded STATUS sent as a RETURN', {}, (gateway) => {
  const paidAt = async (changes: object) => {
    const { client, id } = await gateway.newMerchant({ sandbox: false, ...changes });
    const order = await client.saleUntilFinal({ amount: '10.00' }, { endpoint: id });
    return { client, id, order, status: recorded(client, order) };
  };

  it('gives everything back where nothing is demanded: both are honest requests, and their bytes are the same', async () => {
    const { client, id, order, status } = await paidAt({});
    expect((await replay(client, 'status', id, status)).status).toBe(200);
    expect((await replay(client, 'return', id, status)).status).toBe(200);
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([1_000]);
  });

  it('is refused where amount and currency are demanded, by way of any endpoint, and moves nothing', async () => {
    const { client, id, order, status } = await paidAt({ demandAmounts: true });
    const other = id + 50_000;
    await gateway.addEndpoint({ endpointId: other, merchantId: id, sandbox: false });
    expect((await replay(client, 'status', id, status)).status).toBe(200);
    for (const endpoint of [id, other]) {
      const reply = await replay(client, 'return', endpoint, status);
      expect(refused(reply)).toEqual({ status: 400, code: '1' });
      expect(reply.body).toMatchObject({ errors: [{ field: 'amount' }, { field: 'currency' }] });
    }
    // The order's own amount may be signed without being sent; that is no amount that was demanded either.
    const ownAmount = await client.followUp(
      'return',
      order,
      {},
      { endpoint: id, signs: { amount: '1000', currency: 'USD' } },
    );
    expect(refused(ownAmount)).toEqual({ status: 400, code: '1' });
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([]);
    expect((await client.followUp('return', order, usd('10.00'), { endpoint: id })).status).toBe(200);
  });

  it('is refused as a CAPTURE as well, while honest captures go on', async () => {
    const { client, id } = await gateway.newMerchant({ sandbox: false, demandAmounts: true });
    const held = await client.preauthUntilFinal({}, { endpoint: id });
    expect(refused(await replay(client, 'capture', id, recorded(client, held)))).toEqual({ status: 400, code: '1' });
    expect((await client.followUp('capture', held, usd('100.00'), { endpoint: id })).status).toBe(200);
  });

  it('is refused as a wrong signature when its key is for STATUS only, and so is everything else under that key', async () => {
    const { client, id, order } = await paidAt({});
    const poll = { login: client.login, key: 'a-key-that-only-polls' };
    await gateway.addControlKey(id, 'poll', poll.key, { operations: ['STATUS'] });
    const status = recorded(poll, order);
    expect((await replay(client, 'status', id, status)).status).toBe(200);
    const wrong = await replay(client, 'return', id, recorded({ ...client, ...poll, key: 'no-key-at-all' }, order));
    for (const operation of ['return', 'void', 'create-card-ref']) {
      const reply = await replay(client, operation, id, status);
      expect(refused(reply)).toEqual({ status: 400, code: '20' });
      expect(reply.body['error-message']).toBe(wrong.body['error-message']);
    }
    expect(refused(await client.sale({}, { endpoint: id, key: poll.key }))).toEqual({ status: 400, code: '20' });
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([]);
    // The shop's own key goes on.
    expect((await client.followUp('return', order, usd('1.00'), { endpoint: id })).status).toBe(200);
  });

  it('is refused in the form of a payout by an RSA key for other operations', async () => {
    const { client, id } = await gateway.newMerchant({ sandbox: false });
    const fields = { client_orderid: `p-${id}`, ...usd('1.00'), credit_card_number: '4111111111111111' };
    const { configuration } = gateway.store;
    const rsa = (await configuration.read()).keys.find((one) => one.merchantId === id && one.kind === 'rsa');
    if (!rsa) throw new Error('there is no RSA key');
    await configuration.setKey({ ...rsa, operations: ['TRANSFER_V4'] });
    await gateway.refresh();
    expect(refused(await client.oauth('/api/v4/payout', fields, { endpoint: id }))).toEqual({
      status: 400,
      code: '20',
    });
    await configuration.setKey({ ...rsa, operations: [] });
    await gateway.refresh();
    expect(refused(await client.oauth('/api/v4/payout', fields, { endpoint: id })).code).not.toBe('20');
  });

  it('is refused where the merchant demands strict signing for all endpoints, also of one that was added later', async () => {
    const { client, id, order, status } = await paidAt({});
    await gateway.changeMerchant(id, { strictSigning: true });
    await gateway.addEndpoint({ endpointId: id + 60_000, merchantId: id, sandbox: false });
    for (const endpoint of [id, id + 60_000]) {
      expect(refused(await replay(client, 'return', endpoint, status))).toEqual({ status: 400, code: '24' });
    }
    expect(await refundsOf(gateway, order)).toEqual([]);
  });
});

describeGateway('a recorded CAPTURE sent as a RETURN of the same amount', {}, (gateway) => {
  it('stays possible, because honest shops send both with one digest; a key for CAPTURE alone ends it', async () => {
    const { client, id } = await gateway.newMerchant({ demandAmounts: true });
    const held = await client.preauthUntilFinal({}, { endpoint: id });
    const body = recorded(client, held, usd('40.00'));
    expect((await replay(client, 'capture', id, body)).status).toBe(200);
    await gateway.untilAllFinal();
    expect((await replay(client, 'return', id, body)).status).toBe(200);

    const till = { login: client.login, key: 'a-key-of-the-till' };
    await gateway.addControlKey(id, 'till', till.key, { operations: ['CAPTURE'] });
    const next = await client.preauthUntilFinal({}, { endpoint: id });
    const byTill = recorded(till, next, usd('40.00'));
    expect((await replay(client, 'capture', id, byTill)).status).toBe(200);
    await gateway.untilAllFinal();
    // A sandbox says why.
    expect(refused(await replay(client, 'return', id, byTill))).toEqual({ status: 400, code: '23' });
    expect(await refundsOf(gateway, next)).toEqual([]);
  });
});

describeGateway('a RETURN of 3.00 sent again byte for byte', {}, (gateway) => {
  const { demo } = gateway;
  const paid = (endpoint = 101) => demo.saleUntilFinal({ amount: '20.00' }, { endpoint });

  it('five times in sequence and five times at once is taken once, with one reply', async () => {
    const order = await paid();
    const body = recorded(demo, order, usd('3.00'));
    const replies: Reply[] = [];
    for (let count = 0; count < TIMES; count++) replies.push(await replay(demo, 'return', 101, body));
    replies.push(...(await Promise.all(Array.from({ length: TIMES }, () => replay(demo, 'return', 101, body)))));
    await gateway.untilAllFinal();
    replies.push(await replay(demo, 'return', 101, body));
    expectOneReply(replies);
    expect(await refundsOf(gateway, order)).toEqual([300]);
  });

  it('five times at once from the first is taken once', async () => {
    for (let round = 0; round < 4; round++) {
      const order = await paid();
      const body = recorded(demo, order, usd('3.00'));
      expectOneReply(await Promise.all(Array.from({ length: TIMES }, () => replay(demo, 'return', 101, body))));
      await gateway.untilAllFinal();
      expect(await refundsOf(gateway, order)).toEqual([300]);
    }
  });

  it('by way of another endpoint of the merchant is the same one too', async () => {
    const order = await paid();
    const body = recorded(demo, order, usd('3.00'));
    expectOneReply([await replay(demo, 'return', 101, body), await replay(demo, 'return', 200, body)]);
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([300]);
  });

  it('gets the same old-fashioned reply where replies are legacy', async () => {
    const order = await paid(103);
    const rawBody = recorded(demo, order, usd('3.00'));
    const send = () => demo.post('/api/v2/return/103', {}, { rawBody, headers: { accept: undefined } });
    const replies = [await send(), await send(), await send()];
    expectOneReply(replies);
    expect(replies[0]?.headers['content-type']).toBe('text/html;charset=utf-8');
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([300]);
  });

  it('with another comment or another Idempotency-Key is a second one, as a shop means it', async () => {
    const order = await paid();
    const body = recorded(demo, order, usd('3.00'));
    const first = await replay(demo, 'return', 101, body);
    const others = [
      await replay(demo, 'return', 101, `${body}&comment=the+second+sock`),
      await demo.post(
        '/api/v2/return/101',
        {},
        { rawBody: body, headers: { 'idempotency-key': `k-${order['paynet-order-id']}` } },
      ),
    ];
    const serials = new Set([first, ...others].map(({ body }) => body['serial-number']));
    expect(serials.size).toBe(3);
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([300, 300, 300]);
  });

  it('that was refused may be sent again, and is judged anew', async () => {
    const { body: unfinished } = await demo.sale({ amount: '20.00', cvv2: '217' });
    const body = recorded(demo, unfinished, usd('3.00'));
    for (let count = 0; count < 2; count++) {
      expect(refused(await replay(demo, 'return', 101, body))).toEqual({ status: 400, code: '40' });
    }
    gateway.clock.advance(6_000);
    await demo.untilFinal(unfinished['merchant-order-id']);
    expectOneReply([await replay(demo, 'return', 101, body), await replay(demo, 'return', 101, body)]);
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, unfinished)).toEqual([300]);
  });

  it('a day later is a new one', async () => {
    const order = await paid();
    const body = recorded(demo, order, usd('3.00'));
    const first = await replay(demo, 'return', 101, body);
    await gateway.untilAllFinal();
    gateway.clock.advance(DAY_MS - FORGOTTEN_WITHIN_MS);
    await orderStore(gateway.database).forgetExpired(gateway.clock.now());
    expect((await replay(demo, 'return', 101, body)).text).toBe(first.text);
    gateway.clock.advance(2 * FORGOTTEN_WITHIN_MS);
    await orderStore(gateway.database).forgetExpired(gateway.clock.now());
    const later = await replay(demo, 'return', 101, body);
    expect(later.status).toBe(200);
    expect(later.body['serial-number']).not.toBe(first.body['serial-number']);
    await gateway.untilAllFinal();
    expect(await refundsOf(gateway, order)).toEqual([300, 300]);
  });
});

describe('a RETURN of 3.00 sent again byte for byte, to real processes', () => {
  const own = new Belongings();
  afterEach(() => own.drop());

  const bank = async () =>
    own.keep(await startBankProcess(['--data', await own.folder(), '--answer-delay-ms', '20-60'])).url;
  const clientOf = (baseUrl: string) => {
    const client = new Client(() => baseUrl, DEMO);
    own.also(async () => client.close());
    return client;
  };
  const refunds = async (bankUrl: string) => (await booksOf(bankUrl)).filter(({ kind }) => kind === 'refund');

  it.each(kindsOfThisFile().filter(({ available }) => available))(
    'is taken once although the gateway is killed in between, on $name',
    async (kind) => {
      const bankUrl = await bank();
      const place = await newPlace(own, kind);
      const args = [...place.args, ...FAST, '--bank-url', bankUrl];
      let running = own.keep(await startProcess(args));
      const order = await clientOf(running.baseUrl).saleUntilFinal({ amount: '20.00' });
      const body = recorded(DEMO, order, usd('3.00'));
      const replies: Reply[] = [];
      for (let life = 0; life < 2; life++) {
        const client = clientOf(running.baseUrl);
        const asked = Array.from({ length: TIMES }, () => replay(client, 'return', 101, body));
        replies.push(await Promise.race(asked));
        await running.process.stop('SIGKILL');
        const heard = await Promise.allSettled(asked);
        replies.push(...heard.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
        running = own.keep(await startProcess(args));
      }
      const client = clientOf(running.baseUrl);
      replies.push(await replay(client, 'return', 101, body));
      expectOneReply(replies);
      const bySerial = replies[0]?.body['serial-number'] as string;
      expect(await client.untilFinal(order['merchant-order-id'], { bySerial })).toMatchObject({ status: 'approved' });
      expect(await refunds(bankUrl)).toHaveLength(1);
      await running.process.stop();
      expect(await tender(['verify', ...place.args])).toMatchObject({ code: 0 });
    },
  );

  it.skipIf(!shared.available)('is taken once by two nodes on one database', async () => {
    const bankUrl = await bank();
    const place = await newPlace(own, shared);
    const args = [...place.args, '--key-file', join(place.folder, 'key-encryption-keys'), '--bank-url', bankUrl];
    const clients = [
      clientOf(own.keep(await startProcess(args)).baseUrl),
      clientOf(own.keep(await startProcess(args)).baseUrl),
    ];
    const [client] = clients as [Client, Client];
    for (let round = 1; round <= 5; round++) {
      const order = await client.saleUntilFinal({ amount: '20.00' });
      const body = recorded(DEMO, order, usd('3.00'));
      const asked = Array.from({ length: 2 * TIMES }, (_, index) => clients[index % 2] as Client);
      const replies = await Promise.all(asked.map((one) => replay(one, 'return', 101, body)));
      expectOneReply(replies);
      const bySerial = replies[0]?.body['serial-number'] as string;
      await client.untilFinal(order['merchant-order-id'], { bySerial });
      expect(await refunds(bankUrl)).toHaveLength(round);
    }
  });
});
