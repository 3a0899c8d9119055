// A sale from the merchant's side: how it ends, for each card of the sandbox, and how amounts are read and written.

import { describe, expect, it } from 'vitest';
import { CARD, describeGateway, MEDIA_TYPE, newOrderId } from '../harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeGateway('a sale', {}, (gateway) => {
  const { demo } = gateway;

  it('is acknowledged at once, as processing, with an order id of the service', async () => {
    const clientOrderId = newOrderId();
    const { status, headers, body } = await demo.sale({ client_orderid: clientOrderId });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(MEDIA_TYPE);
    expect(body).toEqual({
      type: 'async-response',
      'serial-number': expect.stringMatching(UUID),
      'merchant-order-id': clientOrderId,
      'paynet-order-id': expect.stringMatching(/^[1-9]\d{0,15}$/),
      'end-point-id': '101',
      status: 'processing',
    });
    expect(Number.isSafeInteger(Number(body['paynet-order-id']))).toBe(true);
    await demo.untilFinal(clientOrderId);
  });

  it('that the bank approves is authorised there once, for the signed amount', async () => {
    const status = await demo.saleUntilFinal({ amount: '1042' });
    expect(status).toMatchObject({ status: 'approved', 'order-stage': 'sale_approved', amount: '1042' });
    expect(status['error-code']).toBeUndefined();
    const booked = await gateway.bookedFor(status['paynet-order-id']);
    expect(booked).toMatchObject([{ outcome: 'approved', amount: { minor: 1042n, currency: 'USD' } }]);
    expect(booked[0]).toMatchObject({ approvalCode: status['approval-code'], rrn: status['processor-rrn'] });
  });

  describe('ends as the security code of the sandbox says', () => {
    it.each([
      ['123', 'approved', undefined, undefined],
      ['1234', 'approved', undefined, undefined],
      ['111', 'approved', undefined, undefined],
      ['101', 'declined', '101', 'The card has expired.'],
      ['116', 'declined', '116', 'There are not enough funds.'],
      ['119', 'declined', '119', 'The cardholder may not make this kind of payment.'],
      ['209', 'declined', '209', 'The card was reported stolen.'],
      ['321', 'declined', '100', 'The bank declined the payment without giving a reason.'],
      ['999', 'declined', '100', 'The bank declined the payment without giving a reason.'],
    ])('%s: %s, code %s', async (cvv2, status, code, message) => {
      const reply = await demo.saleUntilFinal({ cvv2 });
      expect(reply).toMatchObject({ status, 'order-stage': `sale_${status}` });
      expect(reply['error-code']).toBe(code);
      expect(reply['error-message']).toBe(message);
      expect(reply['approval-code'] === undefined).toBe(status === 'declined');
    });
  });

  it('the bank holds in doubt is unknown first, and approved when the bank has made up its mind', async () => {
    const clientOrderId = newOrderId();
    const { body } = await demo.sale({ client_orderid: clientOrderId, cvv2: '217' });
    const seen = new Set<string>();
    for (let polls = 0; polls < 50 && !seen.has('unknown'); polls++) {
      seen.add((await demo.status({ client_orderid: clientOrderId })).body.status);
    }
    expect([...seen]).toContain('unknown');
    await gateway.untilAllFinal();
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    expect(await gateway.bookedFor(body['paynet-order-id'])).toMatchObject([{ outcome: 'approved' }]);
  });

  it('takes a card number written in groups, a short year and field names with dashes', async () => {
    const clientOrderId = newOrderId();
    const reply = await demo.saleUntilFinal(
      {
        client_orderid: undefined,
        'client-order-id': clientOrderId,
        credit_card_number: undefined,
        'credit-card-number': '4111 1111-1111 1111',
        expire_year: '31',
        expire_month: '1',
      },
      { signs: { client_orderid: clientOrderId } },
    );
    expect(reply).toMatchObject({
      status: 'approved',
      'merchant-order-id': clientOrderId,
      bin: CARD.slice(0, 6),
      'last-four-digits': '1111',
      'card-exp-year': '2031',
      'card-exp-month': '01',
    });
  });

  it('ignores parameters it does not know', async () => {
    expect(await demo.saleUntilFinal({ loyalty_points: '7', 'x-shop': '' })).toMatchObject({ status: 'approved' });
  });

  describe('reads its amount by the signature and answers in the same notation', () => {
    it.each([
      ['1042', 'USD', 101, '1042', 1042n, '1042'],
      ['1042', 'USD', 101, '104200', 104_200n, '1042.00'],
      ['10.42', 'USD', 101, '1042', 1042n, '10.42'],
      ['10.4', 'USD', 101, '1040', 1040n, '10.40'],
      ['0.01', 'USD', 101, '1', 1n, '0.01'],
      ['9999999999', 'USD', 101, '9999999999', 9_999_999_999n, '9999999999'],
      ['99999999.99', 'USD', 101, '9999999999', 9_999_999_999n, '99999999.99'],
      ['1042', 'JPY', 104, '1042', 1042n, '1042'],
      ['1.042', 'KWD', 115, '1042', 1042n, '1.042'],
      ['1042', 'KWD', 115, '1042', 1042n, '1042'],
      ['1042', 'KWD', 115, '1042000', 1_042_000n, '1042.000'],
    ])('%s %s on %i signed as %s', async (amount, currency, endpoint, signed, minor, shown) => {
      if (endpoint === 115 && !(await hasKuwait())) await gateway.addEndpoint({ endpointId: 115, currency: 'KWD' });
      const reply = await demo.saleUntilFinal({ amount, currency }, { endpoint, signs: { amount: signed } });
      expect(reply).toMatchObject({ status: 'approved', amount: shown, 'initial-amount': shown, currency });
      expect(await gateway.bookedFor(reply['paynet-order-id'])).toMatchObject([{ amount: { minor, currency } }]);
    });

    const hasKuwait = async () => (await gateway.query('select 1 from endpoints where endpoint_id = 115')).length > 0;
  });

  it('is not taken when the signature covers another amount in neither notation', async () => {
    const { status, body } = await demo.sale({ amount: '10.42' }, { signs: { amount: '10.42' } });
    expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '20' });
  });

  it('is signed in upper or lower case', async () => {
    const clientOrderId = newOrderId();
    const first = await demo.sale({ client_orderid: clientOrderId });
    const { control } = demo.signedSale({ client_orderid: clientOrderId }) as { control: string };
    const again = await demo.sale({ client_orderid: clientOrderId, control: control.toUpperCase() });
    expect(again.status).toBe(200);
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
  });

  it('is signed over values with or without the white space around them', async () => {
    const clientOrderId = newOrderId();
    const padded = { client_orderid: `  ${clientOrderId} `, email: ' ann@example.com' };
    const trimmed = await demo.sale(padded, { signs: { client_orderid: clientOrderId, email: 'ann@example.com' } });
    const raw = await demo.sale(padded);
    expect([trimmed.status, raw.status]).toEqual([200, 200]);
    expect(trimmed.body['merchant-order-id']).toBe(clientOrderId);
    expect(raw.body['paynet-order-id']).toBe(trimmed.body['paynet-order-id']);
    const mixed = await demo.sale(padded, { signs: { email: 'ann@example.com' } });
    expect(mixed.body['error-code']).toBe('20');
  });

  it('leaves the ledger and the bank in agreement', async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
