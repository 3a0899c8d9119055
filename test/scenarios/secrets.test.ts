// What must not be found afterwards: card numbers and security codes in the log, the journal, any table or any file.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CVV_MS } from '../../src/domain/order/retry-schedule.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { describeGateway, encode, type TestGateway } from '../harness.ts';
import { openForm } from './form-payer.ts';

// A number and a code that nothing else here uses.
const NUMBER = '4485275742308327';
const CODE = '7391';
const GROUPED = '4485 2757 4230 8327';

/** Every row of every table as text; bytes also as the text they may spell. */
async function dump(gateway: TestGateway): Promise<string> {
  const tables = await gateway.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await gateway.query(`select t::text as row from ${name} t`)) {
      parts.push(`${name} ${row}`);
      for (const [, hex] of String(row).matchAll(/\\x([0-9a-f]+)/g)) {
        parts.push(Buffer.from(hex as string, 'hex').toString('latin1'));
      }
    }
  }
  return parts.join('\n');
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const spellings = (number: string) => [number, GROUPED, GROUPED.replaceAll(' ', '-'), GROUPED.replaceAll(' ', '+')];

describeGateway('a card', {}, (gateway) => {
  const { demo } = gateway;

  it('is not told by an id, whichever operation takes the card', async () => {
    const { client, id } = await gateway.newMerchant();
    await client.saleUntilFinal({ amount: '5000' }, { endpoint: id });
    const named = { client_orderid: `card ${NUMBER}`, currency: 'USD' };
    const asked = [
      await client.oauth('/api/v4/payout', { ...named, amount: '1', credit_card_number: NUMBER }, { endpoint: id }),
      await client.oauth(
        '/api/v4/transfer',
        { ...named, amount: '1', deposit2card: 'true', 'destination-card-no': NUMBER },
        { endpoint: id },
      ),
      await client.oauth(
        '/api/v4/create-recurring-payment',
        { ...named, amount: '1', rp_card_type: 'DST', credit_card_number: NUMBER },
        { endpoint: id },
      ),
      await client.oauth(
        '/api/v2/pan-eligibility/receive',
        { client_orderid: `card ${NUMBER}`, 'receiving-card-number': NUMBER },
        { endpoint: id },
      ),
    ];
    for (const { body } of asked) expect(body).toMatchObject({ errors: [{ field: 'client_orderid', code: '2' }] });
    const tables = await dump(gateway);
    expect(tables.split('\n').filter((line) => line.includes(NUMBER))).toEqual([]);
  });

  it('leaves neither number nor security code behind, whatever became of the request', async () => {
    const card = { credit_card_number: NUMBER, cvv2: CODE };
    const bodies = [
      (await demo.sale({ ...card, credit_card_number: GROUPED })).body,
      (await demo.sale({ ...card, amount: '-1' })).body,
      (await demo.sale(card, { key: 'guessed' })).body,
      (await demo.sale({ ...card, expire_year: '2020' })).body,
      (await demo.sale({ ...card, card_printed_name: GROUPED })).body,
      (await demo.sale({ ...card, client_orderid: `card ${NUMBER}`, amount: '-1' })).body,
      (await demo.sale({ ...card, order_desc: `\u0001${NUMBER}` })).body,
      (await demo.sale({ ...card, order_desc: `card ${GROUPED}` })).body,
      (await demo.sale({ ...card, client_orderid: `card ${NUMBER}` })).body,
      (await demo.sale({ ...card, client_orderid: GROUPED })).body,
      (await demo.followUp('return', await demo.saleUntilFinal(), { comment: `back to ${GROUPED}, ${NUMBER}` })).body,
      (await demo.sale({ ...card, [NUMBER]: 'x', [`${NUMBER} `]: 'y' })).body,
      (await demo.sale({ [GROUPED.replaceAll(' ', '-')]: 'x' })).body,
      (await demo.sale({ order_desc: `paid with ${GROUPED}`, address1: NUMBER, city: GROUPED.replaceAll(' ', '-') }))
        .body,
      (await demo.sale({ customer_browser_user_agent: `Mozilla ${NUMBER}`, purpose: `for ${NUMBER}` })).body,
      (await demo.post('/api/v2/capture/101', demo.signedSale(card))).body,
      (await demo.post('/api/v2/nothing/101', demo.signedSale(card))).body,
      (await demo.post(`/api/v2/sale/${NUMBER}`, demo.signedSale(card))).body,
      (await demo.post('/api/v2/sale/101', {}, { rawBody: `${encode(demo.signedSale(card))}&credit-card-number=1` }))
        .body,
      (await demo.post('/api/v2/sale/101', {}, { rawBody: `${encode(card)}&%zz` })).body,
    ];
    await gateway.untilAllFinal();
    for (const body of bodies) await gateway.journalLine(body);

    const log = gateway.log.join('');
    const tables = await dump(gateway);
    for (const written of spellings(NUMBER)) {
      expect(log).not.toContain(written);
      expect(tables.split('\n').filter((line) => line.includes(written))).toEqual([]);
    }
    expect(log).not.toMatch(new RegExp(`(?<![\\da-f-])${CODE}(?![\\da-f-])`));
    for (const line of tables.split('\n')) {
      if (line.startsWith('journal ')) expect(line).not.toMatch(new RegExp(`cvv[^,]*${CODE}`));
    }
  });

  it('leaves a masked line in the journal, with the reply and how long it took', async () => {
    const accepted = await demo.sale({ credit_card_number: NUMBER });
    const line = await gateway.journalLine(accepted.body);
    expect(line).toMatchObject({
      operation: 'SALE',
      path_id: '101',
      merchant_id: '1',
      order_id: accepted.body['paynet-order-id'],
      http_status: 200,
      error_code: null,
      reply: accepted.body,
    });
    expect(line.request).toMatchObject({
      credit_card_number: '448527******8327',
      cvv2: '***',
      control: '***',
      amount: '1042',
      email: 'ann@example.com',
    });
    expect(line.milliseconds).toBeGreaterThan(0);
    expect(line.milliseconds).toBeLessThan(30_000);
  });

  it('leaves a masked line for a refused request too', async () => {
    const refused = await demo.sale({ credit_card_number: NUMBER, expire_month: '13' });
    const line = await gateway.journalLine(refused.body);
    expect(line).toMatchObject({ http_status: 400, error_code: 2, order_id: null, reply: refused.body });
    expect(line.request).toMatchObject({ credit_card_number: '448527******8327', cvv2: '***', expire_month: '13' });
    expect(line.milliseconds).toBeGreaterThan(0);
  });

  it.each(['123', '116'])('with security code %s is final, and the code is gone', async (cvv2) => {
    const { 'paynet-order-id': orderId } = await demo.saleUntilFinal({ cvv2 });
    const rows = await gateway.query(`select sealed_cvv from transactions where order_id = ${orderId}`);
    expect(rows).toEqual([{ sealed_cvv: null }]);
  });

  it('is nowhere in the files of the service either', async () => {
    await demo.saleUntilFinal({ credit_card_number: NUMBER, cvv2: '1234' });
    for (const path of await filesUnder(gateway.dataFolder)) {
      const bytes = await readFile(path);
      for (const written of spellings(NUMBER)) {
        expect({ path, found: bytes.includes(written) }).toEqual({ path, found: false });
      }
    }
  });
});

describeGateway('a security code the bank has not answered for', { faults: { loseRequestRate: 1 } }, (gateway) => {
  const { demo } = gateway;
  const sealed = async (orderId: string) => {
    const [row] = await gateway.query(`select sealed_cvv from transactions where order_id = ${orderId}`);
    return row?.sealed_cvv;
  };

  afterAll(async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
  });

  describe('is kept sealed', () => {
    it('while the payment may still have to be sent again, and for a limited time', async () => {
      const { body } = await demo.sale({ cvv2: CODE });
      const orderId = body['paynet-order-id'];
      const bytes = (await sealed(orderId)) as Buffer;
      expect(bytes).toBeInstanceOf(Buffer);
      expect(bytes.includes(CODE)).toBe(false);

      const store = orderStore(gateway.database);
      await store.forgetExpired(gateway.clock.now() + CVV_MS - 5_000);
      expect(await sealed(orderId)).not.toBeNull();
      await store.forgetExpired(gateway.clock.now() + CVV_MS + 1_000);
      expect(await sealed(orderId)).toBeNull();
    });

    it('just as long when it was entered on a hosted form', async () => {
      const { orderId, payer } = await openForm(gateway, 'sale-form');
      await payer.pay({ cvv2: CODE });
      const [row] = await gateway.query(`select card_given_at from transactions where order_id = ${orderId}`);
      const givenAt = Number(row?.card_given_at as Date);

      const store = orderStore(gateway.database);
      await store.forgetExpired(givenAt + CVV_MS);
      expect(await sealed(orderId)).not.toBeNull();
      await store.forgetExpired(givenAt + CVV_MS + 1);
      expect(await sealed(orderId)).toBeNull();
    });
  });
});
