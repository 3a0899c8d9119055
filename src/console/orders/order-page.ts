// One order: what became of it, what may be done with its money, and everything that happened.

import type { WholeOrderAnswer } from '../../administration/orders/order-answers.ts';
import { apartMs, isGivenBack, likelyTwice, nearestTwin } from '../../domain/search/likely-twice.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { facts, moment, panel, stateBadge, sum } from '../pieces/values.ts';
import { ACTION_SAYINGS, actionForms, orderActions } from './order-actions.ts';
import { timeline } from './order-timeline.ts';
import { movedName, whereMoneyIs } from './order-words.ts';
import { givenBackBadge, ORDERS } from './orders-page.ts';
import { apartText } from './twice-note.ts';

export const orderPage = definePage({
  path: 'orders/:orderId',
  needs: 'showOrder',
  sayings: ACTION_SAYINGS,
  async show(visit) {
    const orderId = Number(visit.params.orderId);
    const order = await visit.ask('showOrder', { orderId });
    const looks = await visit.ask('listLooks', { orderId });
    const twin = await twinOf(visit, order);
    return {
      title: `Order ${orderId}`,
      above: [ORDERS],
      body: html`<div class="order-head"><p class="order-sum">${sum(order.amount, order.currency)} ${stateBadge(order.status)}${givenBackBadge(order)}</p>
<p>${whereMoneyIs(order)}</p></div>
${twin.note}${await waitingHere(visit, orderId)}
<div class="panels">${panel('facts', 'What it is', orderFacts(visit, order))}${orderActions(visit, order, twin.reason)}</div>
${panel('transactions', 'Money so far', moneyFacts(order))}
${panel('story', 'What happened', timeline(visit, order, looks))}${watch(order)}`,
    };
  },
  forms: actionForms,
  data: {
    /** For a script that waits for a change: without an entry in the audit chain. */
    state: async (visit) => {
      const { found } = await visit.ask('listOrders', { orderId: Number(visit.params.orderId) });
      return { changedAt: found[0]?.changedAt ?? null };
    },
  },
});

/** While a bank is asked, a script loads the page again once the order has changed. */
function watch({ orderId, transactions }: WholeOrderAnswer): Piece {
  const isOpen = transactions.some(({ stage }) => ['sending', 'asking', 'undoing', 'authenticating'].includes(stage));
  return isOpen && html`<div data-watch="/console/orders/${orderId}/state.json" role="status"></div>`;
}

function orderFacts(visit: Visit, order: WholeOrderAnswer): Html {
  const { payer } = order;
  const search = (name: string, value: string) =>
    html`<a href="/console/orders?${new URLSearchParams({ [name]: value }).toString()}">${value}</a>`;
  const ends = order.card?.split(' ')[0];
  return facts([
    ['Made', moment(order.createdAt)],
    ['Type', order.operation],
    ['Merchant', !isOfMerchant(visit) && search('login', order.login)],
    ["Merchant's order id", search('clientOrderId', order.clientOrderId)],
    ['For', order.description ?? undefined],
    ['Endpoint', search('endpointId', String(order.endpointId))],
    [
      'Card',
      order.card !== null &&
        html`${order.card}${ends && html` · <a href="/console/orders?card=${ends.replace('...', '******')}">its other orders</a>`}`,
    ],
    ['Payer', payer.name ?? undefined],
    ["Payer's e-mail", payer.email !== null && search('email', payer.email)],
    ["Payer's network address", payer.address !== null && search('address', payer.address)],
    ["Payer's country", payer.country ?? undefined],
    ['Route', order.route !== null && `${order.route.terminals.join(', then ')}, by ${order.route.reason}`],
    ['3-D Secure', order.authentication !== null && proofOf(order.authentication)],
    ['Signed', order.unsigned && 'no: its amount and id are the word of a stranger'],
  ]);
}

function proofOf({ step, status, version, eci, reason }: NonNullable<WholeOrderAnswer['authentication']>): string {
  if (status === null) return step;
  return [status, version && `version ${version}`, eci && `ECI ${eci}`, reason].filter(Boolean).join(', ');
}

function moneyFacts(order: WholeOrderAnswer): Html {
  const { currency, possible } = order;
  const some = (amount: string | null) => amount !== null && /[1-9]/.test(amount) && sum(amount, currency);
  const tried = order.transactions.map(
    ({ seq, type, amount, stage, terminal, rrn, approvalCode, reference }) =>
      [
        `${seq}: ${type === 'reversal' ? 'reversal, money back' : type}`,
        html`${sum(amount, currency)} ${stateBadge(stage)} <span class="hint">${[
          `at ${terminal || 'no terminal yet'}`,
          rrn && `RRN ${rrn}`,
          approvalCode && `approval ${approvalCode}`,
          `bank's reference ${reference}`,
        ]
          .filter(Boolean)
          .join(' · ')}</span>`,
      ] as const,
  );
  return facts([
    ['Held', order.transactions.some(({ type }) => type === 'preauth') && some(order.authorised)],
    [movedName(order), some(order.captured)],
    ['Released', some(order.released)],
    ['Given back', some(order.reversed)],
    ['May still be taken', some(possible.capture)],
    ['May still be given back', some(possible.return)],
    ['Held until', moment(order.holdUntil)],
    ...tried,
  ]);
}

const NEAR_MS = 60 * 60 * 1000;

/** A card that was charged twice, where nothing is left to do about it. */
const settled = (text: Html) => html`<p class="notice good">${text}.</p>`;

type Twin = { readonly note: Piece; readonly reason?: string };

/** Another order of the same card and amount, a short time apart, and whether its money was given back. */
async function twinOf(visit: Visit, order: WholeOrderAnswer): Promise<Twin> {
  const card = order.card?.split(' ')[0]?.replace('...', '******');
  if (card === undefined || !visit.may('listOrders')) return { note: undefined };
  const near = (ms: number) => new Date(Date.parse(order.createdAt) + ms).toISOString();
  const { orderId, login, amount, currency } = order;
  const span = { from: near(-NEAR_MS), to: near(NEAR_MS + 1) };
  const { found } = await visit.ask('listOrders', { card, login, amount, currency, ...span });
  const self = found.find((one) => one.orderId === orderId);
  const twin = self && (likelyTwice(found).get(orderId) ?? nearestTwin(self, found));
  if (!twin) return { note: undefined };
  const isBefore = twin.createdAt < self.createdAt || (twin.createdAt === self.createdAt && twin.orderId < orderId);
  const other = html`Order <a href="/console/orders/${twin.orderId}">${twin.orderId}</a> has the same card
and amount, ${apartText(apartMs(self, twin))} ${isBefore ? 'before' : 'after'} this one`;
  if (isGivenBack(twin)) {
    return {
      note: settled(
        html`${other}. Of that one ${twin.reversed} ${currency} was given back already: this one stays paid`,
      ),
    };
  }
  if (isGivenBack(self)) return { note: settled(html`${other}. This one was given back; that one stays paid`) };
  const payer =
    self.email !== null && self.email === twin.email ? 'of the same payer' : 'of another payer, or of nobody known';
  const note = html`<p class="notice">Charged twice? ${other}, ${payer}. The merchant asked for both, there as ${twin.clientOrderId}
and here as ${self.clientOrderId}.</p>`;
  return { note, reason: `charged twice, as order ${twin.orderId} was` };
}

async function waitingHere(visit: Visit, orderId: number): Promise<Piece> {
  const waiting = (await visit.ask('listDeeds')).filter((one) => one.orderId === orderId);
  return waiting.map(
    ({ kind, amount, currency, askedBy }) =>
      html`<p class="notice">A ${kind} of ${sum(amount, currency)}, asked for by ${askedBy}, <a href="/console/waiting">waits for a second person</a>.</p>`,
  );
}
