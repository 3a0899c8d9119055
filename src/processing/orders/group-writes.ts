// Writes without conditions, many at once: a batch is decided in memory by the rules and written in one transaction.
// One bad item never fails its neighbours.

import type { Refusal } from '../../domain/errors.ts';
import { grouped } from '../../domain/grouped.ts';
import { shardOf } from '../../domain/merchant/shard.ts';
import type { Command } from '../../domain/order/decide.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import { present } from '../../domain/present.ts';
import { outageOf } from '../../storage/database.ts';
import { GroupCommit } from '../../storage/group-commit.ts';
import type { BeginMarks, OrderChange, OrderRecord } from '../../storage/store.ts';
import { KeysTooOld } from '../../vault/vault.ts';
import type { Reported, WriteParts, Written } from './conditional-writes.ts';
import { keptChanging, MAX_CONFLICTS } from './conflicts.ts';
import { type DecidedTogether, decideTogether } from './decide-together.ts';
import { throughOutages } from './outages.ts';
import { outcomeOfConflict, outcomeOfFailure, type StartOutcome } from './start-outcome.ts';

/** The most items one commit takes. */
const MAX_BATCH = 256;

type Waiting<T> = { resolve(value: T): void; reject(error: unknown): void };

type Start = Waiting<StartOutcome> & { readonly kind: 'start'; readonly record: OrderRecord };

type Change = Waiting<Reported | Refusal> & {
  readonly kind: 'change';
  readonly key: OrderKey;
  readonly command: Command;
  readonly marks: BeginMarks | undefined;
  /** The order as the caller has just written it: then it need not be read. */
  readonly known: Order | undefined;
  conflicts: number;
};

type Item = Start | Change;

function merchantOf(item: Item): number {
  return item.kind === 'start' ? item.record.order.merchantId : item.key.merchantId;
}

export class GroupWrites {
  readonly #parts: WriteParts & { readonly written: Written };
  readonly #commits: GroupCommit<Item>;

  constructor(parts: WriteParts & { readonly written: Written }) {
    const { clock, lanes } = parts;
    this.#parts = parts;
    const options = { lanes, maxBatch: MAX_BATCH, clock, whose: merchantOf };
    this.#commits = new GroupCommit((items) => this.#flush(items), options);
  }

  get waiting(): number {
    return this.#commits.waiting;
  }

  drained(): Promise<void> {
    return this.#commits.drained();
  }

  start(record: OrderRecord): Promise<StartOutcome> {
    const { order } = record;
    return new Promise((resolve, reject) => {
      this.#commits.add({ kind: 'start', record, resolve, reject }, order.orderId, shardOf(order.merchantId));
    });
  }

  change(key: OrderKey, command: Command, marks?: BeginMarks, known?: Order): Promise<Reported | Refusal> {
    return new Promise((resolve, reject) => {
      const change: Change = { kind: 'change', key, command, marks, known, conflicts: 0, resolve, reject };
      this.#commits.add(change, key.orderId, shardOf(key.merchantId));
    });
  }

  async #flush(items: Item[]): Promise<void> {
    try {
      await this.#write(items);
    } catch (error) {
      // Without a database all items fail. Otherwise one of them is bad: written one by one, only that one fails.
      if (outageOf(error) === 'away') for (const item of items) item.reject(error);
      else if (items.length === 1) await this.#failed(present(items[0]), error);
      else if (error instanceof KeysTooOld) await this.#flushWithoutLate(items, error);
      else for (const item of items) await this.#flush([item]);
    }
  }

  /** The items that are not too old are tried together: while the database is away they would wait for each other. */
  async #flushWithoutLate(items: readonly Item[], error: KeysTooOld): Promise<void> {
    const { clock, sealedForMs } = this.#parts;
    const until = (item: Item) =>
      item.kind === 'start' ? item.record.order.createdAt + sealedForMs : Number.POSITIVE_INFINITY;
    // The oldest item was too old, even if the clock went back since.
    const now = Math.max(clock.now(), Math.min(...items.map(until)));
    await Promise.all(items.filter((item) => until(item) <= now).map((item) => this.#failed(item, error)));
    const others = items.filter((item) => until(item) > now);
    if (others.length > 0) await this.#flush(others);
  }

  async #failed(item: Item, error: unknown): Promise<void> {
    if (item.kind === 'change') item.reject(error);
    else await outcomeOfFailure(this.#parts.store, item.record, error).then(item.resolve, item.reject);
  }

  async #write(items: Item[]): Promise<void> {
    const starts = distinct(items.filter((item) => item.kind === 'start'));
    const changes = items.filter((item) => item.kind === 'change');
    const decided = await this.#decide(changes);
    const writes = decided.map(({ change }) => change).filter(({ events }) => events.length > 0);
    const written = await this.#commit(starts.now, writes);
    for (const together of decided) {
      const { change, verdicts } = together;
      const isWritten = written.has(change.after.orderId);
      if (isWritten && change.events.length > 0) this.#parts.written(change);
      if (change.events.length === 0 || isWritten) settle(together);
      else this.#again(verdicts.map(({ asked }) => asked));
    }
    for (const start of starts.now) {
      if (written.has(start.record.order.orderId)) start.resolve({ started: true, order: start.record.order });
      else start.resolve(await outcomeOfConflict(this.#parts.store, start.record));
    }
    if (starts.later.length > 0) await this.#flush(starts.later);
  }

  async #commit(starts: readonly Start[], changes: readonly OrderChange[]): Promise<ReadonlySet<number>> {
    if (starts.length === 0 && changes.length === 0) return new Set();
    const { clock, store, sealedForMs } = this.#parts;
    const batch = { starts: starts.map((start) => start.record), changes };
    const oldest = Math.min(...starts.map(({ record }) => record.order.createdAt));
    return throughOutages(clock, () => store.commit(batch), oldest + sealedForMs);
  }

  async #decide(changes: readonly Change[]): Promise<DecidedTogether<Change>[]> {
    const byOrder = grouped(changes, ({ key }) => key.orderId);
    const orders = await this.#ordersOf(byOrder);
    return [...byOrder].map(([orderId, commands]) => {
      const before = orders.get(orderId);
      if (!before) throw new Error(`There is no order ${orderId}`);
      return decideTogether(before, commands, this.#parts.moment());
    });
  }

  async #ordersOf(byOrder: ReadonlyMap<number, readonly Change[]>): Promise<ReadonlyMap<number, Order>> {
    const orders = new Map<number, Order>();
    const unknown: OrderKey[] = [];
    for (const [orderId, commands] of byOrder) {
      const known = commands.find((one) => one.known)?.known;
      // After a conflict the order is read again: the caller's copy is out of date.
      if (known && commands.every(({ conflicts }) => conflicts === 0)) orders.set(orderId, known);
      else unknown.push(present(commands[0]).key);
    }
    if (unknown.length > 0) {
      for (const [orderId, order] of await this.#parts.store.load(unknown)) orders.set(orderId, order);
    }
    return orders;
  }

  /** Another node changed the order first: read it and decide anew. */
  #again(commands: readonly Change[]): void {
    for (const change of commands) {
      change.conflicts += 1;
      const { merchantId, orderId } = change.key;
      if (change.conflicts <= MAX_CONFLICTS) this.#commits.add(change, orderId, shardOf(merchantId));
      else change.reject(keptChanging(`Order ${orderId}`));
    }
  }
}

function settle({ change, verdicts }: DecidedTogether<Change>): void {
  const order = change.after;
  for (const { asked, moved, refusal } of verdicts) asked.resolve(refusal ?? { order, moved });
}

/** Two new orders of one batch that could conflict with each other are written one after the other. */
function distinct(starts: readonly Start[]): { now: Start[]; later: Start[] } {
  const taken = new Set<string>();
  const now: Start[] = [];
  const later: Start[] = [];
  for (const start of starts) {
    const { order, control, idempotencyKey } = start.record;
    const marks = [`${order.unsigned ? 'unsigned' : 'order'} ${order.merchantId} ${order.clientOrderId}`];
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
