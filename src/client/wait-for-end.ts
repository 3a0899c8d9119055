// Asks for the status of an order until it has ended, at first often and then less often.

import type { ClientReplies } from './operations.ts';
import { pause } from './pause.ts';
import { ownError, type PayerNeed } from './tender-error.ts';

export type OrderAsked = {
  readonly client_orderid: string;
  readonly orderid?: string | undefined;
  /** Asks for the transaction that the request with this serial-number made. */
  readonly 'by-request-sn'?: string | undefined;
};

export type WaitOptions = {
  /** How long to wait; two minutes unless given. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Called once for each step that the payer has to take. A hosted form leads the payer itself: `() => {}` will do. */
  readonly payer?: (need: PayerNeed) => void | Promise<void>;
};

type StatusReply = ClientReplies['status'];

const LIMIT_MS = 120_000;
const FIRST_MS = 100;
const LONGEST_MS = 5_000;
const GROWTH = 1.5;

const ENDS = ['approved', 'declined', 'filtered', 'error'];

export async function untilEnd(
  ask: () => Promise<StatusReply>,
  { client_orderid }: OrderAsked,
  { limitMs = LIMIT_MS, signal, payer }: WaitOptions,
): Promise<StatusReply> {
  const until = Date.now() + limitMs;
  let told = '';
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * GROWTH, LONGEST_MS)) {
    signal?.throwIfAborted();
    const reply = await ask();
    if (ENDS.includes(reply.status)) return reply;
    const need = needIn(reply);
    const isNew = need !== undefined && `${need.step} ${need.redirectTo}` !== told;
    if (isNew) {
      if (!payer) throw ownError('payer-needed', `The payer of ${client_orderid} has to act first`, { payer: need });
      told = `${need.step} ${need.redirectTo}`;
      await payer(need);
    }
    const leftMs = until - Date.now();
    if (leftMs <= 0) {
      const message = `${client_orderid} is ${reply.status} after ${limitMs} ms`;
      throw ownError('not-ended', message, { outcome: 'unknown', payer: need });
    }
    await pause(Math.min(waitMs, leftMs), signal);
  }
}

function needIn(reply: StatusReply): PayerNeed | undefined {
  const { 'redirect-to': redirectTo, html = '', 'tds-status': step } = reply;
  return redirectTo === undefined ? undefined : { redirectTo, html, step };
}
