// The one door for change: every new order and every change of one passes here, many at once.
// A batch is decided in memory by the rules and written in one transaction; one bad item never fails its neighbours.

import type { Clock } from '../domain/clock.ts';
import { entriesOf, type LedgerEntry } from '../domain/ledger.ts';
import { type Command, decide, evolve, type Moment } from '../domain/order/decide.ts';
import type { Order, OrderKey } from '../domain/order/order.ts';
import { ConnectionLost } from '../storage/database.ts';
import { GroupCommit } from '../storage/group-commit.ts';
import type { ExistingOrder, OrderChange, OrderRecord, OrderStore } from '../storage/store.ts';

/** The most items one commit takes. */
const MAX_BATCH = 256;

/** How often a change is decided anew because another node was faster. */
const MAX_CONFLICTS = 20;

/** How long a commit is repeated while the database is away, and the pause between two tries. */
const RECONNECT_TRIES = 40;
const RECONNECT_PAUSE_MS = 250;

/** Either the order is written, or another one stands in the way. */
export type StartOutcome = { readonly started: true } | { readonly started: false; readonly existing: ExistingOrder[] };

type Waiting<T> = { resolve(value: T): void; reject(error: unknown): void };

type Start = Waiting<StartOutcome> & { readonly kind: 'start'; readonly record: OrderRecord };

type Change = Waiting<Order> & {
  readonly kind: 'change';
  readonly key: OrderKey;
  readonly command: Command;
  conflicts: number;
};

type Item = Start | Change;

export type DoorOptions = {
  readonly store: OrderStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly lanes: number;
};

export class Door {
  readonly #store: OrderStore;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #commits: GroupCommit<Item>;
  /** Orders as this node last saw them, handed in with the item: a change of a fresh order needs no read. */
  readonly #known = new Map<number, Order>();

  constructor({ store, clock, leaseMs, lanes }: DoorOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#commits = new GroupCommit((items) => this.#flush(items), { lanes, maxBatch: MAX_BATCH });
  }

  get moment(): Moment {
    return { now: this.#clock.now(), leaseMs: this.#leaseMs };
  }

  get waiting(): number {
    return this.#commits.waiting;
  }

  start(record: OrderRecord): Promise<StartOutcome> {
    return new Promise((resolve, reject) => {
      this.#commits.add({ kind: 'start', record, resolve, reject }, record.order.orderId);
    });
  }

  /** Carries a command to its order; answers the order as it stands afterwards. `known` saves reading it. */
  change(key: OrderKey, command: Command, known?: Order): Promise<Order> {
    if (known) this.#known.set(key.orderId, known);
    return new Promise((resolve, reject) => {
      this.#commits.add({ kind: 'change', key, command, conflicts: 0, resolve, reject }, key.orderId);
    });
  }

  drained(): Promise<void> {
    return this.#commits.drained();
  }

  async #flush(items: Item[]): Promise<void> {
    try {
      await this.#write(items);
    } catch (error) {
      // Without a database nothing can be told apart; else one item is bad, and written one by one only that one fails.
      if (error instanceof ConnectionLost) for (const item of items) item.reject(error);
      else if (items.length === 1) await this.#failed(items[0] as Item, error);
      else for (const item of items) await this.#flush([item]);
    }
  }

  /** A start may fail because another one took its idempotency key a moment ago: then that one stands in the way. */
  async #failed(item: Item, error: unknown): Promise<void> {
    const existing = item.kind === 'start' ? await this.#existing(item).catch(() => []) : [];
    if (item.kind === 'start' && existing.length > 0) item.resolve(outcomeOf(item, existing));
    else item.reject(error);
  }

  async #write(items: Item[]): Promise<void> {
    const starts = distinct(items.filter((item) => item.kind === 'start'));
    const changes = items.filter((item) => item.kind === 'change');
    const decided = await this.#decide(changes);
    const written = await this.#commit(starts.now, decided.writes);
    for (const { order, commands } of decided.settled) for (const command of commands) command.resolve(order);
    for (const { change, commands } of decided.pending) {
      if (written.has(change.after.orderId)) for (const command of commands) command.resolve(change.after);
      else this.#again(commands);
    }
    for (const start of starts.now) {
      if (written.has(start.record.order.orderId)) start.resolve({ started: true });
      else await this.#whatStandsInTheWay(start);
    }
    if (starts.later.length > 0) await this.#flush(starts.later);
  }

  async #commit(starts: readonly Start[], changes: readonly OrderChange[]): Promise<ReadonlySet<number>> {
    if (starts.length === 0 && changes.length === 0) return new Set();
    const batch = { starts: starts.map((start) => start.record), changes };
    for (let tries = 1; ; tries++) {
      try {
        return await this.#store.commit(batch);
      } catch (error) {
        // It may have been written all the same: repeated starts then find themselves, repeated changes a newer version.
        if (!(error instanceof ConnectionLost) || tries === RECONNECT_TRIES) throw error;
        await this.#clock.sleep(RECONNECT_PAUSE_MS);
      }
    }
  }

  async #whatStandsInTheWay(start: Start): Promise<void> {
    start.resolve(outcomeOf(start, await this.#existing(start)));
  }

  #existing(start: Start): Promise<ExistingOrder[]> {
    const { order, control, idempotencyKey } = start.record;
    const { merchantId, clientOrderId } = order;
    return this.#store.findExisting({ merchantId, clientOrderId, control, idempotencyKey });
  }

  async #decide(changes: readonly Change[]) {
    const byOrder = new Map<number, Change[]>();
    for (const change of changes) {
      const list = byOrder.get(change.key.orderId);
      if (list) list.push(change);
      else byOrder.set(change.key.orderId, [change]);
    }
    const orders = await this.#ordersOf(byOrder);
    const pending: { change: OrderChange; commands: Change[] }[] = [];
    const settled: { order: Order; commands: Change[] }[] = [];
    for (const [orderId, commands] of byOrder) {
      const before = orders.get(orderId);
      if (!before) throw new Error(`There is no order ${orderId}`);
      const change = this.#decideAll(before, commands);
      if (change.events.length > 0) pending.push({ change, commands });
      else settled.push({ order: before, commands });
    }
    return { pending, settled, writes: pending.map(({ change }) => change) };
  }

  /** Several commands for one order in one batch are decided one after the other, each on the result of the last. */
  #decideAll(before: Order, commands: readonly Change[]): OrderChange {
    let after = before;
    const events: OrderChange['events'][number][] = [];
    const entries: LedgerEntry[] = [];
    for (const { command } of commands) {
      for (const event of decide(after, command, this.moment)) {
        after = evolve(after, event);
        events.push(event);
        entries.push(...entriesOf(after, event));
      }
    }
    return { before, after, events, entries };
  }

  async #ordersOf(byOrder: ReadonlyMap<number, readonly Change[]>): Promise<ReadonlyMap<number, Order>> {
    const orders = new Map<number, Order>();
    const unknown: OrderKey[] = [];
    for (const [orderId, [first]] of byOrder) {
      const known = this.#known.get(orderId);
      this.#known.delete(orderId);
      if (known) orders.set(orderId, known);
      else unknown.push((first as Change).key);
    }
    if (unknown.length > 0) {
      for (const [orderId, order] of await this.#store.load(unknown)) orders.set(orderId, order);
    }
    return orders;
  }

  /** Another node changed the order first: read it and decide anew. */
  #again(commands: readonly Change[]): void {
    for (const change of commands) {
      change.conflicts += 1;
      if (change.conflicts <= MAX_CONFLICTS) this.#commits.add(change, change.key.orderId);
      else change.reject(new Error(`Order ${change.key.orderId} kept changing under us`));
    }
  }
}

function outcomeOf(start: Start, existing: ExistingOrder[]): StartOutcome {
  // Our own order, written by a commit whose acknowledgement was lost.
  const isWritten = existing.some((other) => other.order.orderId === start.record.order.orderId);
  return isWritten ? { started: true } : { started: false, existing };
}

/** Two starts of one batch that could stand in each other's way are written one after the other. */
function distinct(starts: readonly Start[]): { now: Start[]; later: Start[] } {
  const taken = new Set<string>();
  const now: Start[] = [];
  const later: Start[] = [];
  for (const start of starts) {
    const { order, control, idempotencyKey } = start.record;
    const marks = [`order ${order.merchantId} ${order.clientOrderId}`];
    if (control) marks.push(`control ${order.merchantId} ${control.toString('latin1')}`);
    if (idempotencyKey) marks.push(`key ${order.merchantId} ${idempotencyKey}`);
    if (marks.some((mark) => taken.has(mark))) {
      later.push(start);
      continue;
    }
    for (const mark of marks) taken.add(mark);
    now.push(start);
  }
  return { now, later };
}
