// Everything that happened to an order, in the order of time: requests as they came (masked), what rules decided, what
// was said with card networks and banks, what was booked, what its merchant was told, and who looked.

import type { AnswerTo } from '../../administration/administration.ts';
import type { Episode, WholeOrderAnswer } from '../../administration/orders/order-answers.ts';
import type { ChangedOrder } from '../../administration/orders/order-text.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { formOf } from '../pieces/forms.ts';
import { block, facts, moment } from '../pieces/values.ts';
import { eventWords } from './event-words.ts';
import { declineText } from './order-words.ts';

/** One point of it. `kind` is a word that a colour helps to find. */
export type TimePoint = {
  readonly at: string;
  readonly kind: string;
  readonly title: Piece;
  readonly body?: Piece;
};

export function timeline(visit: Visit, order: WholeOrderAnswer, looks: AnswerTo<'listLooks'>): Html {
  const points = inOrder(
    order.story.map((episode) => pointOf(visit, order, episode)),
    [...bookingPoints(order), ...lookPoints(looks)],
  );
  const items = points.map(
    ({
      at,
      kind,
      title,
      body,
    }) => html`<li class="point"><p class="point-head">${moment(at)} <span class="point-kind">${kind}</span></p>
<div class="point-body"><p class="point-title">${title}</p>${body}</div></li>`,
  );
  const { count, lastAt } = order.polls;
  const polls =
    count > 0 &&
    html`<p class="hint">Its merchant asked for its status ${count === 1 ? 'once' : `${count} times`}, last at ${moment(lastAt)}.</p>`;
  const archived =
    order.archived.length > 0 &&
    html`<p class="hint">What happened earlier was archived in ${order.archived.join(', ')}.</p>`;
  return html`<ol class="timeline">${items}</ol>${polls}${archived}`;
}

/** The story is in order already; at the same moment what was booked stands before what was told of it. */
export function inOrder(story: readonly TimePoint[], others: readonly TimePoint[]): TimePoint[] {
  const rank = ({ kind }: TimePoint) => ORDER_AT_ONE_MOMENT[kind] ?? 0;
  return [...story, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || rank(a) - rank(b));
}

const ORDER_AT_ONE_MOMENT: Readonly<Record<string, number>> = { books: 1, callback: 2, 'who looked': 3 };

function pointOf(visit: Visit, order: WholeOrderAnswer, episode: Episode): TimePoint {
  const { at } = episode;
  switch (episode.kind) {
    case 'request':
      return { at, kind: 'request', ...requestWords(order, episode) };
    case 'change':
      return { at, ...changeWords(episode.event as ChangedOrder) };
    case '3ds': {
      const { messageType = 'a message' } = episode.message;
      const title = html`3-D Secure, from ${whoSaid(episode.from)}: ${String(messageType)}`;
      return { at, kind: '3-D Secure', title, body: folded('The message, masked', membersOf(episode.message)) };
    }
    case 'exchange':
      return { at, kind: 'bank', ...exchangeWords(order, episode) };
    case 'bank': {
      const title =
        episode.direction === 'out' ? `To the bank at ${episode.terminal}` : `From the bank at ${episode.terminal}`;
      return {
        at,
        kind: 'bank',
        title,
        body: folded('The message, masked', block(episode.message, 'Message of the bank')),
      };
    }
    case 'callback':
      return { at, kind: 'callback', ...callbackWords(visit, order, episode) };
  }
}

type OfKind<K extends Episode['kind']> = Extract<Episode, { readonly kind: K }>;

function requestWords({ unsigned }: WholeOrderAnswer, episode: OfKind<'request'>) {
  const { operation, httpStatus, errorCode, milliseconds, serialNumber, request, reply } = episode;
  const outcome = errorCode === null ? 'accepted' : `refused with error ${errorCode}`;
  const body = html`${facts([
    ['Signature', signatureWords(errorCode, unsigned)],
    ['Answered', `HTTP ${httpStatus} after ${Math.round(milliseconds)} ms`],
    ['Serial number', html`<code>${serialNumber}</code>`],
  ])}${folded('As it was received, masked', membersOf(request))}${folded('What was answered', membersOf(reply))}`;
  return { title: `The merchant asked for ${operation ?? 'something unknown'}: ${outcome}`, body };
}

const QUESTIONS = { inquiry: 'what became of', reversal: 'to take back' } as const;

function exchangeWords({ currency }: WholeOrderAnswer, episode: OfKind<'exchange'>) {
  const { terminal, asked, type, amount, answer, approvalCode, declineCode, milliseconds, messages } = episode;
  const what = asked === 'instruction' ? `for a ${type}` : `${QUESTIONS[asked]} the ${type}`;
  const body = facts([
    ['Transaction', String(episode.transaction)],
    ['Reference', html`<code>${episode.reference}</code>`],
    ['Amount', `${amount} ${currency}`],
    ['Approval code', approvalCode ?? undefined],
    ['Decline code', declineCode === null ? undefined : `${declineCode}: ${declineText(declineCode)}`],
    ['RRN', episode.rrn ?? undefined],
    ['Why', episode.reason ?? undefined],
    ['Took', milliseconds === null ? undefined : `${Math.round(milliseconds)} ms from when it was written down`],
    ['Messages', messages === null ? undefined : messagesWords(messages)],
  ]);
  return { title: `The bank at ${terminal} was asked ${what}: ${answer}`, body };
}

function messagesWords(count: number): string {
  if (count > 0)
    return `this node has ${count === 1 ? 'one that names' : `${count} that name`} it; they stand in this story`;
  return 'this node has none about it any more: each keeps only the latest of every terminal';
}

/** Errors of authentication and access have these codes. */
const isOfSignature = (code: number) => (code >= 20 && code <= 29) || code === 62;

function signatureWords(errorCode: number | null, unsigned: boolean): string {
  if (errorCode !== null && isOfSignature(errorCode)) return 'checked: it did not fit, or was not allowed';
  return unsigned ? 'none: nobody proved that the merchant asked for it' : 'checked: it fits';
}

function changeWords(event: ChangedOrder): Omit<TimePoint, 'at'> {
  const { what, title, facts: pairs } = eventWords(event);
  return { kind: what === 'person' ? 'by a person' : what, title, body: facts(pairs) };
}

const SPEAKERS: Readonly<Record<string, string>> = { tender: 'us', network: 'the card network', issuer: 'the issuer' };

const whoSaid = (from: string) => SPEAKERS[from] ?? from;

function callbackWords(visit: Visit, { orderId }: WholeOrderAnswer, episode: OfKind<'callback'>) {
  const { callbackId, status, fault, milliseconds, address, answer } = episode;
  const again =
    visit.may('replayCallback') &&
    formOf(
      visit,
      { action: `/console/orders/${orderId}/replay`, submit: 'Send it again', kind: 'quiet', inline: true },
      html`<input type="hidden" name="callbackId" value="${callbackId}">`,
    );
  const body = html`${facts([
    ['Callback', html`<code>${callbackId}</code>`],
    ['Sent to', address ?? undefined],
    ['Answered', status === null ? undefined : `HTTP ${status} after ${Math.round(milliseconds)} ms`],
    ['Failed', fault ?? undefined],
  ])}${answer !== null && answer !== '' && folded('What it answered', block(answer, 'Answer to the callback'))}${again}`;
  return { title: status === 200 ? 'The merchant was told' : 'The merchant could not be told', body };
}

function folded(summary: string, body: Piece): Html {
  return html`<details class="more"><summary>${summary}</summary>${body}</details>`;
}

function membersOf(value: unknown): Html {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return html`<p class="hint">Nothing.</p>`;
  return facts(entries.map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]));
}

/** What was booked for a transaction, when it came to its end. */
function bookingPoints({ bookings, transactions, currency }: WholeOrderAnswer): TimePoint[] {
  return transactions.flatMap(({ seq, changedAt }) => {
    const lines = bookings.filter(({ transaction }) => transaction === seq);
    if (lines.length === 0) return [];
    const pairs = lines.map(({ account, amount }) => [`Account “${account}”`, `${amount} ${currency}`] as const);
    return [{ at: changedAt, kind: 'books', title: `Booked for transaction ${seq}`, body: facts(pairs) }];
  });
}

const LOOKS: Readonly<Record<string, string>> = {
  showOrder: 'looked at this order',
  showRequest: 'looked at a request about it',
  returnOrder: 'asked to give money back',
  captureOrder: 'asked to take what is held',
  voidOrder: 'asked to void it',
  approvePayout: 'confirmed the payout',
  bookReturnedPayout: 'booked that the bank returned the payout',
  settleStuck: 'settled what was stuck',
  approveDeed: 'approved as the second person',
  rejectDeed: 'rejected as the second person',
  replayCallback: 'sent a callback again',
};

/** Looks of one person one after another are one point. */
function lookPoints(looks: AnswerTo<'listLooks'>): TimePoint[] {
  const points: (TimePoint & { readonly key: string; readonly times: number })[] = [];
  for (const { at, who, action } of looks.toReversed()) {
    const last = points.at(-1);
    const key = `${who} ${action}`;
    const times = last?.key === key ? last.times + 1 : 1;
    if (times > 1) points.pop();
    const title = `${who} ${LOOKS[action] ?? `used ${action}`}${times > 1 ? ` (${times} times)` : ''}`;
    points.push({ at, kind: action.startsWith('show') ? 'who looked' : 'by a person', title, key, times });
  }
  return points;
}
