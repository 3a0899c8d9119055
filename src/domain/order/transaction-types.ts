// What each kind of transaction does to an order's sums when it is approved, and from which accounts money moves.

export type TransactionType =
  | 'sale'
  | 'preauth'
  | 'capture'
  | 'cancel'
  | 'void'
  | 'reversal'
  | 'account-verification'
  | 'payout'
  | 'transfer'
  | 'pan-eligibility'
  | 'chargeback';

export type Sum = 'authorised' | 'captured' | 'released' | 'reversed';

/** Sums that grow by the transaction's amount when it is approved. */
export const sumsOf: Readonly<Record<TransactionType, readonly Sum[]>> = {
  sale: ['authorised', 'captured'],
  preauth: ['authorised'],
  capture: ['captured'],
  cancel: ['released'],
  void: ['reversed'],
  reversal: ['reversed'],
  chargeback: ['reversed'],
  'account-verification': [],
  'pan-eligibility': [],
  payout: ['authorised', 'captured'],
  transfer: ['authorised', 'captured'],
};

/** Types that send money to a card or an account. Nothing of them is captured, voided or returned on request. */
export const OUTGOING: readonly TransactionType[] = ['payout', 'transfer'];

/** Whether the merchant's own balance pays: the money is set aside when the order is accepted. */
export function paysFromBalance({ type, legs }: { readonly type: TransactionType; readonly legs: number }): boolean {
  return type === 'payout' || (type === 'transfer' && legs === 1);
}

/** Whether a kind of transaction moves no money, so that its amount may be zero. */
export function movesNoMoney(type: TransactionType): boolean {
  return sumsOf[type].length === 0;
}
