// Waits until an order has ended, as a merchant does: by STATUS, again and again, with longer pauses.

import { systemClock } from '../../domain/clock.ts';
import type { ExitName } from '../../domain/exit-codes.ts';
import { status } from '../../operations/v2/status.ts';
import { statusV4 } from '../../operations/v4/status.ts';
import { Complaint } from '../complaint.ts';
import { type CallingMerchant, type HeardReply, postCall, signCall } from './signed-call.ts';

const MOST_MS = 60_000;
const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 2_000;
const ENDS = new Set(['approved', 'declined', 'filtered', 'error']);

/** What was heard last, or why nothing was. */
export type OrderEnd =
  | { readonly heard: HeardReply; readonly exit: ExitName; readonly fault?: undefined }
  | { readonly heard?: undefined; readonly exit: ExitName; readonly fault: Complaint };

/** How the order of this reply ended, or stands when the time is over; undefined when the reply names no order. */
export async function waitForEnd(
  reply: HeardReply['reply'],
  who: CallingMerchant,
  mostMs = MOST_MS,
): Promise<OrderEnd | undefined> {
  const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = reply;
  if (typeof clientOrderId !== 'string' || typeof orderId !== 'string') return undefined;
  const fields = { client_orderid: clientOrderId, orderid: orderId };
  const operation = who.controlKey ? status : statusV4;
  const until = Date.now() + mostMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const stands = await postCall(signCall(operation, fields, who)).then(endIn, unheard);
    if (stands.isLast || Date.now() + pauseMs > until) return stands.end;
    await systemClock.sleep(pauseMs);
  }
}

type Standing = { readonly end: OrderEnd; readonly isLast: boolean };

/** A failed STATUS tells nothing of the order: one that the service could not answer is asked again. */
function endIn(heard: HeardReply): Standing {
  const { status: told } = heard.reply;
  if (told === undefined) return { end: { heard, exit: 'failed' }, isLast: heard.status < 500 };
  const exit = told === 'approved' ? 'done' : 'not-approved';
  return { end: { heard, exit }, isLast: ENDS.has(String(told)) };
}

function unheard(fault: unknown): Standing {
  if (!(fault instanceof Complaint)) throw fault;
  return { end: { fault, exit: fault.exit }, isLast: false };
}
