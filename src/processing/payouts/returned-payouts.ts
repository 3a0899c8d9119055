// Payouts that a bank returned after it had approved them, as banks do days later when an account is closed. Nobody is
// believed: the bank is asked, and only its own word books the money back.

import type { Clock } from '../../domain/clock.ts';
import { mayComeBack } from '../../domain/order/follow-up.ts';
import { type Order, transactionOf } from '../../domain/order/order.ts';
import { isFinal } from '../../domain/order/stages.ts';
import { paysFromBalance } from '../../domain/order/transaction-types.ts';
import type { FigureCounts } from '../../storage/figures/counting.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import type { Door } from '../orders/door.ts';
import type { Work } from '../orders/work.ts';

export type ReturnedPayoutsParts = {
  readonly clock: Clock;
  readonly door: Pick<Door, 'change'>;
  readonly figures: Pick<FigureCounts, 'countAgain'>;
  readonly work: Pick<Work, 'askAbout'>;
};

/**
 * `unanswered`: the payout is still under way, or the bank gave no certain answer; tell it again later. `no-payout`:
 * it is about a payment, of which nothing is returned in this way. `not-taken`: it is certain that it is not booked by
 * a notice, however often it is told, and somebody must look at it.
 */
export type ReturnHeard = 'booked' | 'nothing-to-ask' | 'unanswered' | 'no-payout' | NotBooked;

export type NotBooked = { readonly notTaken: string };

const OF_TRANSFER = 'it is a transfer, whose money belongs to its sender; send it back by hand';
const CONTRADICTED = 'the bank declines what it had approved, and does not say that it was returned';

export class ReturnedPayouts {
  readonly #parts: ReturnedPayoutsParts;

  constructor(parts: ReturnedPayoutsParts) {
    this.#parts = parts;
  }

  /** What follows when somebody says that the bank returned this payout; told again it changes nothing. */
  async hear(order: Order, seq: number): Promise<ReturnHeard> {
    const { clock, door, figures, work } = this.#parts;
    const paid = transactionOf(order, seq);
    if (!paysFromBalance(paid)) return paid.type === 'transfer' ? { notTaken: OF_TRANSFER } : 'no-payout';
    if (!isFinal(paid.stage)) return 'unanswered';
    if (!mayComeBack(order, seq)) return 'nothing-to-ask';
    const answer = await work.askAbout(order, seq);
    if (answer.word === 'approved') return 'nothing-to-ask';
    if (answer.word !== 'declined') return 'unanswered';
    if (!answer.returned) return { notTaken: CONTRADICTED };
    const requestSerial = newSerialNumber(clock.now());
    const { moved } = await door.change(order, { type: 'payout-returned', seq, requestSerial, answer });
    if (!moved) return 'nothing-to-ask';
    await figures.countAgain(order.createdAt, clock.now());
    return 'booked';
  }
}
