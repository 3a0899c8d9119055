// Several terminals, as merchants and operators see them: rules choose, another bank takes over after a certain answer
// and never after an uncertain one, follow-ups go where the money is, and a bank that dies is left out by all nodes.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineConnector } from '../../src/acquirers/connector.ts';
import { type BookEntry, type RunningBank, startBank } from '../../src/acquirers/index.ts';
import type { VerbName } from '../../src/administration/administration.ts';
import { orderText } from '../../src/administration/orders/order-text.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { newTerminal, type Terminal } from '../../src/domain/acquirer/terminal.ts';
import { JournalComparison } from '../../src/domain/money/reconciliation.ts';
import { takeLock } from '../../src/storage/embedded/lock-file.ts';
import { terminalStore } from '../../src/storage/terminals.ts';
import {
  type Client,
  describeGateway,
  discrepancies,
  type Fields,
  type ReplyBody,
  type TestGateway,
  until,
} from '../harness.ts';
import { openForm } from './form-payer.ts';
import { rebill, storeCard } from './stored-cards.ts';
import { differencesAt } from './whole-life.ts';

const MASTERCARD = '5555555555554444';
/** A bank that keeps a caller waiting is given up after so long. */
const PATIENCE_MS = 3_000;

class Banks {
  readonly gateway: TestGateway;
  readonly #close: (() => Promise<unknown>)[] = [];
  readonly banks = new Map<string, RunningBank>();

  constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  async open(name: string, settings: Partial<Terminal> = {}): Promise<RunningBank> {
    const bank = await this.start(name);
    await this.addTerminal(name, bank.url, settings);
    return bank;
  }

  /** A bank by this name, on the books it had before if there was one. */
  async start(name: string, port = 0): Promise<RunningBank> {
    const folder = join(this.gateway.dataFolder, name);
    const bank = await startBank({ clock: this.gateway.clock, port, books: { folder, takeLock } });
    this.banks.set(name, bank);
    return bank;
  }

  async addTerminal(name: string, url: string, settings: Partial<Terminal> = {}): Promise<void> {
    const terminal = newTerminal({ name, connector: 'simulator', ...settings });
    const kept = { ...terminal, settings: { url, timeoutMs: PATIENCE_MS }, sealed: undefined, secretNames: [] };
    await terminalStore(this.gateway.database, this.gateway.store.records).add(kept, this.gateway.clock.now());
    await this.gateway.refresh();
  }

  async set(name: string, changes: Partial<Terminal>): Promise<void> {
    const { terminals } = await this.gateway.store.configuration.read();
    const terminal = terminals.find((one) => one.name === name);
    if (!terminal) throw new Error(`There is no terminal ${name}`);
    await terminalStore(this.gateway.database, this.gateway.store.records).set(
      { ...terminal, ...changes },
      'same secrets',
    );
    await this.gateway.refresh();
  }

  /** A server that says this to whatever it is sent. */
  async saying(name: string, answer: string): Promise<void> {
    const server: Server = createServer((request, response) => {
      request.resume();
      const isInstruction = request.url === '/v1/instructions';
      response.setHeader('content-type', 'application/json');
      request.on('end', () => response.end(isInstruction ? answer : '{"word":"not-found"}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#close.push(() => new Promise((resolve) => server.close(resolve)));
    await this.addTerminal(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async entries(name: string): Promise<BookEntry[]> {
    const entries: BookEntry[] = [];
    const bank = this.banks.get(name)?.bank;
    if (bank) for await (const entry of bank.entries()) entries.push(entry);
    return entries;
  }

  /** What a bank has of an order. */
  async bookedAt(name: string, { 'paynet-order-id': orderId }: ReplyBody): Promise<string[]> {
    const entries = await this.entries(name);
    return entries
      .filter(({ reference }) => reference.startsWith(`${orderId}-`))
      .map(({ kind, outcome }) => `${kind} ${outcome}`);
  }

  async close(): Promise<void> {
    for (const { close } of this.banks.values()) await close();
    for (const close of this.#close) await close();
  }
}

async function transactionsOf(gateway: TestGateway, { 'paynet-order-id': orderId }: ReplyBody): Promise<string[]> {
  const rows = await gateway.query(
    `select terminal, type, stage from transactions where order_id = ${Number(orderId)} order by seq`,
  );
  return rows.map(({ terminal, type, stage }) => `${terminal} ${type} ${stage}`);
}

/** How each of several orders ends on an endpoint of its own with this route. */
async function shopWith(gateway: TestGateway, route: string, changes: object = {}) {
  const { client, id } = await gateway.newMerchant({ route, ...changes });
  const sale = (fields: Fields = {}) => client.saleUntilFinal(fields, { endpoint: id });
  return { client, id, sale };
}

/** A bank that takes and gives back whole amounts only. */
const whole = defineConnector({
  name: 'whole',
  says: 'a bank of this test',
  settings: {},
  does: ['sale', 'preauth', 'capture', 'cancel', 'void', 'refund'],
  partial: [],
  inquiry: 'none',
  needsCard: false,
  open: () => ({
    send: async () => ({ word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' }),
    inquire: async () => ({ word: 'not-found' }),
    reverse: async () => ({ word: 'reversed' }),
    test: async () => [],
    close: async () => {},
  }),
});

describeGateway('terminals by rules', { connectors: [whole] }, (gateway) => {
  const banks = new Banks(gateway);
  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const options = { mode: 'sandbox', clock: gateway.clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };

  beforeAll(async () => {
    await banks.open('bank-a');
    await banks.open('bank-b');
    await banks.addTerminal('bank-gone', 'http://127.0.0.1:1');
    await banks.saying('bank-busy', '{"word":"declined","code":"912"}');
    await banks.saying('bank-strict', '{"word":"declined","code":"116"}');
  });
  afterAll(() => banks.close());

  it('the first rule that holds chooses the bank', async () => {
    const { sale } = await shopWith(gateway, 'brand=MASTERCARD -> bank-b; amount=100.00- -> bank-b,bank-a; bank-a');
    const visa = await sale();
    const mastercard = await sale({ credit_card_number: MASTERCARD });
    const large = await sale({ amount: '100.00' });
    expect([visa.status, mastercard.status, large.status]).toEqual(['approved', 'approved', 'approved']);
    expect(await banks.bookedAt('bank-a', visa)).toEqual(['sale approved']);
    expect(await banks.bookedAt('bank-b', mastercard)).toEqual(['sale approved']);
    expect(await banks.bookedAt('bank-b', large)).toEqual(['sale approved']);
    const [row] = await gateway.query(`select route from orders where order_id = ${large['paynet-order-id']}`);
    expect(row?.route).toEqual({ terminals: ['bank-b', 'bank-a'], reason: 'rule 2 (amount=100.00-)' });
  });

  it('an order that no terminal takes is refused, and nothing is written', async () => {
    const { client, id } = await shopWith(gateway, 'brand=MASTERCARD -> bank-b');
    const reply = await client.sale({}, { endpoint: id });
    expect(reply.body).toMatchObject({
      type: 'validation-error',
      'error-code': '38',
      'error-message': 'No terminal takes this payment: no rule of the end point is for it',
    });
    const rows = await gateway.query(`select 1 from orders where merchant_id = ${id}`);
    expect(rows).toEqual([]);
  });

  it('a card that no terminal takes may be followed by another one on the form', async () => {
    const { client, id } = await shopWith(gateway, 'brand=MASTERCARD -> bank-b');
    const form = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
    const refused = await form.payer.pay();
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('does not take this card');
    await form.payer.pay({ credit_card_number: MASTERCARD });
    const final = await client.untilFinal(form.clientOrderId, { endpoint: id });
    expect(final.status).toBe('approved');
    expect(await banks.bookedAt('bank-b', final)).toEqual(['sale approved']);
  });

  it('another bank takes what the first one declined for a reason of its own, and the merchant sees one order', async () => {
    const { client, id } = await shopWith(gateway, 'bank-busy,bank-b');
    const shop = await gateway.shop(client.key);
    const final = await client.saleUntilFinal({ server_callback_url: shop.url() }, { endpoint: id });
    expect(final).toMatchObject({ status: 'approved', 'transaction-type': 'sale' });
    expect(await transactionsOf(gateway, final)).toEqual(['bank-busy sale passed-on', 'bank-b sale approved']);
    expect(await banks.bookedAt('bank-b', final)).toEqual(['sale approved']);
    await until('the shop is told', () => shop.told.length > 0);
    await gateway.untilAllFinal();
    const calls = await gateway.query(`select seq from callbacks where merchant_id = ${id}`);
    expect(calls).toHaveLength(1);
    expect(await gateway.query(`select 1 from orders where merchant_id = ${id}`)).toHaveLength(1);
  });

  it('another bank takes what could not be sent to the first one', async () => {
    const { sale } = await shopWith(gateway, 'bank-gone,bank-a');
    const final = await sale();
    expect(final.status).toBe('approved');
    expect(await transactionsOf(gateway, final)).toEqual(['bank-gone sale passed-on', 'bank-a sale approved']);
  });

  it('at most three banks are asked, and the last one has the last word', async () => {
    const { sale } = await shopWith(gateway, 'bank-gone,bank-busy,bank-strict,bank-a');
    const final = await sale();
    expect(final).toMatchObject({ status: 'declined', 'error-code': '116' });
    expect(await transactionsOf(gateway, final)).toEqual([
      'bank-gone sale passed-on',
      'bank-busy sale passed-on',
      'bank-strict sale declined',
    ]);
  });

  it('no other bank is asked after the issuer said no', async () => {
    const { sale } = await shopWith(gateway, 'bank-a,bank-b');
    const final = await sale({ cvv2: '116' });
    expect(final).toMatchObject({ status: 'declined', 'error-code': '116' });
    expect(await transactionsOf(gateway, final)).toEqual(['bank-a sale declined']);
    expect(await banks.bookedAt('bank-b', final)).toEqual([]);
  });

  it('no other bank is asked while nobody knows what the first one did', async () => {
    const { sale } = await shopWith(gateway, 'bank-a,bank-b');
    banks.banks.get('bank-a')?.bank.faults.set({ loseAnswerRate: 1, messages: ['instruct'], limit: 1 });
    const final = await sale();
    banks.banks.get('bank-a')?.bank.faults.set({});
    expect(final.status).toBe('approved');
    expect(await transactionsOf(gateway, final)).toEqual(['bank-a sale approved']);
    expect(await banks.bookedAt('bank-a', final)).toEqual(['sale approved']);
    expect(await banks.bookedAt('bank-b', final)).toEqual([]);
  });

  it('the security code is kept for the next bank only if no bank has seen it', async () => {
    const bankB = banks.banks.get('bank-b')?.bank;
    for (const [first, isKept] of [
      ['bank-gone', true],
      ['bank-busy', false],
    ] as const) {
      const { client, id } = await shopWith(gateway, `${first},bank-b`);
      bankB?.faults.set({ loseRequestRate: 1, messages: ['instruct'], limit: 1 });
      const { body } = await client.sale({}, { endpoint: id });
      const codeOf = async () =>
        gateway.query(`select stage, sealed_cvv is not null as kept from transactions
          where merchant_id = ${id} and seq = 2 and stage in ('sending', 'asking')`);
      let [second] = await codeOf();
      await until('the second bank is asked', async () => {
        [second] = await codeOf();
        return second !== undefined;
      });
      expect(second?.kept).toBe(isKept);
      bankB?.faults.set({});
      await client.untilFinal(body['merchant-order-id'], { endpoint: id });
    }
  });

  it('money is given back by the terminal that has it, also when that takes no new orders', async () => {
    const { client, id, sale } = await shopWith(gateway, 'bank-a,bank-b');
    const paid = await sale();
    const held = await client.preauthUntilFinal({}, { endpoint: id });
    await banks.set('bank-a', { enabled: false });
    try {
      const next = await sale();
      expect(await banks.bookedAt('bank-b', next)).toEqual(['sale approved']);
      const returned = await client.followUpUntilFinal('return', paid, {}, { endpoint: id });
      expect(returned.status).toBe('approved');
      const captured = await client.followUpUntilFinal('capture', held, {}, { endpoint: id });
      expect(captured.status).toBe('approved');
      expect(await banks.bookedAt('bank-a', paid)).toEqual(['sale approved', 'refund approved']);
      expect(await banks.bookedAt('bank-a', held)).toEqual(['preauth approved', 'capture approved']);
    } finally {
      await banks.set('bank-a', { enabled: true });
    }
  });

  it('a bank of whole amounts is told by STATUS, and a part is refused before anything is written', async () => {
    const terminal = newTerminal({ name: 'bank-whole', connector: 'whole' });
    const kept = { ...terminal, settings: {}, sealed: undefined, secretNames: [] };
    await terminalStore(gateway.database, gateway.store.records).add(kept, gateway.clock.now());
    await gateway.refresh();
    const { client, id, sale } = await shopWith(gateway, 'bank-whole');
    const paid = await sale();
    expect(paid).toMatchObject({ 'gate-partial-reversal': 'disabled', 'gate-partial-capture': 'disabled' });
    const part = await client.followUp('return', paid, { amount: '1.00', currency: 'USD' }, { endpoint: id });
    expect(part.body).toMatchObject({
      'error-code': '40',
      'error-message': expect.stringContaining('only with the whole amount, 10.42 USD'),
    });
    expect(await transactionsOf(gateway, paid)).toEqual(['bank-whole sale approved']);
    const all = await client.followUpUntilFinal('return', paid, { amount: '10.42', currency: 'USD' }, { endpoint: id });
    expect(all.status).toBe('approved');
    const other = await shopWith(gateway, 'bank-a');
    expect(await other.sale()).toMatchObject({ 'gate-partial-reversal': 'enabled', 'gate-partial-capture': 'enabled' });
  });

  it("an order's story tells its route, why it was chosen, and where every transaction went", async () => {
    const { sale } = await shopWith(gateway, 'brand=MASTERCARD -> bank-b; bank-busy,bank-b');
    const orderId = Number((await sale())['paynet-order-id']);
    const shown = await ask('showOrder', { orderId });
    expect(shown).toMatchObject({
      route: { terminals: ['bank-busy', 'bank-b'], reason: 'rule 2' },
      transactions: [{ terminal: 'bank-busy' }, { terminal: 'bank-b' }],
    });
    const text = orderText(shown);
    expect(text).toMatch(/^Route +bank-busy, bank-b, by rule 2$/m);
    expect(text).toMatch(/transaction 1: sending → passed-on \(decline 912\)$/m);
    expect(text).toMatch(/transaction 2 begun at bank-b, a sale: sending$/m);
  });

  it.each([
    ['bank-a,bank-x', 'route: there is no terminal "bank-x"; there are demo-bank, bank-a, bank-b'],
    ['colour=red -> bank-a', 'route: rule 1: there is no word "colour"; there are brand, bin, bin-country'],
    ['constructor=x -> bank-a', 'route: rule 1: there is no word "constructor"; there are brand'],
  ])('rules that cannot be used are told in one line: %s', async (route, complaint) => {
    const before = await ask('showEndpoint', { endpointId: 101 });
    const set = ask('setEndpoint', { endpointId: 101, route });
    await expect(set).rejects.toThrow(complaint);
    await expect(set).rejects.toThrow(/^[^\n]+$/);
    expect(await ask('showEndpoint', { endpointId: 101 })).toEqual(before);
  });

  it('rules are kept as they mean, and cleared by a word', async () => {
    const { id } = await gateway.newMerchant();
    expect(await ask('setEndpoint', { endpointId: id, route: ' brand=visa ->bank-a ; bank-b' })).toMatchObject({
      route: 'brand=VISA -> bank-a; bank-b',
    });
    expect(await ask('setEndpoint', { endpointId: id, route: 'none' })).toMatchObject({ route: null });
  });

  it('a terminal takes what it is set up for, and no more in a day than its limit', async () => {
    await banks.open('bank-small', { maximum: '20.00', currencies: ['USD'], dayCount: 2 });
    const { sale } = await shopWith(gateway, 'bank-small,bank-b');
    const large = await sale({ amount: '20.01' });
    expect(await banks.bookedAt('bank-b', large)).toEqual(['sale approved']);
    const [first, second] = [await sale({ amount: '20.00' }), await sale({ amount: '5.00' })];
    expect(await transactionsOf(gateway, first)).toEqual(['bank-small sale approved']);
    expect(await transactionsOf(gateway, second)).toEqual(['bank-small sale approved']);
    const [counted] = await gateway.query(
      `select payments::int as payments, amount::text as amount from terminal_days where terminal = 'bank-small'`,
    );
    expect(counted).toEqual({ payments: 2, amount: '2500' });
    await until('the limit is known', async () => (await banks.bookedAt('bank-b', await sale())).length > 0);
  });

  it('its books and those of every bank agree, terminal by terminal', async () => {
    await gateway.untilAllFinal();
    for (const name of ['bank-a', 'bank-b', 'bank-small']) {
      expect(await journalDifferences(gateway, name, await banks.entries(name))).toEqual([]);
    }
    expect(await journalDifferences(gateway, 'demo-bank', await gateway.books())).toEqual([]);
    const all = await Promise.all(['bank-a', 'bank-b', 'bank-small'].map((name) => banks.entries(name)));
    const found = await discrepancies((text) => gateway.query(text), [...all.flat(), ...(await gateway.books())]);
    // The banks that only say no keep no books.
    const ofWhole = await gateway.query(`select distinct order_id from transactions where terminal = 'bank-whole'`);
    const unbooked = ofWhole.map(({ order_id }) => `${order_id}-`);
    const isMeant = (one: string) =>
      !/is declined here and none/.test(one) && !unbooked.some((order) => one.startsWith(order));
    expect(found.filter(isMeant)).toEqual([]);
  });
});

function journalDifferences(gateway: TestGateway, terminal: string, entries: readonly BookEntry[]) {
  const lines = entries.map(({ reference, kind, outcome, amount }) => ({ reference, kind, outcome, ...amount }));
  return differencesAt(gateway, new JournalComparison(lines), terminal);
}

const NODES = 3;
const AT_ONCE = 6;
const AFTERWARDS = 30;

describeGateway('a bank that dies under load', {}, (gateway) => {
  const banks = new Banks(gateway);

  beforeAll(async () => {
    await banks.open('bank-a');
    await banks.open('bank-b');
  });
  afterAll(() => banks.close());

  it('is left out by all nodes, costs no order, and is taken back', async () => {
    const { client, id } = await shopWith(gateway, 'bank-a,bank-b');
    const clients: Client[] = [client];
    // Only one process can have the embedded database.
    if (gateway.kind === 'postgres') while (clients.length < NODES) clients.push(await gateway.second(client));
    const isLeftOut = async (one: Client) =>
      (await (await fetch(`${one.baseUrl.replace('/paynet', '')}/metrics`)).text()).includes(
        'tender_terminal_open{terminal="bank-a"} 1',
      );
    const everywhere = async (expected: boolean) =>
      (await Promise.all(clients.map(isLeftOut))).every((one) => one === expected);

    const sent: ReplyBody[] = [];
    const sell = async (one: Client) => {
      const reply = await one.sale({}, { endpoint: id });
      expect(reply.status).toBe(200);
      sent.push(reply.body);
      return reply.body;
    };
    let isLoaded = true;
    const load = clients.flatMap((one) =>
      Array.from({ length: AT_ONCE }, async () => {
        while (isLoaded) await one.untilFinal((await sell(one))['merchant-order-id'], { endpoint: id });
      }),
    );
    await until('the first bank has work', async () => (await banks.entries('bank-a')).length >= AT_ONCE);

    const dying = banks.banks.get('bank-a') as RunningBank;
    const port = Number(new URL(dying.url).port);
    const before = await banks.entries('bank-a');
    await dying.close();
    await until('all nodes leave it out', () => everywhere(true));

    const afterwards: ReplyBody[] = [];
    for (let index = 0; index < AFTERWARDS; index++)
      afterwards.push(await sell(clients[index % clients.length] as Client));
    for (const body of afterwards) {
      const final = await client.untilFinal(body['merchant-order-id'], { endpoint: id });
      expect(final.status).toBe('approved');
      expect(await transactionsOf(gateway, final)).toEqual(['bank-b sale approved']);
    }

    await banks.start('bank-a', port);
    await until('all nodes take it back', () => everywhere(false));
    isLoaded = false;
    await Promise.all(load);
    const late = await client.saleUntilFinal({}, { endpoint: id });
    expect(await transactionsOf(gateway, late)).toEqual(['bank-a sale approved']);

    await gateway.untilAllFinal();
    const [a, b] = [await banks.entries('bank-a'), await banks.entries('bank-b')];
    expect(a.length).toBeGreaterThan(before.length);
    expect(await discrepancies((text) => gateway.query(text), [...a, ...b, ...(await gateway.books())])).toEqual([]);
    expect(await journalDifferences(gateway, 'bank-a', a)).toEqual([]);
    expect(await journalDifferences(gateway, 'bank-b', b)).toEqual([]);
    const charges = new Map<string, number>();
    for (const { reference, outcome } of [...a, ...b]) {
      const order = reference.split('-')[0] as string;
      if (outcome === 'approved') charges.set(order, (charges.get(order) ?? 0) + 1);
    }
    expect([...charges.values()].filter((times) => times > 1)).toEqual([]);
    const approved = await gateway.query(`select 1 from orders where merchant_id = ${id} and captured > 0`);
    expect(charges.size).toBe(approved.length);
    // What was under way when it died was found at one bank, or taken by the other.
    expect(approved).toHaveLength(sent.length + 1);
    expect(gateway.log.some((line) => line.includes('a terminal is left out'))).toBe(true);
  });
});

describeGateway(
  "a merchant's own charges by routes, within the limits of card networks",
  { networkLimits: 'on' },
  (gateway) => {
    const banks = new Banks(gateway);

    beforeAll(async () => {
      await banks.open('bank-a');
      await banks.addTerminal('bank-gone', 'http://127.0.0.1:1');
      await banks.addTerminal('bank-lost', 'http://127.0.0.1:1');
      await banks.saying('bank-busy', '{"word":"declined","code":"912"}');
      await banks.saying('bank-out', '{"word":"declined","code":"907"}');
      await banks.saying('bank-last', '{"word":"declined","code":"909"}');
    });
    afterAll(() => banks.close());

    /** The merchant stored the card at a bank that approved it. Answers how often each charge was tried. */
    async function charged(route: string, times: number): Promise<number[]> {
      const { client, id } = await gateway.newMerchant({ route: `initiator=payer -> bank-a; ${route}` });
      const reference = await storeCard(client, { credit_card_number: MASTERCARD }, id);
      const tries: number[] = [];
      for (let time = 0; time < times; time++) {
        const { status, body } = await rebill(client, reference, {}, id);
        if (status !== 200) return tries;
        const ended = await client.untilFinal(body['merchant-order-id'], { endpoint: id });
        tries.push((await transactionsOf(gateway, ended)).length);
      }
      return tries;
    }

    it('a charge that is passed on is a further attempt, and is passed on only as often as the network allows', async () => {
      expect(await charged('bank-busy,bank-out,bank-last', 6)).toEqual([3, 3, 3, 1]);
      expect(await charged('bank-busy', 12)).toHaveLength(10);
    });

    it('a terminal that cannot be reached is no attempt on the card', async () => {
      expect(await charged('bank-gone,bank-lost,bank-a', 8)).toHaveLength(8);
    });
  },
);
