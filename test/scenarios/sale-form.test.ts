// Hosted forms as a merchant asks for them, and as a browser without scripts would fill them in.

import { describe, expect, it } from 'vitest';
import { CARD, describeGateway } from '../harness.ts';
import { openForm, Payer } from './payer.ts';

describeGateway('a sale form', {}, (gateway) => {
  it('answers with the page on which the payer pays', async () => {
    const { reply, address } = await openForm(gateway, 'sale-form');
    expect(reply.body).toMatchObject({ type: 'async-form-response', status: 'processing', 'end-point-id': '101' });
    expect(address).toMatch(/^http:\/\/localhost:\d+\/paynet\/pay\/[\w-]+$/);
    const payer = new Payer(gateway, address);
    const page = await payer.open();
    expect(page.status).toBe(200);
    expect(page.text).toContain('$10.42');
    const sent = await payer.pay();
    expect(sent.status).toBe(303);
    const status = await gateway.demo.untilFinal(reply.body['merchant-order-id']);
    expect(status).toMatchObject({ status: 'approved', 'last-four-digits': CARD.slice(-4), 'transaction-type': 'sale' });
    expect((await payer.open()).text).toContain('Payment received');
  });
});

describe('nothing', () => it('is', () => expect(1).toBe(1)));
