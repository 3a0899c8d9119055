import { expect, it } from 'vitest';
import { describeGateway, type ReplyBody, until } from '../harness.ts';
import type { TestShop } from '../test-shop.ts';

const NAMES = [
  ...['status', 'merchant_order', 'client_orderid', 'orderid', 'type', 'amount', 'currency', 'descriptor'],
  ...['error_code', 'error_message', 'name', 'card-holder-name', 'email', 'phone', 'approval-code', 'last-four-digits'],
  ...['bin', 'card-type', 'gate-partial-reversal', 'gate-partial-capture', 'reason-code', 'processor-rrn'],
  ...['processor-tx-id', 'comment', 'merchantdata', 'serial-number', 'control'],
];

/** The callbacks of an order, once there are so many. */
async function toldOf(shop: TestShop, order: ReplyBody, count = 1) {
  await until(`${count} callbacks came`, () => shop.of(order).length >= count);
  return shop.of(order);
}

describeGateway('callbacks', {}, (gateway) => {
  it('tell how a sale ended, with everything a merchant knows it by', async () => {
    const shop = await gateway.shop();
    const links = { server_callback_url: shop.url('/paid?shop=7'), merchant_data: 'basket 12 & more' };
    const sale = await gateway.demo.saleUntilFinal({ amount: '10.42', ...links });
    const [told] = await toldOf(shop, sale);
    expect(told).toMatchObject({
      method: 'GET',
      path: '/paid',
      fields: {
        shop: '7',
        status: 'approved',
        client_orderid: sale['merchant-order-id'],
        merchant_order: sale['merchant-order-id'],
        orderid: sale['paynet-order-id'],
        type: 'sale',
        amount: '10.42',
        currency: 'USD',
        'approval-code': sale['approval-code'],
        'processor-rrn': sale['processor-rrn'],
        'card-holder-name': 'ANN EXAMPLE',
        'last-four-digits': '1111',
        bin: '411111',
        email: 'ann@example.com',
        merchantdata: 'basket 12 & more',
        error_code: '',
      },
    });
    expect(Object.keys(told?.fields ?? {})).toEqual(['shop', ...NAMES]);
    expect(shop.complaints).toEqual([]);
  });
});
