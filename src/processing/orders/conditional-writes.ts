// Writes with conditions. Whether a limit leaves room and whether a balance suffices is known only under their locks,
// so each write is a transaction of its own. Writes for the same lock queue, and never hold up the writes without
// conditions.

import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors.ts';
import { changeBy } from '../../domain/order/change.ts';
import { type Command, filtered, type Moment } from '../../domain/order/decide.ts';
import { type Order, type OrderKey, transactionOf } from '../../domain/order/order.ts';
import type { FilterReason } from '../../domain/screening/filter-reason.ts';
import { type CountedLimit, judgeLimits } from '../../domain/screening/screening.ts';
import { GroupCommit } from '../../storage/group-commit.ts';
import type {
  ConditionalOutcome,
  ConditionalWrite,
  Confirmation,
  GivenCard,
  OrderChange,
  OrderRecord,
  OrderStore,
  OrderWrite,
  PlacedLimit,
  Uncovered,
} from '../../storage/store.ts';
import { againOnConflict } from './conflicts.ts';
import { throughOutages } from './outages.ts';
import { outcomeOfConflict, outcomeOfFailure, type StartOutcome } from './start-outcome.ts';

export type Conditions = {
  /** Limits the order is counted by: if one leaves no room, it is written as filtered. */
  readonly within?: readonly PlacedLimit[] | undefined;
  /** The merchant's balance pays, and may fall this far below zero; if it does not suffice, nothing is written. */
  readonly covers?: bigint | undefined;
};

export type ChangeConditions = Conditions & {
  /** The order as the caller has just read it. */
  readonly known?: Order | undefined;
  /** The request that confirms the order. */
  readonly confirmation?: Confirmation | undefined;
  /** The card a payer entered, and when: the change is decided for that time, however long the write takes. */
  readonly card?: (GivenCard & { readonly at: number }) | undefined;
};

/** The order as it stands, and whether it was this command that moved it there. */
export type Reported = { readonly order: Order; readonly moved: boolean };

export type WriteParts = {
  readonly store: OrderStore;
  readonly clock: Clock;
  /** How many transactions may be under way: those that wait for a lock must not take all connections. */
  readonly lanes: number;
  readonly sealedForMs: number;
  readonly moment: () => Moment;
};

/** Hears of a change without conditions once it is written. */
export type Written = (change: OrderChange) => void;

const MAX_BATCH = 64;

/** Each is written alone, so shards need no lanes of their own: all of them together have so many. */
const ALL_SHARDS = 0;

export class ConditionalWrites {
  readonly #parts: WriteParts;
  readonly #queue: GroupCommit<() => Promise<void>>;

  constructor(parts: WriteParts) {
    const { clock, lanes } = parts;
    const oneByOne = async (items: readonly (() => Promise<void>)[]) => {
      for (const item of items) await item();
    };
    this.#parts = parts;
    this.#queue = new GroupCommit(oneByOne, { lanes, maxBatch: MAX_BATCH, clock });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  start(record: OrderRecord, on: Conditions): Promise<StartOutcome | Uncovered> {
    return this.#inTurn(turnOf(record.order, on), () => this.#start(record, on));
  }

  change(key: OrderKey, command: Command, on: ChangeConditions): Promise<Reported | Uncovered> {
    return this.#inTurn(turnOf(key, on), () => this.#change(key, command, on));
  }

  /** Does the work after all earlier work of the same turn. */
  #inTurn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.#queue.add(() => work().then(resolve, reject), turn, ALL_SHARDS));
  }

  #start(record: OrderRecord, on: Conditions): Promise<StartOutcome | Uncovered> {
    const { store, sealedForMs } = this.#parts;
    const { order } = record;
    const decide = (counted: readonly CountedLimit[]): OrderWrite => {
      const reason = judgeLimits(counted, order.amount);
      return { record: reason === undefined ? record : filteredRecord(record, reason) };
    };
    const at = order.createdAt;
    return this.#commit({ order, at, decide }, on, at + sealedForMs).then(
      (outcome): StartOutcome | Uncovered | Promise<StartOutcome> => {
        if (outcome === 'conflict') return outcomeOfConflict(store, record);
        return 'written' in outcome ? { started: true, order: outcome.written } : outcome;
      },
      (error) => outcomeOfFailure(store, record, error),
    );
  }

  #change(key: OrderKey, command: Command, on: ChangeConditions): Promise<Reported | Uncovered> {
    const { store, sealedForMs } = this.#parts;
    const { card } = on;
    let { known } = on;
    return againOnConflict(`Order ${key.orderId}`, async () => {
      const before = known ?? (await store.load([key])).get(key.orderId);
      if (!before) throw new Error(`There is no order ${key.orderId}`);
      // After a conflict the order is read again: the caller's copy is out of date.
      known = undefined;
      const moment = card ? { ...this.#parts.moment(), now: card.at } : this.#parts.moment();
      if (changed(before, command, moment).events.length === 0) return { order: before, moved: false };
      const decide = (counted: readonly CountedLimit[]): OrderWrite => {
        const told = filteredCommand(command, judgeLimits(counted, before.amount));
        const change = changed(before, told, moment);
        return { change, confirmation: on.confirmation, card: card && cardFor(change.after, card) };
      };
      const until = card ? card.at + sealedForMs : undefined;
      const outcome = await this.#commit({ order: before, at: moment.now, decide }, on, until);
      if (outcome === 'conflict') return outcome;
      return 'written' in outcome ? { order: outcome.written, moved: true } : outcome;
    });
  }

  #commit(
    write: Pick<ConditionalWrite, 'order' | 'at' | 'decide'>,
    { within = [], covers = 0n }: Conditions,
    until: number | undefined,
  ): Promise<ConditionalOutcome> {
    const { clock, store } = this.#parts;
    return throughOutages(clock, () => store.commitAlone({ ...write, limits: within, creditLimit: covers }), until);
  }
}

/** Writes that wait for the same lock share a queue: the lock of a limit, of a balance, or of the order. */
function turnOf({ merchantId, orderId }: OrderKey, { within = [], covers }: Conditions): number {
  const [first] = within;
  if (first) return first.digest.readUInt16BE(0);
  return covers === undefined ? orderId : merchantId;
}

/** Nothing will be sent, so the security code is not kept. */
export function filteredRecord(record: OrderRecord, reason: FilterReason): OrderRecord {
  return { ...record, order: filtered(record.order, reason), sealedCvv: undefined };
}

function cardFor(order: Order, card: GivenCard): GivenCard {
  return transactionOf(order, card.seq).stage === 'filtered' ? { ...card, sealedCvv: undefined } : card;
}

function filteredCommand(command: Command, reason: FilterReason | undefined): Command {
  return reason !== undefined && command.type === 'card-given' ? { ...command, filterReason: reason } : command;
}

function changed(before: Order, command: Command, moment: Moment): OrderChange {
  const change = changeBy(before, command, moment);
  if (change instanceof Refusal) throw new Error(`Order ${before.orderId} refused ${command.type}`);
  return { before, ...change, begins: new Map() };
}
