// Payouts: money from the merchant's balance to a card or a bank account, at once or after a confirmation.

import type { BankAccount } from '../../acquirers/acquirer.ts';
import { maskAccountNumber } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal, refuse } from '../../domain/errors.ts';
import type { DeedBy } from '../../domain/order/decide.ts';
import { type Order, purposeOf } from '../../domain/order/order.ts';
import { type CardChoice, findCard } from '../cards/card-choice.ts';
import type { Payee, TypedCard } from '../cards/payee.ts';
import type { StoredCardsParts } from '../cards/stored-cards.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import { type AcceptParts, acceptOrder, insufficientBalance } from '../orders/accept-order.ts';
import type { MaterialsStore } from '../orders/materials.ts';
import type { OrderParts } from '../orders/order-parts.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';
import { earlierReply, whoWasFaster } from '../requests/repeats.ts';

export type PayoutRequest = Pick<OrderRequest, 'clientOrderId' | 'amount' | 'details'> & {
  readonly to: CardChoice<TypedCard> | { readonly account: BankAccount };
  readonly awaitsConfirmation: boolean;
};

export type PayoutParts = OrderParts & { readonly clock: Clock; readonly materials: MaterialsStore };

export async function payOut(
  parts: AcceptParts & StoredCardsParts,
  { to, details, ...order }: PayoutRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const payee = 'account' in to ? to : await findCard(parts, caller.merchant.merchantId, to);
  if ('error' in payee) return new Refusal(payee);
  const shown = 'account' in payee ? { payeeAccount: maskAccountNumber(payee.account.number.reveal()) } : {};
  const request = { ...order, details: { ...details, ...shown }, payee: payee satisfies Payee };
  return acceptOrder(parts, { operation: 'payout', type: 'payout', ...request }, caller);
}

/** Confirms a waiting payout. It is paid once, however often and from wherever it is confirmed. */
export async function confirmPayout(
  parts: PayoutParts,
  { clientOrderId, orderId }: { clientOrderId: string; orderId: number },
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const order = (await parts.store.load([{ merchantId, orderId }])).get(orderId);
  if (order?.clientOrderId !== clientOrderId) return refuse('order-not-found', { field: 'orderid' });
  if (parts.work.isFullFor(merchantId)) return refuse('unavailable');
  const fingerprint = parts.vault.fingerprint(caller.said);
  const earlier = await earlierReply(parts, caller, fingerprint);
  if (earlier) return earlier;
  if (purposeOf(order).stage === 'waiting') return confirm(parts, order, caller, fingerprint);
  return (await whyNotConfirmed(parts, order)) ?? { order, serialNumber: caller.serialNumber };
}

async function confirm(
  parts: PayoutParts,
  order: Order,
  caller: Caller,
  fingerprint: Buffer,
): Promise<Accepted | Refusal> {
  const { serialNumber, idempotencyKey } = caller;
  const endpoint = parts.configuration.endpoint(order.endpointId);
  if (!endpoint?.enabled) return refuse('endpoint-disabled', { hint: String(order.endpointId) });
  const confirmation = { requestSerial: serialNumber, fingerprint, idempotencyKey };
  const outcome = await parts.door
    .change(order, { type: 'confirm' }, { confirmation, covers: endpoint.creditLimit })
    .catch((error) => whoWasFaster(parts, caller, fingerprint, error));
  if (outcome instanceof Refusal || 'serialNumber' in outcome) return outcome;
  if ('available' in outcome) return insufficientBalance(outcome, order);
  if (outcome.moved) return sendPayout(parts, outcome.order, serialNumber);
  const { stage } = purposeOf(outcome.order);
  if (stage === 'waiting' || stage === 'expired') return refuse('confirmed-too-late', { field: 'orderid' });
  return (await earlierReply(parts, caller, fingerprint)) ?? { order: outcome.order, serialNumber };
}

/** What of the parts a payout is approved with. */
export type ApprovalParts = Pick<PayoutParts, 'clock' | 'configuration' | 'vault'> & {
  readonly door: Pick<PayoutParts['door'], 'change'>;
};

/** People confirm instead of the merchant: only a payout that waits can be approved. `sendPayout` sends it. */
export async function approvePayout(
  parts: ApprovalParts,
  order: Order,
  { by, reason }: { readonly by: DeedBy; readonly reason: string },
): Promise<Accepted | Refusal> {
  const endpoint = parts.configuration.endpoint(order.endpointId);
  const notWaiting = approvalRefusal(order);
  if (notWaiting) return notWaiting;
  if (!endpoint?.enabled) return refuse('endpoint-disabled', { hint: String(order.endpointId) });
  const requestSerial = newSerialNumber(parts.clock.now());
  const fingerprint = parts.vault.fingerprint(['approved by an operator', String(order.orderId)]);
  const confirmation = { requestSerial, fingerprint, idempotencyKey: undefined };
  const conditions = { confirmation, covers: endpoint.creditLimit };
  const outcome = await parts.door.change(order, { type: 'confirm', by, reason }, conditions);
  if ('available' in outcome) return insufficientBalance(outcome, order);
  if (!outcome.moved) return refuse('follow-up-not-possible', { hint: 'it does not wait any more' });
  return { order: outcome.order, serialNumber: requestSerial };
}

export function approvalRefusal(order: Order): Refusal | undefined {
  if (purposeOf(order).stage === 'waiting') return undefined;
  return refuse('follow-up-not-possible', { hint: 'only a payout that waits for a confirmation can be approved' });
}

/** Sends a payout that was confirmed. */
export async function sendPayout(parts: PayoutParts, order: Order, serialNumber: string): Promise<Accepted> {
  const { seq } = purposeOf(order);
  const materials = await parts.materials.open(order, seq);
  if (materials) parts.work.proceed(order, seq, materials);
  return { order, serialNumber };
}

/** Why an order that does not wait cannot be confirmed; undefined if it was confirmed before. */
async function whyNotConfirmed({ store }: PayoutParts, order: Order): Promise<Refusal | undefined> {
  if (purposeOf(order).stage === 'expired') return refuse('confirmed-too-late', { field: 'orderid' });
  if ((await store.findConfirmation(order)) !== undefined) return undefined;
  const hint = 'only a payout that waits for a confirmation can be confirmed';
  return refuse('follow-up-not-possible', { field: 'orderid', hint });
}
