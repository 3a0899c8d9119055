// A merchant that keeps cards: makes references, charges them again, and asks for recurring payments.

import type { Client, Fields, Reply, ReplyBody, TestGateway } from '../harness.ts';
import { CARD, minorUnits, newOrderId, pause, sha1, until } from '../harness.ts';

/** Sells to the card and stores it; answers the reference. */
export async function storeCard(client: Client, sale: Fields = {}, endpoint = 101): Promise<string> {
  const order = await client.saleUntilFinal(sale, { endpoint });
  const reply = await createCardReference(client, order, endpoint);
  if (reply.status !== 200) throw new Error(`CARDREF answered ${reply.status} ${reply.text}`);
  return reply.body['card-ref-id'];
}

export function createCardReference(client: Client, order: ReplyBody, endpoint = 101): Promise<Reply> {
  const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
  const control = sha1(`${client.login}${client_orderid}${orderid}${client.key}`);
  return client.post(`/api/v2/create-card-ref/${endpoint}`, { login: client.login, client_orderid, orderid, control });
}

export function rebill(
  client: Client,
  reference: string,
  fields: Fields = {},
  endpoint = 101,
  operation = 'make-rebill',
): Promise<Reply> {
  const order = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', ...fields };
  const { client_orderid, amount, currency } = order;
  const control = sha1(
    `${client.login}${client_orderid}${reference}${minorUnits(amount, currency)}${currency}${client.key}`,
  );
  const sent = { login: client.login, cardrefid: reference, ...order, control };
  return client.post(`/api/v2/${operation}/${endpoint}`, sent);
}

/** A rebill and its end. */
export async function rebillUntilFinal(client: Client, reference: string, fields: Fields = {}): Promise<ReplyBody> {
  const accepted = await rebill(client, reference, fields);
  if (accepted.status !== 200) throw new Error(`REBILL answered ${accepted.status} ${accepted.text}`);
  return client.untilFinal(accepted.body['merchant-order-id']);
}

export function createRecurring(client: Client, fields: Fields = {}, endpoint: number | string = 101): Promise<Reply> {
  const profile = {
    client_orderid: newOrderId(),
    rp_card_type: 'SRC',
    credit_card_number: CARD,
    expire_month: '12',
    expire_year: '2039',
    card_printed_name: 'ANN EXAMPLE',
    currency: 'USD',
    order_desc: 'A magazine',
    ...fields,
  };
  return client.oauth('/api/v4/create-recurring-payment', profile, { endpoint });
}

/** Makes a recurring payment; answers its id. */
export async function recurringPayment(client: Client, fields: Fields = {}): Promise<string> {
  const reply = await createRecurring(client, fields);
  if (reply.status !== 200) throw new Error(`CREATE_RP_V4 answered ${reply.status} ${reply.text}`);
  return reply.body['recurring-payment-id'];
}

export function chargeRecurring(client: Client, id: string, fields: Fields = {}): Promise<Reply> {
  const charge = { client_orderid: newOrderId(), 'recurring-payment-id': id, ...fields };
  return client.oauth('/api/v4/process-recurring-payment', charge);
}

/** The id of an order that a schedule made. */
export const scheduledId = (id: string, occurrence: number) => `rp-${id.padStart(12, '0')}-${occurrence}`;

export type ChargeRow = {
  readonly id: string;
  readonly orderId: string;
  readonly amount: string;
  readonly stage: string;
  readonly day: string;
};

/** The orders of a recurring payment, as the gateway has them. */
export async function chargesOf(gateway: TestGateway, id: string): Promise<ChargeRow[]> {
  const rows = await gateway.query(
    `select o.client_order_id as id, o.order_id::text as order_id, t.amount::text as amount, t.stage, o.created_at
     from orders o join transactions t using (merchant_id, order_id, shard)
     where o.operation = 'recurring' and coalesce(o.card_id, o.target_card_id) = ${id} order by o.created_at, o.order_id, t.seq`,
  );
  return rows.map((row) => ({
    id: (row.id as string).replace(`rp-${id.padStart(12, '0')}-`, ''),
    orderId: row.order_id as string,
    amount: row.amount as string,
    stage: row.stage as string,
    day: (row.created_at as Date).toISOString().slice(0, 10),
  }));
}

/** Lets time pass, stopping wherever a recurring payment is due, until all that is due has been done. */
export async function letPass(gateway: TestGateway, untilMoment: number): Promise<void> {
  for (;;) {
    await settled(gateway);
    const [row] = await gateway.query('select min(next_run_at) as due from recurring_payments');
    const due = (row?.due as Date | null)?.getTime() ?? Number.POSITIVE_INFINITY;
    const now = gateway.clock.now();
    if (due > untilMoment) {
      if (now < untilMoment) gateway.clock.advance(untilMoment - now);
      return settled(gateway);
    }
    gateway.clock.advance(Math.max(1_001, due - now + 1));
  }
}

/** Everything due has been looked at, and every order has ended. */
export async function settled(gateway: TestGateway): Promise<void> {
  await until('recurring payments are looked after', async () => {
    const [recurring] = await gateway.query(
      `select count(*)::int as due from recurring_payments where busy_until is not null
         or next_run_at <= '${new Date(gateway.clock.now()).toISOString()}'`,
    );
    const [orders] = await gateway.query('select count(*)::int as open from transactions where due_at is not null');
    if (recurring?.due === 0 && orders?.open === 0) return true;
    await pause(5);
    return false;
  });
}
