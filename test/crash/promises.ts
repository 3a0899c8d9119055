// What a gateway has promised, held against what it and the bank know: shared by everything that breaks gateways on
// purpose.

import { type Client, until } from '../harness.ts';
import type { Acknowledged } from './load.ts';
import type { Query } from './place.ts';

export const ACQUIRER_TIMEOUT_MS = 2_000;
export const LEASE_MS = 4_000;

/** Settings of a gateway that takes over and gives up sooner than usual. */
export const FAST = ['--lease-ms', String(LEASE_MS), '--acquirer-timeout-ms', String(ACQUIRER_TIMEOUT_MS)];

/** Slow enough that there is always something in flight, and it loses some of it. */
export const SLOW_BANK = [
  ...['--messages', 'instruct', '--request-delay-ms', '0-60', '--answer-delay-ms', '0-120'],
  ...['--lose-request-rate', '0.03', '--lose-answer-rate', '0.03'],
];

type Named = Pick<Acknowledged, 'client_orderid' | 'orderId'>;

/** Asks for every order until it is final. */
export async function untilFinal(client: Client, orders: readonly Named[], endpoint = 101): Promise<void> {
  let open = [...orders];
  const look = async () => {
    const still: Named[] = [];
    for (const order of open) {
      const { status, text, body } = await client.status({ client_orderid: order.client_orderid }, { endpoint });
      if (status !== 200) throw new Error(`STATUS of ${order.client_orderid} answered ${text}`);
      if (body['paynet-order-id'] !== order.orderId) throw new Error(`${order.client_orderid} is two orders`);
      if (body.status === 'processing' || body.status === 'unknown') still.push(order);
    }
    open = still;
    return open.length === 0;
  };
  await until('every acknowledged order is final', look);
}

export async function lostOrders(query: Query, orders: readonly Acknowledged[]): Promise<string[]> {
  const rows = await query('select order_id, client_order_id, amount from orders');
  const kept = new Map(rows.map((row) => [row.client_order_id, `${row.order_id} ${row.amount}`]));
  return orders
    .filter(({ client_orderid, orderId, amount }) => kept.get(client_orderid) !== `${orderId} ${amount}`)
    .map(({ client_orderid, orderId }) => `${client_orderid} was acknowledged as ${orderId}`);
}
