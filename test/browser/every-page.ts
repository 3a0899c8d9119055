// Every page a payer can see, and how to get there.

import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { PayerLinks } from '../../src/processing/checkout/payer-links.ts';
import { lookStore } from '../../src/storage/looks.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { CARD, type Fields, newOrderId, type ReplyBody, type TestGateway, until } from '../harness.ts';
import { asking, BROWSER, begun, finalOf, sale, untilPayersTurn } from '../scenarios/authenticating.ts';
import { type Asking, hiddenFields, opened, openForm, type Payer } from '../scenarios/form-payer.ts';
import { formOf, Payer as PlainBrowser, passChallenge } from '../scenarios/payer.ts';
import { pay } from './card-page.ts';

/** A page: its address, and what is done before it is looked at. */
export type Shown = {
  readonly address: string;
  /** Its script would leave it at once. */
  readonly withoutScript?: true;
  readonly first?: (page: Page) => Promise<unknown>;
};

const DECLINED = { cvv2: '116' };
const TRANSFER = {
  ...{
    credit_card_number: CARD,
    card_printed_name: 'ANN EXAMPLE',
    expire_month: '12',
    expire_year: '2031',
    cvv2: '123',
  },
  'destination-card-no': '5555555555554444',
};
const LINKS = { redirect_url: 'https://shop.example/back' };

/** A picture as a merchant's logo may be: a ring on green. */
function logo(width = 240, height = 96): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - height / 2, y - height / 2);
      const isDrawn = (away > 22 && away < 34) || (x > 110 && x < 210 && y > 40 && y < 56);
      row.set(isDrawn ? [255, 255, 255] : [11, 107, 58], 1 + x * 3);
    }
    return row;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(checksum(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const pixels = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** CRC-32, which Node 20 does not offer. */
function checksum(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

async function untilState(payer: Payer, state: string): Promise<void> {
  await until(`the payer's state is ${state}`, async () => (await payer.state()) === state);
}

async function fails(payer: Payer, times: number): Promise<void> {
  for (let time = 1; time <= times; time++) {
    await payer.pay(DECLINED);
    await untilState(payer, time === 3 ? 'locked' : 'card');
  }
}

/** The public address of the interface; the port is known once the gateway is open. */
const gatewayHome = (gateway: TestGateway) => () => `${gateway.origin.replace('127.0.0.1', 'localhost')}/paynet`;

/** A browser says that the payer has passed; nobody else has said so yet. */
async function unconfirmed(address: string): Promise<string> {
  const browser = new PlainBrowser();
  const { creq = '' } = formOf(await browser.openWhenReady(address)).fields;
  const { challengeWindowSize: _, ...ids } = JSON.parse(Buffer.from(creq, 'base64url').toString());
  const cres = Buffer.from(JSON.stringify({ ...ids, messageType: 'CRes', transStatus: 'Y' })).toString('base64url');
  await browser.send({ action: address.replace('/3ds/', '/3ds/notify/'), fields: { cres }, target: undefined });
  return address;
}

/** `wait` and `expired` change the bank and the clock, so they come last. */
export function everyPage(gateway: TestGateway): Record<string, () => Promise<Shown>> {
  const home = gatewayHome(gateway);
  const form = async (operation: Parameters<typeof openForm>[1], changes: Fields = {}, asking: Asking = {}) => {
    const { address } = await openForm(gateway, operation, changes, asking);
    return { address };
  };
  const paid = async (operation: Parameters<typeof openForm>[1], state = 'approved') => {
    const { address, payer } = await openForm(gateway, operation, LINKS);
    await payer.pay();
    await untilState(payer, state);
    return { address };
  };
  /** The result of an order whose card the merchant sent. */
  const resultOf = (status: ReplyBody) => {
    const orderId = Number(status['paynet-order-id']);
    const link = { merchantId: 1, orderId, until: gateway.clock.now() + 60_000 };
    const token = new PayerLinks(gateway.store.vault).tokenOf(link);
    return { address: `${home()}/pay/${token}` };
  };
  const direct = async (stage: string) => {
    const status = await gateway.demo.saleUntilFinal({ cvv2: '116' });
    await gateway.query(`update transactions set stage = '${stage}' where order_id = ${status['paynet-order-id']}`);
    return resultOf(status);
  };
  const payout = async (sign: boolean, amount = '4.00') => {
    const fields = { client_orderid: newOrderId(), amount, currency: 'USD', order_desc: 'Your winnings' };
    const reply = sign
      ? await gateway.demo.oauth('/api/v2/payout-form', fields)
      : await gateway.demo.post('/api/v2/payout-form/101', fields);
    return opened(gateway, reply);
  };
  const secure = async (card: keyof typeof TEST_CARDS, told: Fields = BROWSER) =>
    (await asking(gateway, TEST_CARDS[card], told))['redirect-to'] as string;
  const ended = async (card: keyof typeof TEST_CARDS, ...answers: string[]) => {
    const order = await begun(gateway, sale(TEST_CARDS[card], BROWSER));
    if (answers.length > 0) await passChallenge(new PlainBrowser(), await untilPayersTurn(gateway, order), ...answers);
    return resultOf(await finalOf(gateway, order));
  };
  const receiptOf = (status: ReplyBody) => ({
    address: `${home()}/view-receipt/${status['end-point-id']}/${status['receipt-id']}/`,
  });
  const ownLook = async () => {
    const { client, id } = await gateway.newMerchant({ sandbox: false });
    const texts = {
      intro: { all: 'Thank you for choosing Ann’s Socks.' },
      help: { all: 'Questions? help@socks.example' },
    };
    const look = { name: 'Ann’s Socks', accent: '#0b6b3a', background: '#f3f7f2', texts };
    const picture = { type: 'image/png', digest: '00112233aabbccdd', bytes: logo() } as const;
    await lookStore(gateway.database).set({ endpointId: id, merchantId: id }, look, picture);
    await gateway.refresh();
    return { client, endpoint: id };
  };
  const question = (page: Page) => page.locator('#password').waitFor();
  return {
    'sale-form': () => form('sale-form'),
    'preauth-form': () => form('preauth-form', { amount: '1250.00', order_desc: 'Hotel Seeblick, 3 nights' }),
    'verification-form': () => form('account-verification-form', { order_desc: 'A card for your account' }),
    'payment-form': async () => {
      const requiredFields = [
        'first_name',
        'last_name',
        'phone',
        'birthday',
        'address1',
        'city',
        'zip_code',
        'country',
      ];
      const { client, id } = await gateway.newMerchant({ requiredFields });
      return form('payment-form', { control: undefined, email: undefined }, { client, endpoint: id });
    },
    'payout-form': () => payout(false),
    'own-look': async () => form('sale-form', {}, await ownLook()),
    typing: async () => ({
      ...(await form('sale-form')),
      first: async (page) => {
        await page.locator('#credit_card_number').pressSequentially('5555555555554444');
        await page.locator('#expiry').pressSequentially('0120');
        await page.locator('#cvv2').focus();
      },
    }),
    'wrong-fields': async () => ({
      ...(await form('sale-form')),
      // As the server answers when no script has looked before.
      first: async (page) => {
        await page.evaluate('document.querySelector("form[data-card-form]").submit()');
        await page.getByRole('alert').waitFor();
      },
    }),
    'another-card': async () => {
      const { address, payer } = await openForm(gateway, 'sale-form', LINKS);
      await fails(payer, 1);
      return { address };
    },
    'gave-up': async () => {
      const { address, payer } = await openForm(gateway, 'sale-form', LINKS);
      await fails(payer, 1);
      await payer.pay({ leave: 'true' });
      return { address, withoutScript: true };
    },
    'card-not-used': async () => {
      const { address, payer } = await openForm(gateway, 'sale-form');
      await fails(payer, 1);
      return {
        address,
        first: async (page) => {
          await page.evaluate('document.querySelector("[name=try]").value = "1"');
          await pay(page, { number: '5555555555554444' });
          await page.locator('[name=card_printed_name][value]').waitFor();
        },
      };
    },
    'another-payee-card': async () => {
      await gateway.demo.saleUntilFinal({ amount: '100000' });
      const { address, payer } = await payout(true, '21.16');
      await payer.pay();
      await untilState(payer, 'card');
      return { address };
    },
    'wrong-details': async () => {
      const { client, id } = await gateway.newMerchant({ requiredFields: ['phone', 'state', 'zip_code', 'country'] });
      return {
        ...(await form('payment-form', {}, { client, endpoint: id })),
        first: async (page) => {
          await page.locator('#state').fill('California');
          await page.evaluate('document.querySelector("form[data-card-form]").submit()');
          await page.getByRole('alert').waitFor();
        },
      };
    },
    locked: async () => {
      const { address, payer } = await openForm(gateway, 'sale-form', LINKS);
      await fails(payer, 3);
      return { address };
    },
    approved: () => paid('sale-form'),
    held: () => paid('preauth-form'),
    verified: () => paid('account-verification-form'),
    'card-kept': async () => {
      const { address, payer } = await payout(false);
      await payer.pay();
      return { address };
    },
    'paid-out': async () => {
      await gateway.demo.saleUntilFinal({ amount: '100000' });
      const { address, payer } = await payout(true);
      await payer.pay();
      await untilState(payer, 'approved');
      return { address };
    },
    transferred: async () => {
      const fields = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', ...TRANSFER };
      await gateway.demo.oauth('/api/v4/transfer', fields);
      return resultOf(await gateway.demo.untilFinal(fields.client_orderid));
    },
    declined: () => direct('declined'),
    'not-confirmed': () => ended('failed'),
    cancelled: () => ended('challenge', 'cancel'),
    filtered: () => direct('filtered'),
    failed: () => direct('error'),
    receipt: async () => receiptOf(await gateway.demo.saleUntilFinal()),
    'receipt-refunded': async () => {
      const order = await gateway.demo.saleUntilFinal();
      for (const amount of ['4.00', '1.50']) {
        await gateway.demo.followUpUntilFinal('return', order, { amount, currency: 'USD' });
      }
      return receiptOf(await gateway.demo.untilFinal(order['merchant-order-id']));
    },
    'receipt-own-look': async () => {
      const { client, endpoint } = await ownLook();
      return receiptOf(await client.saleUntilFinal({}, { endpoint }));
    },
    'receipt-declined': async () => receiptOf(await gateway.demo.saleUntilFinal({ cvv2: '116' })),
    'receipt-not-found': async () => ({ address: `${home()}/view-receipt/101/${randomUUID()}/` }),
    'demo-shop': async () => ({ address: `${home()}/demo` }),
    'demo-order': async () => ({
      address: `${home()}/demo`,
      first: async (page) => {
        await page.getByRole('button', { name: 'Without 3-D Secure' }).click();
        await page.getByRole('link', { name: 'Go to the payment page' }).waitFor();
      },
    }),
    'demo-paid': async () => ({
      address: `${home()}/demo`,
      first: async (page) => {
        await page.getByRole('button', { name: 'Without 3-D Secure' }).click();
        await page.getByRole('link', { name: 'Go to the payment page' }).click();
        await pay(page);
        await page.locator('form[data-return] button[type=submit]').click();
        await page.getByText('The shop knows: approved.').waitFor();
      },
    }),
    landing: async () => ({ address: home().replace('paynet', '') }),
    'demo-not-found': async () => ({ address: `${home()}/demo/orders/none` }),
    'bank-asked': async () => ({ address: await secure('challengeMethod', {}), withoutScript: true }),
    'method-page': async () => {
      const { 'redirect-to': address, ...status } = await asking(gateway, TEST_CARDS.challenge, {});
      const method = {
        action: status['tds-method-url-frame-3ds-method-url'],
        data: status['tds-method-url-frame-3ds-method-data'],
      };
      return {
        address: address as string,
        withoutScript: true,
        first: async (page) => {
          const loaded = page.waitForEvent('load');
          await page.evaluate(`(() => {
            const { action, data } = ${JSON.stringify(method)};
            const form = document.forms[0];
            form.innerHTML = '<input name="threeDSMethodData">';
            form.elements[0].value = data;
            form.action = action;
            form.submit();
          })()`);
          await loaded;
        },
      };
    },
    'to-the-bank': async () => ({ address: await secure('challenge'), withoutScript: true }),
    'the-bank': async () => ({ address: await secure('challenge'), first: question }),
    'the-bank-wrong-password': async () => ({
      address: `${home()}/demo`,
      // A question of its own for every view: there are three tries.
      first: async (page) => {
        await page.goto(await secure('challenge'));
        await question(page);
        await page.locator('#password').fill('wrong');
        await page.locator('button[value=confirm]').click();
        await page.getByRole('alert').waitFor();
      },
    }),
    'from-the-bank': async () => ({ address: await unconfirmed(await secure('challenge')) }),
    'not-found': async () => ({
      address: `${home()}/pay/${randomUUID()}`,
    }),
    'not-sent-here': async () => ({
      ...(await form('sale-form')),
      first: async (page) => {
        const loaded = page.waitForEvent('load');
        await page.evaluate(
          'document.querySelector("[name=proof]").value = "other"; document.querySelector("form").submit()',
        );
        await loaded;
      },
    }),
    wait: async () => {
      gateway.bank.faults.set({ messages: ['instruct', 'inquire'], loseAnswerRate: 1 });
      const { address, payer } = await openForm(gateway, 'sale-form');
      await payer.send(hiddenFields((await payer.open()).text));
      return { address };
    },
    expired: async () => {
      gateway.bank.faults.set({});
      const { address, payer } = await openForm(gateway, 'sale-form', LINKS);
      gateway.clock.advance(30 * 60_000);
      await untilState(payer, 'expired');
      return { address };
    },
  };
}

/** The pages on the way to a bank that asks every payer on a page of its own, and on the way back. */
export function challengePages(gateway: TestGateway): Record<string, () => Promise<Shown>> {
  const asked = async () => {
    const { body } = await gateway.demo.sale(LINKS);
    const order = { client_orderid: body['merchant-order-id'] };
    const turn = async () => (await gateway.demo.status(order)).body['redirect-to'];
    await until('the payer is to go to the bank', async () => (await turn()) !== undefined);
    return (await turn()) as string;
  };
  return {
    'to-a-challenge': async () => {
      const address = await asked();
      // It would leave by itself, also without scripts.
      const first = async (page: Page) => {
        await page.route(address, async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            body: (await response.text()).replace(/<meta http-equiv="refresh"[^>]*>/, ''),
          });
        });
        await page.goto(address);
      };
      return { address: `${gatewayHome(gateway)()}/demo`, withoutScript: true, first };
    },
    'from-a-challenge': async () => ({ address: `${await asked()}/back` }),
  };
}
