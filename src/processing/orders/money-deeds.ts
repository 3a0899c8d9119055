// What people do with the money of orders in the place of their merchants: by the same rules and through the same code
// as merchants' requests, but in the transaction of an administrator's verb, so that the audit chain tells of it whole
// or not at all. The bank is asked once that transaction is committed; should the process die before, the lease runs
// out as it does with any order.

import { Refusal, refuse } from '../../domain/errors.ts';
import type { Money } from '../../domain/money/money.ts';
import type { DeedBy } from '../../domain/order/decide.ts';
import type { FollowUpKind, ReturnSource } from '../../domain/order/follow-up.ts';
import type { Order } from '../../domain/order/order.ts';
import type { OrderStore } from '../../storage/store.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import { approvePayout, type PayoutParts, sendPayout } from '../payouts/payout.ts';
import { type Caller, OWN_REQUEST } from '../requests/caller.ts';
import type { Door } from './door.ts';
import { followUp } from './follow-up.ts';

/** The transaction a deed is written in. */
export type DeedTransaction = {
  readonly door: Pick<Door, 'begin' | 'change' | 'moment'>;
  readonly store: Pick<OrderStore, 'load' | 'findByIdempotencyKey'>;
  /** Numbers the instruction for the bank. This node's ids may have to be fetched, for which nobody can wait here. */
  nextId(): Promise<number>;
};

export type PersonalRequest = { readonly by: DeedBy; readonly reason: string };

/** What was begun, and how it goes on once it is committed. */
export type BegunDeed = { readonly order: Order; readonly goOn: () => void };

export class MoneyDeeds {
  readonly #parts: PayoutParts;

  constructor(parts: PayoutParts) {
    this.#parts = parts;
  }

  async followUp(
    { order, kind, amount, from, ...personal }: PersonalRequest & FollowUpDeed,
    { door, store, nextId }: DeedTransaction,
  ): Promise<BegunDeed | Refusal> {
    const { work } = this.#parts;
    const caller = this.#callerFor(order, [kind, String(amount.minor)]);
    if (!caller) return refuse('order-not-found');
    const later: (() => void)[] = [];
    const parts = {
      ...this.#parts,
      door,
      store,
      ids: { next: nextId },
      work: {
        isFullFor: (merchantId: number) => work.isFullFor(merchantId),
        proceed: (...given: Parameters<typeof work.proceed>) => void later.push(() => work.proceed(...given)),
      },
    };
    const { clientOrderId, orderId } = order;
    const request = { kind, clientOrderId, orderId, amounts: [amount], comment: undefined, from, ...personal };
    const begun = await followUp(parts, request, caller);
    if (begun instanceof Refusal) return begun;
    const goOn = () => {
      for (const proceed of later) proceed();
    };
    return { order: begun.order, goOn };
  }

  async payOut(
    { order, ...personal }: PersonalRequest & { readonly order: Order },
    { door }: DeedTransaction,
  ): Promise<BegunDeed | Refusal> {
    const { due } = this.#parts.work;
    const begun = await approvePayout({ ...this.#parts, door }, order, personal);
    if (begun instanceof Refusal) return begun;
    const { orderId, merchantId } = order;
    const send = async () => void (await sendPayout(this.#parts, begun.order, begun.serialNumber));
    return { order: begun.order, goOn: () => void due.track(send(), { orderId }, merchantId) };
  }

  /** No signature proves who asks: the administrators' door did. */
  #callerFor({ merchantId, endpointId, orderId }: Order, said: readonly string[]): Caller | undefined {
    const { clock, configuration } = this.#parts;
    const merchant = configuration.byId(merchantId);
    return (
      merchant && {
        merchant,
        endpoint: configuration.endpoint(endpointId),
        serialNumber: newSerialNumber(clock.now()),
        ...OWN_REQUEST,
        said: ['asked by people', String(orderId), ...said],
      }
    );
  }
}

type FollowUpDeed = {
  readonly order: Order;
  readonly kind: FollowUpKind;
  readonly amount: Money;
  readonly from?: ReturnSource | undefined;
};
