// Payouts: money from the merchant's balance to a card or a bank account, at once or after a confirmation.

import type { BankAccount } from '../acquirers/acquirer.ts';
import { maskAccountNumber } from '../domain/bank-account.ts';
import { Refusal, refuse } from '../domain/errors.ts';
import { type Order, transactionOf } from '../domain/order/order.ts';
import type { Caller } from './caller.ts';
import { type CardChoice, findCard } from './card-choice.ts';
import type { Confirmed, Uncovered } from './covered-commits.ts';
import { earlierReply, whoWasFaster } from './follow-up.ts';
import type { GatewayParts } from './gateway.ts';
import type { Payee, TypedCard } from './payee.ts';
import { type Accepted, insufficientBalance, type OrderRequest, startOrder } from './start-order.ts';

export type PayoutRequest = Pick<OrderRequest, 'clientOrderId' | 'amount' | 'details'> & {
  readonly to: CardChoice<TypedCard> | { readonly account: BankAccount };
  readonly awaitsConfirmation: boolean;
};

export async function payOut(
  parts: GatewayParts,
  { to, details, ...order }: PayoutRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const payee = 'account' in to ? to : await findCard(parts, caller.merchant.merchantId, to);
  if ('error' in payee) return new Refusal(payee);
  const shown = 'account' in payee ? { payeeAccount: maskAccountNumber(payee.account.number.reveal()) } : {};
  const request = { ...order, details: { ...details, ...shown }, payee: payee satisfies Payee };
  return startOrder(parts, { operation: 'payout', type: 'payout', ...request }, caller);
}

/** Makes a payout that waits for it. It is paid once, however often and from wherever it is confirmed. */
export async function confirmPayout(
  parts: GatewayParts,
  { clientOrderId, orderId }: { clientOrderId: string; orderId: number },
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const { serialNumber } = caller;
  const order = (await parts.store.load([{ merchantId, orderId }])).get(orderId);
  if (order?.clientOrderId !== clientOrderId) return refuse('order-not-found', { field: 'orderid' });
  if (parts.work.isFull) return refuse('unavailable');
  const fingerprint = parts.vault.fingerprint(caller.said);
  const earlier = await earlierReply(parts, caller, fingerprint);
  if (earlier) return earlier;
  if (transactionOf(order, 1).stage !== 'waiting')
    return (await confirmedBefore(parts, order)) ?? { order, serialNumber };

  const endpoint = parts.directory.endpoint(order.endpointId);
  if (!endpoint?.enabled) return refuse('endpoint-disabled', { hint: String(order.endpointId) });
  const confirmation = { requestSerial: serialNumber, fingerprint, idempotencyKey: caller.idempotencyKey };
  const outcome = await parts.door
    .confirmCovered(order, confirmation, endpoint.creditLimit)
    .catch((error) => whoWasFaster(parts, caller, fingerprint, error));
  if (outcome instanceof Refusal || 'serialNumber' in outcome) return outcome;
  return proceed(parts, order, outcome, serialNumber);
}

async function proceed(
  parts: GatewayParts,
  before: Order,
  outcome: Confirmed | Uncovered,
  serialNumber: string,
): Promise<Accepted | Refusal> {
  if ('available' in outcome) return insufficientBalance(outcome, before);
  const { order, isFirst } = outcome;
  const { stage } = transactionOf(order, 1);
  if (stage === 'waiting' || stage === 'expired') return refuse('confirmed-too-late', { field: 'orderid' });
  const materials = isFirst ? await parts.materials.open(order, 1) : undefined;
  if (materials) parts.work.proceed(order, 1, materials);
  return { order, serialNumber };
}

/** Of an order that does not wait: why it cannot be confirmed, unless it was. */
async function confirmedBefore({ store }: GatewayParts, order: Order): Promise<Refusal | undefined> {
  if (transactionOf(order, 1).stage === 'expired') return refuse('confirmed-too-late', { field: 'orderid' });
  if ((await store.findConfirmation(order)) !== undefined) return undefined;
  const hint = 'only a payout that waits for a confirmation can be confirmed';
  return refuse('follow-up-not-possible', { field: 'orderid', hint });
}
