// Capture, return and void: a new transaction on an order that exists, as far as its money reaches.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { fault, Refusal, refuse } from '../../domain/errors.ts';
import { type Money, writeAmount } from '../../domain/money/money.ts';
import type { DeedBy } from '../../domain/order/decide.ts';
import { allowedFollowUp, type FollowUpKind, type ReturnSource, wholeOf } from '../../domain/order/follow-up.ts';
import { type Order, transactionOf } from '../../domain/order/order.ts';
import type { OrderStore } from '../../storage/store.ts';
import type { OrderIds } from '../node/order-ids.ts';
import type { Caller } from '../requests/caller.ts';
import { earlierReply, SAME_BODY_MS, whoWasFaster } from '../requests/repeats.ts';
import { strictRefusal } from '../requests/strict-orders.ts';
import type { Door } from './door.ts';
import type { OrderParts } from './order-parts.ts';
import type { Accepted } from './order-request.ts';
import type { Work } from './work.ts';

export type FollowUpRequest = {
  readonly kind: FollowUpKind;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** None means all that is left; several are the possible readings of one amount that no signature settles. */
  readonly amounts: readonly Money[];
  readonly comment: string | undefined;
  /** Whether a return gives back held or captured money, where the merchant says it. */
  readonly from?: ReturnSource | undefined;
  /** People who ask for it instead of the merchant, and why. */
  readonly by?: DeedBy | undefined;
  readonly reason?: string | undefined;
};

/** Each as far as it is needed here. */
export type FollowUpParts = Pick<OrderParts, 'configuration' | 'instance' | 'terminals' | 'vault'> & {
  readonly door: Pick<Door, 'begin' | 'moment'>;
  readonly ids: Pick<OrderIds, 'next'>;
  readonly store: Pick<OrderStore, 'load' | 'findByIdempotencyKey'>;
  readonly work: Pick<Work, 'isFullFor' | 'proceed'>;
};

export async function followUp(
  parts: FollowUpParts,
  request: FollowUpRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const { orderId, clientOrderId, kind, comment } = request;
  const [amount] = request.amounts;
  const order = (await parts.store.load([{ merchantId, orderId }])).get(orderId);
  if (order?.clientOrderId !== clientOrderId) return refuse('order-not-found', { field: 'orderid' });
  const notStrict = strictRefusal(parts.configuration, order, caller);
  if (notStrict) return notStrict;
  if (amount && amount.currency !== order.currency) {
    const hint = `the order is in ${order.currency}, not ${amount.currency}`;
    return refuse('currency-mismatch', { field: 'currency', hint });
  }
  if (parts.work.isFullFor(merchantId)) return refuse('unavailable');

  const { serialNumber: requestSerial, idempotencyKey, isKeyOfBody } = caller;
  const fingerprint = parts.vault.fingerprint(caller.said);
  const equal = { orderId, since: parts.door.moment.now - SAME_BODY_MS };
  const earlier = await earlierReply(parts, caller, fingerprint, equal);
  if (earlier) return earlier;
  const refusal = amountRefusal(parts, order, request, caller) ?? partRefusal(parts, order, request);
  if (refusal) return refusal;
  const command = {
    type: 'follow-up',
    kind,
    amounts: request.amounts.map(({ minor }) => minor),
    from: request.from,
    requestSerial,
    comment: comment && maskCardNumbers(comment),
    by: request.by,
    reason: request.reason,
    traceId: await parts.ids.next(),
  } as const;
  const marks = {
    leaseOwner: parts.instance,
    fingerprint,
    idempotencyKey,
    keyKeptMs: isKeyOfBody ? SAME_BODY_MS : undefined,
  };
  const after = await parts.door
    .begin(order, command, marks)
    .catch((error) => whoWasFaster(parts, caller, fingerprint, error));
  // The money may be gone because the same request took it a moment ago.
  if (after instanceof Refusal) return (await earlierReply(parts, caller, fingerprint)) ?? after;
  if ('serialNumber' in after) return after;
  const begun = after.transactions.find((one) => one.requestSerial === requestSerial);
  if (!begun) throw new Error(`Order ${orderId} did not begin what it was asked`);
  parts.work.proceed(after, begun.seq, undefined, begun.createdAt);
  return { order: after, serialNumber: requestSerial };
}

/**
 * Where the order's endpoint or the called one demands it, money moves only by an amount that was signed: a STATUS then
 * cannot be sent again as a RETURN of everything (D-77).
 */
function amountRefusal(
  { configuration }: FollowUpParts,
  { endpointId }: Order,
  { kind, amounts, by }: FollowUpRequest,
  { endpoint }: Caller,
): Refusal | undefined {
  if (kind === 'void' || amounts.length > 0 || by) return undefined;
  const demands = [configuration.endpoint(endpointId), endpoint].some((one) => one?.demandAmounts);
  return demands
    ? new Refusal(fault('parameter-required', { field: 'amount' }), fault('parameter-required', { field: 'currency' }))
    : undefined;
}

const PARTS = { capture: 'capture', cancel: 'cancel', reversal: 'refund' } as const;

/** Not every bank takes or gives back a part of an amount. */
function partRefusal(
  { door, terminals }: FollowUpParts,
  order: Order,
  { kind, amounts, from }: FollowUpRequest,
): Refusal | undefined {
  const asked = { kind, amounts: amounts.map(({ minor }) => minor), from };
  const followUp = allowedFollowUp(order, asked, door.moment.now);
  if (followUp instanceof Refusal) return undefined;
  const whole = wholeOf(order, followUp);
  const terminal = terminals.find(transactionOf(order, followUp.originalSeq ?? 1).terminal);
  if (whole === undefined || !terminal) return undefined;
  if (terminal.partial.some((one) => one === PARTS[followUp.type as keyof typeof PARTS])) return undefined;
  const hint = `its bank does it only with the whole amount, ${writeAmount({ minor: whole, currency: order.currency }, 'major')} ${order.currency}`;
  return refuse('follow-up-not-possible', { hint });
}
