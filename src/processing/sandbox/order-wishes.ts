// "Make me an order like …": what a sandbox can make by itself, through the same interface that merchants use, with the
// demo merchant's own keys.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { demo } from '../node/demo.ts';
import type { DemoClient, DemoFields, DemoReply } from './demo-client.ts';

export type WishParts = { readonly clock: Clock; readonly client: DemoClient; readonly signal: AbortSignal };

export type Granted = { readonly orderId?: number; readonly recurringPaymentId?: number; readonly says: string };

type OrderWish = { readonly says: string; grant(parts: WishParts): Promise<Granted> };

const CARD = '4111111111111111';
/** Its issuer asks the payer. */
export const ASKING_CARD = '4000000000001091';
/** Its bank books what is charged, and never says so. */
export const UNTOLD_CARD = '4000060000000006';
const EMAIL = 'ann@example.com';
const AMOUNT = { written: '24.00', minor: '2400', half: '12.00', halfMinor: '1200' };
const LOOK_MS = 100;
const LOOKS = 300;

export const ORDER_WISHES = {
  approved: { says: 'a sale that is approved', grant: (parts) => sold(parts, { cvv2: '123' }) },
  declined: { says: 'a sale that is declined: insufficient funds', grant: (parts) => sold(parts, { cvv2: '116' }) },
  'in-doubt': {
    says: 'a sale whose outcome is unknown at first, and known a little later',
    grant: (parts) => sent(parts, 'sale', { cvv2: '217' }),
  },
  stuck: {
    says: 'a sale that its bank never says anything about; after 33 hours it waits for a person',
    grant: (parts) => sent(parts, 'sale', { credit_card_number: UNTOLD_CARD }),
  },
  challenge: {
    says: 'a sale that waits for its payer: a challenge of 3-D Secure',
    grant: (parts) => sent(parts, 'sale', { credit_card_number: ASKING_CARD, currency: 'EUR' }, 102),
  },
  preauth: { says: 'a hold that can be captured', grant: (parts) => sold(parts, { cvv2: '123' }, 'preauth') },
  'half-returned': { says: 'an approved sale of which half was given back', grant: halfReturned },
  payout: { says: 'a payout that waits for a confirmation', grant: payoutToConfirm },
  recurring: { says: 'a recurring payment, charged every month from tomorrow on', grant: (parts) => recurring(parts) },
} as const satisfies Readonly<Record<string, OrderWish>>;

export type OrderWishName = keyof typeof ORDER_WISHES;

export function grantWish(name: OrderWishName, parts: WishParts): Promise<Granted> {
  return ORDER_WISHES[name].grant(parts);
}

export const newName = () => `like-${randomUUID()}`;

/** Sends it, and leaves it to its course. */
export async function sent(
  { client }: Pick<WishParts, 'client'>,
  operation: 'sale' | 'preauth',
  differs: DemoFields,
  endpointId = 101,
  name = newName(),
): Promise<Granted & { readonly name: string; readonly orderId: number }> {
  const fields = {
    client_orderid: name,
    ...{ order_desc: 'Made by the console', amount: AMOUNT.written, currency: 'USD', email: EMAIL },
    ...{ first_name: 'Ann', last_name: 'Example', address1: '1 Main Street', city: 'Springfield' },
    ...{ zip_code: '12345', country: 'US', phone: '+12025550123', ipaddress: '203.0.113.7' },
    ...{ credit_card_number: CARD, card_printed_name: 'ANN EXAMPLE', expire_month: '12', expire_year: '2039' },
    cvv2: '123',
    ...differs,
  };
  const path = `/api/v2/${operation}/${endpointId}`;
  const reply = await client.control(path, fields, [String(endpointId), name, AMOUNT.minor, EMAIL]);
  return { name, orderId: orderIdOf(reply), says: 'sent' };
}

/** Sends it, and waits for what the bank says. */
async function sold(parts: WishParts, differs: DemoFields, operation: 'sale' | 'preauth' = 'sale') {
  const order = await sent(parts, operation, differs);
  return { ...order, says: await demoEnd(parts, order) };
}

async function halfReturned(parts: WishParts): Promise<Granted> {
  const { name, orderId, says } = await sold(parts, { cvv2: '123' });
  if (says !== 'approved') return { orderId, says };
  const fields = {
    ...{ login: demo.login, client_orderid: name, orderid: String(orderId) },
    ...{ amount: AMOUNT.half, currency: 'USD', comment: 'Half of it, given back by the console' },
  };
  const signs = [demo.login, name, String(orderId), AMOUNT.halfMinor, 'USD'];
  await parts.client.control('/api/v2/return/101', fields, signs);
  return { orderId, says: `${await demoEnd(parts, { name, orderId })}; half of it was given back` };
}

async function payoutToConfirm({ client }: WishParts): Promise<Granted> {
  const fields = {
    ...{ client_orderid: newName(), amount: '5.00', currency: 'USD', order_desc: 'Made by the console' },
    credit_card_number: CARD,
  };
  return {
    orderId: orderIdOf(await client.oauth('/api/v4/payout-check/101', fields)),
    says: 'waits for a confirmation',
  };
}

export async function recurring(
  { client, clock }: Pick<WishParts, 'client' | 'clock'>,
  differs: DemoFields = {},
): Promise<Granted> {
  const tomorrow = new Date(clock.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  const fields = {
    ...{ client_orderid: newName(), rp_card_type: 'SRC', currency: 'USD', amount: '9.00', order_desc: 'A magazine' },
    ...{ credit_card_number: CARD, expire_month: '12', expire_year: '2039', card_printed_name: 'ANN EXAMPLE' },
    ...{ interval: '1', interval_unit: 'month', start_date: tomorrow, email: EMAIL, ipaddress: '203.0.113.7' },
    ...differs,
  };
  const reply = await client.oauth('/api/v4/create-recurring-payment/101', fields);
  return { recurringPaymentId: Number(reply['recurring-payment-id']), says: 'is charged every month from tomorrow on' };
}

type SentOrder = { readonly name: string; readonly orderId: number };

export function demoStatus({ client }: Pick<WishParts, 'client'>, { name, orderId }: SentOrder, endpointId = 101) {
  const fields = { login: demo.login, client_orderid: name, orderid: String(orderId) };
  return client.control(`/api/v2/status/${endpointId}`, fields, [demo.login, name, String(orderId)]);
}

/** Asks for the status until it is another than these; says so when it is none after a while. */
export async function demoEnd(parts: WishParts, order: SentOrder, passing: readonly string[] = ['processing']) {
  const { clock, signal } = parts;
  for (let looks = 0; looks < LOOKS && !signal.aborted; looks++) {
    const { status } = await demoStatus(parts, order);
    if (!passing.includes(String(status))) return String(status);
    await clock.sleep(LOOK_MS, signal);
  }
  return 'still processing';
}

export const orderIdOf = (reply: DemoReply) => Number(reply['paynet-order-id']);
