// The page that STATUS names with `receipt-id`: what it tells, to whom, and what it never tells.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/domain/merchant/look.ts';
import { TEXTS } from '../../src/web/checkout/language.ts';
import { CARD, describeGateway, type Fields, newOrderId, type ReplyBody } from '../harness.ts';
import { openForm } from './form-payer.ts';
import { returnedPayout } from './whole-life.ts';

describeGateway('receipts', {}, (gateway) => {
  const { demo } = gateway;

  afterAll(async () => {
    await gateway.untilAllFinal();
  });

  const addressOf = (status: ReplyBody, endpoint = status['end-point-id']) =>
    `${gateway.origin}/paynet/view-receipt/${endpoint}/${status['receipt-id']}/`;

  async function open(address: string) {
    const reply = await fetch(address, { headers: { 'accept-language': 'en' } });
    const text = await reply.text();
    const [, main = ''] = /<main>(.*)<\/main>/s.exec(text) ?? [];
    const read = main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    return { status: reply.status, headers: reply.headers, text, read };
  }

  const statusOf = async (order: ReplyBody) =>
    (await demo.status({ client_orderid: order['merchant-order-id'] })).body as ReplyBody;

  it('tell who was paid what, when and by which card, and nothing else of payer and card', async () => {
    const status = await demo.saleUntilFinal({
      card_printed_name: 'ANN EXAMPLE',
      email: 'ann@example.com',
      phone: '+12025550123',
    });
    const { status: code, read, text, headers } = await open(addressOf(status));
    expect(code).toBe(200);
    for (const shown of [
      ...['Receipt', '$10.42', 'Paid', 'Merchant Demo merchant', 'Type Payment', 'Card VISA ending in 1111'],
      ...[`Order ${status['merchant-order-id']}`, 'On your statement TENDER*DEMO'],
      ...[`Approval code ${status['approval-code']}`, `Reference ${status['processor-rrn']}`],
    ]) {
      expect(read).toContain(shown);
    }
    for (const hidden of [CARD, CARD.slice(0, 6), 'ANN EXAMPLE', 'ann@example.com', '+12025550123']) {
      expect(text).not.toContain(hidden);
    }
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' },
      'x-content-type-options': 'nosniff',
    });
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  it('tell what was given back, and what is left', async () => {
    const order = await demo.saleUntilFinal();
    await demo.followUpUntilFinal('return', order, { amount: '4.00', currency: 'USD' });
    const address = addressOf(await statusOf(order));
    const partly = await open(address);
    expect(partly.read).toMatch(/\$10\.42 Partly refunded .* Since then Refund .* UTC \$4\.00 You have paid \$6\.42/);
    await demo.followUpUntilFinal('return', order, { amount: '6.42', currency: 'USD' });
    expect((await open(address)).read).toMatch(/\$10\.42 Refunded .* \$4\.00 Refund .* \$6\.42 You have paid \$0\.00/);
  });

  it('tell what became of money that was held', async () => {
    const fields = { client_orderid: newOrderId() };
    await demo.preauth(fields);
    const order = await demo.untilFinal(fields.client_orderid);
    const address = addressOf(order);
    expect((await open(address)).read).toMatch(/\$10\.42 Reserved .* Type Authorisation/);
    await demo.followUpUntilFinal('capture', order, { amount: '10.00', currency: 'USD' });
    expect((await open(address)).read).toMatch(
      /\$10\.00 Paid .* Amount \$10\.42 .* Collected .* \$10\.00 You have paid \$10\.00/,
    );
  });

  it('tell of what did not succeed, or not yet', async () => {
    const declined = await demo.saleUntilFinal({ cvv2: '116' });
    const { read } = await open(addressOf(declined));
    expect(read).toContain('$10.42 Declined');
    expect(read).not.toContain('On your statement');
    const { clientOrderId } = await openForm(gateway, 'sale-form');
    const waiting = (await demo.status({ client_orderid: clientOrderId })).body;
    expect((await open(addressOf(waiting))).read).toContain('$10.42 In progress');
    const verified = await openForm(gateway, 'account-verification-form');
    await verified.payer.pay();
    const checked = await demo.untilFinal(verified.clientOrderId);
    expect((await open(addressOf(checked))).read).toMatch(/Nothing is charged Confirmed .* Type Card check/);
  });

  it('tell payees where the money went, by the ends of its number', async () => {
    await demo.saleUntilFinal({ amount: '100000' });
    const [iban, payee] = ['DE89370400440532013000', '5555555555554444'];
    const money = { amount: '10.00', currency: 'USD' };
    const payer = { credit_card_number: CARD, card_printed_name: 'ANN EXAMPLE', cvv2: '123', expire_month: '12' };
    const sent: [path: string, fields: Fields, shown: RegExp][] = [
      ['/api/v4/payout', { credit_card_number: payee }, /Sent .* Type Payout .* Sent to MASTERCARD ending in 4444/],
      ['/api/v4/payout', { account_number: iban, account_name: 'Ann' }, /Sent .* Type Payout .* Sent to \S*3000/],
      [
        '/api/v4/transfer',
        { ...payer, expire_year: '2031', 'destination-card-no': payee },
        /Sent .* Type Money transfer .* Card VISA ending in 1111 Sent to MASTERCARD ending in 4444/,
      ],
    ];
    for (const [path, fields, shown] of sent) {
      const client_orderid = newOrderId();
      await demo.oauth(path, { client_orderid, ...money, ...fields });
      const { read, text } = await open(addressOf(await demo.untilFinal(client_orderid)));
      expect(read).toMatch(/\$10\.00 Sent/);
      expect(read).toMatch(shown);
      for (const hidden of [CARD, payee, iban, iban.slice(0, 8), payee.slice(0, 6)]) expect(text).not.toContain(hidden);
      expect(read).not.toContain('You have paid');
      // Only a transfer is charged to a card.
      expect(read.includes('On your statement')).toBe(path === '/api/v4/transfer');
    }
  });

  it('say that a payout was returned once its bank has returned it, and not that it was sent', async () => {
    const usd = { amount: '10.00', currency: 'USD', order_desc: 'Winnings' };
    const paid = await returnedPayout(gateway, { ...usd, credit_card_number: CARD });
    const { read } = await open(addressOf(paid));
    expect(read).toMatch(/\$10\.00 Returned .* Type Payout .* Since then Returned by the bank .* \$10\.00/);
    expect(read).not.toMatch(/\$10\.00 Sent|You have paid|Refund/);
  });

  it.each(LANGUAGES)('speak %s', async (language) => {
    const status = await demo.saleUntilFinal();
    const { text } = await open(`${addressOf(status)}?lang=${language}`);
    expect(text).toContain(`<html lang="${language}"`);
    for (const shown of [TEXTS[language].receipt, TEXTS[language].standingPaid]) expect(text).toContain(shown);
    expect(text).toContain(`/view-receipt/101/${status['receipt-id']}/?lang=`);
  });

  it('are found by the group too, and without the last slash', async () => {
    const status = await demo.saleUntilFinal();
    for (const address of [addressOf(status, '200'), addressOf(status).slice(0, -1)]) {
      expect((await open(address)).status).toBe(200);
    }
  });

  it('of orders whose ids were random are found as well', async () => {
    const status = await demo.saleUntilFinal();
    const receiptId = randomUUID();
    await gateway.query(`update orders set receipt_id = '${receiptId}' where order_id = ${status['paynet-order-id']}`);
    expect((await open(addressOf({ ...status, 'receipt-id': receiptId }))).status).toBe(200);
    // The one it had before names it no more.
    expect((await open(addressOf(status))).status).toBe(404);
  });

  describe('of nobody’s business', () => {
    it('are one page that tells nothing, whatever is wrong', async () => {
      const status = await demo.saleUntilFinal();
      const { id } = await gateway.newMerchant();
      const receiptId = status['receipt-id'] as string;
      const guessed = receiptId.slice(0, -1) + (receiptId.endsWith('0') ? '1' : '0');
      const wrong = [
        ...[guessed, randomUUID(), '00000000-0000-8001-8000-000000000000', status['paynet-order-id'], 'x', ''].map(
          (one) => addressOf({ ...status, 'receipt-id': one }),
        ),
        // Another endpoint of the merchant, another merchant's, one that is none.
        ...['102', String(id), '999999', '0', 'x'].map((endpoint) => addressOf(status, endpoint)),
        addressOf({ ...status, 'receipt-id': receiptId.toUpperCase() }),
        `${addressOf(status)}more`,
      ];
      const pages = await Promise.all(wrong.map(open));
      expect(pages.map(({ status: code }) => code)).toEqual(wrong.map(() => 404));
      expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
      expect(pages[0]?.text).not.toMatch(/Demo merchant|10\.42/);
    });

    it('cannot be guessed from others', async () => {
      const orders = await Promise.all(Array.from({ length: 8 }, () => demo.saleUntilFinal()));
      const random = orders.map((order) => (order['receipt-id'] as string).slice(17));
      expect(new Set(random).size).toBe(orders.length);
    });
  });
});
