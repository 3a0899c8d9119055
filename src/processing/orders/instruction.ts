// The instruction to the acquirer for each kind of transaction, and what is needed to make it.

import type { BankAccount, CardDetails, Instruction, TargetCard } from '../../acquirers/acquirer.ts';
import { acquirerReference, type Order, type Transaction } from '../../domain/order/order.ts';
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

/** Undefined when something it needs is no longer at hand. */
export function instructionFor(order: Order, transaction: Transaction, materials: Materials): Instruction | undefined {
  const reference = acquirerReference(order, transaction);
  const amount = { minor: transaction.amount, currency: order.currency };
  const { card, targetCard, account, descriptor, authentication } = materials;
  const charge = (kind: 'sale' | 'preauth' | 'verification' | 'pull'): Instruction | undefined =>
    card && { kind, reference, amount, card, descriptor, initiator: initiatorOf(order, card), authentication };
  const followUp = (kind: 'capture' | 'cancel' | 'void' | 'refund'): Instruction => {
    const original = acquirerReference(order, { seq: transaction.originalSeq ?? 1, leg: 1 });
    return { kind, reference, original, amount };
  };
  const push = (): Instruction | undefined => {
    const to = targetCard ? { card: targetCard } : account && { account };
    return to && { kind: 'push', reference, amount, to };
  };
  switch (transaction.type) {
    case 'sale':
      return charge('sale');
    case 'preauth':
      return charge('preauth');
    case 'account-verification':
      return charge('verification');
    case 'capture':
      return followUp('capture');
    case 'cancel':
      return followUp('cancel');
    case 'void':
      return followUp('void');
    case 'reversal':
      return followUp('refund');
    case 'payout':
      return push();
    case 'transfer':
      return transaction.legs === 2 && transaction.leg === 1 ? charge('pull') : push();
    case 'pan-eligibility':
      return {
        kind: 'eligibility',
        reference,
        ...(card ? { sending: card } : {}),
        ...(targetCard ? { receiving: targetCard } : {}),
      };
    case 'chargeback':
      return undefined;
  }
}

/** A payer who is there types the security code; a transfer from a stored card has none. */
function initiatorOf({ operation }: Order, { cvv }: CardDetails): 'payer' | 'merchant' {
  const byMerchant = operation === 'rebill' || operation === 'recurring' || (operation === 'transfer' && !cvv);
  return byMerchant ? 'merchant' : 'payer';
}
