// The attack: a merchant sends more than can be done, rightly signed. What is counted here is what was done, with the
// database made to wait while all of it comes.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ALWAYS_TAKEN } from '../../src/http/bounds/admission.ts';
import { TOLD_EVERY_MS } from '../../src/http/bounds/shed-requests.ts';
import { type Client, describeGateway, encode, FORM, MEDIA_TYPE, until } from '../harness.ts';

const REFUSED = /^HTTP\/1\.1 400 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*"error-code":"92"/;

/** Not many more than a merchant's share: all come while the database waits, which it does for half a minute. */
const CONNECTIONS = 32;
const CLIENTS = 10;
const FLOOD = CONNECTIONS * CLIENTS;
const OTHERS = 20;

/** The shortest wait there is, so that places are as few as they may be: two commits' worth. */
describeGateway('a merchant who floods', { settings: { mostWaitMs: 1 } }, (gateway) => {
  const ownShare = ALWAYS_TAKEN;

  async function shed(): Promise<number> {
    const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    return Number(/^tender_requests_shed\{queue="orders"\} (\S+)$/m.exec(text)?.[1]);
  }

  /** Nothing is committed until the returned function is called. */
  async function stopCommits(): Promise<() => Promise<void>> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = () => {};
    const held = new Promise<void>((resolve) => {
      holding = resolve;
    });
    const over = gateway.database.transaction(async (session) => {
      await session.query({ name: '', text: 'lock table orders in exclusive mode' });
      holding();
      await released;
    });
    await held;
    return () => {
      release();
      return over;
    };
  }

  const closing: (() => unknown)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A connection of a merchant, on which one sale follows the other; each resolves with all of its reply. */
  async function open({ client, id }: { readonly client: Client; readonly id: number | string }) {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1').setEncoding('latin1');
    closing.push(() => socket.destroy());
    await once(socket, 'connect');
    const sell = async (orderId: string): Promise<string> => {
      const body = encode(client.signedSale({ client_orderid: orderId }, { endpoint: id }));
      const head = [`POST /paynet/api/v2/sale/${id} HTTP/1.1`, 'Host: 127.0.0.1', `Accept: ${MEDIA_TYPE}`];
      socket.write([...head, `Content-Type: ${FORM}`, `Content-Length: ${body.length}`, '', body].join('\r\n'));
      const [reply] = await once(socket, 'data');
      return reply;
    };
    return { sell };
  }

  it('is refused beyond its share, at once and with nothing done, and nobody else is', async () => {
    const [greedy, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    const merchant = { login: greedy.client.login, key: greedy.client.key };
    const hands: Client[] = Array.from({ length: CLIENTS }, () => gateway.client(merchant));
    const known = await other.client.sale({}, { endpoint: other.id });
    const before = await shed();
    const began = gateway.clock.now();
    const go = await stopCommits();

    const flood = Array.from({ length: FLOOD }, (_, number) =>
      (hands[number % CLIENTS] as Client).sale({ client_orderid: `flood-${number}` }, { endpoint: greedy.id }),
    );
    // They are answered while nothing can be done.
    await until('what is too much was refused', async () => (await shed()) - before === FLOOD - ownShare);
    const others = Array.from({ length: OTHERS }, () => other.client.sale({}, { endpoint: other.id }));
    const asked = other.client.status(
      { client_orderid: known.body['merchant-order-id'], orderid: known.body['paynet-order-id'] },
      { endpoint: other.id },
    );
    // One connection on which it goes on: after two refusals the others are read from their bytes alone.
    const pushing = await open(greedy);
    for (let time = 0; time < 5; time++) expect(await pushing.sell('pushed')).toMatch(REFUSED);
    await go();

    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
    expect((await asked).status).toBe(200);
    const replies = await Promise.all(flood);
    const taken = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 400);
    expect([taken.length, refused.length]).toEqual([ownShare, FLOOD - ownShare]);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toBe('1');
      expect(body).toMatchObject({ type: 'validation-error', 'error-code': '92' });
    }

    expect(await pushing.sell('pushed')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"merchant-order-id":"pushed"/);

    // Nothing that was accepted is lost, and nothing came of what was refused.
    await gateway.untilAllFinal();
    const [row] = await gateway.query(
      `select count(*)::int as made, count(*) filter (where captured = amount)::int as paid
       from orders where merchant_id = ${greedy.id}`,
    );
    expect(row).toEqual({ made: ownShare + 1, paid: ownShare + 1 });
    const number = replies.findIndex(({ status }) => status === 400);
    const again = await greedy.client.sale({ client_orderid: `flood-${number}` }, { endpoint: greedy.id });
    expect(again.status).toBe(200);

    // The log has few lines about all of it, and at the end none is missing.
    const all = await shed();
    await gateway.restart();
    const lines = gateway.log.map((line) => JSON.parse(line)).filter(({ detail = '' }) => /^shed /.test(detail));
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(all);
    expect(lines.length).toBeLessThanOrEqual(2 + (gateway.clock.now() - began) / TOLD_EVERY_MS);
    expect(lines.at(-1).detail).toMatch(/^shed [\d,]+ requests? of 1 merchant in \d+ s$/);
  });
});
