// The instruction to the acquirer for each kind of transaction, and what is needed to make it.

import type { BankAccount, CardDetails, Instruction, TargetCard } from '../../acquirers/acquirer.ts';
import { acquirerReference, isMerchantInitiated, type Order, type Transaction } from '../../domain/order/order.ts';
import type { Authentication } from '../../domain/three-d-secure/authentication.ts';

/** What an instruction is made of besides the order itself: opened from the vault, never written anywhere. */
export type Materials = {
  readonly card?: CardDetails | undefined;
  readonly targetCard?: TargetCard | undefined;
  readonly account?: BankAccount | undefined;
  readonly descriptor: string;
  /** The result of 3-D Secure, where the payer was asked. */
  readonly authentication?: Authentication | undefined;
};

/** The bank's names for transactions that charge a card, and for those that act on money of an earlier one. */
const CHARGES = { sale: 'sale', preauth: 'preauth', 'account-verification': 'verification' } as const;
const FOLLOW_UPS = { capture: 'capture', cancel: 'cancel', void: 'void', reversal: 'refund' } as const;

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

/** A payer who is there types the security code; a transfer from a stored card has none. */
function initiatorOf(order: Order, { cvv }: CardDetails): 'payer' | 'merchant' {
  return isMerchantInitiated(order) || (order.operation === 'transfer' && !cvv) ? 'merchant' : 'payer';
}
