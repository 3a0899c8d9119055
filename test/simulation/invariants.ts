// What must be true after every step, and at the end. Each breach is a sentence; a history without any is a good one.

import type { BookEntry } from '../../src/acquirers/simulator/book-entry.ts';
import { callbackId, callbacksDue } from '../../src/domain/order/callbacks.ts';
import { authenticableUntil } from '../../src/domain/order/decide.ts';
import { acquirerReference, type Order, type Transaction } from '../../src/domain/order/order.ts';
import { AUTHENTICATION_MS, FORM_MS, REVERSAL_PAUSES_MS } from '../../src/domain/order/retry-schedule.ts';
import { isFinal, stages } from '../../src/domain/order/stages.ts';
import { sumsOf, type TransactionType } from '../../src/domain/order/transaction-types.ts';
import type { BankWatch } from './bank-watch.ts';
import { formBreaches } from './form-watch.ts';
import { AUTHENTICATED, CURRENCY, MERCHANTS } from './house.ts';
import { isLimited, limitBreaches } from './limit-watch.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Merchants } from './merchants.ts';
import { clientOrderId } from './merchants.ts';
import type { Operation } from './plan.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Once all trouble is over: the longest pause of the schedule, two leases, and the time a few looks take. */
const BOUND_MS = Math.max(...REVERSAL_PAUSES_MS) + 10 * MINUTE;

export type Witnesses = {
  readonly database: MemoryDatabase;
  readonly bank: BankWatch;
  readonly merchants: Merchants;
  readonly operations: readonly Operation[];
};

export class Invariants {
  readonly #witnesses: Witnesses;
  readonly #seen = new Map<number, Order>();
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #authenticated = new Map<string, string>();
  #entries = 0;
  #promises = 0;

  constructor(witnesses: Witnesses) {
    this.#witnesses = witnesses;
    this.#operations = new Map(witnesses.operations.map((one) => [clientOrderId(one.id), one]));
  }

  /** What the last step broke. */
  afterStep(): string[] {
    const { database, bank, merchants } = this.#witnesses;
    const breaches = [...bank.complaints, ...merchants.complaints, ...merchants.payers.complaints];
    let isCounted = false;
    for (const orderId of database.orders.touched) {
      const order = database.orders.orders.get(orderId) as Order;
      breaches.push(...this.#ofOrder(order, this.#seen.get(orderId)));
      isCounted ||= isLimited(order) && !this.#seen.has(orderId);
      this.#seen.set(orderId, order);
    }
    database.orders.touched.clear();
    if (isCounted) breaches.push(...limitBreaches(database.orders.orders.values(), this.#operations));
    return [...breaches, ...this.#ofAuthentications(), ...this.#ofNewEntries(), ...this.#brokenPromises()];
  }

  #ofOrder(order: Order, before: Order | undefined): string[] {
    const { orderId, amount, authorised, captured, released, reversed, transactions } = order;
    const pending = (...types: TransactionType[]) =>
      sum(transactions.filter(({ type, stage }) => types.includes(type) && !isFinal(stage)).map((one) => one.amount));
    const breaches = formBreaches(order, before, this.#witnesses.merchants.payers);
    const isPreauth = transactions[0]?.type === 'preauth';
    if (authorised > amount) breaches.push('authorised more than was asked for');
    if (isPreauth && captured + released + pending('capture', 'cancel') > authorised) {
      breaches.push('captured and released, with what is under way, more than authorised');
    }
    if (reversed + pending('void', 'reversal') > captured) {
      breaches.push('returned, with what is under way, more than captured');
    }
    for (const name of ['authorised', 'captured', 'released', 'reversed'] as const) {
      const approved = transactions.filter(({ type, stage }) => stage === 'approved' && sumsOf[type].includes(name));
      if (sum(approved.map((one) => one.amount)) !== order[name]) breaches.push(`${name} is not what was approved`);
    }
    for (const transaction of transactions) breaches.push(...this.#ofTransaction(order, transaction, before));
    const serials = transactions.filter(({ originalSeq }) => originalSeq !== undefined).map((one) => one.requestSerial);
    if (new Set(serials).size < serials.length) breaches.push('one request made two transactions');
    return breaches.map((breach) => `order ${orderId}: ${breach}`);
  }

  #ofTransaction(order: Order, transaction: Transaction, before: Order | undefined): string[] {
    const { seq, stage, legs, changedAt } = transaction;
    if (isFinal(stage) && this.#witnesses.database.orders.keepsSecurityCode(order.orderId, seq)) {
      return [`transaction ${seq} ended and its security code is still there`];
    }
    const earlier = before?.transactions[seq - 1];
    if (earlier && isFinal(earlier.stage)) {
      return earlier.stage === stage ? [] : [`transaction ${seq} ended as ${earlier.stage} and then as ${stage}`];
    }
    if (earlier?.stage === 'authenticating' && stage === 'sending' && changedAt >= authenticableUntil(earlier)) {
      return [`transaction ${seq} was authenticated too late`];
    }
    if (stage !== 'approved') return [];
    const standing = this.#witnesses.bank.stands.get(acquirerReference(order, { seq, leg: legs }));
    return standing === 'approved' ? [] : [`transaction ${seq} is approved here and ${standing} at the bank`];
  }

  /** How an authentication ended it ended, and under the name it ended under. */
  #ofAuthentications(): string[] {
    const { rows, touched } = this.#witnesses.database.authentications;
    const breaches: string[] = [];
    for (const name of touched) {
      const step = rows.get(name)?.step;
      const end = step?.name === 'over' ? `${step.outcome.status} ${step.outcome.ids.threeDSServerTransID}` : '';
      const earlier = this.#authenticated.get(name) ?? end;
      if (earlier !== end) breaches.push(`the authentication of ${name} ended as ${earlier} and is now "${end}"`);
      if (end) this.#authenticated.set(name, end);
    }
    touched.clear();
    return breaches;
  }

  #ofNewEntries(): string[] {
    const { orders } = this.#witnesses.database;
    const fresh = orders.entries.slice(this.#entries);
    this.#entries = orders.entries.length;
    const overdrawn = MERCHANTS.filter(({ merchantId, creditLimit }) => {
      const isSpending = fresh.some(
        (one) => one.merchantId === merchantId && one.account === 'reserved' && one.amount > 0n,
      );
      return isSpending && orders.balance(merchantId, CURRENCY) < -creditLimit;
    });
    return [
      ...(sum(fresh.map(({ amount }) => amount)) === 0n ? [] : ['ledger entries do not sum to zero']),
      ...overdrawn.map(({ merchantId }) => `merchant ${merchantId} spent more than it had`),
    ];
  }

  #brokenPromises(): string[] {
    const { database, merchants } = this.#witnesses;
    const { promises } = merchants;
    const fresh = promises.slice(this.#promises);
    this.#promises = promises.length;
    return fresh.flatMap(({ operation, orderId, serialNumber }) => {
      const order = database.orders.orders.get(orderId);
      if (!order) return [`order ${orderId} was acknowledged and does not exist`];
      const first = promises.find((one) => one.operation.id === operation.id);
      if (first?.orderId !== orderId) return [`request ${operation.id} made orders ${first?.orderId} and ${orderId}`];
      const isKeyed = 'keyed' in operation && operation.keyed;
      if (isKeyed && first.serialNumber !== serialNumber) return [`the key of request ${operation.id} was used twice`];
      return [];
    });
  }

  /** What is wrong once nothing moves any more; `endedAt` is when the last trouble was over. */
  async atRest(endedAt: number): Promise<string[]> {
    const { database, bank } = this.#witnesses;
    const entries = new Map<string, BookEntry>();
    const breaches: string[] = [];
    for await (const entry of bank.entries()) {
      if (entries.has(entry.reference)) breaches.push(`the bank booked ${entry.reference} twice`);
      entries.set(entry.reference, entry);
    }
    const known = new Set<string>();
    for (const order of database.orders.orders.values()) {
      for (const transaction of order.transactions) {
        breaches.push(...lateness(order, transaction, endedAt));
        for (let leg = 1; leg <= transaction.legs; leg++) {
          const reference = acquirerReference(order, { seq: transaction.seq, leg });
          known.add(reference);
          const difference = differenceOf(transaction, entries.get(reference));
          if (difference) breaches.push(`${reference}: ${difference}`);
          if (transaction.stage === 'filtered' && bank.hasSent(reference))
            breaches.push(`${reference}: filtered and sent`);
        }
      }
      breaches.push(...this.#untold(order));
    }
    for (const reference of entries.keys()) if (!known.has(reference)) breaches.push(`${reference}: the bank's alone`);
    return [...breaches, ...this.#wrongBalances(entries), ...this.#openSchedules(), ...this.#openAuthentications()];
  }

  /** Balances by the bank's books alone. */
  #wrongBalances(entries: ReadonlyMap<string, BookEntry>): string[] {
    const { orders } = this.#witnesses.database;
    const hasStuck = [...orders.orders.values()].some((one) => one.transactions.some(({ stage }) => stage === 'stuck'));
    if (hasStuck) return [];
    return MERCHANTS.flatMap(({ merchantId }) => {
      const own = [...entries.values()].filter(({ outcome, reference }) => {
        const order = orders.orders.get(Number(reference.split('-')[0]));
        return outcome === 'approved' && order?.merchantId === merchantId && order.transactions[0]?.legs === 1;
      });
      const expected = sum(own.map(({ kind, amount: { minor } }) => minor * (SIGNS[kind] ?? 0n)));
      const kept = orders.balance(merchantId, CURRENCY);
      const booked = sum(
        orders.entries
          .filter((entry) => entry.merchantId === merchantId && entry.account === 'merchant')
          .map(({ amount }) => amount),
      );
      const open = (['reserved', 'transit'] as const).filter(
        (account) => orders.balance(merchantId, CURRENCY, account) !== 0n,
      );
      return [
        ...(kept === expected
          ? []
          : [`merchant ${merchantId} has ${kept} and should have ${expected} by the bank's books`]),
        ...(kept === booked ? [] : [`merchant ${merchantId} has ${kept} and its entries sum to ${booked}`]),
        ...open.map((account) => `money of merchant ${merchantId} is still in ${account}`),
      ];
    });
  }

  /** At least once for each end, and never anything but the end. */
  #untold(order: Order): string[] {
    const { heard } = this.#witnesses.merchants;
    return callbacksDue(undefined, order).flatMap(({ seq, stage, target }) => {
      const id = callbackId({ orderId: order.orderId, seq, target });
      const told = [...(heard.get(id) ?? [])].join();
      return told === stages[stage].status ? [] : [`callback ${id} should have told ${stage} and told "${told}"`];
    });
  }

  #openAuthentications(): string[] {
    const { authentications } = this.#witnesses.database;
    return [...authentications.rows.values()]
      .filter(({ step }) => step.name !== 'over' || !step.isTold)
      .map(({ orderId, seq, step }) => `the authentication of ${orderId}-${seq} never ended: ${step.name}`);
  }

  #openSchedules(): string[] {
    const { recurring } = this.#witnesses.database;
    return [...recurring.rows.values()].flatMap((row) => {
      const { recurringPaymentId, state, amounts } = row;
      const paid = recurring.charges(row).approved;
      const owed = amounts.kind === 'sequence' ? amounts.minors.length : 0;
      if (paid > owed) return [`recurring payment ${recurringPaymentId} was charged ${paid} times instead of ${owed}`];
      return state === 'active' ? [`recurring payment ${recurringPaymentId} came to rest before its end`] : [];
    });
  }
}

const SIGNS: Partial<Record<BookEntry['kind'], bigint>> = { sale: 1n, capture: 1n, refund: -1n, void: -1n, push: -1n };

function lateness({ orderId, endpointId, form }: Order, transaction: Transaction, endedAt: number): string[] {
  const { seq, stage, createdAt, changedAt, type } = transaction;
  const name = `transaction ${orderId}-${seq}`;
  if (!isFinal(stage)) return stage === 'stuck' ? [] : [`${name} never ended: ${stage}`];
  const wait = form ? FORM_MS : type === 'payout' ? DAY : 0;
  const asked = endpointId === MERCHANTS[AUTHENTICATED].endpointId ? AUTHENTICATION_MS : 0;
  const late = changedAt - (Math.max(createdAt, endedAt) + wait + asked + BOUND_MS);
  return late > 0 ? [`${name} ended ${late} ms after its bound`] : [];
}

function differenceOf({ stage, amount }: Transaction, entry: BookEntry | undefined): string | undefined {
  if (stage === 'stuck') return undefined;
  const isThere = entry?.outcome === 'approved' || entry?.outcome === 'held';
  if (stage !== 'approved') return isThere ? `${stage} here, ${entry.outcome} at the bank` : undefined;
  if (!isThere) return `approved here, ${entry?.outcome ?? 'unknown'} at the bank`;
  return entry.amount.minor === amount ? undefined : `${amount} here, ${entry.amount.minor} at the bank`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
