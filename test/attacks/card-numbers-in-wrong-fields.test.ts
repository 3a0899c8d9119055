// The attack: card numbers written where none belongs, in every field of every operation, in headers, paths and names,
// in many spellings. Afterwards none of them may be anywhere in clear, and what must come back has come back as sent.

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { passesLuhn } from '../../src/domain/card/card.ts';
import { operations } from '../../src/operations/index.ts';
import { scanFiles } from '../../src/scan/scanned-files.ts';
import { Scanner } from '../../src/scan/scanner.ts';
import { patternsFor } from '../../src/scan/wanted.ts';
import { everyValue } from '../../src/storage/transfer/every-value.ts';
import { exportDatabase } from '../../src/storage/transfer/export.ts';
import { writeAheadLog } from '../../src/storage/transfer/write-ahead-log.ts';
import { CARD, describeGateway, type Fields, newOrderId, type ReplyBody, until } from '../harness.ts';
import { openForm } from '../scenarios/form-payer.ts';
import type { TestShop } from '../test-shop.ts';

/** The attacker tried as many. */
const LEAST_MARKERS = 117;

const inScript = (zero: number) => (number: string) =>
  [...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
const groupsBy = (separator: string) => (number: string) => (number.match(/\d{4}/g) ?? []).join(separator);

const SPELLINGS: Readonly<Record<string, (number: string) => string>> = {
  plain: (number) => number,
  blanks: groupsBy(' '),
  dashes: groupsBy('-'),
  'no-break spaces': groupsBy('\u00a0'),
  'Arabic digits': inScript(0x0660),
  'full-width digits': inScript(0xff10),
  'percent signs': (number) => [...number].map((digit) => `%3${digit}`).join(''),
};

/** Fields of a sale, and what a number is put into there. */
const TEXTS = ['order_desc', 'address1', 'city', 'purpose', 'site_url', 'first_name', 'card_printed_name', 'ssn'];
const BROWSER = ['customer_browser_accept_header', 'customer_browser_user_agent', 'customer_browser_language'];
const LINKS = ['redirect_url', 'redirect_success_url', 'redirect_fail_url', 'server_callback_url', 'notify_url'];

describeGateway('a card number in a wrong field', { callbackTimeoutMs: 2_000 }, (gateway) => {
  const { demo } = gateway;
  const markers: string[] = [];
  let shop: TestShop;
  let last: ReplyBody = {};

  /** A card number that nothing else has: of Visa's range, with a right check digit. */
  function marker(): string {
    const body = `4929${String(31_415_926 + markers.length * 7_919).padStart(11, '0')}`;
    const number = [...'0123456789'].map((digit) => body + digit).find(passesLuhn) as string;
    markers.push(number);
    return number;
  }

  const noted = (body: ReplyBody) => {
    if (body['serial-number'] !== undefined) last = body;
    return body;
  };
  const sale = async (fields: Fields) => noted((await demo.sale(fields)).body);

  beforeAll(async () => {
    shop = await gateway.shop();
    for (const spell of Object.values(SPELLINGS)) await salesWith(spell);
    await otherOperations();
    await everyOperation();
    await requestsThemselves();
    await gateway.untilAllFinal();
    await gateway.journalLine(last);
  });

  async function salesWith(spell: (number: string) => string): Promise<void> {
    for (const name of [...TEXTS, ...BROWSER]) await sale({ [name]: `card ${spell(marker())} here`.slice(0, 50) });
    await sale({ merchant_data: `{"card":"${spell(marker())}"}`, email: `ann.${spell(marker())}@example.com` });
    for (const name of LINKS) await sale({ [name]: `${shop.url('/back')}?card=${spell(marker())}&again=1` });
    // The order's own card.
    const own = marker();
    await sale({ credit_card_number: own, order_desc: spell(own), merchant_data: spell(own), address1: spell(own) });
    await sale({ credit_card_number: own, client_orderid: `card ${spell(own)}` });
  }

  async function otherOperations(): Promise<void> {
    const plain = await demo.saleUntilFinal();
    noted((await demo.followUp('return', plain, { amount: '1.00', currency: 'USD', comment: marker() })).body);
    await sale({ phone: `+${marker()}`.slice(0, 15), cell_phone: marker().slice(0, 15) });
    const named = () => ({ client_orderid: newOrderId(), currency: 'USD', order_desc: marker(), purpose: marker() });
    const receiver = {
      receiver_phone: marker(),
      receiver_address1: SPELLINGS.dashes?.(marker()),
      receiver_city: marker(),
    };
    const to = { 'destination-card-no': CARD, deposit2card: 'true' };
    noted((await demo.oauth('/api/v4/transfer', { ...named(), amount: '1.00', ...to, ...receiver })).body);
    const payout = { ...named(), amount: '1.00', credit_card_number: CARD, email: `${marker()}@example.com` };
    noted((await demo.oauth('/api/v4/payout', payout)).body);
    const recurring = { ...named(), amount: '1.00', rp_card_type: 'DST', credit_card_number: CARD };
    noted(
      (await demo.oauth('/api/v4/create-recurring-payment', { ...recurring, email: `${marker()}@x.example` })).body,
    );
    const form = await openForm(gateway, 'sale-form', {
      redirect_url: `${shop.url('/paid')}?card=${marker()}`,
      email: `${marker()}@example.com`,
      merchant_data: marker(),
    });
    await form.payer.pay({ card_printed_name: `ANN ${marker()}` });
    await form.payer.pay({}, { 'user-agent': `Mozilla ${marker()}`, 'accept-language': marker(), referer: marker() });
  }

  /** All fields of each operation at once. Most are refused, and every refusal is journaled. */
  async function everyOperation(): Promise<void> {
    for (const { path, request } of operations) {
      const number = marker();
      const fields = Object.fromEntries(request.named.map(({ name }) => [name, `x ${number}`]));
      noted((await demo.post(`${path}/101`, { ...fields, client_orderid: newOrderId() })).body);
    }
  }

  async function requestsThemselves(): Promise<void> {
    const headers = (name: string, value: string) => demo.sale({}, { headers: { [name]: value } });
    for (const name of [
      'Idempotency-Key',
      'X-Signature',
      'User-Agent',
      'Referer',
      'Cookie',
      'X-Request-Id',
      'Accept',
    ]) {
      for (const spell of [SPELLINGS.plain, SPELLINGS.dashes]) {
        noted((await headers(name, spell?.(marker()) ?? '')).body);
      }
    }
    const fields = () => ({ client_orderid: newOrderId(), order_desc: 'x', email: 'ann@example.com', amount: '1.00' });
    const asked = { ...fields(), currency: 'USD', credit_card_number: CARD, rp_card_type: 'DST' };
    const signed = await demo.oauth('/api/v4/create-recurring-payment', asked, { nonce: marker() });
    expect(signed.status).toBe(200);
    const keyed = { idempotencyKey: `order-${marker()}`, nonce: `${marker()}-${marker()}` };
    expect((await demo.oauth('/api/v4/create-recurring-payment', { ...asked, ...fields() }, keyed)).status).toBe(200);
    await demo.post(`/api/v2/sale/${marker()}`, demo.signedSale());
    await demo.post(`/api/v2/sale/101?card=${marker()}`, demo.signedSale());
    await demo.post(`/api/v2/${marker()}/101`, demo.signedSale());
    noted((await demo.status({ login: marker(), client_orderid: newOrderId() })).body);
    noted((await demo.sale({ [`card_${marker()}`]: marker(), [marker()]: 'x' })).body);
  }

  /** Where each number was found that anybody could read. */
  async function leaks(look: (scanner: Scanner) => Promise<unknown>): Promise<string[]> {
    const scanner = new Scanner(patternsFor({ numbers: markers, codes: [] }));
    await look(scanner);
    expect(scanner.bytes).toBeGreaterThan(0);
    return scanner.findings.map(({ place, encoding, shown }) => `${place}: ${shown}, ${encoding}`);
  }

  it('was tried often enough', () => {
    expect(new Set(markers).size).toBeGreaterThanOrEqual(LEAST_MARKERS);
    expect(markers).toHaveLength(new Set(markers).size);
  });

  it('is in no table', async () => {
    const look = (scanner: Scanner) => everyValue(gateway.database, (table, rows) => scanner.scan(table, rows));
    expect(await leaks(look)).toEqual([]);
  });

  it('is in no log line', async () => {
    expect(await leaks((scanner) => scanner.scan('log', [Buffer.from(gateway.log.join('') || ' ')]))).toEqual([]);
  });

  it('is in no file of the data folder', async () => {
    expect(await leaks((scanner) => scanFiles(scanner, gateway.dataFolder))).toEqual([]);
  });

  it('is not in the write-ahead log', async () => {
    const embedded = join(gateway.dataFolder, 'database', 'cluster', 'pg_wal');
    const look = async (scanner: Scanner) => {
      if (gateway.kind !== 'postgres') return scanFiles(scanner, embedded);
      return writeAheadLog(gateway.database, (file, bytes) => scanner.scan(file, bytes));
    };
    expect(await leaks(look)).toEqual([]);
  });

  const exported = join(tmpdir(), `wrong-fields-${process.pid}-${gateway.kind}.gz`);
  afterAll(() => rm(exported, { force: true }));

  it('is not in an export', async () => {
    await exportDatabase({ database: gateway.database, path: exported, now: gateway.clock.now() });
    expect(await leaks((scanner) => scanFiles(scanner, exported))).toEqual([]);
  });

  it('comes back as it was sent, in replies, callbacks and addresses that are called', async () => {
    const [mail, data, back] = [marker(), marker(), marker()];
    const sent = {
      email: `${mail}@example.com`,
      merchant_data: `card ${data}`,
      server_callback_url: shop.url(`/${back}`),
    };
    const order = await demo.saleUntilFinal(sent);
    expect(order).toMatchObject({ status: 'approved', email: sent.email });
    await until('the callback has come', () => shop.of(order).length > 0);
    const [told] = shop.of(order);
    expect(told).toMatchObject({ path: `/${back}`, complaints: [] });
    expect(told?.fields).toMatchObject({ email: sent.email, merchantdata: sent.merchant_data });
    expect(await leaks((scanner) => everyValue(gateway.database, (table, rows) => scanner.scan(table, rows)))).toEqual(
      [],
    );
  });

  it('is masked in texts that people read, with its ends', async () => {
    const { 'paynet-order-id': orderId } = await demo.saleUntilFinal({ order_desc: `paid by ${groupsBy('-')(CARD)}` });
    const [row] = await gateway.query(`select details from orders where order_id = ${orderId}`);
    expect(row?.details).toMatchObject({ description: 'paid by 411111******1111' });
  });

  it('as an idempotency key still stands for one request, and as a nonce is still taken once', async () => {
    const key = { headers: { 'idempotency-key': marker() } };
    const fields = demo.signedSale();
    const [first, again] = [
      await demo.post('/api/v2/sale/101', fields, key),
      await demo.post('/api/v2/sale/101', fields, key),
    ];
    expect(again.body).toMatchObject({ 'paynet-order-id': first.body['paynet-order-id'] });
    expect(again.body['serial-number']).toBe(first.body['serial-number']);
    const nonce = marker();
    const fields4 = () => ({ client_orderid: newOrderId(), currency: 'USD', amount: '1.00', rp_card_type: 'DST' });
    const ask = () =>
      demo.oauth('/api/v4/create-recurring-payment', { ...fields4(), credit_card_number: CARD }, { nonce });
    const replies = await gateway.clock.standStillFor(async () => [await ask(), await ask()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('as an id is refused when it is the card of the order, and otherwise kept, counted and warned about', async () => {
    for (const spell of [SPELLINGS.plain, SPELLINGS.dashes, SPELLINGS['Arabic digits']]) {
      const { body } = await demo.sale({ client_orderid: `x${spell?.(CARD)}` });
      expect(body).toMatchObject({ errors: [{ field: 'client_orderid' }] });
    }
    const clientOrderId = marker();
    markers.pop();
    expect(await demo.saleUntilFinal({ client_orderid: clientOrderId })).toMatchObject({
      'merchant-order-id': clientOrderId,
    });
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^tender_card_like_order_ids_total [1-9]/m);
    expect(gateway.log.filter((line) => line.includes('could be a card number'))).toHaveLength(1);
  });
});
