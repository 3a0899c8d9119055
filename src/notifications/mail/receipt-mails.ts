// Sends payers the receipts that were planned when they entered a card: once the order has ended well, in their
// language. No payment waits for it. A message that may have gone out is never sent again on purpose.

import type { Clock } from '../../domain/clock.ts';
import { isMailAddress } from '../../domain/mail/mail-address.ts';
import { type MailContent, writeMail } from '../../domain/mail/mail-message.ts';
import { purposeOf } from '../../domain/order/order.ts';
import { stages } from '../../domain/order/stages.ts';
import { DueWork } from '../../processing/node/due-work.ts';
import type { ReceiptMail, ReceiptMailStore } from '../../storage/receipt-mails.ts';
import type { OrderStore, OrderView } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { nextLookAt, nextSendAt } from './mail-schedule.ts';
import type { Envelope, MailOutcome } from './smtp.ts';

/** The pause between two looks into the database. */
const POLL_MS = 1_000;
const MOST_AT_ONCE = 4;

export type ReceiptMailsParts = {
  readonly store: ReceiptMailStore;
  readonly orders: Pick<OrderStore, 'findOrderView'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly instance: string;
  /** Longer than a conversation with the mail server can take. */
  readonly leaseMs: number;
  /** The address messages come from. */
  readonly from: string;
  /** The receipt and the merchant's name; undefined when there is nothing to tell. */
  compose(view: OrderView, language: string): (MailContent & { readonly sender: string }) | undefined;
  /** `mayBegin` is asked before the message goes out. */
  send(envelope: Envelope, mayBegin: () => Promise<boolean>): Promise<MailOutcome>;
};

export class ReceiptMails {
  readonly #parts: ReceiptMailsParts;
  readonly due: DueWork<ReceiptMail>;

  constructor(parts: ReceiptMailsParts) {
    const { clock, log, store, instance: leaseOwner, leaseMs } = parts;
    this.#parts = parts;
    this.due = new DueWork({
      ...{ name: 'receipts', one: 'a receipt', clock, log, everyMs: POLL_MS, lot: MOST_AT_ONCE, most: MOST_AT_ONCE },
      claim: (limit) => {
        const now = clock.now();
        return store.claimDue({ now, leaseUntil: now + leaseMs, leaseOwner, limit });
      },
      handle: (mail) => this.#handle(mail),
      about: ({ merchantId, orderId }) => ({ merchantId, orderId }),
    });
  }

  async #handle(mail: ReceiptMail): Promise<void> {
    const { merchantId, orderId, createdAt } = mail;
    // Whoever had it died while it went out.
    if (mail.state === 'sending') return this.#end(mail, 'unknown', 'the node stopped while it was sent');
    const view = await this.#parts.orders.findOrderView({ merchantId, orderId, clientOrderId: undefined });
    const stage = view && purposeOf(view.order).stage;
    if (view && stage === 'approved') return this.#send(mail, view);
    if (stage === undefined || stages[stage].final) return this.#end(mail, 'dropped');
    const dueAt = nextLookAt({ createdAt, now: this.#parts.clock.now() });
    if (dueAt === undefined) return this.#end(mail, 'dropped');
    await this.#settle(mail, { state: 'waiting', dueAt });
  }

  async #send(mail: ReceiptMail, view: OrderView): Promise<void> {
    const { clock, compose, from, send, store } = this.#parts;
    const to = view.details.email ?? '';
    const content = isMailAddress(to) ? compose(view, mail.language) : undefined;
    if (!content) return this.#end(mail, 'dropped');
    const { sender, ...told } = content;
    const id = `receipt.${mail.merchantId}.${mail.orderId}`;
    const message = writeMail({ ...told, from: { name: sender, address: from }, to, id, at: clock.now() });
    const outcome = await send({ from, to, message }, () => store.begin(mail, clock.now()));
    await this.#judge(mail, outcome);
  }

  async #judge(mail: ReceiptMail, outcome: MailOutcome): Promise<void> {
    if (outcome.outcome === 'sent') return this.#end(mail, 'sent');
    const { fault } = outcome;
    if (outcome.outcome === 'unknown') return this.#end(mail, 'unknown', fault);
    const tries = mail.attempts + 1;
    const dueAt = outcome.outcome === 'later' ? nextSendAt({ tries, now: this.#parts.clock.now() }) : undefined;
    if (dueAt === undefined) return this.#end(mail, 'failed', fault);
    await this.#settle({ ...mail, attempts: tries }, { state: 'waiting', dueAt, fault });
  }

  async #end(mail: ReceiptMail, state: 'sent' | 'dropped' | 'failed' | 'unknown', fault?: string): Promise<void> {
    const { merchantId, orderId } = mail;
    if (fault !== undefined) this.#parts.log.warn('a receipt was not sent', { merchantId, orderId, detail: fault });
    const attempts = state === 'dropped' ? mail.attempts : mail.attempts + 1;
    await this.#settle({ ...mail, attempts }, { state, dueAt: undefined, fault });
  }

  async #settle(
    mail: ReceiptMail,
    { state, dueAt, fault }: { state: ReceiptMail['state']; dueAt: number | undefined; fault?: string | undefined },
  ): Promise<void> {
    const { clock, store } = this.#parts;
    await store.settle(mail, { state, attempts: mail.attempts, dueAt, fault, at: clock.now() });
  }
}
