// Recurring payments: a list, and one with its schedule and its charges, to be paused, resumed and stopped.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { type ConsolePage, definePage, type Visit } from '../page.ts';
import { filled, foldedForm, searchForm } from '../pieces/forms.ts';
import { endpointLink, merchantLink, orderLink } from '../pieces/links.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { facts, longText, moment, panel, stateBadge, sum } from '../pieces/values.ts';
import { choiceFilter, merchantFilter } from './finding.ts';

type Recurring = AnswerTo<'listRecurring'>[number];
type Charge = AnswerTo<'showRecurring'>['charges'][number];

/** As many as the verb gives at once. */
const PAGE_SIZE = 100;
const STATES = ['active', 'paused', 'suspended', 'stopped', 'finished'];

export const recurringPage = definePage({
  path: 'recurring',
  needs: 'listRecurring',
  menu: { section: 'Payments', name: 'Recurring payments' },
  async show(visit) {
    const { query } = visit;
    const { before, ...given } = filled(query, ['login', 'state', 'before']);
    const older = /^\d{1,15}$/.test(before ?? '') ? { before: Number(before) } : {};
    const found = await visit.ask('listRecurring', { ...given, ...older });
    const columns = {
      Payment: (one: Recurring) =>
        visit.may('showRecurring')
          ? html`<a href="/console/recurring/${one.recurringPaymentId}">${one.recurringPaymentId}</a>`
          : one.recurringPaymentId,
      State: ({ state }: Recurring) => stateBadge(state),
      ...unlessOfMerchant(visit, { Merchant: merchantLink }),
      Endpoint: endpointLink,
      "Merchant's id": ({ clientOrderId }: Recurring) => longText(clientOrderId),
      Amount: { of: amountOf, kind: 'number' as const },
      Every: everyOf,
      'Next charge': ({ nextRunAt }: Recurring) => moment(nextRunAt),
    };
    const otherwise = `There is none. A merchant begins one with the operation RECURRING, and it is charged here by its
schedule or when the merchant asks.`;
    const last = found.length === PAGE_SIZE ? found.at(-1) : undefined;
    return {
      title: 'Recurring payments',
      body: html`${searchForm(
        '/console/recurring',
        html`${merchantFilter(visit)}${choiceFilter(
          query,
          'state',
          'State',
          STATES.map((state) => [state, state]),
        )}`,
      )}
${tableOf({ label: 'Recurring payments', columns, rows: found, otherwise })}
${last && olderLink('/console/recurring', query, last.recurringPaymentId)}`,
    };
  },
});

/** The next page of a list that goes on below an id. */
export function olderLink(action: string, query: URLSearchParams, id: number): Html {
  const wanted = new URLSearchParams(query);
  wanted.delete('said');
  wanted.set('before', String(id));
  return html`<nav class="pages" aria-label="Pages">
<a class="button quiet small" rel="next" href="${action}?${wanted.toString()}">Older ones</a></nav>`;
}

function amountOf({ amountKind, amounts, currency }: Recurring): Piece {
  if (amountKind === 'open') return `any amount of ${currency}`;
  return sum(amounts.join(amountKind === 'range' ? ' to ' : ', '), currency);
}

function everyOf({ every }: Recurring): string {
  if (every === null) return 'when asked for';
  return every.interval === 1 ? every.unit : `${every.interval} ${every.unit}s`;
}

export const oneRecurringPage: ConsolePage = definePage({
  path: 'recurring/:recurringPaymentId',
  needs: 'showRecurring',
  sayings: {
    pause: 'It is paused: nothing is charged until it is resumed.',
    resume: 'It goes on with the first day to come.',
    stop: 'It is stopped for good.',
  },
  async show(visit) {
    const payment = await visit.ask('showRecurring', named(visit));
    return {
      title: `Recurring payment ${payment.recurringPaymentId}`,
      above: [['/console/recurring', 'Recurring payments']],
      body: html`<div class="panels">
${panel('facts', 'Schedule', about(payment, visit))}
${deeds(payment, visit)}
</div>
${panel('charges', 'Charges, the latest first', charges(visit, payment.charges, payment.currency), { wide: true })}`,
    };
  },
  forms: {
    pause: (visit) => done(visit, 'pause'),
    resume: (visit) => done(visit, 'resume'),
    stop: (visit) => done(visit, 'stop'),
  },
});

const VERBS = { pause: 'pauseRecurring', resume: 'resumeRecurring', stop: 'stopRecurring' } as const;

async function done(visit: Visit, deed: keyof typeof VERBS) {
  await visit.ask(VERBS[deed], named(visit));
  return { to: `/console/recurring/${encodeURIComponent(visit.params.recurringPaymentId ?? '')}`, said: deed };
}

/** An id that cannot be read is told as it is. */
function named({ params: { recurringPaymentId = '' } }: Visit) {
  return {
    recurringPaymentId: /^\d{1,15}$/.test(recurringPaymentId) ? Number(recurringPaymentId) : recurringPaymentId,
  };
}

function about(payment: AnswerTo<'showRecurring'>, visit: Visit): Html {
  return facts([
    ['State', stateBadge(payment.state)],
    ['Why it is suspended', payment.note ?? undefined],
    ['Merchant', !isOfMerchant(visit) && merchantLink(payment)],
    ['Endpoint', endpointLink(payment)],
    ["Merchant's id", payment.clientOrderId],
    ['Direction', payment.direction === 'from-card' ? 'from the card' : 'to the card'],
    ['Card', payment.card ?? 'its reference was deleted'],
    ['Amount', amountOf(payment)],
    ['Every', everyOf(payment)],
    ['Next charge', moment(payment.nextRunAt)],
    ['Ends', moment(payment.endsAt)],
    ['Made', moment(payment.createdAt)],
  ]);
}

function deeds({ recurringPaymentId, state }: Recurring, visit: Visit): Piece {
  const at = `/console/recurring/${recurringPaymentId}`;
  const offers = [
    state === 'active' &&
      visit.may('pauseRecurring') &&
      foldedForm(
        visit,
        'Pause it',
        { action: `${at}/pause`, submit: 'Pause' },
        html`<p>Nothing is charged until somebody resumes it. What falls into the pause is not charged later.</p>`,
      ),
    (state === 'paused' || state === 'suspended') &&
      visit.may('resumeRecurring') &&
      foldedForm(
        visit,
        'Resume it',
        { action: `${at}/resume`, submit: 'Resume' },
        html`<p>It goes on with the first day to come. What fell into the pause is not charged.</p>`,
      ),
    state !== 'stopped' &&
      state !== 'finished' &&
      visit.may('stopRecurring') &&
      foldedForm(
        visit,
        'Stop it for good',
        { action: `${at}/stop`, submit: 'Stop for good', kind: 'bad', confirm: 'It can never be resumed. Stop it?' },
        html`<p>Nothing is charged any more, for ever. The merchant has to begin a new one.</p>`,
      ),
  ].filter((offer) => offer !== false);
  return offers.length > 0 && panel('deeds', 'What can be done', offers);
}

function charges(visit: Visit, rows: readonly Charge[], currency: string): Html {
  return tableOf({
    label: 'Charges',
    columns: {
      Order: (one) => orderLink(visit, one.orderId),
      "Merchant's id": ({ clientOrderId }) => clientOrderId,
      Amount: { of: ({ amount }) => sum(amount, currency), kind: 'number' },
      State: ({ stage }) => stateBadge(stage),
      'Decline code': ({ declineCode }) => declineCode ?? undefined,
      Made: ({ createdAt }) => moment(createdAt),
    },
    rows,
    otherwise: 'Nothing was charged yet.',
  });
}
