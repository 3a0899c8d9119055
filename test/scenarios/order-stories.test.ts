// What support needs when a merchant calls: orders by list, one with everything that happened to it, and a request by
// the serial number of its reply, also when it was refused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Episode } from '../../src/administration/orders/order-answers.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { embedded } from '../contracts/databases.ts';
import { CARD, Client, DEMO, describeGateway, newOrderId, type TestGateway, until } from '../harness.ts';
import { BROWSER, begun, REQUIRED, sale } from './authenticating.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

describeGateway('the story of an order', {}, (gateway) => {
  const { demo } = gateway;
  const ask = asked(gateway);

  /** Without what differs from run to run. */
  const told = (episode: Episode) => {
    if (episode.kind === 'request') return `request ${episode.operation} ${episode.httpStatus}`;
    if (episode.kind === 'callback') return `callback ${episode.status}`;
    if (episode.kind === '3ds') return `${episode.from} ${episode.message.messageType}`;
    if (episode.kind === 'bank') return `bank ${episode.direction}`;
    if (episode.kind === 'exchange') return `bank, ${episode.asked} of ${episode.type}: ${episode.answer}`;
    const { type, to } = episode.event as { type: string; to?: string };
    return ['change', type, to].filter(Boolean).join(' ');
  };

  it('has its requests, changes and bookings in the order they happened, and counts polls', async () => {
    const sale = await demo.saleUntilFinal({ amount: '10.42' });
    const returned = await demo.followUpUntilFinal('return', sale, {
      amount: '4.00',
      currency: 'USD',
      comment: 'half',
    });
    await gateway.journalLine(returned);
    const orderId = Number(sale['paynet-order-id']);
    const shown = await ask('showOrder', { orderId });
    expect(shown).toMatchObject({
      orderId,
      login: 'demo',
      clientOrderId: sale['merchant-order-id'],
      endpointId: 101,
      operation: 'sale',
      status: 'approved',
      amount: '10.42',
      currency: 'USD',
      captured: '10.42',
      released: '0.00',
      reversed: '4.00',
      card: '411111...1111 VISA 12/2031',
      transactions: [
        {
          seq: 1,
          type: 'sale',
          amount: '10.42',
          stage: 'approved',
          reference: await gateway.bankReference(`${orderId}`, 1),
          comment: null,
        },
        {
          seq: 2,
          type: 'reversal',
          amount: '4.00',
          stage: 'approved',
          reference: await gateway.bankReference(`${orderId}`, 2),
          comment: 'half',
        },
      ],
      bookings: [
        { transaction: 1, account: 'clearing', amount: '-10.42' },
        { transaction: 1, account: 'merchant', amount: '10.42' },
        { transaction: 2, account: 'merchant', amount: '-4.00' },
        { transaction: 2, account: 'clearing', amount: '4.00' },
      ],
    });
    expect(shown.story.map(told)).toEqual([
      'request SALE 200',
      'change order-started',
      'bank, instruction of sale: approved',
      'change transaction-moved approved',
      'request RETURN 200',
      'change transaction-begun',
      'bank, instruction of reversal: approved',
      'change transaction-moved approved',
    ]);
    const exchanges = shown.story.filter((episode) => episode.kind === 'exchange');
    expect(exchanges).toMatchObject(
      shown.transactions.map(({ seq, amount, reference, approvalCode, rrn }) => ({
        ...{ transaction: seq, terminal: 'demo-bank', amount, reference, approvalCode, rrn, declineCode: null },
        milliseconds: expect.any(Number),
      })),
    );
    expect(shown.polls.count).toBeGreaterThanOrEqual(2);
    expect(shown.polls.lastAt).toMatch(/^20\d\d-/);
    expect(shown.transactions.map(({ approvalCode }) => approvalCode)).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('tells of every try to call the merchant', async () => {
    const shop = await gateway.shop();
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await until('it is told', () => shop.told.length > 0);
    const orderId = Number(sale['paynet-order-id']);
    let story: readonly Episode[] = [];
    await until('the try is kept', async () => {
      story = (await ask('showOrder', { orderId })).story;
      return story.some(({ kind }) => kind === 'callback');
    });
    expect(story.at(-1)).toMatchObject({ kind: 'callback', callbackId: `${orderId}-1-server`, status: 200 });
  });

  it('tells what was said to prove the payer', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    const final = await demo.untilFinal(order['merchant-order-id'] as string, { endpoint: REQUIRED });
    expect(final.status).toBe('approved');
    const shown = await ask('showOrder', { orderId: Number(order['paynet-order-id']) });
    expect(shown.authentication).toEqual({
      transaction: 1,
      step: 'over',
      status: 'Y',
      version: '2.2.0',
      eci: '05',
      reason: null,
    });
    const story = shown.story.map(told);
    expect(story.filter((line) => /AR/.test(line))).toEqual(['tender AReq', 'network ARes']);
    expect(story.indexOf('network ARes')).toBeLessThan(story.indexOf('change transaction-moved approved'));
    expect(JSON.stringify(shown)).not.toContain(TEST_CARDS.frictionless.number);
  });

  it('shows neither numbers nor codes nor keys', async () => {
    const sale = await demo.saleUntilFinal();
    await gateway.journalLine(sale);
    const text = JSON.stringify(await ask('showOrder', { orderId: Number(sale['paynet-order-id']) }));
    expect(text).toContain('411111******1111');
    for (const secret of [CARD, DEMO.key]) expect(text).not.toContain(secret);
    expect(text).toContain('"cvv2":"***"');
  });

  it("is found by the merchant's own id, and only with the right merchant", async () => {
    const { client, id } = await gateway.newMerchant();
    const clientOrderId = newOrderId();
    const mine = await demo.saleUntilFinal({ client_orderid: clientOrderId });
    const theirs = await client.saleUntilFinal({ client_orderid: clientOrderId }, { endpoint: id });
    expect(theirs['paynet-order-id']).not.toBe(mine['paynet-order-id']);
    const found = (login: string) => ask('showOrder', { login, clientOrderId });
    expect(await found('demo')).toMatchObject({ orderId: Number(mine['paynet-order-id']) });
    expect(await found(client.login)).toMatchObject({ orderId: Number(theirs['paynet-order-id']) });
    const wrong = ask('showOrder', { login: client.login, orderId: Number(mine['paynet-order-id']) });
    await expect(wrong).rejects.toThrow(/^there is no order/);
  });

  it('is listed, the newest first, of one merchant or of all, and further back', async () => {
    const { client, id } = await gateway.newMerchant();
    const first = Number((await client.saleUntilFinal({}, { endpoint: id }))['paynet-order-id']);
    const second = Number((await client.saleUntilFinal({ cvv2: '124' }, { endpoint: id }))['paynet-order-id']);
    const latest = Number((await demo.saleUntilFinal())['paynet-order-id']);
    const ids = async (given: Given) => (await ask('listOrders', given)).found.map(({ orderId }) => orderId);
    expect(await ids({ login: client.login })).toEqual([second, first]);
    const { next } = await ask('listOrders', { login: client.login, limit: 1 });
    expect(await ids({ login: client.login, limit: 1, after: next })).toEqual([first]);
    expect(await ask('listOrders', { login: client.login, limit: 2 })).toMatchObject({ next: null });
    expect((await ids({})).slice(0, 3)).toEqual([latest, second, first]);
    expect(await ask('listOrders', { login: client.login })).toMatchObject({
      found: [
        { status: 'declined', login: client.login, operation: 'sale', amount: '10.42', currency: 'USD' },
        { status: 'approved' },
      ],
    });
  });

  it('has requests that were refused, by their serial number', async () => {
    const refused = (await demo.sale({ amount: 'NaN', currency: 'USD' })).body;
    await gateway.journalLine(refused);
    const serialNumber = refused['serial-number'] as string;
    const shown = await ask('showRequest', { serialNumber: serialNumber.toUpperCase() });
    expect(shown).toMatchObject({
      serialNumber,
      operation: 'SALE',
      orderId: null,
      httpStatus: 400,
      request: { amount: 'NaN', credit_card_number: '411111******1111', cvv2: '***', control: '***' },
      reply: { type: 'validation-error', 'serial-number': serialNumber },
    });
    expect(shown.errorCode).toBeGreaterThan(0);
  });

  it('is forgotten after 400 days, unless told otherwise', async () => {
    const sale = await demo.saleUntilFinal();
    await gateway.journalLine(sale);
    const copy = async (daysAgo: number) => {
      const serialNumber = serialNumbersSince(gateway.clock.now() - daysAgo * 24 * 60 * 60 * 1000);
      await gateway.query(`insert into journal select '${serialNumber}', at, operation, path_id, merchant_id, order_id,
        http_status, error_code, request, reply, milliseconds from journal
        where serial_number = '${sale['serial-number']}'`);
      return serialNumber;
    };
    const isKept = (serialNumber: string) => ask('showRequest', { serialNumber }).then(Boolean, () => false);
    const [recent, old] = [await copy(399), await copy(401)];
    await gateway.restart({ keepRequests: 'forever' });
    // Long enough for old requests to be gone if any were to go.
    await demo.saleUntilFinal();
    expect([await isKept(recent), await isKept(old)]).toEqual([true, true]);
    await gateway.restart({ keepRequests: undefined });
    await until('it is forgotten', async () => !(await isKept(old)));
    expect(await isKept(recent)).toBe(true);
    await gateway.restart({ keepRequests: 398 });
    await until('the other is forgotten too', async () => !(await isKept(recent)));
  });

  it.each<[VerbName, Given, RegExp]>([
    ['showOrder', {}, /^orderId is missing/],
    ['showOrder', { orderId: 999_999_999 }, /^there is no order "999999999"; "tender order list" shows the newest$/],
    ['showOrder', { orderId: -1 }, /^orderId: a whole number above 0 is needed/],
    ['showOrder', { clientOrderId: 'x' }, /^login is missing/],
    ['listOrders', { login: 'nobody' }, /^there is no merchant "nobody"/],
    ['showRequest', {}, /^serialNumber is missing/],
    ['showRequest', { serialNumber: "'; drop table journal" }, /^serialNumber: the serial-number of a reply is needed/],
    ['showRequest', { serialNumber: '00000000-0000-4000-8000-000000000000' }, /^the journal has no request 0{8}-/],
  ])('%s of %j is refused in one line', async (verb, given, line) => {
    await expect(ask(verb, given)).rejects.toThrow(line);
  });

  it('leaves a trace of whoever looked', async () => {
    const sale = await demo.saleUntilFinal();
    const line = await gateway.journalLine(sale);
    const orderId = Number(sale['paynet-order-id']);
    await ask('showOrder', { orderId });
    await ask('showRequest', { serialNumber: line.serial_number as string });
    expect((await ask('listAudit')).entries.slice(0, 2)).toMatchObject([
      { who: 'ann', action: 'showRequest', details: { serialNumber: line.serial_number } },
      { who: 'ann', action: 'showOrder', subject: `order ${orderId}` },
    ]);
  });
});

function asked(gateway: TestGateway) {
  return <V extends VerbName>(verb: V, given: Given = {}) => {
    const { clock } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
}

describe(`orders by command, on ${embedded.name}`, () => {
  const own = new Belongings();
  let where: string[];
  let client: Client;

  const run = (...args: string[]) => tender([...args, ...where]);

  beforeAll(async () => {
    where = ['--data', await own.folder()];
    const gateway = own.keep(await startProcess(where));
    client = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => client.close());
  });
  afterAll(() => own.drop());

  it('are listed and told as people read them', async () => {
    expect((await run('order', 'list')).stdout).toBe('There are no such orders.\n');
    const sale = await client.saleUntilFinal({ client_orderid: 'invoice-1', cvv2: '124' });
    const orderId = sale['paynet-order-id'] as string;
    const list = (await run('order', 'list', '--merchant', 'demo')).stdout;
    expect(list).toMatch(/^ORDER +MERCHANT +MERCHANT'S ID +OPERATION +AMOUNT +STATUS +MADE\n/);
    expect(list).toMatch(new RegExp(`^${orderId} +demo +invoice-1 +sale +10.42 USD +declined +20`, 'm'));
    let shown = '';
    await until('the journal is written', async () => {
      shown = (await run('order', 'show', 'invoice-1', '--merchant', 'demo')).stdout;
      return shown.includes('SALE, answered 200');
    });
    expect(shown).toMatch(/^Merchant's id +invoice-1\n/m);
    expect(shown).toMatch(
      new RegExp(`^1 +sale +10.42 USD +declined +demo-bank +${orderId}-1-[0-9a-z]+ +\\d{12} +decline 100 +-$`, 'm'),
    );
    expect(shown).toMatch(/UTC +change +started: sending$/m);
    expect(shown).toMatch(/UTC +change +transaction 1: sending → declined \(decline 100\)$/m);
    expect(shown).toMatch(/\n\nIts status was asked for (once|\d+ times), last 20.* UTC\.\n$/);
    expect((await run('order', 'show', orderId)).stdout).toContain('invoice-1');
    const serialNumber = /SALE.* serial number (\S+)/.exec(shown)?.[1] as string;
    const request = (await run('request', 'show', serialNumber)).stdout;
    expect(request).toMatch(/^Answered +200 in \d+ ms$/m);
    expect(request).toMatch(/^Asked:\n( {2}.*\n)* {2}cvv2 +\*\*\*\n/m);
    expect(request).toMatch(/^Told:\n {2}type +async-response\n/m);
  });

  it.each([
    [['order', 'show', 'invoice-1'], /^tender: an order's id is a whole number; .* add --merchant <login>\n$/],
    [['order', 'show', '7'], /^tender: there is no order "7"/],
    [['order', 'list', '--order', 'x'], /^tender: option '--order <id>' argument 'x' is invalid/, 2],
    [['order', 'list', '--after', 'x'], /^tender: after: this is no mark of this search/],
    [['request', 'show', '7'], /^tender: serial number: the serial-number of a reply is needed, not "7"\n$/],
  ])('%j is refused in one line', async (args, line, code = 1) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(line) });
  });
});
