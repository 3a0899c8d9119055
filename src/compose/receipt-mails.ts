// Receipts by e-mail, where a mail server is named: what they are made of, and by whom they are sent.

import { mailDomainOf } from '../domain/mail/mail-address.ts';
import { readSmtpUrl } from '../domain/mail/smtp-url.ts';
import { FIRST_LOOK_MS } from '../notifications/mail/mail-schedule.ts';
import { ReceiptMails } from '../notifications/mail/receipt-mails.ts';
import { sendBySmtp } from '../notifications/mail/smtp.ts';
import { receiptMailStore } from '../storage/receipt-mails.ts';
import type { OrderView } from '../storage/store.ts';
import { receiptMail } from '../web/checkout/receipt-mail.ts';
import type { PartOptions } from './part-options.ts';
import type { StorageParts } from './storage-parts.ts';

/** How long the mail server may take for each answer; a message needs about ten of them. */
const ANSWER_MS = 20_000;
/** Longer than a whole conversation with a server that is as slow as it may be. */
const LEASE_MS = 5 * 60_000;

/** Undefined when no mail server is named. */
export function openReceiptMails(
  { settings, clock, log, addresses }: PartOptions,
  { database, configuration, stores }: StorageParts,
  instance: string,
) {
  const { smtpUrl, mailFrom: from } = settings;
  const server = smtpUrl === undefined ? undefined : readSmtpUrl(smtpUrl);
  if (smtpUrl !== undefined && (!server || from === undefined)) throw new Error('The mail server cannot be used');
  if (!server || from === undefined) return undefined;
  const store = receiptMailStore(database, () => configuration.shards);
  const compose = (view: OrderView, language: string) => {
    const merchant = configuration.byId(view.order.merchantId);
    const endpoint = configuration.endpoint(view.order.endpointId);
    if (!merchant || !endpoint) return undefined;
    const { endpointId } = endpoint;
    const url = `${addresses.base}/view-receipt/${endpointId}/${view.receiptId}/?lang=${language}`;
    return receiptMail({ ...view, merchant, endpoint, look: configuration.look(endpointId) }, { language, url });
  };
  const mails = new ReceiptMails({
    ...{ store, orders: stores.orders, clock, log, instance, leaseMs: LEASE_MS, from, compose },
    send: (envelope, mayBegin) =>
      sendBySmtp(server, envelope, { name: mailDomainOf(from), timeoutMs: ANSWER_MS, mayBegin }),
  });
  const plan = async ({ merchantId, orderId }: { merchantId: number; orderId: number }, language: string) => {
    const at = clock.now();
    // No payment waits for a receipt, and none fails for the want of one.
    await store.plan({ merchantId, orderId }, { language, at, dueAt: at + FIRST_LOOK_MS }).catch((error) => {
      log.warn('a receipt could not be planned', { merchantId, orderId, error });
    });
  };
  return { due: mails.due, plan };
}
