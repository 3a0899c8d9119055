// The port to storage as the processing sees it: orders written in batches, read by key, and claimed when due.

import type { LedgerEntry } from '../domain/money/ledger.ts';
import type { OrderEvent } from '../domain/order/decide.ts';
import type { OrderDetails } from '../domain/order/details.ts';
import type { Order, OrderKey } from '../domain/order/order.ts';
import type { CountedLimit, VelocityLimit } from '../domain/screening/screening.ts';
import type { AuthenticationRecord } from '../domain/three-d-secure/authentication-record.ts';

/** Bytes only the vault can open, and the data key they were sealed under. */
export type Sealed = { readonly bytes: Buffer; readonly dataKeyId: number };

/** A card as it is kept: the number sealed, and what may be shown. */
export type StoredCard = {
  readonly cardId: number;
  readonly sealed: Sealed;
  readonly fingerprint: Buffer;
  readonly bin: string;
  /** The first eight digits, of numbers of sixteen or more: issuers are told apart by them. They are never shown. */
  readonly issuerDigits: string | undefined;
  readonly lastFour: string;
  readonly brand: string;
  /** Month and year are unknown of a card that only receives money. */
  readonly expireMonth: number | undefined;
  readonly expireYear: number | undefined;
  readonly holder: string | undefined;
};

/** Everything that is written when an order is accepted. */
export type OrderRecord = {
  readonly order: Order;
  readonly details: OrderDetails;
  /** Details that hold a card number and must come back as they were sent. */
  readonly sealedDetails?: Sealed | undefined;
  readonly receiptId: string;
  readonly fingerprint: Buffer;
  readonly control: Buffer | undefined;
  readonly idempotencyKey: string | undefined;
  readonly leaseOwner: string;
  /** The card that pays or receives, stored now or with an earlier order. */
  readonly cardId: number | undefined;
  readonly targetCardId: number | undefined;
  /** The bank account money is sent to. */
  readonly sealedTarget: Sealed | undefined;
  /** Cards to be stored with the order. */
  readonly cards: readonly StoredCard[];
  readonly sealedCvv: Buffer | undefined;
  /** The fingerprint of a stored card, of an order that is an attempt on it from its start. */
  readonly attemptedCard: Buffer | undefined;
};

/** What a request that begins a transaction leaves on it, besides what the rules decided. */
export type BeginMarks = {
  readonly leaseOwner: string;
  readonly fingerprint: Buffer;
  readonly idempotencyKey: string | undefined;
  /** How long the key is kept; as long as the keys of merchants when left out. */
  readonly keyKeptMs?: number | undefined;
};

/** A decided change: written only if the order still has the version it was decided on. */
export type OrderChange = {
  readonly before: Order;
  readonly after: Order;
  readonly events: readonly OrderEvent[];
  readonly entries: readonly LedgerEntry[];
  /** By the serial number of the request that began the transaction. */
  readonly begins: ReadonlyMap<string, BeginMarks>;
};

/** The request that confirms an order which was waiting for it. */
export type Confirmation = Omit<BeginMarks, 'leaseOwner' | 'keyKeptMs'> & { readonly requestSerial: string };

/** A card that a payer entered on the hosted form. */
export type GivenCard = {
  /** The try it was entered for. */
  readonly seq: number;
  readonly card: StoredCard;
  /** Whether it pays or is paid to. */
  readonly role: 'pays' | 'receives';
  readonly sealedCvv: Buffer | undefined;
  /** With what the payer told on the form. */
  readonly details: OrderDetails;
  readonly sealedDetails?: Sealed | undefined;
  readonly leaseOwner: string;
};

/** A new order, or a change with what came with it. */
export type OrderWrite =
  | { readonly record: OrderRecord }
  | {
      readonly change: OrderChange;
      readonly confirmation?: Confirmation | undefined;
      readonly card?: GivenCard | undefined;
    };

/** A limit that an order is counted by, and the digest of what it has in common with the others that are counted. */
export type PlacedLimit = {
  readonly limit: VelocityLimit;
  readonly digest: Buffer;
  /** What orders before a change of the lookup key were counted by. */
  readonly older?: readonly Buffer[];
};

/** A write that depends on what others have written. */
export type ConditionalWrite = {
  readonly order: Pick<Order, 'merchantId' | 'endpointId'>;
  /** When the order was made, changed or given a card: there the windows of limits end. */
  readonly at: number;
  readonly limits: readonly PlacedLimit[];
  /** How far the merchant's balance may fall below zero when it pays. */
  readonly creditLimit: bigint;
  /** What is to be written, given what each limit has counted. It may be asked again. */
  decide(counted: readonly CountedLimit[]): OrderWrite;
};

/** Too little in the balance: what it would cover, in minor units. */
export type Uncovered = { readonly available: bigint };

/** `conflict`: another order stands in the way, or the order has changed. */
export type ConditionalOutcome = { readonly written: Order } | 'conflict' | Uncovered;

export type Batch = { readonly starts: readonly OrderRecord[]; readonly changes: readonly OrderChange[] };

/** What stands in the way of a new order. */
export type ExistingOrder = Pick<OrderRecord, 'order' | 'fingerprint' | 'control' | 'idempotencyKey'>;

/** A transaction that was made under an idempotency key. */
export type ExistingTransaction = {
  readonly order: Order;
  readonly fingerprint: Buffer;
  /** Of the request that got the key first. */
  readonly requestSerial: string;
};

export type OrderCards = {
  readonly card: StoredCard | undefined;
  readonly targetCard: StoredCard | undefined;
  readonly sealedTarget: Sealed | undefined;
  readonly sealedCvv: Buffer | undefined;
  readonly details: OrderDetails;
  readonly sealedDetails?: Sealed | undefined;
  /** The network's id of the payment that stored the card, where its bank told it. */
  readonly firstNetworkTransactionId: string | undefined;
};

/** Signed orders and unsigned ones have their client order ids apart. */
export type ExistingQuery = Pick<Order, 'merchantId' | 'clientOrderId'> &
  Partial<Pick<Order, 'unsigned'>> &
  Omit<ExistingOrder, 'order' | 'fingerprint'>;

export type DueTransaction = OrderKey & { readonly seq: number };

export type Claim = {
  readonly now: number;
  readonly leaseUntil: number;
  readonly leaseOwner: string;
  readonly limit: number;
};

/** An equal request that an earlier version took without a key: of an order, by its values, since a moment. */
export type EqualRequest = { readonly orderId: number; readonly fingerprint: Buffer; readonly since: number };

export type OrderStore = {
  /** Writes the batch in one transaction; answers the ids of the orders that were written. */
  commit(batch: Batch): Promise<ReadonlySet<number>>;
  /** Counts, decides and writes in a transaction of its own: whole, and only if the merchant's balance covers it. */
  commitAlone(write: ConditionalWrite): Promise<ConditionalOutcome>;
  load(keys: readonly OrderKey[]): Promise<ReadonlyMap<number, Order>>;
  /** Orders that share the client order id, the control or the idempotency key. */
  findExisting(query: ExistingQuery): Promise<ExistingOrder[]>;
  /** Whether the client order id is that of a recurring payment, so that no order can have it. */
  hasRecurringPayment(merchantId: number, clientOrderId: string): Promise<boolean>;
  /** Takes due transactions, each for one node only, under a new lease. */
  claimDue(claim: Claim): Promise<DueTransaction[]>;
  /**
   * Makes a transaction due now whose acquirer would be asked later. `held`: a node works on it, and keeps its lease.
   * `not-open`: nothing is to be asked, or it is asked in a moment.
   */
  dueNow(transaction: DueTransaction, now: number): Promise<'due' | 'held' | 'not-open'>;
  /** Gives back what was claimed under a lease; it comes due again at the given time. */
  giveBack(claimed: DueTransaction & { readonly leaseUntil: number }, dueAt: number): Promise<void>;
  /** Makes every unfinished transaction due now: for a node that knows no other one lives. */
  releaseLeases(now: number): Promise<number>;
  /** The cards of an order, and the security code a transaction still waits with. */
  loadCards(transaction: DueTransaction): Promise<OrderCards>;
  /** The transaction or confirmation an idempotency key already stands for; else the equal one that has no key. */
  findByIdempotencyKey(
    merchantId: number,
    idempotencyKey: string,
    equal?: EqualRequest,
  ): Promise<ExistingTransaction | undefined>;
  /** The serial number of the request that confirmed an order. */
  findConfirmation(key: OrderKey): Promise<string | undefined>;
  findOrderView(query: OrderQuery): Promise<OrderView | undefined>;
  /** Many at once, by order id. */
  findOrderViews(keys: readonly OrderKey[]): Promise<ReadonlyMap<number, OrderView>>;
  /** Forgets security codes and idempotency keys whose time is over. */
  forgetExpired(now: number): Promise<void>;
};

/** An order named by its id, or by the merchant's own id, or by both. The merchant's own id alone names signed ones. */
export type OrderQuery = {
  readonly merchantId: number;
  readonly clientOrderId: string | undefined;
  readonly orderId: number | undefined;
};

/** An order with everything a status reply shows. */
export type OrderView = Pick<OrderRecord, 'order' | 'details' | 'sealedDetails' | 'receiptId'> &
  Pick<OrderCards, 'card' | 'targetCard'> & {
    /** The reference of the card that pays, of a payout that of the card it is paid to, once there is one. */
    readonly cardReferenceId?: number | undefined;
    /** The latest, where a payer had to prove to be the cardholder. */
    readonly authentication?: AuthenticationRecord | undefined;
  };

/** Merchants' names for stored cards. */
export type CardReferenceStore = {
  /** The reference that a stored card has. */
  ofCard(merchantId: number, cardId: number): Promise<number | undefined>;
  /** The reference of a stored card: the one it has, or the offered one from now on. */
  ensure(reference: { merchantId: number; referenceId: number; cardId: number; at: number }): Promise<number>;
  find(merchantId: number, referenceId: number): Promise<StoredCard | undefined>;
  remove(merchantId: number, referenceId: number, at: number): Promise<boolean>;
  /** The merchant's, newest first, those older than `before`. */
  list(query: { merchantId: number; before: number | undefined; limit: number }): Promise<CardReference[]>;
};

export type CardReference = { readonly referenceId: number; readonly card: StoredCard; readonly createdAt: number };

/** Remembers what accepted controls stood for, across all nodes. */
export type ControlMemory = {
  /** The reading each digest stands for from now on: the given one if it is new, else the older one. */
  remember(readings: readonly { merchantId: number; digest: Buffer; reading: Buffer; at: number }[]): Promise<Buffer[]>;
};
