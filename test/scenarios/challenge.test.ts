// A bank that wants the payer on a page of its own: where merchants and payers are sent, what happens when the payer
// comes back or does not, and what the bank tells without being asked.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeGateway, type Fields, type ReplyBody, until } from '../harness.ts';
import { unescaped } from '../html-text.ts';
import { BANK_KEY, ChallengingBank, type Decision } from './challenging-bank.ts';
import { openForm } from './form-payer.ts';

const OTHER = 'other-bank';
const DEAF = 'deaf-bank';

const bank = new ChallengingBank();
const terminals = [bank.terminal(), bank.terminal(OTHER), bank.terminal(DEAF, { hears: false })];

type Challenged = { readonly status: ReplyBody; readonly id: string; readonly reference: string };

describeGateway('A challenge of the bank', { terminals }, (gateway) => {
  const { demo, clock } = gateway;
  beforeAll(() => bank.open());
  afterEach(() => gateway.untilAllFinal());
  afterAll(() => bank.close());

  /** A sale that waits for its payer at the bank. */
  async function challenged(fields: Fields = {}): Promise<Challenged> {
    const { body } = await demo.sale(fields);
    const id = body['merchant-order-id'];
    let status: ReplyBody = {};
    await until('the payer is to go to the bank', async () => {
      status = (await demo.status({ client_orderid: id })).body;
      return status['redirect-to'] !== undefined;
    });
    return { status, id, reference: await gateway.bankReference(body['paynet-order-id']) };
  }

  const rowOf = async ({ status }: Challenged) => {
    const [row] = await gateway.query(
      `select stage, attempts, lease_owner, due_at - changed_at > '9 seconds' as later from transactions
       where order_id = ${status['paynet-order-id']} and seq = 1`,
    );
    return row;
  };

  const open = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init });

  /** What STATUS says when the bank was asked as often, and its answer is written down. */
  const untilAsked = (order: Challenged, times: number) =>
    until('the bank was asked', async () => {
      const row = await rowOf(order);
      return bank.asked(order.reference) >= times && row?.lease_owner === null && row.later === true;
    });

  it('is told by STATUS, and the way leads over a page of ours', async () => {
    const { status, reference } = await challenged();
    expect(status).toMatchObject({ status: 'processing', 'order-stage': 'sale_3d_validating' });
    expect(status['redirect-to']).toMatch(/^http:\/\/localhost:\d+\/paynet\/challenge\/[\w-]+$/);
    expect(status.html).toContain(`action="${status['redirect-to']}"`);
    expect(Object.keys(status).filter((name) => name.startsWith('tds-'))).toEqual([]);
    expect(JSON.stringify(status)).not.toContain(bank.url);
    for (const method of ['GET', 'POST']) {
      const page = await open(status['redirect-to'], { method });
      const text = unescaped(await page.text());
      expect(page.status).toBe(200);
      expect(text).toContain(`<a class="button" href="${bank.pageOf(reference)}" data-go-on>`);
      expect(text).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${bank.pageOf(reference)}">`);
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  it.each([
    ['approve', 'GET', 'approved'],
    ['decline', 'POST', 'declined'],
  ] as const)('ends as the bank says when the payer comes back: %s, by %s', async (decision, method, outcome) => {
    const order = await challenged();
    const back = bank.around(order.reference)?.returnUrl as string;
    expect(back).toBe(`${order.status['redirect-to']}/back`);
    bank.decide(order.reference, decision);
    // The schedule would not ask while the clock stands.
    const final = await clock.standStillFor(async () => {
      const reply = await open(`${back}?result=approved`, { method, ...(method === 'POST' && { body: 'result=ok' }) });
      expect([200, 303]).toContain(reply.status);
      return demo.untilFinal(order.id);
    });
    expect(final).toMatchObject({ status: outcome, 'order-stage': `sale_${outcome}` });
    expect(final).not.toHaveProperty('redirect-to');
    for (const address of [back, order.status['redirect-to']]) {
      const reply = await open(address);
      expect([reply.status, reply.headers.get('location')]).toEqual([303, expect.stringMatching(/\/paynet\/pay\//)]);
    }
  });

  it('trusts nothing that the browser brings: the bank is asked, and the payer waits', async () => {
    const order = await challenged();
    const back = bank.around(order.reference)?.returnUrl as string;
    const before = await rowOf(order);
    await clock.standStillFor(async () => {
      const posted = await open(back, { method: 'POST', body: 'status=approved' });
      expect([posted.status, posted.headers.get('location')]).toEqual([303, new URL(back).pathname]);
      // A payer who loads the page again and again does not make the bank be asked as often.
      for (let times = 0; times < 5; times++) {
        const page = await open(`${back}?status=approved`);
        const text = await page.text();
        expect(text).toContain(`data-watch="${new URL(back).pathname}/state" data-state="challenge"`);
        expect(text).toContain(`href="${new URL(order.status['redirect-to']).pathname}"`);
      }
      await untilAsked(order, 1);
      expect(await (await open(`${back}/state`)).json()).toEqual({ state: 'challenge' });
    });
    expect(bank.asked(order.reference)).toBe(1);
    expect(await rowOf(order)).toEqual(before);
    expect((await demo.status({ client_orderid: order.id })).body).toMatchObject({ status: 'processing' });
  });

  it('of a payer who never comes back ends with a reversal', async () => {
    const order = await challenged();
    await gateway.untilAllFinal();
    expect((await demo.status({ client_orderid: order.id })).body).toMatchObject({ status: 'error' });
    expect(bank.reversed).toContain(order.reference);
    expect(await gateway.balance()).toBeGreaterThanOrEqual(0n);
  });

  it('to another kind of address than one of the web is not followed', async () => {
    for (const address of ['javascript:alert(1)', 'data:text/html,hello', '//bank.example', 'bank:pay', '']) {
      bank.nextAddress = address;
      const { body } = await demo.sale();
      const id = body['merchant-order-id'];
      await until('it is unknown', async () => (await demo.status({ client_orderid: id })).body.status === 'unknown');
      const { body: status } = await demo.status({ client_orderid: id });
      expect(status).not.toHaveProperty('redirect-to');
      bank.decide(await gateway.bankReference(body['paynet-order-id']), 'decline');
    }
  });

  it('gives no way back where there is no payer', async () => {
    const order = await challenged();
    bank.decide(order.reference, 'approve');
    await open(bank.around(order.reference)?.returnUrl as string);
    const sale = await demo.untilFinal(order.id);
    expect(await demo.followUpUntilFinal('return', sale, { amount: '1.00', currency: 'USD', comment: 'torn' })).toEqual(
      expect.objectContaining({ status: 'approved', 'transaction-type': 'reversal' }),
    );
    const [refund] = bank.taken.filter(({ instruction }) => instruction.kind === 'refund');
    expect(refund?.around.returnUrl).toBeUndefined();
  });

  it('leads the payer of a hosted form to the bank, and back to the result', async () => {
    const { payer, address, orderId, clientOrderId } = await openForm(gateway, 'sale-form');
    expect((await payer.pay()).status).toBe(303);
    await until('the bank has it', () => bank.taken.some(({ instruction }) => isOf(instruction.reference, orderId)));
    const reference = await gateway.bankReference(orderId);
    let led: string | null = null;
    await until('the form leads on', async () => {
      led = (await open(`${address}?lang=de`)).headers.get('location');
      return led !== null;
    });
    expect(led).toBe(`${new URL(address).pathname.replace('/pay/', '/challenge/')}?lang=de`);
    expect(await (await open(`${address}/state`)).json()).toEqual({ state: 'challenge' });
    expect(await (await open(new URL(led ?? '', address).href)).text()).toContain('<html lang="de"');
    bank.decide(reference, 'approve');
    await open(bank.around(reference)?.returnUrl as string);
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    const end = await open(bank.around(reference)?.returnUrl as string);
    expect(end.headers.get('location')).toBe(new URL(address).pathname);
  });

  it('has links that nobody can guess', async () => {
    const { status } = await challenged();
    const address: string = status['redirect-to'];
    for (const wrong of [`${address}x`, `${address}/else`, address.replace(/.$/, '!'), `${address}/back/else`]) {
      expect((await open(wrong)).status).toBe(404);
    }
  });

  describe('notices', () => {
    const at = (path: string) => `${gateway.origin}/paynet/bank/${path}`;
    const tell = (told: unknown, { path = 'demo-bank', key = BANK_KEY }: { path?: string; key?: string } = {}) =>
      fetch(at(path), {
        method: 'POST',
        headers: { 'X-Bank-Key': key, 'content-type': 'application/json' },
        body: typeof told === 'string' ? told : JSON.stringify(told),
      });
    const counted = async (outcome: string) => {
      const text = await (await fetch(`${gateway.origin}/metrics`)).text();
      return Number(
        new RegExp(`^tender_bank_notices_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      );
    };
    const untilCounted = (outcome: string, times: number) =>
      until(`${times} notices are ${outcome}`, async () => (await counted(outcome)) >= times);

    it.each([
      ['approve', 'approved', 'POST'],
      ['decline', 'declined', 'GET'],
    ] as const)('make the bank be asked at once: %s', async (decision: Decision, outcome, method) => {
      const order = await challenged();
      bank.decide(order.reference, decision);
      const told = { id: randomUUID(), reference: order.reference };
      const final = await clock.standStillFor(async () => {
        const reply =
          method === 'POST'
            ? await tell(told, { path: 'demo-bank/events/v1' })
            : await fetch(at(`demo-bank/events/v1?${new URLSearchParams({ ...told, key: BANK_KEY })}`));
        expect([reply.status, await reply.text()]).toEqual([202, 'heard at /events/v1']);
        return demo.untilFinal(order.id);
      });
      expect(final).toMatchObject({ status: outcome });
    });

    it('are acted on once, however often they come', async () => {
      const order = await challenged();
      const told = { id: randomUUID(), reference: order.reference };
      const repeated = await counted('repeated');
      await clock.standStillFor(async () => {
        for (let times = 0; times < 3; times++) expect((await tell(told)).status).toBe(202);
        await untilCounted('repeated', repeated + 2);
        await untilAsked(order, 1);
      });
      expect(bank.asked(order.reference)).toBe(1);
    });

    it('use up none of the questions that the schedule asks', async () => {
      const order = await challenged();
      const before = await rowOf(order);
      expect(before).toMatchObject({ stage: 'challenged', attempts: 0 });
      await clock.standStillFor(async () => {
        for (let times = 1; times <= 30; times++) {
          expect((await tell({ id: randomUUID(), reference: order.reference })).status).toBe(202);
          await untilAsked(order, times);
        }
      });
      expect(await rowOf(order)).toEqual(before);
    });

    it('that come while the instruction is still being sent are not lost', async () => {
      let answer = () => {};
      bank.beforeAnswer = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const { body } = await demo.sale();
      const reference = await gateway.bankReference(body['paynet-order-id']);
      await until('the bank has it', () => bank.around(reference) !== undefined);
      const final = await clock.standStillFor(async () => {
        const id = randomUUID();
        expect((await tell({ id, reference })).status).toBe(202);
        const isTaken = async () =>
          (await gateway.query(`select 1 from bank_notices where notice_id = '${id}'`)).length > 0;
        await until('the notice is taken', isTaken);
        bank.beforeAnswer = Promise.resolve();
        answer();
        bank.decide(reference, 'approve');
        return demo.untilFinal(body['merchant-order-id']);
      });
      expect(final).toMatchObject({ status: 'approved' });
    });

    it('about what is another terminal’s, or nobody’s, change nothing', async () => {
      const order = await challenged();
      const before = await counted('not-ours');
      const { reference } = order;
      const wrong = [`${reference}0`, reference.replace(/^\d+-1/, (name) => `${name}-2`), '1-1', 'x', '', undefined];
      await clock.standStillFor(async () => {
        expect((await tell({ id: randomUUID(), reference }, { path: OTHER })).status).toBe(202);
        for (const other of wrong) {
          expect((await tell({ id: randomUUID(), reference: other })).status).toBe(202);
        }
        await untilCounted('not-ours', before + 7);
      });
      expect(bank.asked(reference)).toBe(0);
      expect(await rowOf(order)).toMatchObject({ stage: 'challenged', attempts: 0 });
    });

    it('about an order that is over change nothing', async () => {
      const order = await challenged();
      bank.decide(order.reference, 'decline');
      const told = () => tell({ id: randomUUID(), reference: order.reference });
      await told();
      await demo.untilFinal(order.id);
      const [before, asked] = [await counted('nothing-to-ask'), bank.asked(order.reference)];
      await told();
      await untilCounted('nothing-to-ask', before + 1);
      expect(bank.asked(order.reference)).toBe(asked);
    });

    it('of strangers are all answered alike, and leave a line without what they said', async () => {
      const { reference } = await challenged();
      const told = { id: 'told-by-a-stranger', reference };
      const [refused, lines] = [await counted('refused'), gateway.log.length];
      const replies = [
        await tell(told, { path: 'unheard-of' }),
        await tell(told, { path: '' }),
        await tell(told, { path: '..%2fdemo-bank' }),
        await tell(told, { path: DEAF }),
        await tell(told, { key: 'guessed' }),
        await tell('{"garbage', {}),
        await tell(told, { path: 'demo-bank/broken' }),
      ];
      const seen = await Promise.all(
        replies.map(async (reply) => {
          const { date: _, ...headers } = Object.fromEntries(reply.headers);
          return { status: reply.status, headers, text: await reply.text() };
        }),
      );
      expect(seen[0]).toMatchObject({ status: 404, text: '' });
      expect(seen).toEqual(seen.map(() => seen[0]));
      expect(await counted('refused')).toBe(refused + replies.length);
      const written = gateway.log.slice(lines).filter((line) => line.includes('a notice was refused'));
      expect(written).toHaveLength(replies.length);
      for (const word of ['stranger', 'guessed', 'unheard-of', 'garbage', reference, 'key is wrong']) {
        expect(written.join('')).not.toContain(word);
      }
      expect(bank.asked(reference)).toBe(0);
    });

    it('that are too large, or no notice at all, are not read', async () => {
      const before = bank.read;
      expect((await tell('x'.repeat(128 * 1024 + 1))).status).toBe(413);
      expect((await fetch(at('demo-bank'), { method: 'DELETE' })).status).toBe(405);
      expect(bank.read).toBe(before);
      expect((await tell('x'.repeat(128 * 1024))).status).toBe(404);
      expect(bank.read).toBe(before + 1);
    });
  });
});

function isOf(reference: string, orderId: string): boolean {
  return reference.startsWith(`${orderId}-`);
}
