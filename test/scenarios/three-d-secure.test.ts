// The simple flow of 3-D Secure: the merchant polls STATUS, sends the payer where it says, and waits for the end.

import { expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { describeGateway, type Fields, type ReplyBody, type TestGateway, until } from '../harness.ts';
import { answerIssuer, formOf, Payer, passChallenge, SCREEN } from './payer.ts';

const REQUIRED = 102;
const OPTIONAL = 150;

/** What a merchant may tell of the payer's browser with the order. */
const BROWSER: Fields = {
  customer_browser_info: 'true',
  customer_browser_accept_header: 'text/html',
  customer_browser_color_depth: '24',
  customer_browser_java_enabled: 'false',
  customer_browser_javascript_enabled: 'true',
  customer_browser_language: 'en-GB',
  customer_browser_screen_height: '900',
  customer_browser_screen_width: '1440',
  customer_browser_time_zone: '-120',
  customer_browser_user_agent: 'Mozilla/5.0 (a payer of the tests)',
};

const sale = (card: { number: string }, more: Fields = {}): Fields => ({
  amount: '10.42',
  currency: 'EUR',
  credit_card_number: card.number,
  ...more,
});

async function begun({ demo }: TestGateway, fields: Fields, at: number = REQUIRED): Promise<ReplyBody> {
  const accepted = await demo.sale(fields, { endpoint: at });
  expect(accepted.text).toContain('async-response');
  return accepted.body;
}

/** The order's status once it asks for the payer, or is over. */
async function untilPayersTurn({ demo }: TestGateway, order: ReplyBody, at: number = REQUIRED): Promise<ReplyBody> {
  let last: ReplyBody = {};
  await until('it is the turn of the payer', async () => {
    last = (await demo.status({ client_orderid: order['merchant-order-id'] }, { endpoint: at })).body;
    return last['redirect-to'] !== undefined || last.status !== 'processing';
  });
  return last;
}

describeGateway('3-D Secure', {}, (gateway) => {
  const { demo } = gateway;
  const final = (order: ReplyBody, at: number = REQUIRED) =>
    demo.untilFinal(order['merchant-order-id'], { endpoint: at });

  it('asks the issuer at once when the merchant told of the browser', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    expect(await final(order)).toMatchObject({
      status: 'approved',
      'order-stage': 'sale_approved',
      'verified-3d-status': 'AUTHENTICATED',
      eci: '05',
    });
    const [entry] = await gateway.bookedFor(order['paynet-order-id']);
    expect(entry).toMatchObject({ outcome: 'approved', eci: '05' });
  });

  it('sends the payer to a challenge and back', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.challenge, BROWSER));
    const status = await untilPayersTurn(gateway, order);
    expect(status).toMatchObject({
      status: 'processing',
      'order-stage': 'sale_3d_validating',
      'tds-status': 'challenge',
    });
    const payer = new Payer();
    const end = await passChallenge(payer, status, 'hint');
    expect(end).toMatchObject({ status: 303 });
    expect(end.url).toMatch(/\/paynet\/pay\/[\w-]+$/);
    expect(await final(order)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED', eci: '05' });
  });

  it('collects the browser and runs the method page first', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.challengeMethod));
    const status = await untilPayersTurn(gateway, order);
    expect(status['tds-status']).toBe('method-url');
    const payer = new Payer();
    const page = await payer.openWhenReady(status['redirect-to']);
    const [method, goOn] = page.forms;
    const done = await payer.send(method as never);
    await payer.send(formOf(done));
    const handOver = await payer.send(goOn as never, SCREEN);
    const question = await payer.send(formOf(handOver));
    await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
    expect(await final(order)).toMatchObject({ status: 'approved' });
  });
});
