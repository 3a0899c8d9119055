// The one door for order writes: every new order and every change of one passes here. Writes without conditions share a
// transaction with others that wait; a write with conditions has its own. Either way the rules decide on the version
// that is overwritten, they decide anew when another node was faster, and the commit is repeated through outages of
// the database.

import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Command, Moment } from '../../domain/order/decide.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import type { BeginMarks, OrderRecord, OrderStore, Uncovered } from '../../storage/store.ts';
import {
  type ChangeConditions,
  ConditionalWrites,
  type Conditions,
  type Reported,
  type Written,
} from './conditional-writes.ts';
import { GroupWrites } from './group-writes.ts';
import type { StartOutcome } from './start-outcome.ts';

export type DoorOptions = {
  readonly store: OrderStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly holdMs: number;
  /** How many shared commits may be under way at the same time. */
  readonly lanes: number;
  /** How many writes with conditions may be under way at the same time. */
  readonly conditionalLanes?: number | undefined;
  /** How old a sealed value may be when it is written: its key must surely still exist. */
  readonly sealedForMs?: number | undefined;
  readonly written?: Written;
  /** Sees every write until it is committed. */
  readonly watched?: (<T>(write: Promise<T>) => Promise<T>) | undefined;
};

export class Door {
  readonly #options: DoorOptions;
  readonly #grouped: GroupWrites;
  readonly #conditional: ConditionalWrites;

  constructor(options: DoorOptions) {
    const { store, clock, lanes, conditionalLanes = 1, sealedForMs = Number.POSITIVE_INFINITY } = options;
    const { written = () => {} } = options;
    this.#options = options;
    const parts = { store, clock, sealedForMs, moment: () => this.moment };
    this.#grouped = new GroupWrites({ ...parts, lanes, written });
    this.#conditional = new ConditionalWrites({ ...parts, lanes: conditionalLanes });
  }

  get moment(): Moment {
    const { clock, leaseMs, holdMs } = this.#options;
    return { now: clock.now(), leaseMs, holdMs };
  }

  /** Writes that wait for the next commit. */
  get waiting(): number {
    return this.#grouped.waiting;
  }

  /** Writes that wait for a transaction of their own. */
  get conditionalWaiting(): number {
    return this.#conditional.waiting;
  }

  /** Writes a new order, or returns the orders that stand in its way. */
  start(record: OrderRecord): Promise<StartOutcome>;
  start(record: OrderRecord, on: Conditions): Promise<StartOutcome | Uncovered>;
  start(record: OrderRecord, on?: Conditions): Promise<StartOutcome | Uncovered> {
    const isAlone = on && isConditional(on);
    return this.#watched(isAlone ? this.#conditional.start(record, on) : this.#grouped.start(record));
  }

  /** Applies a command to its order; one that changes nothing leaves it as it is. */
  change(key: OrderKey, command: Command, on?: Pick<ChangeConditions, 'known'>): Promise<Reported>;
  change(key: OrderKey, command: Command, on: ChangeConditions): Promise<Reported | Uncovered>;
  async change(key: OrderKey, command: Command, on: ChangeConditions = {}): Promise<Reported | Uncovered> {
    if (isConditional(on)) return this.#watched(this.#conditional.change(key, command, on));
    const reported = await this.#watched(this.#grouped.change(key, command, undefined, on.known));
    if (reported instanceof Refusal) throw new Error(`Order ${key.orderId} refused ${command.type}`);
    return reported;
  }

  /** Asks for a new transaction of an order, which the rules may refuse. */
  async begin(key: OrderKey, command: Command, marks: BeginMarks): Promise<Order | Refusal> {
    const begun = await this.#watched(this.#grouped.change(key, command, marks));
    return begun instanceof Refusal ? begun : begun.order;
  }

  #watched<T>(write: Promise<T>): Promise<T> {
    const { watched } = this.#options;
    return watched ? watched(write) : write;
  }

  async drained(): Promise<void> {
    await this.#conditional.drained();
    await this.#grouped.drained();
  }
}

function isConditional({ within, covers, confirmation, card }: ChangeConditions): boolean {
  return Boolean(within?.length || confirmation || card) || covers !== undefined;
}
