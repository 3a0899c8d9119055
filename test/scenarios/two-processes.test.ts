// Two gateways in processes of their own on one database, and real requests to both at once: what may happen once
// happens once, and no sum passes its cap, whichever of them was asked.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { booksOf, newPlace, type Place } from '../crash/place.ts';
import {
  CARD,
  Client,
  DEMO,
  discrepancies,
  type Fields,
  newOrderId,
  oauthHeader,
  type Reply,
  type ReplyBody,
  saleFields,
} from '../harness.ts';
import { Belongings, startBankProcess, startProcess } from './tender-process.ts';

/** One address in front of both, as a balancer would have it: a signature is right at either. */
const PUBLIC_URL = 'https://pay.example/paynet';
const PARALLEL = 40;

describe.skipIf(!shared.available)('two processes on one database', () => {
  const own = new Belongings();
  let place: Place;
  let bankUrl: string;
  let clients: Client[];

  beforeAll(async () => {
    // Slow enough that everything is in flight at the same time.
    const slow = ['--request-delay-ms', '0-20', '--answer-delay-ms', '0-40'];
    bankUrl = own.keep(await startBankProcess(['--data', await own.folder(), ...slow])).url;
    place = await newPlace(own, shared);
    const keyFile = join(place.folder, 'key-encryption-keys');
    const start = async () => {
      const args = [...place.args, '--key-file', keyFile, '--bank-url', bankUrl, '--base-url', PUBLIC_URL];
      const { process } = own.keep(await startProcess(args));
      const origin = /Health\s+(\S+)\/healthz/.exec(process.stdout)?.[1];
      const client = new Client(() => `${origin}/paynet`, DEMO);
      own.also(async () => client.close());
      return client;
    };
    clients = [await start(), await start()];
    const privateKey = await readFile(join(place.folder, 'demo-private-key.pem'), 'utf8');
    for (const client of clients) client.privateKey = privateKey;
  });
  afterAll(() => own.drop());

  /** So many requests at once, every second one to the other process. */
  const spread = (ask: (client: Client, index: number) => Promise<Reply>): Promise<Reply[]> =>
    Promise.all(Array.from({ length: PARALLEL }, (_, index) => ask(clients[index % 2] as Client, index)));

  const accepted = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
  const codes = (replies: readonly Reply[]) => [
    ...new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body['error-code'])),
  ];

  /** The ends of the transactions these requests made. */
  const ends = (replies: readonly Reply[]): Promise<ReplyBody[]> =>
    Promise.all(
      replies.map(({ body }) =>
        (clients[0] as Client).untilFinal(body['merchant-order-id'], { bySerial: body['serial-number'] }),
      ),
    );

  const signedFor = (path: string, fields: Fields) =>
    oauthHeader(`${PUBLIC_URL}${path}`, fields, {
      login: DEMO.login,
      key: (clients[0] as Client).privateKey,
      method: 'RSA-SHA256',
      now: Date.now(),
    });

  const pay = (client: Client, fields: Fields, authorization = signedFor('/api/v4/payout/101', fields)) =>
    client.post('/api/v4/payout/101', fields, { headers: { authorization } });

  const payoutFields = (amount: string): Fields => ({
    client_orderid: newOrderId(),
    amount,
    currency: 'USD',
    credit_card_number: CARD,
  });

  const balance = async () => {
    const [row] = await place.looking((query) =>
      query(`select balance from accounts where account = 'merchant' and currency = 'USD'`),
    );
    return Number(row?.balance ?? 0);
  };

  it('captures of one preauthorization never take more than it holds', async () => {
    const order = await (clients[0] as Client).preauthUntilFinal({ amount: '100.00' });
    const money = { amount: '7.00', currency: 'USD' };
    const replies = await spread((client) => client.followUp('capture', order, money));
    // Fourteen times seven is 98: a fifteenth would be more than is held.
    expect(accepted(replies)).toHaveLength(14);
    expect(codes(replies)).toEqual(['42']);
    expect(new Set((await ends(accepted(replies))).map(({ status }) => status))).toEqual(new Set(['approved']));
    const taken = (await booksOf(bankUrl)).filter(({ kind, outcome }) => kind === 'capture' && outcome === 'approved');
    expect(taken).toHaveLength(14);
  });

  it('returns of one sale never give back more than it took', async () => {
    const order = await (clients[1] as Client).saleUntilFinal({ amount: '100.00' });
    const part = { amount: '9.00', currency: 'USD' };
    // The same bytes would be the same return.
    const replies = await spread((client) => client.followUp('return', order, { ...part, comment: randomUUID() }));
    expect(accepted(replies)).toHaveLength(11);
    expect(codes(replies)).toEqual(['43']);
    await ends(accepted(replies));
    const [row] = await place.looking((query) =>
      query(`select captured, reversed from orders where order_id = ${order['paynet-order-id']}`),
    );
    expect(row).toEqual({ captured: '10000', reversed: '9900' });
  });

  it('a sale sent to both again and again is one order', async () => {
    const fields = { ...saleFields, client_orderid: newOrderId() };
    const replies = await spread((client) => client.sale(fields));
    expect(accepted(replies)).toHaveLength(PARALLEL);
    const [orderId, ...others] = new Set(replies.map(({ body }) => body['paynet-order-id']));
    expect(others).toEqual([]);
    await (clients[0] as Client).untilFinal(fields.client_orderid);
    const booked = (await booksOf(bankUrl)).filter(({ reference }) => reference.startsWith(`${orderId}-`));
    expect(booked).toHaveLength(1);
  });

  it('orders with one id and other contents are one order', async () => {
    const client_orderid = newOrderId();
    const replies = await spread((client, index) => client.sale({ client_orderid, amount: String(1000 + index) }));
    expect(accepted(replies)).toHaveLength(1);
    expect(codes(replies)).toEqual(['31']);
    await ends(accepted(replies));
  });

  it('one nonce is taken once', async () => {
    const fields = payoutFields('1.00');
    const header = signedFor('/api/v4/payout/101', fields);
    const replies = await spread((client) => pay(client, fields, header));
    expect(accepted(replies)).toHaveLength(1);
    expect(codes(replies)).toEqual(['28']);
    await ends(accepted(replies));
  });

  it('one idempotency key pays once', async () => {
    const idempotencyKey = randomUUID();
    const fields = payoutFields('1.00');
    const replies = await spread((client) =>
      client.post('/api/v4/payout/101', fields, {
        headers: { authorization: signedFor('/api/v4/payout/101', fields), 'idempotency-key': idempotencyKey },
      }),
    );
    expect(new Set(accepted(replies).map(({ body }) => body['paynet-order-id'])).size).toBe(1);
    expect(accepted(replies)).toHaveLength(PARALLEL);
    await ends(accepted(replies).slice(0, 1));
  });

  it('payouts never take more than the balance', async () => {
    const before = await balance();
    const each = Math.floor(before / 10);
    const amount = (each / 100).toFixed(2);
    const replies = await spread((client) => pay(client, payoutFields(amount)));
    expect(accepted(replies)).toHaveLength(10);
    expect(codes(replies)).toHaveLength(1);
    await ends(accepted(replies));
    expect(await balance()).toBe(before - 10 * each);
  });

  it("in the end the bank's books agree with ours", async () => {
    const books = await booksOf(bankUrl);
    expect(await place.looking((query) => discrepancies(query, books))).toEqual([]);
  });
});
