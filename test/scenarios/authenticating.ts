// What the scenarios of 3-D Secure share: orders on endpoints that ask for it, and how far they have come.

import { expect } from 'vitest';
import type { AuthenticationLine } from '../../src/domain/three-d-secure/authentication-record.ts';
import { type Fields, type ReplyBody, type TestGateway, until } from '../harness.ts';

export const REQUIRED = 102;
export const OPTIONAL = 150;

export const addOptional = (gateway: TestGateway) =>
  gateway.addEndpoint({ endpointId: OPTIONAL, currency: 'EUR', threeDSecure: 'optional' });

/** What a merchant may tell of the payer's browser with the order. */
export const BROWSER: Fields = {
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

/** What the merchant's own page tells of the browser, with the first step it hands in. */
export const TOLD: Fields = {
  browserAcceptHeader: 'text/html',
  browserIP: '203.0.113.9',
  browserJavaEnabled: 'false',
  browserJavascriptEnabled: 'true',
  browserLanguage: 'en-GB',
  browserColorDepth: '30',
  browserScreenHeight: '900',
  browserScreenWidth: '1440',
  browserTZ: '-120',
  browserUserAgent: 'Mozilla/5.0 (a payer of the tests)',
};

export const sale = (card: { number: string }, more: Fields = {}): Fields => ({
  amount: '10.42',
  currency: 'EUR',
  credit_card_number: card.number,
  ...more,
});

export async function begun({ demo }: TestGateway, fields: Fields, endpoint: number = REQUIRED): Promise<ReplyBody> {
  const accepted = await demo.sale(fields, { endpoint });
  expect(accepted.text).toContain('async-response');
  return accepted.body;
}

export async function statusOf(
  { demo }: TestGateway,
  order: ReplyBody,
  endpoint: number = REQUIRED,
): Promise<ReplyBody> {
  return (await demo.status({ client_orderid: order['merchant-order-id'] }, { endpoint })).body;
}

/** The order's status once it asks for the payer, or is over. */
export async function untilPayersTurn(gateway: TestGateway, order: ReplyBody, endpoint?: number): Promise<ReplyBody> {
  let last: ReplyBody = {};
  await until('it is the turn of the payer', async () => {
    last = await statusOf(gateway, order, endpoint);
    return last['redirect-to'] !== undefined || last.status !== 'processing';
  });
  return last;
}

/** The order's status once it asks for this step. */
export async function untilStep(gateway: TestGateway, order: ReplyBody, step: string): Promise<ReplyBody> {
  let last: ReplyBody = {};
  await until(`it is time for ${step}`, async () => {
    last = await statusOf(gateway, order);
    return last['tds-status'] === step;
  });
  return last;
}

/** Begins a sale and waits until it asks for the payer. */
export async function asking(
  gateway: TestGateway,
  card: { number: string },
  more: Fields = BROWSER,
  endpoint?: number,
): Promise<ReplyBody> {
  return untilPayersTurn(gateway, await begun(gateway, sale(card, more), endpoint), endpoint);
}

export const finalOf = ({ demo }: TestGateway, order: ReplyBody, endpoint: number = REQUIRED) =>
  demo.untilFinal(order['merchant-order-id'], { endpoint });

/** What was said in the order's authentication, as its timeline keeps it. */
export async function timelineOf(gateway: TestGateway, order: ReplyBody): Promise<AuthenticationLine[]> {
  const [row] = await gateway.query(
    `select transcript from authentications where order_id = ${order['paynet-order-id']}`,
  );
  return row?.transcript as AuthenticationLine[];
}

/** Who said what, such as `tender AReq`. */
export async function saidIn(gateway: TestGateway, order: ReplyBody): Promise<string[]> {
  return (await timelineOf(gateway, order)).map(({ from, message }) => `${from} ${message.messageType}`);
}

/** Where the authentication stands. */
export async function stepOf(gateway: TestGateway, order: ReplyBody): Promise<string | undefined> {
  const [row] = await gateway.query(`select step from authentications where order_id = ${order['paynet-order-id']}`);
  return row?.step as string | undefined;
}

/** The outcome the authentication ended with. */
export async function outcomeOf(gateway: TestGateway, order: ReplyBody): Promise<Record<string, unknown>> {
  const [row] = await gateway.query(
    `select facts -> 'outcome' as outcome from authentications where order_id = ${order['paynet-order-id']}`,
  );
  return row?.outcome as Record<string, unknown>;
}
