// What follows an accepted order: the instruction to the acquirer at once, and everything that comes due later, on
// whichever node it began. A transaction whose lease ran out is taken over by asking the acquirer first; it is sent
// again only when the acquirer never saw it.

import type { Circumstances, InquiryAnswer, SentInstruction, Unknown } from '../../acquirers/acquirer.ts';
import type { Clock } from '../../domain/clock.ts';
import { claimedUpTo, isCrowded, type Room } from '../../domain/merchant/fair-share.ts';
import { askedAgainAt } from '../../domain/order/decide.ts';
import { type Order, purposeOf, type Transaction, transactionOf } from '../../domain/order/order.ts';
import { undoneForMs } from '../../domain/order/retry-schedule.ts';
import { stages } from '../../domain/order/stages.ts';
import type { DueTransaction, OrderStore } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { DueWork } from '../node/due-work.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import type { OrderIds } from '../node/order-ids.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import type { OpenTerminal, OpenTerminals } from '../terminals/terminal.ts';
import type { Door } from './door.ts';
import { circumstancesOf, instructionFor, type Materials } from './instruction.ts';
import type { MaterialsStore } from './materials.ts';

/** Due transactions claimed at once, and the pause between two looks when nothing wakes us. */
const CLAIM_LIMIT = 200;
const POLL_MS = 500;

/** How often expired security codes and idempotency keys are looked for. */
const FORGET_EVERY_MS = 60_000;

export type WorkParts = {
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'endpoint'>;
  readonly door: Door;
  readonly ids: Pick<OrderIds, 'next'>;
  readonly instance: string;
  readonly leaseMs: number;
  readonly log: Log;
  readonly materials: MaterialsStore;
  /** Where the payer of an order comes back to from an address of the bank. */
  returnUrl(order: Order): string | undefined;
  /** How many orders this process works on: beyond it new ones are refused as unavailable. */
  readonly room: Room;
  readonly store: OrderStore;
  readonly terminals: OpenTerminals;
};

/** A transaction that came due, and the end of our lease on it. */
type Claimed = DueTransaction & { readonly leaseUntil: number };

export class Work {
  readonly #parts: WorkParts;
  readonly due: DueWork<Claimed>;

  constructor(parts: WorkParts) {
    this.#parts = parts;
    const { clock, log, room, store } = parts;
    this.due = new DueWork({
      ...{ name: 'work', one: 'an order', clock, log, everyMs: POLL_MS, lot: CLAIM_LIMIT, most: claimedUpTo(room) },
      claim: (limit) => this.#claim(limit),
      handle: (claimed) => this.#continue(claimed),
      about: ({ orderId }) => ({ orderId }),
      whose: ({ merchantId }) => merchantId,
      chore: { everyMs: FORGET_EVERY_MS, do: () => store.forgetExpired(clock.now()) },
    });
  }

  /** Whether this merchant's further orders must wait. */
  isFullFor(merchantId: number): boolean {
    const { due } = this;
    return isCrowded({ all: due.underWay, own: due.underWayOf(merchantId) }, this.#parts.room);
  }

  /**
   * Goes straight on with a transaction this process has just written down, under the lease it was written with.
   * Materials that are not given are opened.
   */
  proceed(
    order: Order,
    seq: number,
    materials: Materials | undefined,
    leasedAt = transactionOf(order, seq).changedAt,
  ): void {
    if (!this.#isStillOurs(transactionOf(order, seq), leasedAt)) return;
    // Only a new order is surely as we know it: other nodes may be changing an older one at the same time.
    const known = order.version === 1 ? order : undefined;
    const sent = materials ? this.#send(order, seq, materials, known) : this.#sendWith(order, seq, undefined);
    void this.due.track(sent, { orderId: order.orderId }, order.merchantId);
  }

  /** The write may have taken so long that another node took the transaction over, under another lease. */
  #isStillOurs({ dueAt }: Transaction, leasedAt: number): boolean {
    return dueAt === leasedAt + this.#parts.leaseMs;
  }

  /** Asks the bank what it says of a transaction now, also of one that has ended. It changes nothing. */
  async askAbout(order: Order, seq: number): Promise<InquiryAnswer> {
    const transaction = transactionOf(order, seq);
    const terminal = this.#terminalOf(transaction);
    if (!terminal || terminal.inquiry === 'none') return { word: 'unknown', reason: 'its bank cannot be asked' };
    return this.#ask(order, transaction, terminal, (reference, sent) => terminal.acquirer.inquire(reference, sent));
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const { clock, instance, leaseMs, store } = this.#parts;
    const now = clock.now();
    const leaseUntil = now + leaseMs;
    const due = await store.claimDue({ now, leaseUntil, leaseOwner: instance, limit });
    return due.map(({ merchantId, orderId, seq }) => ({ merchantId, orderId, seq, leaseUntil }));
  }

  async #continue(due: Claimed): Promise<void> {
    const order = (await this.#parts.store.load([due])).get(due.orderId);
    if (!order) throw new Error(`There is no order ${due.orderId}`);
    const { stage } = transactionOf(order, due.seq);
    switch (stages[stage].next) {
      case 'send':
      case 'inquire':
        return this.#inquire(order, due);
      case 'reverse':
        return this.#reverse(order, due.seq);
      case 'expire':
        await this.#parts.door.change(order, { type: 'waiting-ended' });
        return;
      case 'end-authentication':
        await this.#parts.door.change(order, { type: 'authentication-ended', seq: due.seq });
        return;
      case 'none':
        return this.#endHold(order);
      case 'person':
        return;
    }
  }

  async #inquire(order: Order, claimed: Claimed): Promise<void> {
    const { door, materials, store } = this.#parts;
    const { seq, leaseUntil } = claimed;
    const transaction = transactionOf(order, seq);
    const terminal = this.#terminalOf(transaction);
    if (!terminal) return;
    const askedAgain = this.#askedAhead(transaction, claimed);
    const unanswerable = terminal.inquiry === 'none';
    const answer: InquiryAnswer = unanswerable
      ? { word: 'unknown', reason: 'its bank cannot be asked' }
      : await this.#ask(order, transaction, terminal, (reference, sent) => terminal.acquirer.inquire(reference, sent));
    const opened = answer.word === 'not-found' ? await materials.open(order, seq, terminal) : undefined;
    const codeLost = answer.word === 'not-found' && opened === undefined;
    const resendable = opened !== undefined && instructionFor(order, transaction, opened) !== undefined;
    const { leg } = transaction;
    const ahead = askedAgain !== undefined;
    const told = { answer, resendable, codeLost, unanswerable, ahead, leaseUntil };
    const { order: after, moved } = await door.change(order, { type: 'inquired', seq, leg, ...told });
    if (moved) await this.#goOn(after, seq, opened);
    else if (ahead) await store.giveBack(claimed, askedAgain);
  }

  /** When the schedule would ask, for a transaction that was made due before that time. */
  #askedAhead(transaction: Transaction, { leaseUntil }: Claimed): number | undefined {
    const claimedAt = leaseUntil - this.#parts.leaseMs;
    const at = askedAgainAt(transaction);
    return at !== undefined && claimedAt < at ? at : undefined;
  }

  /** The node may not know the terminal yet; the transaction stays due, and is looked at again. */
  #terminalOf({ terminal }: Transaction): OpenTerminal | undefined {
    const found = this.#parts.terminals.find(terminal);
    if (!found) this.#parts.log.warn('a terminal is not known here', { detail: terminal });
    return found;
  }

  /** Puts a question about an instruction that was sent, or may have been. */
  async #ask<A>(
    order: Order,
    transaction: Transaction,
    terminal: OpenTerminal,
    question: (reference: string, sent: SentInstruction) => Promise<A>,
  ): Promise<A | Unknown> {
    const recalled = await this.#parts.materials.recall(order, transaction.seq, terminal);
    const instruction = instructionFor(order, transaction, recalled);
    if (!instruction) return { word: 'unknown', reason: 'what was sent cannot be told any more' };
    const around = this.#around(order, transaction, recalled, terminal);
    // Due work that was asked for the first time may be that of a node that died right after asking.
    const { attempts, changedAt, stage } = transaction;
    // An instruction is on its way until it is asked about or taken back.
    const sentBefore = stage === 'undoing' ? changedAt - undoneForMs(attempts) : changedAt;
    return question(instruction.reference, { instruction, around, again: attempts > 0, sentBefore });
  }

  #around(order: Order, transaction: Transaction, materials: Materials, terminal: OpenTerminal): Circumstances {
    const { configuration, returnUrl } = this.#parts;
    const site = terminal.site(configuration.endpoint(order.endpointId));
    // A follow-up has no payer at hand.
    const back = transaction.originalSeq === undefined ? () => returnUrl(order) : undefined;
    return circumstancesOf(order, transaction, materials, { site, back });
  }

  /** Sends the next instruction, or wakes the loop if work is due. Call it only after moving the transaction. */
  async #goOn(order: Order, seq: number, opened?: Materials): Promise<void> {
    const { stage, dueAt } = transactionOf(order, seq);
    if (stage === 'sending') await this.#sendWith(order, seq, opened);
    else if (stage === 'passed-on') await this.#sendNext(order, seq, opened);
    else if (dueAt !== undefined && dueAt <= this.#parts.clock.now()) this.due.wake();
  }

  async #sendWith(order: Order, seq: number, opened: Materials | undefined): Promise<void> {
    const terminal = this.#terminalOf(transactionOf(order, seq));
    const materials = opened ?? (terminal && (await this.#parts.materials.open(order, seq, terminal)));
    if (materials) await this.#send(order, seq, materials);
  }

  /** The transaction may have come to nothing, with another terminal, amount or card to be tried. */
  async #sendNext(order: Order, seq: number, opened: Materials | undefined): Promise<void> {
    const next = purposeOf(order);
    if (next.seq > seq && next.stage === 'sending') await this.#sendWith(order, next.seq, opened);
  }

  async #send(order: Order, seq: number, materials: Materials, known?: Order): Promise<void> {
    const { clock, door } = this.#parts;
    const transaction = transactionOf(order, seq);
    const terminal = this.#terminalOf(transaction);
    const instruction = instructionFor(order, transaction, materials);
    // After a pause longer than the lease another node may work on it, and will ask the acquirer first.
    if (!terminal || !instruction || clock.now() >= (transaction.dueAt ?? 0)) return;
    const answer = await terminal.acquirer.send(instruction, this.#around(order, transaction, materials, terminal));
    const sent = { type: 'sent', seq, leg: transaction.leg, answer } as const;
    const { order: after, moved } = await door.change(order, sent, { known });
    if (!moved) return;
    const isPassedOn = transactionOf(after, seq).stage === 'passed-on';
    await this.#goOn(after, seq, materials);
    // A follow-up leads to no further try.
    if (transaction.originalSeq === undefined && !isPassedOn) await this.#sendNext(after, seq, materials);
  }

  async #reverse(order: Order, seq: number): Promise<void> {
    const transaction = transactionOf(order, seq);
    const terminal = this.#terminalOf(transaction);
    if (!terminal) return;
    const { acquirer } = terminal;
    const answer = await this.#ask(order, transaction, terminal, (reference, sent) =>
      acquirer.reverse(reference, sent),
    );
    const answered = { type: 'reversal-answered', seq, leg: transaction.leg, answer } as const;
    const { order: after, moved } = await this.#parts.door.change(order, answered);
    if (moved) await this.#goOn(after, seq);
  }

  /** Gives back the money of a preauthorisation that was never captured. */
  async #endHold(order: Order): Promise<void> {
    const { clock, door, ids, instance } = this.#parts;
    const requestSerial = newSerialNumber(clock.now());
    const marks = { leaseOwner: instance, fingerprint: Buffer.alloc(0), idempotencyKey: undefined };
    const after = await door.begin(order, { type: 'hold-ended', requestSerial, traceId: await ids.next() }, marks);
    const release = 'transactions' in after && after.transactions.find((one) => one.requestSerial === requestSerial);
    if (release && this.#isStillOurs(release, release.createdAt)) {
      await this.#sendWith(after, release.seq, undefined);
    }
  }
}
