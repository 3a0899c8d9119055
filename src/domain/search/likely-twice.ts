// Orders that look as if a payer was charged twice: the same card and amount at the same merchant, a short time apart,
// and nothing was given back of either. Once something was, each is still told of the other, so that nobody gives the
// money back of both.

const NEAR_MS = 60 * 60 * 1000;

/** Money of these moved, or may have moved. */
const CHARGED = new Set(['approved', 'processing', 'unknown']);
const CHARGES = new Set(['sale', 'preauth', 'rebill', 'recurring']);

export type Comparable = {
  readonly orderId: number;
  readonly login: string;
  readonly operation: string;
  readonly status: string;
  readonly card: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly reversed: string;
  readonly createdAt: string;
};

/** For each that has one, the nearest other that is like it. */
export function likelyTwice<T extends Comparable>(orders: readonly T[]): ReadonlyMap<number, T> {
  const kept = orders.filter((order) => !isGivenBack(order));
  const twins = new Map<number, T>();
  for (const order of kept) {
    const twin = nearestTwin(order, kept);
    if (twin) twins.set(order.orderId, twin);
  }
  return twins;
}

/** The nearest other that is like this one, whether or not something was given back of either. */
export function nearestTwin<T extends Comparable>(order: T, orders: readonly T[]): T | undefined {
  return orders
    .filter((other) => isTwin(order, other))
    .sort((a, b) => apartMs(order, a) - apartMs(order, b) || a.orderId - b.orderId)[0];
}

export function isGivenBack({ reversed }: Pick<Comparable, 'reversed'>): boolean {
  return /[1-9]/.test(reversed);
}

function isTwin(one: Comparable, other: Comparable): boolean {
  const isAlike = (['login', 'card', 'amount', 'currency'] as const).every((name) => one[name] === other[name]);
  return one.orderId !== other.orderId && isAlike && mayBe(one) && mayBe(other) && apartMs(one, other) <= NEAR_MS;
}

function mayBe({ card, operation, status }: Comparable): boolean {
  return card !== null && CHARGED.has(status) && CHARGES.has(operation);
}

export function apartMs(one: Pick<Comparable, 'createdAt'>, other: Pick<Comparable, 'createdAt'>): number {
  return Math.abs(Date.parse(one.createdAt) - Date.parse(other.createdAt));
}
