// Strangers measure how long a refusal takes, and learn whom and what there is. A test that measures time would fail on
// a busy machine, so this one counts the work that a refusal does: digests, checks of signatures and reads of the
// database. `npm run probe` measures the time.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/storage/database.ts';
import { DEMO_MERCHANT_ID, describeGateway, encode, type Fields, newOrderId, type Reply, sha1 } from '../harness.ts';

const LOGIN = 'aaaaaaaa';
const NO_LOGIN = 'bbbbbbbb';
const WRONG = 'f'.repeat(40);
/** What checks signatures, by the algorithm that it is called with; the gateway's other work has other ones. */
const COUNTED = { hash: 'sha1', createHmac: 'sha1', verify: 'sha256' } as const;
const NAMES = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

/** What was done since it was emptied. */
const done: string[] = [];

/** Only what requests read: the gateway's own looks come at any time. */
const ASKED_BY_REQUESTS = /^(orders|control)-|^transactions-(load|by)/;

type Asked = { readonly path: string; readonly fields: Fields; readonly headers?: Record<string, string | undefined> };

describeGateway('a stranger with a stop-watch', {}, (gateway) => {
  const originals = new Map(NAMES.map((name) => [name, crypto[name]]));
  const client = gateway.client({ login: LOGIN, key: 'the-key-of-aaaaaaaa' });
  const [endpoint, strictEndpoint, legacyEndpoint, unknownEndpoint] = [4001, 4002, 4003, 4999];
  let known: { client_orderid: string; orderid: string };
  let missing: typeof known;
  let yen: typeof known;

  beforeAll(async () => {
    await gateway.addMerchant({ merchantId: 4000, login: LOGIN }, client.key);
    await gateway.addControlKey(4000, 'second', 'another-key-of-aaaaaaaa');
    const own = { merchantId: 4000, sandbox: false };
    await gateway.addEndpoint({ endpointId: endpoint, ...own });
    await gateway.addEndpoint({ endpointId: strictEndpoint, ...own, strictSigning: true });
    await gateway.addEndpoint({ endpointId: legacyEndpoint, ...own, legacyReplies: true });
    await gateway.addEndpoint({ endpointId: 4004, ...own, currency: 'JPY' });
    const order = await client.saleUntilFinal({}, { endpoint });
    known = { client_orderid: order['merchant-order-id'], orderid: order['paynet-order-id'] };
    missing = { client_orderid: newOrderId(), orderid: '999999999' };
    const inYen = await client.saleUntilFinal({ amount: '1000', currency: 'JPY' }, { endpoint: 4004 });
    yen = { client_orderid: inYen['merchant-order-id'], orderid: inYen['paynet-order-id'] };
    // Everybody knows the demo merchant's key, so a gateway in production does without.
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    for (const name of NAMES) count(name);
    syncBuiltinESMExports();
    watch();
  });

  afterAll(() => {
    Object.assign(crypto, Object.fromEntries(originals));
    syncBuiltinESMExports();
  });

  function count(name: keyof typeof COUNTED): void {
    const original = crypto[name] as (...given: unknown[]) => unknown;
    Object.assign(crypto, {
      [name]: (...given: unknown[]) => {
        if (given[0] === COUNTED[name]) done.push(name);
        return original(...given);
      },
    });
  }

  /** Notes every statement that a request asks for. */
  function watch(): void {
    const { database } = gateway;
    const note = ({ name }: Pick<Statement, 'name'>) => ASKED_BY_REQUESTS.test(name) && done.push(name);
    const [query, flight] = [database.query.bind(database), database.flight.bind(database)];
    Object.assign(database, {
      query: (statement: Statement, values: unknown[]) => {
        note(statement);
        return query(statement, values);
      },
      flight: (steps: { statement: Statement; values: unknown[] }[]) => {
        for (const { statement } of steps) note(statement);
        return flight(steps);
      },
    });
  }

  /** What a refusal did, and how it reads to the stranger. */
  async function refusal({ path, fields, headers = {} }: Asked): Promise<{ work: string[]; told: string }> {
    done.length = 0;
    const reply: Reply = await client.post(path, {}, { rawBody: encode(fields), headers });
    const work = [...done].sort();
    expect(reply.status).toBe(400);
    const { 'serial-number': _, 'merchant-order-id': __, ...told } = reply.body;
    return { work, told: JSON.stringify([reply.status, reply.headers['content-type'], told]) };
  }

  async function expectSame(...asked: readonly Asked[]): Promise<string[]> {
    const refusals = [];
    for (const one of asked) refusals.push(await refusal(one));
    const [first, ...others] = refusals as [Awaited<ReturnType<typeof refusal>>];
    for (const other of others) expect(other).toEqual(first);
    return first.work;
  }

  const order = (operation: string, fields: Fields, id: number = endpoint): Asked => ({
    path: `/api/v2/${operation}/${id}`,
    fields: { login: LOGIN, control: WRONG, ...fields },
  });

  it.each(['status', 'void', 'create-card-ref'])('learns no login by %s', async (operation) => {
    const asked = order(operation, known);
    const work = await expectSame(asked, { ...asked, fields: { ...asked.fields, login: NO_LOGIN } });
    // As many as the merchant with the most keys has.
    expect(work.filter((one) => one === 'hash')).toHaveLength(2);
  });

  it.each(['return', 'capture'])('learns neither login nor order by %s without an amount', async (operation) => {
    const asked = order(operation, known);
    const work = await expectSame(
      asked,
      order(operation, missing),
      order(operation, { ...known, login: NO_LOGIN }),
      order(operation, { ...missing, login: NO_LOGIN }),
    );
    expect(work.filter((one) => one.startsWith('orders-'))).toEqual(['orders-signed']);
  });

  it.each(['return', 'capture'])('has no order read by %s with an amount, in dollars or yen', async (operation) => {
    for (const money of [
      { amount: '10.42', currency: 'USD' },
      { amount: '1000', currency: 'JPY' },
    ]) {
      const work = await expectSame(
        order(operation, { ...yen, ...money }, 4004),
        order(operation, { ...missing, ...money }, 4004),
        order(operation, { ...yen, ...money, login: NO_LOGIN }, 4004),
      );
      expect(new Set(work)).toEqual(new Set(['hash']));
    }
  });

  it.each([
    ['in its currency', { currency: 'USD' }],
    ['in another', { currency: 'JPY' }],
    ['in none', {}],
  ])('learns no endpoint by a sale %s', async (_, money) => {
    const fields = { client_orderid: newOrderId(), amount: '10.42', email: 'x@example.com', control: WRONG, ...money };
    const to = (id: number): Asked => ({ path: `/api/v2/sale/${id}`, fields });
    await expectSame(to(endpoint), to(strictEndpoint), to(legacyEndpoint), to(4004), to(unknownEndpoint));
  });

  it('learns no owner of an endpoint by a sale in the name of a login', async () => {
    const fields = { client_orderid: newOrderId(), amount: '1.00', currency: 'USD', email: 'x@example.com' };
    const by = (login: string): Asked => ({
      path: `/api/v2/sale/${endpoint}`,
      fields: { ...fields, control: WRONG, login },
    });
    await expectSame(by(LOGIN), by('demo'), by(NO_LOGIN));
  });

  describe.each([
    ['HMAC-SHA1', '/api/v2/pan-eligibility/send', Buffer.alloc(20, 7)],
    ['RSA-SHA256', '/api/v4/payout', Buffer.alloc(256, 7)],
    ['RSA-SHA256', '/api/v4/payout', Buffer.alloc(512, 7)],
  ])('who signs by %s', (method, path, signature) => {
    const signedBy = (login: string): Asked => {
      const values = {
        oauth_consumer_key: login,
        oauth_nonce: 'n',
        oauth_signature_method: method,
        oauth_timestamp: String(Math.floor(gateway.clock.now() / 1000)),
        oauth_signature: encodeURIComponent(signature.toString('base64')),
      };
      const pairs = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
      const fields = { client_orderid: 'p', amount: '1.00', currency: 'USD', credit_card_number: '4111111111111111' };
      return { path: `${path}/${endpoint}`, fields, headers: { authorization: `OAuth ${pairs.join(', ')}` } };
    };

    it(`learns no login (${signature.length} bytes)`, async () => {
      const work = await expectSame(signedBy(LOGIN), signedBy(NO_LOGIN));
      expect(work.length).toBeGreaterThan(0);
    });
  });

  it.each([undefined, '*/*', 'text/html'])('learns no legacy endpoint by Accept %s', async (accept) => {
    const headers = { accept };
    const to = (id: number): Asked => ({ ...order('status', known, id), headers });
    await expectSame(to(endpoint), to(legacyEndpoint), to(unknownEndpoint));
    const sale = { client_orderid: newOrderId(), amount: '1', currency: 'USD', email: 'x@example.com', control: WRONG };
    const saleTo = (id: number): Asked => ({ path: `/api/v2/sale/${id}`, fields: sale, headers });
    await expectSame(saleTo(endpoint), saleTo(legacyEndpoint), saleTo(unknownEndpoint));
    const noForm = (id: number): Asked => ({ path: `/api/v2/sale/${id}`, fields: { a: '\u0000' }, headers });
    await expectSame(noForm(endpoint), noForm(legacyEndpoint), noForm(unknownEndpoint));
  });

  it('does not stand in the way of the merchant: old clients that sign get old replies', async () => {
    const control = sha1(`${LOGIN}${known.client_orderid}${known.orderid}${client.key}`);
    const status = { login: LOGIN, ...known, control };
    const post = (fields: Fields, id: number) =>
      client.post(`/api/v2/status/${id}`, fields, { headers: { accept: undefined } });
    const old = await post(status, legacyEndpoint);
    expect([old.status, old.headers['content-type']]).toEqual([200, 'text/html;charset=utf-8']);
    expect(old.body).toMatchObject({ type: 'status-response', status: 'approved' });
    // A fault of a request that is signed rightly is told in the old form as well.
    const unknownOrder = { login: LOGIN, client_orderid: 'no-such-order', orderid: '1' };
    const signed = { ...unknownOrder, control: sha1(`${LOGIN}no-such-order1${client.key}`) };
    expect((await post(signed, legacyEndpoint)).headers['content-type']).toBe('text/html;charset=utf-8');
    expect((await post(status, endpoint)).body).toMatchObject({ 'error-code': '9' });
  });
});
