// The instruction to the acquirer for each kind of transaction, and what is needed to make it.

import type {
  BankAccount,
  CardDetails,
  Circumstances,
  Instruction,
  InstructionKind,
  Origin,
  Payer,
  Site,
  TargetCard,
  Trace,
} from '../../acquirers/acquirer.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import {
  acquirerReference,
  isMerchantInitiated,
  type Order,
  type Transaction,
  transactionOf,
} from '../../domain/order/order.ts';
import type { Authentication } from '../../domain/three-d-secure/authentication.ts';

/** What an instruction is made of besides the order itself: opened from the vault, never written anywhere. */
export type Materials = {
  readonly card?: CardDetails | undefined;
  readonly targetCard?: TargetCard | undefined;
  readonly account?: BankAccount | undefined;
  readonly descriptor: string;
  /** The result of 3-D Secure, where the payer was asked. */
  readonly authentication?: Authentication | undefined;
  readonly payer?: Payer | undefined;
  /** Of a stored card: the network's id of its first charge. */
  readonly firstNetworkTransactionId?: string | undefined;
};

/** Where the payer comes back to after a challenge. */
export type Back = () => string | undefined;

/** The bank's names for transactions that charge a card, and for those that act on money of an earlier one. */
const CHARGES = { sale: 'sale', preauth: 'preauth', 'account-verification': 'verification' } as const;
const FOLLOW_UPS = { capture: 'capture', cancel: 'cancel', void: 'void', reversal: 'refund' } as const;

const KINDS: Readonly<Partial<Record<Transaction['type'], InstructionKind>>> = { ...CHARGES, ...FOLLOW_UPS };

/** Undefined when something it needs is no longer at hand. */
export function instructionFor(order: Order, transaction: Transaction, materials: Materials): Instruction | undefined {
  const { type, legs, leg, originalSeq } = transaction;
  const reference = acquirerReference(order, transaction);
  const amount = { minor: transaction.amount, currency: order.currency };
  const { card, targetCard, account, descriptor, authentication } = materials;
  const charge = (kind: (typeof CHARGES)[keyof typeof CHARGES] | 'pull'): Instruction | undefined =>
    card && { kind, reference, amount, card, descriptor, initiator: initiatorOf(order, card), authentication };
  const push = (): Instruction | undefined => {
    const to = targetCard ? { card: targetCard } : account && { account };
    return to && { kind: 'push', reference, amount, to };
  };
  switch (type) {
    case 'sale':
    case 'preauth':
    case 'account-verification':
      return charge(CHARGES[type]);
    case 'capture':
    case 'cancel':
    case 'void':
    case 'reversal': {
      const original = acquirerReference(order, { seq: originalSeq ?? 1, leg: 1 });
      return { kind: FOLLOW_UPS[type], reference, original, amount };
    }
    case 'payout':
      return push();
    case 'transfer':
      return legs === 2 && leg === 1 ? charge('pull') : push();
    case 'pan-eligibility':
      return {
        ...{ kind: 'eligibility', reference },
        ...(card && { sending: card }),
        ...(targetCard && { receiving: targetCard }),
      };
    case 'chargeback':
      return undefined;
  }
}

/** What banks are told of the payer. */
export function payerOf(details: OrderDetails): Payer {
  const { firstName, lastName, email, phone = details.cellPhone, address, city, state, zipCode, country } = details;
  const { ipAddress, browser } = details;
  return { firstName, lastName, email, phone, address, city, state, zipCode, country, ipAddress, browser };
}

const SECOND = 1_000;

/**
 * Every try and leg of an order has the order's id as its number, so each comes at least a second after the one before.
 * Follow-ups have numbers of their own.
 */
export function traceOf(order: Order, { seq, leg, traceId, createdAt }: Transaction): Trace {
  if (traceId !== undefined) return { number: traceId, at: createdAt };
  const { at } = order.transactions
    .filter((one) => one.traceId === undefined && one.seq <= seq)
    .map((one) => ({ createdAt: one.createdAt, legs: one.seq === seq ? leg : one.legs }))
    .reduce(
      (last, one) => {
        const first = Math.max(one.createdAt, last.at + SECOND);
        return { at: first + (one.legs - 1) * SECOND };
      },
      { at: Number.NEGATIVE_INFINITY },
    );
  return { number: order.orderId, at };
}

/** What the bank wants to know around the instruction. */
export function circumstancesOf(
  order: Order,
  transaction: Transaction,
  materials: Materials,
  { site, back }: { readonly site: Site; readonly back: Back | undefined },
): Circumstances {
  return new OfTransaction(order, transaction, materials, site, back);
}

/** A class for the sake of what is worked out late: an accessor within a literal is made anew for each payment. */
class OfTransaction implements Circumstances {
  readonly site: Site;
  readonly trace: Trace;
  readonly payer: Payer;
  readonly origin: Origin | undefined;
  readonly card: CardDetails | undefined;
  readonly firstNetworkTransactionId: string | undefined;
  readonly stored: 'before' | undefined;
  readonly #back: Back | undefined;

  constructor(order: Order, transaction: Transaction, materials: Materials, site: Site, back: Back | undefined) {
    const { card, payer = {}, firstNetworkTransactionId } = materials;
    const isFollowUp = transaction.originalSeq !== undefined;
    this.site = site;
    this.trace = traceOf(order, transaction);
    this.payer = payer;
    this.origin = isFollowUp ? originOf(order, transactionOf(order, transaction.originalSeq ?? 1)) : undefined;
    this.card = isFollowUp ? card : undefined;
    this.firstNetworkTransactionId = firstNetworkTransactionId;
    this.stored = isMerchantInitiated(order) ? 'before' : undefined;
    this.#back = back;
  }

  /** Few banks want it, and it takes a signature. */
  get returnUrl(): string | undefined {
    return this.#back?.();
  }
}

function originOf(order: Order, original: Transaction): Origin {
  const { answer } = original;
  const approval = answer?.word === 'approved' ? answer : undefined;
  return {
    reference: acquirerReference(order, { seq: original.seq, leg: 1 }),
    kind: KINDS[original.type] ?? 'sale',
    amount: { minor: original.amount, currency: order.currency },
    trace: traceOf(order, { ...original, leg: 1 }),
    approvalCode: approval?.approvalCode,
    rrn: answer?.rrn,
    processorTxId: answer?.processorTxId,
    networkTransactionId: approval?.networkTransactionId,
  };
}

/** A payer who is there types the security code; a transfer from a stored card has none. */
function initiatorOf(order: Order, { cvv }: CardDetails): 'payer' | 'merchant' {
  return isMerchantInitiated(order) || (order.operation === 'transfer' && !cvv) ? 'merchant' : 'payer';
}
