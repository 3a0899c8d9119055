// Waits until an order has ended, as a merchant does: by STATUS, again and again, with longer pauses.

import { systemClock } from '../../domain/clock.ts';
import { status } from '../../operations/v2/status.ts';
import { statusV4 } from '../../operations/v4/status.ts';
import { type CallingMerchant, type HeardReply, postCall, signCall } from './signed-call.ts';

const MOST_MS = 60_000;
const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 2_000;
const UNFINISHED = new Set(['processing', 'unknown']);

export type OrderEnd = { readonly reply: HeardReply['reply']; readonly isApproved: boolean };

/** How the order of this reply ended, or stands when the time is over; undefined when the reply names no order. */
export async function waitForEnd(reply: HeardReply['reply'], who: CallingMerchant): Promise<OrderEnd | undefined> {
  const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = reply;
  if (typeof clientOrderId !== 'string' || typeof orderId !== 'string') return undefined;
  const fields = { client_orderid: clientOrderId, orderid: orderId };
  const operation = who.controlKey ? status : statusV4;
  const until = Date.now() + MOST_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const heard = await postCall(signCall(operation, fields, who));
    const { status: told = '' } = heard.reply;
    if (!UNFINISHED.has(String(told)) || Date.now() + pauseMs > until) {
      return { reply: heard.reply, isApproved: told === 'approved' };
    }
    await systemClock.sleep(pauseMs);
  }
}
