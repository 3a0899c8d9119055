// Orders and all that hangs on them, in memory, with the promises of the SQL: a batch is written whole or not at all, a
// change only over the version it was decided on, an order only if nothing stands in its way, and a claim puts off what
// it takes without counting as a change. Every call is one transaction; whoever wants delays and faults puts them in
// front.

import { type LedgerEntry, reservationOf } from '../../src/domain/money/ledger.ts';
import { callbacksDue, type DueCallback } from '../../src/domain/order/callbacks.ts';
import { type Order, type OrderKey, purposeOf, type Transaction, transactionOf } from '../../src/domain/order/order.ts';
import { CVV_MS } from '../../src/domain/order/retry-schedule.ts';
import { isFinal } from '../../src/domain/order/stages.ts';
import type { AuthenticationRecord } from '../../src/domain/three-d-secure/authentication-record.ts';
import { DatabaseError } from '../../src/storage/database.ts';
import type {
  Batch,
  BeginMarks,
  Claim,
  ConditionalOutcome,
  ConditionalWrite,
  Confirmation,
  DueTransaction,
  ExistingOrder,
  ExistingQuery,
  ExistingTransaction,
  GivenCard,
  OrderCards,
  OrderChange,
  OrderQuery,
  OrderRecord,
  OrderView,
  OrderWrite,
  StoredCard,
  Uncovered,
} from '../../src/storage/store.ts';
import { MemoryMarks } from './memory-marks.ts';

const IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1000;
const SOON_MS = 1_000;

type RequestMarks = { fingerprint: Buffer; requestSerial: string; leaseOwner: string | undefined; until: number };
type KeyUse = OrderKey & { readonly seq: number; readonly until: number };

export type BookedEntry = LedgerEntry & OrderKey;

export class MemoryOrders {
  readonly orders = new Map<number, Order>();
  readonly records = new Map<number, OrderRecord>();
  readonly cards = new Map<string, StoredCard>();
  readonly entries: BookedEntry[] = [];
  readonly accounts = new Map<string, bigint>();
  readonly marks = new MemoryMarks(this.orders);
  readonly confirmations = new Map<number, Confirmation & { readonly until: number }>();
  /** Orders written since somebody last looked. */
  readonly touched = new Set<number>();
  /** Hears which callbacks a transaction made due. */
  onDue: (due: readonly DueCallback[]) => void = () => {};
  /** How 3-D Secure of an order stands. */
  authenticationOf: (key: OrderKey) => AuthenticationRecord | undefined = () => undefined;
  /** Whether a recurring payment has the id. */
  hasRecurringPayment: (merchantId: number, clientOrderId: string) => boolean = () => false;
  readonly #byName = new Map<string, number>();
  readonly #keys = new Map<string, KeyUse>();
  readonly #requests = new Map<string, RequestMarks>();
  /** By transaction, with the moment the payer gave it. */
  readonly #cvvs = new Map<string, { readonly sealed: Buffer; readonly at: number }>();
  #nextDueAt: number | undefined;

  get nextDueAt(): number {
    this.#nextDueAt ??= Math.min(
      ...[...this.orders.values()].flatMap(({ transactions }) =>
        transactions.map(({ dueAt = Number.POSITIVE_INFINITY }) => dueAt),
      ),
    );
    return this.#nextDueAt;
  }

  leaseOwner(orderId: number, seq: number): string | undefined {
    return this.#requests.get(`${orderId}-${seq}`)?.leaseOwner;
  }

  keepsSecurityCode(orderId: number, seq: number): boolean {
    return this.#cvvs.has(`${orderId}-${seq}`);
  }

  balance(merchantId: number, currency: string, account: LedgerEntry['account'] = 'merchant'): bigint {
    return this.accounts.get(`${merchantId} ${account} ${currency}`) ?? 0n;
  }

  commit({ starts, changes }: Batch): Set<number> {
    const free = starts.filter((record) => !this.#isInTheWay(record));
    const current = changes.filter((change) => this.#isCurrent(change));
    this.#checkKeys([
      ...free.map(({ order, idempotencyKey }) => ({ order, key: idempotencyKey })),
      ...current.flatMap(({ after, begins }) =>
        [...begins.values()].map(({ idempotencyKey }) => ({ order: after, key: idempotencyKey })),
      ),
    ]);
    for (const { after } of current) checkCaps(after);
    for (const record of free) this.#insert(record);
    for (const change of current) this.#update(change);
    this.onDue([
      ...free.flatMap(({ order }) => callbacksDue(undefined, order)),
      ...current.flatMap(({ before, after }) => callbacksDue(before, after)),
    ]);
    return new Set([...free.map(({ order }) => order.orderId), ...current.map(({ after }) => after.orderId)]);
  }

  /** What is counted, decided and written is one transaction, so whoever comes second counts the first. */
  commitAlone({ order: place, at, limits, creditLimit, decide }: ConditionalWrite): ConditionalOutcome {
    const write = decide(this.marks.count({ ...place, at }, limits));
    const order = 'record' in write ? write.record.order : write.change.after;
    if ('record' in write ? this.#isInTheWay(write.record) : !this.#isCurrent(write.change)) return 'conflict';
    const entries = 'record' in write ? reservationOf(order) : write.change.entries;
    this.#checkKeys(...keyOf(write));
    const uncovered = this.#uncovered(order, entries, creditLimit);
    if (uncovered) return uncovered;
    if ('record' in write) {
      this.#insert(write.record);
      this.#book(order, entries);
      this.onDue(callbacksDue(undefined, order));
    } else {
      checkCaps(order);
      this.#update(write.change);
      if (write.confirmation) this.#confirm(order, write.confirmation);
      if (write.card) this.#giveCard(order, write.card, at);
      this.onDue(callbacksDue(write.change.before, order));
    }
    if (purposeOf(order).stage !== 'filtered') this.marks.add(order, at, limits);
    return { written: order };
  }

  #uncovered(
    { merchantId, currency }: Order,
    entries: readonly LedgerEntry[],
    creditLimit: bigint,
  ): Uncovered | undefined {
    const spent = -entries.filter(({ account }) => account === 'merchant').reduce((sum, one) => sum + one.amount, 0n);
    const available = this.balance(merchantId, currency) + creditLimit;
    return spent > available ? { available } : undefined;
  }

  #giveCard(order: Order, { seq, card, role, sealedCvv, details, leaseOwner }: GivenCard, at: number): void {
    const { merchantId, orderId } = order;
    this.cards.set(`${merchantId} ${card.cardId}`, card);
    const cardIds = role === 'pays' ? { cardId: card.cardId } : { targetCardId: card.cardId };
    this.records.set(orderId, { ...(this.records.get(orderId) as OrderRecord), details, ...cardIds });
    const isSending = transactionOf(order, seq).stage === 'sending';
    this.#markOf(orderId, seq).leaseOwner = isSending ? leaseOwner : undefined;
    if (sealedCvv) this.#cvvs.set(`${orderId}-${seq}`, { sealed: sealedCvv, at });
  }

  #isInTheWay({ order, control }: OrderRecord): boolean {
    const names = [clientOrderName(order), ...(control ? [controlName(order, control)] : [])];
    if (!order.unsigned && this.hasRecurringPayment(order.merchantId, order.clientOrderId)) return true;
    return this.orders.has(order.orderId) || names.some((name) => this.#byName.has(name));
  }

  #isCurrent({ before }: OrderChange): boolean {
    return this.orders.get(before.orderId)?.version === before.version;
  }

  #checkKeys(uses: readonly { order: OrderKey; key: string | undefined }[], constraint = 'transactions_idempotency') {
    const names = uses.flatMap(({ order, key }) => (key === undefined ? [] : [keyName(constraint, order, key)]));
    if (new Set(names).size === names.length && !names.some((name) => this.#keys.has(name))) return;
    throw new DatabaseError('a key is taken', { sqlState: '23505', constraint });
  }

  #insert(record: OrderRecord): void {
    const { order, control, cards, sealedCvv, fingerprint, idempotencyKey, leaseOwner } = record;
    const { orderId, merchantId, createdAt } = order;
    this.orders.set(orderId, order);
    this.records.set(orderId, record);
    this.#byName.set(clientOrderName(order), orderId);
    if (control) this.#byName.set(controlName(order, control), orderId);
    for (const card of cards) this.cards.set(`${merchantId} ${card.cardId}`, card);
    if (sealedCvv) this.#cvvs.set(`${orderId}-1`, { sealed: sealedCvv, at: createdAt });
    const first = order.transactions[0] as Transaction;
    const owner = first.stage === 'sending' ? leaseOwner : undefined;
    this.#mark(order, first, { fingerprint, idempotencyKey, leaseOwner: owner, at: createdAt });
    this.#written(orderId);
  }

  #update({ before, after, entries, begins }: OrderChange): void {
    const stored = (this.orders.get(after.orderId) as Order).transactions;
    const codes = new Map(this.#cvvs);
    const transactions = after.transactions.map((transaction) => {
      const { seq, requestSerial, createdAt: at } = transaction;
      const earlier = before.transactions[seq - 1];
      if (!earlier) {
        const begin = begins.get(requestSerial);
        this.#mark(after, transaction, {
          fingerprint: begin?.fingerprint ?? Buffer.alloc(0),
          idempotencyKey: begin?.idempotencyKey,
          keyKeptMs: begin?.keyKeptMs,
          leaseOwner: begin?.leaseOwner,
          at,
        });
        const before = after.transactions[seq - 2];
        const code = codes.get(`${after.orderId}-${seq - 1}`);
        const isPassedOn = before?.stage === 'passed-on' && before.answer === undefined;
        if (isPassedOn && code) this.#cvvs.set(`${after.orderId}-${seq}`, code);
        return transaction;
      }
      // Of what did not change, what a claim wrote stays.
      if (transaction === earlier) return stored[seq - 1] as Transaction;
      if (isFinal(transaction.stage) || transaction.leg > 1) this.#cvvs.delete(`${after.orderId}-${seq}`);
      if (transaction.stage !== 'sending') this.#markOf(after.orderId, seq).leaseOwner = undefined;
      return transaction;
    });
    this.orders.set(after.orderId, { ...after, transactions });
    this.#book(after, entries);
    this.#written(after.orderId);
  }

  #mark(
    { merchantId, orderId }: OrderKey,
    { seq, requestSerial }: Transaction,
    given: Omit<BeginMarks, 'leaseOwner'> & { leaseOwner: string | undefined; at: number },
  ): void {
    const { fingerprint, idempotencyKey, keyKeptMs = IDEMPOTENCY_MS, leaseOwner, at } = given;
    const until = at + keyKeptMs;
    this.#requests.set(`${orderId}-${seq}`, { fingerprint, requestSerial, leaseOwner, until });
    if (idempotencyKey === undefined) return;
    const name = keyName('transactions_idempotency', { merchantId, orderId }, idempotencyKey);
    this.#keys.set(name, { merchantId, orderId, seq, until });
  }

  #markOf(orderId: number, seq: number): RequestMarks {
    return this.#requests.get(`${orderId}-${seq}`) as RequestMarks;
  }

  #confirm({ merchantId, orderId, transactions }: Order, confirmation: Confirmation): void {
    if (this.confirmations.has(orderId)) return;
    const until = (transactions[0] as Transaction).changedAt + IDEMPOTENCY_MS;
    this.confirmations.set(orderId, { ...confirmation, until });
    const { idempotencyKey } = confirmation;
    if (idempotencyKey === undefined) return;
    const name = keyName('confirmations_idempotency', { merchantId, orderId }, idempotencyKey);
    this.#keys.set(name, { merchantId, orderId, seq: 0, until });
  }

  #book({ merchantId, orderId }: OrderKey, entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      const { account, currency, amount } = entry;
      this.entries.push({ ...entry, merchantId, orderId });
      const name = `${merchantId} ${account} ${currency}`;
      this.accounts.set(name, (this.accounts.get(name) ?? 0n) + amount);
    }
  }

  #written(orderId: number): void {
    this.touched.add(orderId);
    this.#nextDueAt = undefined;
  }

  load(keys: readonly OrderKey[]): Map<number, Order> {
    const found = new Map<number, Order>();
    for (const { merchantId, orderId } of keys) {
      const order = this.orders.get(orderId);
      if (order?.merchantId === merchantId) found.set(orderId, order);
    }
    return found;
  }

  findExisting({ merchantId, clientOrderId, unsigned, control, idempotencyKey }: ExistingQuery): ExistingOrder[] {
    const key = { merchantId, orderId: 0 };
    const ids = new Set([
      this.#byName.get(clientOrderName({ merchantId, clientOrderId, unsigned })),
      control && this.#byName.get(controlName(key, control)),
      idempotencyKey && this.#keys.get(keyName('transactions_idempotency', key, idempotencyKey))?.orderId,
    ]);
    return [...ids].flatMap((orderId): ExistingOrder[] => {
      const record = this.records.get(Number(orderId));
      if (!record) return [];
      const { fingerprint, control: own, idempotencyKey: ownKey } = record;
      return [{ order: this.orders.get(Number(orderId)) as Order, fingerprint, control: own, idempotencyKey: ownKey }];
    });
  }

  claimDue({ now, leaseUntil, leaseOwner, limit }: Claim): DueTransaction[] {
    if (this.nextDueAt > now) return [];
    const due = [...this.orders.values()].flatMap(({ merchantId, orderId, transactions }) =>
      transactions.flatMap(({ seq, dueAt }) =>
        dueAt !== undefined && dueAt <= now ? [{ merchantId, orderId, seq, dueAt }] : [],
      ),
    );
    const claimed = due.sort((one, other) => one.dueAt - other.dueAt).slice(0, limit);
    for (const transaction of claimed) this.#putOff(transaction, leaseUntil, leaseOwner);
    return claimed.map(({ merchantId, orderId, seq }) => ({ merchantId, orderId, seq }));
  }

  #putOff({ orderId, seq }: DueTransaction, dueAt: number, leaseOwner: string | undefined): void {
    const order = this.orders.get(orderId) as Order;
    const transactions = order.transactions.map((one) => (one.seq === seq ? { ...one, dueAt } : one));
    this.orders.set(orderId, { ...order, transactions });
    this.#markOf(orderId, seq).leaseOwner = leaseOwner;
    this.#nextDueAt = undefined;
  }

  dueNow(transaction: DueTransaction, now: number): 'due' | 'held' | 'not-open' {
    const { orderId, seq } = transaction;
    const { stage, dueAt } = transactionOf(this.orders.get(orderId) as Order, seq);
    const isHeld = this.leaseOwner(orderId, seq) !== undefined && dueAt !== undefined;
    if (isHeld || stage === 'sending') return 'held';
    if ((stage !== 'challenged' && stage !== 'asking') || dueAt === undefined || dueAt <= now + SOON_MS) {
      return 'not-open';
    }
    this.#putOff(transaction, now, undefined);
    return 'due';
  }

  giveBack({ leaseUntil, ...transaction }: DueTransaction & { readonly leaseUntil: number }, dueAt: number): void {
    const { orderId, seq } = transaction;
    const isOurs = transactionOf(this.orders.get(orderId) as Order, seq).dueAt === leaseUntil;
    if (isOurs && this.leaseOwner(orderId, seq) !== undefined) this.#putOff(transaction, dueAt, undefined);
  }

  releaseLeases(now: number): number {
    let released = 0;
    for (const { merchantId, orderId, transactions } of this.orders.values()) {
      for (const { seq, dueAt } of transactions) {
        const owner = this.leaseOwner(orderId, seq);
        if (dueAt === undefined || dueAt <= now || owner === undefined) continue;
        this.#putOff({ merchantId, orderId, seq }, now, owner);
        released += 1;
      }
    }
    return released;
  }

  loadCards({ merchantId, orderId, seq }: DueTransaction): OrderCards {
    const record = this.records.get(orderId);
    if (!record) throw new Error(`There is no transaction ${seq} of order ${orderId}`);
    const { cardId, targetCardId, sealedTarget, details } = record;
    return {
      card: this.cards.get(`${merchantId} ${cardId}`),
      targetCard: this.cards.get(`${merchantId} ${targetCardId}`),
      sealedTarget,
      sealedCvv: this.#cvvs.get(`${orderId}-${seq}`)?.sealed,
      details,
      firstNetworkTransactionId: undefined,
    };
  }

  findByIdempotencyKey(merchantId: number, idempotencyKey: string): ExistingTransaction | undefined {
    const key = { merchantId, orderId: 0 };
    const made = this.#keys.get(keyName('transactions_idempotency', key, idempotencyKey));
    const confirmed = this.#keys.get(keyName('confirmations_idempotency', key, idempotencyKey));
    const order = this.orders.get((made ?? confirmed)?.orderId ?? 0);
    const found = made
      ? this.#requests.get(`${made.orderId}-${made.seq}`)
      : confirmed && this.confirmations.get(confirmed.orderId);
    return order && found && { order, fingerprint: found.fingerprint, requestSerial: found.requestSerial };
  }

  findOrderView({ merchantId, clientOrderId, orderId }: OrderQuery): OrderView | undefined {
    const id = orderId ?? this.#byName.get(clientOrderName({ merchantId, clientOrderId: clientOrderId ?? '' }));
    const order = this.orders.get(id ?? 0);
    const record = this.records.get(id ?? 0);
    if (!order || !record || order.merchantId !== merchantId) return undefined;
    if (clientOrderId !== undefined && order.clientOrderId !== clientOrderId) return undefined;
    const { details, receiptId, cardId, targetCardId } = record;
    const cardOf = (number: number | undefined) => this.cards.get(`${merchantId} ${number}`);
    const cards = { card: cardOf(cardId), targetCard: cardOf(targetCardId) };
    return { order, details, receiptId, ...cards, authentication: this.authenticationOf(order) };
  }

  findOrderViews(keys: readonly OrderKey[]): Map<number, OrderView> {
    const views = new Map<number, OrderView>();
    for (const { merchantId, orderId } of keys) {
      const view = this.findOrderView({ merchantId, orderId, clientOrderId: undefined });
      if (view) views.set(orderId, view);
    }
    return views;
  }

  forgetExpired(now: number): void {
    for (const [name, { at }] of this.#cvvs) if (at < now - CVV_MS) this.#cvvs.delete(name);
    for (const [name, { until }] of this.#keys) if (until < now) this.#keys.delete(name);
  }
}

/** The idempotency key that a write with conditions takes. */
function keyOf(write: OrderWrite): [[{ order: OrderKey; key: string | undefined }], constraint: string] {
  if ('record' in write) {
    return [[{ order: write.record.order, key: write.record.idempotencyKey }], 'transactions_idempotency'];
  }
  return [[{ order: write.change.after, key: write.confirmation?.idempotencyKey }], 'confirmations_idempotency'];
}

type ClientOrder = Pick<Order, 'merchantId' | 'clientOrderId'> & { readonly unsigned?: boolean | undefined };

function clientOrderName({ merchantId, clientOrderId, unsigned }: ClientOrder): string {
  return `${merchantId} ${unsigned ? 'unsigned' : 'order'} ${clientOrderId}`;
}

function controlName({ merchantId }: Pick<OrderKey, 'merchantId'>, control: Buffer): string {
  return `${merchantId} control ${control.toString('hex')}`;
}

function keyName(constraint: string, { merchantId }: OrderKey, key: string): string {
  return `${constraint} ${merchantId} ${key}`;
}

/** The CHECK constraints of the table. */
function checkCaps({ amount, authorised, captured, released, reversed }: Order): void {
  if (authorised <= amount && captured + released <= authorised && reversed <= captured) return;
  throw new DatabaseError('a cap does not hold', { sqlState: '23514' });
}
