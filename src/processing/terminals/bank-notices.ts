// What banks tell us without being asked. The connector says whether a notice is real and which instruction it is
// about. A notice moves nothing by itself: it makes us ask the bank at once, and each does so once. That a payout came
// back is in no schedule, so such a notice is taken only when the bank has answered: until then it is sent again.

import { createHash } from 'node:crypto';
import type { Notice, NoticeReading } from '../../acquirers/acquirer.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Merchant } from '../../domain/merchant/merchant.ts';
import { acquirerReference, type Order, placeOfReference, type Transaction } from '../../domain/order/order.ts';
import { patiently } from '../../domain/patience.ts';
import type { BankNoticeStore } from '../../storage/bank-notices.ts';
import type { OrderStore } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { forgetOld } from '../node/forgetting.ts';
import type { EarlyQuestions } from '../orders/early-questions.ts';
import type { ReturnedPayouts } from '../payouts/returned-payouts.ts';
import type { OpenTerminals } from './terminal.ts';

/** Longer than any bank goes on sending a notice that was not answered. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
const FORGET_LIMIT = 5_000;

/** How long a connector may take to read a notice. */
const READING_MS = 10_000;

/** How many notices may be under way; beyond it the bank is told to send them later. */
const MAX_UNDER_WAY = 500;

/** A longer name is kept as its digest, and so is one that is not plain text. */
const PLAIN_ID = /^[\x20-\x7e]{1,128}$/;

/**
 * What became of a notice: the bank is asked, a payout is booked back, there was nothing to ask, it came before, or it
 * is about nothing of ours; a return that no notice may book (`not-taken`); it was not taken at all (`refused`), or not
 * now (`put-off`).
 */
export type NoticeOutcome =
  | 'asked'
  | 'booked'
  | 'nothing-to-ask'
  | 'repeated'
  | 'not-ours'
  | 'not-taken'
  | 'refused'
  | 'put-off'
  | 'failed';

export type BankNoticesParts = {
  readonly clock: Clock;
  readonly configuration: { readonly merchants: Iterable<Pick<Merchant, 'merchantId'>> };
  readonly count: (outcome: NoticeOutcome) => void;
  readonly log: Log;
  readonly notices: BankNoticeStore;
  readonly orders: Pick<OrderStore, 'load'>;
  readonly questions: Pick<EarlyQuestions, 'ask'>;
  readonly returns: Pick<ReturnedPayouts, 'hear'>;
  readonly terminals: OpenTerminals;
};

type NamedTransaction = { readonly order: Order; readonly transaction: Transaction };

export class BankNotices {
  readonly #parts: BankNoticesParts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: BankNoticesParts) {
    this.#parts = parts;
  }

  /** What to answer; undefined to whoever is not a bank of ours, whatever the reason. Answer before `follow`. */
  async read(terminal: string, notice: Notice): Promise<NoticeReading | undefined> {
    const acquirer = this.#parts.terminals.find(terminal)?.acquirer;
    if (!acquirer) return this.#refuse('there is no such terminal');
    if (!acquirer.receive) return this.#refuse('its bank sends no notices', terminal);
    if (this.#underWay.size >= MAX_UNDER_WAY) {
      this.#parts.count('put-off');
      return { status: 503 };
    }
    const { receive } = acquirer;
    const reading = await patiently(() => receive(notice), READING_MS)().catch(() => undefined);
    if (!reading) return this.#refuse('its connector could not read it', terminal);
    if (reading.status >= 400 && reading.status < 500) return this.#refuse('it does not prove its sender', terminal);
    return reading.returned ? this.#tracked(this.#returned(terminal, reading)) : reading;
  }

  /**
   * An honest bank learns whether to tell it again: 200 that it need not, 503 that it must, and otherwise that it is of
   * no use, because the terminal paid nothing under that name (404) or nothing that a notice may book back (422).
   */
  async #returned(terminal: string, reading: NoticeReading): Promise<NoticeReading> {
    const { count, returns } = this.#parts;
    const named = await this.#transactionNamed(reading.reference ?? '', terminal);
    const heard = named ? await returns.hear(named.order, named.transaction.seq) : 'not-ours';
    if (heard === 'no-payout') return { ...reading, returned: undefined };
    if (typeof heard === 'object') return this.#notTaken(terminal, { why: heard.notTaken, order: named?.order });
    if (heard === 'not-ours') return this.#notTaken(terminal, { why: 'the terminal paid nothing by that name' });
    count(heard === 'unanswered' ? 'put-off' : heard);
    return heard === 'unanswered' ? { status: 503, returned: true } : reading;
  }

  #notTaken(
    terminal: string,
    { why, order }: { readonly why: string; readonly order?: Order | undefined },
  ): NoticeReading {
    const { count, log } = this.#parts;
    count(order ? 'not-taken' : 'not-ours');
    log.warn('a return that a bank told of was not booked', {
      ...(order && { orderId: order.orderId }),
      detail: `terminal ${terminal}: ${why}`,
    });
    return { status: order ? 422 : 404, returned: true };
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => {},
      () => {},
    );
    this.#underWay.add(ended);
    void ended.finally(() => this.#underWay.delete(ended));
    return work;
  }

  /** Nothing that a stranger wrote goes into the log. */
  #refuse(reason: string, terminal?: string): undefined {
    this.#parts.count('refused');
    this.#parts.log.warn('a notice was refused', {
      detail: terminal === undefined ? reason : `terminal ${terminal}: ${reason}`,
    });
    return undefined;
  }

  /** Does what follows from a notice that was answered. */
  follow(terminal: string, reading: NoticeReading): void {
    if (reading.returned) return;
    const { count, log } = this.#parts;
    const followed = this.#follow(terminal, reading).then(count, (error) => {
      count('failed');
      log.warn('a notice was not followed', { detail: terminal, error });
    });
    void this.#tracked(followed);
  }

  async #follow(terminal: string, { status, reference, noticeId }: NoticeReading): Promise<NoticeOutcome> {
    if (status >= 400) return 'failed';
    const named = reference === undefined ? undefined : await this.#transactionNamed(reference, terminal);
    if (!named) return 'not-ours';
    const { clock, notices, questions } = this.#parts;
    const isNew =
      noticeId === undefined || (await notices.take({ terminal, noticeId: keptId(noticeId), receivedAt: clock.now() }));
    if (!isNew) return 'repeated';
    const { merchantId, orderId } = named.order;
    return (await questions.ask({ merchantId, orderId, seq: named.transaction.seq })) ? 'asked' : 'nothing-to-ask';
  }

  /** The transaction whose present instruction has this name, if it is one of the terminal's. */
  async #transactionNamed(reference: string, terminal: string): Promise<NamedTransaction | undefined> {
    const place = placeOfReference(reference);
    if (!place) return undefined;
    const order = await this.#orderOf(place.orderId);
    const transaction = order?.transactions[place.seq - 1];
    if (!order || transaction?.terminal !== terminal) return undefined;
    if (acquirerReference(order, transaction) !== reference) return undefined;
    return { order, transaction };
  }

  /**
   * A reference does not tell the merchant, with which every key begins. Notices are rare: the order is looked up under
   * each merchant, which costs less than an index that every order would have to be written into.
   */
  async #orderOf(orderId: number): Promise<Order | undefined> {
    const { configuration, orders } = this.#parts;
    const keys = [...configuration.merchants].map(({ merchantId }) => ({ merchantId, orderId }));
    return (await orders.load(keys)).get(orderId);
  }

  /** Removes old notices until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, notices } = this.#parts;
    const forget = (before: number, limit: number) => notices.forget(before, limit);
    await forgetOld({ clock, keptMs: KEPT_MS, everyMs: FORGET_EVERY_MS, lot: FORGET_LIMIT, forget }, signal, onError);
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

function keptId(noticeId: string): string {
  return PLAIN_ID.test(noticeId) ? noticeId : createHash('sha256').update(noticeId).digest('hex');
}
