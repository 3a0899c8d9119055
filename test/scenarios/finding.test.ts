// Finding orders, requests and callbacks as people do, through the verbs, and a sandbox that was filled to try it in.

import { expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { verifyDatabase } from '../../src/cli/commands/verify.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { NotForSeeding, seedOrders } from '../../src/processing/node/seeding.ts';
import { idCounter } from '../../src/storage/id-counter.ts';
import { seedStore } from '../../src/storage/orders/seeded-orders.ts';
import { CARD, describeGateway, type TestGateway } from '../harness.ts';

const EMAIL = 'Finding.Ann@example.com';

describeGateway('finding an order', {}, (gateway) => {
  const ask = asking(gateway);
  const ids = async (given: Given) => (await ask('listOrders', given)).found.map(({ orderId }) => orderId);

  it('by everything a payer, a bank or a merchant may say of it, together and alone', async () => {
    const sale = await gateway.demo.saleUntilFinal({ email: EMAIL, ipaddress: '198.51.100.77', amount: '7777' });
    const other = await gateway.demo.saleUntilFinal({ cvv2: '124' });
    const orderId = Number(sale['paynet-order-id']);
    const { transactions, createdAt, clientOrderId } = await ask('showOrder', { orderId });
    const [{ rrn, approvalCode } = { rrn: null, approvalCode: null }] = transactions;
    const known: Given = {
      orderId,
      clientOrderId,
      rrn,
      approvalCode,
      card: `${CARD.slice(0, 6)}******${CARD.slice(-4)}`,
      email: EMAIL.toLowerCase(),
      address: '198.51.100.77',
      amount: '77.77',
      currency: 'USD',
      status: 'approved',
      operation: 'sale',
      endpointId: 101,
      terminal: 'demo-bank',
      from: createdAt,
      to: new Date(Date.parse(createdAt) + 1).toISOString(),
      login: 'demo',
    };
    expect(await ids(known)).toEqual([orderId]);
    for (const [name, value] of Object.entries(known)) {
      const also = name === 'amount' ? { currency: 'USD' } : {};
      expect(await ids({ [name]: value, ...also }), name).toContain(orderId);
    }
    const wrong = { amount: '77.76', email: 'nobody@example.com', card: '0000', rrn: '0', status: 'declined' };
    for (const [name, value] of Object.entries(wrong)) {
      expect(await ids({ ...known, [name]: value }), name).toEqual([]);
    }
    expect(await ids({ status: 'declined' })).toContain(Number(other['paynet-order-id']));
  });

  it('refuses a whole card number in one line that does not repeat it', async () => {
    for (const name of ['card', 'email', 'rrn', 'address', 'terminal']) {
      const refused = await ask('listOrders', { [name]: CARD }).catch((error: Error) => error.message);
      expect(refused).toMatch(/card number is not taken here/);
      expect(refused).not.toContain(CARD.slice(6, 12));
    }
  });

  it('refuses a mark that is damaged or of another search', async () => {
    const { next } = await ask('listOrders', { login: 'demo', limit: 1 });
    expect(await ask('listOrders', { login: 'demo', limit: 1, after: next })).toMatchObject({ found: [{}] });
    for (const given of [{ login: 'demo', after: `${next}x` }, { after: next }, { login: 'demo', after: 'AAAA' }]) {
      await expect(ask('listOrders', given)).rejects.toThrow(/^after: this is no mark of this search/);
    }
  });

  it('finds requests, the refused ones too', async () => {
    const sale = await gateway.demo.saleUntilFinal();
    const refused = await gateway.demo.sale({ amount: '-1' });
    await gateway.journalLine(sale);
    await gateway.journalLine(refused.body);
    const found = await ask('listRequests', { login: 'demo', refused: true, limit: 1 });
    expect(found).toMatchObject({ found: [{ operation: 'SALE', serialNumber: refused.body['serial-number'] }] });
    expect(JSON.stringify(found)).not.toContain('request"');
    const orderId = Number(sale['paynet-order-id']);
    const ofOrder = await ask('listRequests', { orderId, operation: 'sale' });
    expect(ofOrder.found).toMatchObject([{ orderId, login: 'demo', httpStatus: 200, errorCode: null }]);
  });
});

describeGateway('a sandbox that is filled with made-up orders', {}, (gateway) => {
  const seed = (count: number, told: (done: number) => void = () => {}) => {
    const { configuration, vault } = gateway.store;
    const { clock, database } = gateway;
    const takeIds = (ids: number) => idCounter(database).take(ids);
    return seedOrders({ clock, configuration, vault, seeds: seedStore(database), takeIds }, count, told);
  };

  it('passes every check, and its orders are found', async () => {
    let done = 0;
    await seed(2_000, (now) => {
      done = now;
    });
    expect(done).toBe(2_000);
    const ask = asking(gateway);
    const verified = await verifyDatabase({ ask } as Parameters<typeof verifyDatabase>[0]);
    expect(verified).toMatchObject({ ok: true, violations: [] });
    expect(verified.checked.orders).toBe(2_000);
    const { found, next } = await ask('listOrders', { status: 'declined', limit: 50 });
    expect([found.length, next === null]).toEqual([50, false]);
    const [{ orderId, login } = { orderId: 0, login: '' }] = found;
    expect(login).toMatch(/^seed-\d$/);
    const { card } = await ask('showOrder', { orderId });
    const digits = /^(\d{6})\D+(\d{4})/.exec(card ?? '');
    const byCard = await ask('listOrders', { card: `${digits?.[1]}******${digits?.[2]}` });
    expect(byCard.found.map((one) => one.orderId)).toContain(orderId);
  });

  it('is refused where merchants are that somebody made', async () => {
    await gateway.newMerchant();
    await expect(seed(1)).rejects.toThrow(NotForSeeding);
  });
});

function asking(gateway: TestGateway) {
  return <V extends VerbName>(verb: V, given: Given = {}) => {
    const { clock } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
}
