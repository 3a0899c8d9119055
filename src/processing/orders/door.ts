// The one door for change: every new order and every change of one passes here, many at once.
// A batch is decided in memory by the rules and written in one transaction; one bad item never fails its neighbours.

import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors.ts';
import type { LedgerEntry } from '../../domain/money/ledger.ts';
import { changeBy } from '../../domain/order/change.ts';
import type { Command, Moment, OrderEvent } from '../../domain/order/decide.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import { outageOf } from '../../storage/database.ts';
import { GroupCommit } from '../../storage/group-commit.ts';
import type { BeginMarks, Confirmation, OrderChange, OrderRecord, OrderStore } from '../../storage/store.ts';
import { KeysTooOld } from '../../vault/vault.ts';
import { type Confirmed, CoveredCommits, type Uncovered } from './covered-commits.ts';
import { throughOutages } from './outages.ts';
import { type StartOutcome, startOutcome, whatStandsInTheWay } from './start-outcome.ts';

/** The most items one commit takes. */
const MAX_BATCH = 256;

/** How often a change is decided anew because another node was faster. */
const MAX_CONFLICTS = 20;

type Waiting<T> = { resolve(value: T): void; reject(error: unknown): void };

type Start = Waiting<StartOutcome> & { readonly kind: 'start'; readonly record: OrderRecord };

type Change = Waiting<Reported | Refusal> & {
  readonly kind: 'change';
  readonly key: OrderKey;
  readonly command: Command;
  readonly marks: BeginMarks | undefined;
  /** The order as whoever asks has just written it: then it need not be read. */
  readonly known: Order | undefined;
  conflicts: number;
};

type Item = Start | Change;

/** What the rules said to one command: whether it moved the order, or a refusal, which stands only if the batch is written. */
type Verdict = { readonly item: Change; readonly moved: boolean; readonly refusal: Refusal | undefined };

/** The order as it stands, and whether it was this very command that moved it there. */
export type Reported = { readonly order: Order; readonly moved: boolean };

export type DoorOptions = {
  readonly store: OrderStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly holdMs: number;
  readonly lanes: number;
  /** How old a new order may be when it is written: no older than what is sealed in it allows. */
  readonly startWithinMs?: number | undefined;
};

export class Door {
  readonly #store: OrderStore;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #holdMs: number;
  readonly #commits: GroupCommit<Item>;
  readonly #covered: CoveredCommits;
  readonly #startWithinMs: number;

  constructor({ store, clock, leaseMs, holdMs, lanes, startWithinMs = Number.POSITIVE_INFINITY }: DoorOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#holdMs = holdMs;
    this.#startWithinMs = startWithinMs;
    this.#commits = new GroupCommit((items) => this.#flush(items), { lanes, maxBatch: MAX_BATCH, clock });
    this.#covered = new CoveredCommits({ store, clock, lanes, startWithinMs, moment: () => this.moment });
  }

  get moment(): Moment {
    return { now: this.#clock.now(), leaseMs: this.#leaseMs, holdMs: this.#holdMs };
  }

  get waiting(): number {
    return this.#commits.waiting + this.#covered.waiting;
  }

  start(record: OrderRecord): Promise<StartOutcome> {
    return new Promise((resolve, reject) => {
      this.#commits.add({ kind: 'start', record, resolve, reject }, record.order.orderId);
    });
  }

  /** The same for an order the merchant's balance pays for: the money is set aside with it, or nothing is written. */
  startCovered(record: OrderRecord, creditLimit: bigint): Promise<StartOutcome | Uncovered> {
    return this.#covered.start(record, creditLimit);
  }

  /** Confirms an order that was waiting for it, and sets its money aside. What was confirmed before stays as it is. */
  confirmCovered(key: OrderKey, confirmation: Confirmation, creditLimit: bigint): Promise<Confirmed | Uncovered> {
    return this.#covered.confirm(key, confirmation, creditLimit);
  }

  /** Carries what was learned to its order; answers the order as it stands afterwards. */
  async change(key: OrderKey, command: Command): Promise<Order> {
    return (await this.report(key, command)).order;
  }

  /** The same for those who go on only if it was they who moved it. `known` saves reading it. */
  async report(key: OrderKey, command: Command, known?: Order): Promise<Reported> {
    const reported = await this.#ask(key, command, undefined, known);
    if (reported instanceof Refusal) throw new Error(`Order ${key.orderId} refused ${command.type}`);
    return reported;
  }

  /** Asks for a new transaction of an order, which the rules may refuse. */
  async begin(key: OrderKey, command: Command, marks: BeginMarks): Promise<Order | Refusal> {
    const begun = await this.#ask(key, command, marks);
    return begun instanceof Refusal ? begun : begun.order;
  }

  #ask(key: OrderKey, command: Command, marks?: BeginMarks, known?: Order): Promise<Reported | Refusal> {
    return new Promise((resolve, reject) => {
      const change: Change = { kind: 'change', key, command, marks, known, conflicts: 0, resolve, reject };
      this.#commits.add(change, key.orderId);
    });
  }

  async drained(): Promise<void> {
    await this.#covered.drained();
    await this.#commits.drained();
  }

  async #flush(items: Item[]): Promise<void> {
    try {
      await this.#write(items);
    } catch (error) {
      // Without a database nothing can be told apart; else one item is bad, and written one by one only that one fails.
      if (outageOf(error) === 'away') for (const item of items) item.reject(error);
      else if (items.length === 1) await this.#failed(items[0] as Item, error);
      else if (error instanceof KeysTooOld) await this.#flushWithoutLate(items, error);
      else for (const item of items) await this.#flush([item]);
    }
  }

  /** What is not too old is tried together: the database may still be away, and nobody shall wait for each of the others. */
  async #flushWithoutLate(items: readonly Item[], error: KeysTooOld): Promise<void> {
    const until = (item: Item) =>
      item.kind === 'start' ? item.record.order.createdAt + this.#startWithinMs : Number.POSITIVE_INFINITY;
    // The oldest was too old, also when the clock went back since.
    const now = Math.max(this.#clock.now(), Math.min(...items.map(until)));
    await Promise.all(items.filter((item) => until(item) <= now).map((item) => this.#failed(item, error)));
    const others = items.filter((item) => until(item) > now);
    if (others.length > 0) await this.#flush(others);
  }

  /** A start may fail because another one took its idempotency key a moment ago: then that one stands in the way. */
  async #failed(item: Item, error: unknown): Promise<void> {
    const existing = item.kind === 'start' ? await whatStandsInTheWay(this.#store, item.record).catch(() => []) : [];
    if (item.kind === 'start' && existing.length > 0) item.resolve(startOutcome(item.record, existing));
    else item.reject(error);
  }

  async #write(items: Item[]): Promise<void> {
    const starts = distinct(items.filter((item) => item.kind === 'start'));
    const changes = items.filter((item) => item.kind === 'change');
    const decided = await this.#decide(changes);
    const writes = decided.map(({ change }) => change).filter(({ events }) => events.length > 0);
    const written = await this.#commit(starts.now, writes);
    for (const { change, verdicts } of decided) {
      if (change.events.length === 0 || written.has(change.after.orderId)) settle(verdicts, change.after);
      else this.#again(verdicts.map(({ item }) => item));
    }
    for (const start of starts.now) {
      if (written.has(start.record.order.orderId)) start.resolve({ started: true, order: start.record.order });
      else start.resolve(startOutcome(start.record, await whatStandsInTheWay(this.#store, start.record)));
    }
    if (starts.later.length > 0) await this.#flush(starts.later);
  }

  async #commit(starts: readonly Start[], changes: readonly OrderChange[]): Promise<ReadonlySet<number>> {
    if (starts.length === 0 && changes.length === 0) return new Set();
    const batch = { starts: starts.map((start) => start.record), changes };
    const oldest = Math.min(...starts.map(({ record }) => record.order.createdAt));
    return throughOutages(this.#clock, () => this.#store.commit(batch), oldest + this.#startWithinMs);
  }

  async #decide(changes: readonly Change[]): Promise<{ change: OrderChange; verdicts: Verdict[] }[]> {
    const byOrder = new Map<number, Change[]>();
    for (const change of changes) {
      const list = byOrder.get(change.key.orderId);
      if (list) list.push(change);
      else byOrder.set(change.key.orderId, [change]);
    }
    const orders = await this.#ordersOf(byOrder);
    return [...byOrder].map(([orderId, commands]) => {
      const before = orders.get(orderId);
      if (!before) throw new Error(`There is no order ${orderId}`);
      return this.#decideAll(before, commands);
    });
  }

  /** Several commands for one order in one batch are decided one after the other, each on the result of the last. */
  #decideAll(before: Order, items: readonly Change[]): { change: OrderChange; verdicts: Verdict[] } {
    let after = before;
    const events: OrderEvent[] = [];
    const entries: LedgerEntry[] = [];
    const begins = new Map<string, BeginMarks>();
    const verdicts = items.map((item): Verdict => {
      const change = changeBy(after, item.command, this.moment);
      if (change instanceof Refusal) return { item, moved: false, refusal: change };
      after = change.after;
      entries.push(...change.entries);
      for (const event of change.events) {
        events.push(event);
        if (event.type === 'transaction-begun' && item.marks) begins.set(event.transaction.requestSerial, item.marks);
      }
      return { item, moved: change.events.length > 0, refusal: undefined };
    });
    return { change: { before, after, events, entries, begins }, verdicts: verdicts.map(movedLast) };
  }

  async #ordersOf(byOrder: ReadonlyMap<number, readonly Change[]>): Promise<ReadonlyMap<number, Order>> {
    const orders = new Map<number, Order>();
    const unknown: OrderKey[] = [];
    for (const [orderId, commands] of byOrder) {
      const known = commands.find((one) => one.known)?.known;
      // What met a conflict is decided on what is written, never again on what somebody remembers.
      if (known && commands.every(({ conflicts }) => conflicts === 0)) orders.set(orderId, known);
      else unknown.push((commands[0] as Change).key);
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

/** All of them hear how the transaction stands in the end: had another one moved it on, two would go on with it. */
function movedLast(verdict: Verdict, index: number, all: readonly Verdict[]): Verdict {
  const { command } = verdict.item;
  if (!verdict.moved || !('seq' in command)) return verdict;
  const isOvertaken = all.slice(index + 1).some(({ item: { command: later }, moved }) => {
    return moved && 'seq' in later && later.seq === command.seq;
  });
  return isOvertaken ? { ...verdict, moved: false } : verdict;
}

function settle(verdicts: readonly Verdict[], order: Order): void {
  for (const { item, moved, refusal } of verdicts) item.resolve(refusal ?? { order, moved });
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
