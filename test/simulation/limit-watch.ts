// Whether limits hold, told from the orders and from who paid them, and not from what was counted.

import type { Order } from '../../src/domain/order/order.ts';
import type { LimitKind, VelocityLimit } from '../../src/domain/screening/screening.ts';
import { LIMITED, LIMITS, MERCHANTS } from './house.ts';
import type { Operation } from './plan.ts';

/** An order where limits are, with what it has in common with others, by kind. */
type Watched = { readonly order: Order; readonly values: Partial<Record<LimitKind, string>> };

export function isLimited({ endpointId }: Order): boolean {
  return endpointId === MERCHANTS[LIMITED].endpointId;
}

/** Too many that passed within a window, and those that were stopped although there was room. */
export function limitBreaches(orders: Iterable<Order>, operations: ReadonlyMap<string, Operation>): string[] {
  const watched = [...orders].filter(isLimited).map((order) => ({ order, values: valuesOf(order, operations) }));
  const passed = watched.filter(({ order }) => reasonOf(order) === undefined);
  const stopped = watched.filter(({ order }) => reasonOf(order) !== undefined);
  return [
    ...passed.flatMap((one) => tooMany(one, passed)),
    ...stopped.filter((one) => !hasCause(one, passed)).map(({ order }) => `order ${order.orderId} met no limit`),
  ];
}

function valuesOf(order: Order, operations: ReadonlyMap<string, Operation>): Watched['values'] {
  const operation = operations.get(order.clientOrderId);
  if (!operation || !('amount' in operation)) return {};
  const { kind, amount } = operation;
  const payer = 'payer' in operation ? operation.payer : undefined;
  const card = kind === 'payout' ? 'out' : `in ${payer?.card ?? 0}`;
  const told = payer && { email: `${payer.email}`, address: `${payer.address}` };
  return { card, payment: `${card} ${amount}`, ...told };
}

function reasonOf({ transactions }: Order): string | undefined {
  return transactions[0]?.filterReason;
}

/** In the window that ends with it, what is not counted any more once it came to nothing is left out. */
function tooMany({ order, values }: Watched, passed: readonly Watched[]): string[] {
  return LIMITS.flatMap((limit) => {
    const { kind, windowMs, maxCount = Number.POSITIVE_INFINITY, maxSum } = limit;
    if (kind === 'payment' || values[kind] === undefined) return [];
    const within = alike(limit, values, passed).filter(({ createdAt }) => {
      return createdAt > order.createdAt - windowMs && createdAt <= order.createdAt;
    });
    const isOver = within.length > maxCount || (maxSum !== undefined && sumOf(within) > maxSum);
    return isOver ? [`order ${order.orderId}: ${within.length} passed the limit by ${kind} of ${windowMs} ms`] : [];
  });
}

/** What passed since its window began leaves no room for it. Another payment may have come to nothing since. */
function hasCause({ order, values }: Watched, passed: readonly Watched[]): boolean {
  return LIMITS.some((limit) => {
    const { kind, windowMs, maxCount = Number.POSITIVE_INFINITY, maxSum } = limit;
    if (values[kind] === undefined || !reasonOf(order)?.includes(kind)) return false;
    const within = alike(limit, values, passed).filter(({ createdAt }) => createdAt > order.createdAt - windowMs);
    return within.length + 1 > maxCount || (maxSum !== undefined && sumOf(within) + order.amount > maxSum);
  });
}

function alike({ kind }: VelocityLimit, values: Watched['values'], passed: readonly Watched[]): Order[] {
  return passed.filter((other) => other.values[kind] === values[kind]).map(({ order }) => order);
}

function sumOf(orders: readonly Order[]): bigint {
  return orders.reduce((sum, { amount }) => sum + amount, 0n);
}
