// What must be true of one order as it is stored: its events lead to it, its sums are those of its transactions and
// within their caps, its entries are the ones its events book, and each transaction is final or has its next step due.

import { DEMO_TERMINAL } from '../acquirer/terminal.ts';
import { entriesOf, type LedgerEntry, reservationOf } from '../money/ledger.ts';
import { evolve, type OrderEvent } from './decide.ts';
import type { Order, Transaction } from './order.ts';
import { isFinal, type Stage, stages } from './stages.ts';
import { type Sum, sumsOf } from './transaction-types.ts';

/** An order with all that is kept of it. */
export type StoredOrder = {
  readonly order: Order;
  /** The events as they were read: JSON, oldest first. */
  readonly events: readonly { readonly version: number; readonly event: Readonly<Record<string, unknown>> }[];
  readonly entries: readonly LedgerEntry[];
  /** Transactions that still have a sealed security code. */
  readonly withCvv: readonly number[];
};

/** Something that is not as it must be, or that a person has to look at. */
export type VerificationFinding = {
  readonly kind: 'violation' | 'waiting';
  /** Where: `order 77 transaction 1`, `merchant shop`, `audit entry 3`. */
  readonly place: string;
  readonly cause: string;
};

export type VerificationMoment = {
  readonly now: number;
  /** How long due work may be left: a lease and some patience. */
  readonly overdueMs: number;
  /** How long a security code may be kept. */
  readonly cvvMs: number;
  /** Whether any node lives that could do what is due. */
  readonly isServed: boolean;
};

/** `isRest`: its other events lie in files, so it is held to those that are left. */
export function findingsOf(stored: StoredOrder, moment: VerificationMoment, isRest = false): VerificationFinding[] {
  const { order } = stored;
  const place = placeOf(stored);
  const violation = (cause: string, seq?: number): VerificationFinding => ({
    kind: 'violation',
    place: seq === undefined ? place : `${place} transaction ${seq}`,
    cause,
  });
  return [
    ...order.transactions.flatMap((transaction) => [
      ...causesOfTransaction(order, transaction, moment).map((cause) => violation(cause, transaction.seq)),
      ...waiting(place, transaction),
    ]),
    ...sumCauses(order).map((cause) => violation(cause)),
    ...cvvCauses(stored, moment).map(([seq, cause]) => violation(cause, seq)),
    ...balanceCauses(stored).map(([seq, cause]) => violation(cause, seq)),
    ...(isRest ? restCauses(stored) : replayCauses(stored)).map((cause) => violation(cause)),
  ];
}

const placeOf = ({ order }: StoredOrder) => `order ${order.orderId}`;

/** Whether it cannot be played again, because not all of its events are there. */
export const lacksEvents = ({ order, events }: StoredOrder): boolean =>
  events.length !== order.version || events.some(({ version }, index) => version !== index + 1);

/** Plays all its events again, those of files among them. */
export function replayFindings(stored: StoredOrder): VerificationFinding[] {
  return replayCauses(stored).map((cause) => ({ kind: 'violation', place: placeOf(stored), cause }));
}

/** The oldest leave first: what is left are the last events of the order, and they brought its transactions there. */
function restCauses({ order, events }: StoredOrder): string[] {
  const versions = events.map(({ version }) => version);
  const first = order.version - versions.length + 1;
  if (first < 1 || versions.some((version, index) => version !== first + index)) {
    return [`is at version ${order.version} and has the events ${shortened(versions)}`];
  }
  return order.transactions.flatMap(({ seq, stage }) => {
    const last = events.findLast(({ event }) => event.type === 'transaction-moved' && event.seq === seq)?.event;
    return last === undefined || last.to === stage
      ? []
      : [`transaction ${seq}: stage is ${stage}, its last event says ${String(last.to)}`];
  });
}

function waiting(place: string, { seq, stage, changedAt }: Transaction): VerificationFinding[] {
  if (stage !== 'stuck') return [];
  const since = new Date(changedAt).toISOString();
  return [{ kind: 'waiting', place: `${place} transaction ${seq}`, cause: `waits for a person since ${since}` }];
}

function causesOfTransaction(order: Order, transaction: Transaction, moment: VerificationMoment): string[] {
  const { seq, stage, dueAt, type } = transaction;
  const index = order.transactions.indexOf(transaction);
  const causes: string[] = [];
  if (seq !== index + 1) causes.push(`is the ${index + 1}. of its order`);
  if (!(stage in stages)) return [...causes, `is in no known stage: ${stage}`];
  const mayBeDue = !isFinal(stage) || (stage === 'approved' && type === 'preauth');
  if (dueAt !== undefined && (!mayBeDue || stage === 'stuck')) causes.push(`is ${stage} and still due`);
  if (dueAt === undefined && !isFinal(stage) && stage !== 'stuck') causes.push(`is ${stage} and never due`);
  if (dueAt !== undefined && moment.isServed && dueAt < moment.now - moment.overdueMs) {
    causes.push(`is ${stage} and was due at ${new Date(dueAt).toISOString()}: nobody works on it`);
  }
  return causes;
}

const SUMS = ['authorised', 'captured', 'released', 'reversed'] as const satisfies Sum[];

function sumCauses(order: Order): string[] {
  const causes: string[] = [];
  for (const sum of SUMS) {
    const added = order.transactions
      .filter(({ stage, type }) => stage === 'approved' && sumsOf[type]?.includes(sum))
      .reduce((total, { amount }) => total + amount, 0n);
    if (added !== order[sum]) causes.push(`says ${order[sum]} ${sum}, its approved transactions ${added}`);
  }
  const { amount, authorised, captured, released, reversed } = order;
  if (authorised > amount) causes.push(`authorised ${authorised} of ${amount}`);
  if (captured + released > authorised) {
    causes.push(`captured ${captured} and released ${released} of ${authorised} authorised`);
  }
  if (reversed > captured) causes.push(`gave back ${reversed} of ${captured} captured`);
  return causes;
}

function cvvCauses(stored: StoredOrder, { now, cvvMs }: VerificationMoment): [number, string][] {
  const { order, withCvv } = stored;
  return withCvv.flatMap((seq): [number, string][] => {
    const transaction = order.transactions[seq - 1];
    if (!transaction) return [];
    if (isFinal(transaction.stage)) return [[seq, 'is final and still has its security code']];
    const since = cardGivenAt(stored, seq) ?? transaction.createdAt;
    return since < now - cvvMs ? [[seq, `has had its security code since ${new Date(since).toISOString()}`]] : [];
  });
}

/** When the payer entered the card for this transaction on the hosted form. */
function cardGivenAt({ events }: StoredOrder, seq: number): number | undefined {
  const given = events.find(({ event }) => event.seq === seq && event.from === 'awaiting-payer');
  return given?.event.at as number | undefined;
}

/** Per transaction and currency the entries add up to nothing. */
function balanceCauses({ entries }: StoredOrder): [number, string][] {
  const totals = new Map<string, { seq: number; currency: string; total: bigint }>();
  for (const { seq, currency, amount } of entries) {
    const key = `${seq} ${currency}`;
    totals.set(key, { seq, currency, total: (totals.get(key)?.total ?? 0n) + amount });
  }
  return [...totals.values()]
    .filter(({ total }) => total !== 0n)
    .map(({ seq, currency, total }) => [seq, `has ledger entries that are off by ${total} ${currency}`]);
}

/** Plays the events again: they must lead to the order as it is, and book what is booked. */
function replayCauses(stored: StoredOrder): string[] {
  const { order, events } = stored;
  const versions = events.map(({ version }) => version);
  if (versions.some((version, index) => version !== index + 1) || versions.length !== order.version) {
    return [`is at version ${order.version} and has the events ${shortened(versions)}`];
  }
  const [first, ...rest] = events.map(({ event }) => event);
  if (first?.type !== 'order-started') return [`begins with ${String(first?.type)}`];
  try {
    let replayed = started(order, first);
    const booked = [...reservationOf(replayed)];
    for (const event of rest.map(revived)) {
      replayed = evolve(replayed, event);
      booked.push(...entriesOf(replayed, event));
    }
    return [...differences(replayed, order), ...entryDifferences(booked, stored.entries)];
  } catch (error) {
    return [`cannot be made of its events: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function shortened(versions: readonly number[]): string {
  return versions.length > 12 ? `${versions.slice(0, 12).join(', ')} …` : versions.join(', ') || '(none)';
}

/** The order as it was accepted. Amounts that were tried since are put back in their place. */
function started(order: Order, { stage, serial, amount: asked }: Readonly<Record<string, unknown>>): Order {
  const [first, ...later] = order.transactions;
  if (!first) throw new Error('it has no transaction');
  // JSON has the amount as a number, which is exact up to 2^53.
  const amount = Number.isSafeInteger(asked) ? BigInt(asked as number) : order.amount;
  const tried = later.filter((one) => isOtherAmount(order, one)).map(({ amount }) => amount);
  const transaction: Transaction = {
    ...first,
    amount,
    stage: stage as Stage,
    leg: 1,
    dueAt: undefined,
    attempts: 0,
    sends: 0,
    requestSerial: serial as string,
    answer: undefined,
    createdAt: order.createdAt,
    changedAt: order.createdAt,
  };
  const nothing = { authorised: 0n, captured: 0n, released: 0n, reversed: 0n, holdUntil: undefined };
  const alternatives = [...tried, ...order.alternatives];
  return { ...order, ...nothing, amount, alternatives, version: 1, transactions: [transaction] };
}

/** A try after the one before it was declined, and not at another terminal. */
function isOtherAmount({ transactions }: Order, { seq, originalSeq }: Transaction): boolean {
  if (originalSeq !== undefined) return false;
  const before = transactions.findLast((one) => one.seq < seq && one.originalSeq === undefined);
  return before?.stage !== 'passed-on';
}

/** An event as it was before it became JSON. */
function revived(event: Readonly<Record<string, unknown>>): OrderEvent {
  if (event.type !== 'transaction-begun') return event as OrderEvent;
  const transaction = event.transaction as Readonly<Record<string, unknown>>;
  // Events of earlier versions name no terminal: there was only one.
  return {
    ...event,
    transaction: { terminal: DEMO_TERMINAL, ...transaction, amount: BigInt(transaction.amount as string) },
  } as OrderEvent;
}

function differences(replayed: Order, stored: Order): string[] {
  const { transactions: expected, ...head } = replayed;
  const { transactions: actual, ...storedHead } = stored;
  const causes = fieldDifferences('', head, storedHead);
  if (expected.length !== actual.length) {
    causes.push(`has ${actual.length} transactions, its events made ${expected.length}`);
  }
  for (const [index, one] of expected.entries()) {
    // A node that works on a transaction moves `dueAt` without an event.
    const { dueAt: _, ...transaction } = one;
    const { dueAt: __, ...other } = actual[index] ?? ({} as Transaction);
    causes.push(...fieldDifferences(`transaction ${one.seq}: `, transaction, other));
  }
  return causes;
}

function fieldDifferences(prefix: string, expected: object, actual: object): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return names.flatMap((name) => {
    const [wanted, found] = [expected, actual].map((one) => written((one as Record<string, unknown>)[name]));
    return wanted === found ? [] : [`${prefix}${name} is ${found}, its events say ${wanted}`];
  });
}

/** Equal values become equal text, whatever the order of their properties. */
function written(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const pairs = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${name}: ${written(one)}`)
    .join(', ')}}`;
}

function entryDifferences(booked: readonly LedgerEntry[], stored: readonly LedgerEntry[]): string[] {
  const key = ({ seq, line }: LedgerEntry) => `ledger entry ${seq}.${line}`;
  const text = ({ account, amount, currency }: LedgerEntry) => `${amount} ${currency} on ${account}`;
  const expected = new Map(booked.map((entry) => [key(entry), text(entry)]));
  const causes: string[] = [];
  for (const entry of stored) {
    const wanted = expected.get(key(entry));
    expected.delete(key(entry));
    if (wanted === undefined) causes.push(`${key(entry)} (${text(entry)}) comes from no event`);
    else if (wanted !== text(entry)) causes.push(`${key(entry)} is ${text(entry)}, its events say ${wanted}`);
  }
  for (const [name, wanted] of expected) causes.push(`${name} (${wanted}) is missing`);
  return causes;
}
