// Callbacks by state, and one with every try.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { filled, formOf, searchForm, textField } from '../pieces/forms.ts';
import { merchantLink, orderLink } from '../pieces/links.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { nextPage, tableOf } from '../pieces/tables.ts';
import { badge, facts, moment, mono, panel, type Tone } from '../pieces/values.ts';
import { choiceFilter, merchantFilter, timeFields } from './finding.ts';

const PAGE_SIZE = 50;

type Callback = AnswerTo<'listCallbacks'>['found'][number];
type Try = AnswerTo<'showCallback'>['log'][number];

const STATES: Readonly<Record<Callback['state'], readonly [text: string, tone: Tone]>> = {
  waiting: ['due', 'waiting'],
  delivered: ['delivered', 'good'],
  failed: ['given up', 'bad'],
};

const stateOf = (state: Callback['state']) => badge(...STATES[state]);

export const callbacksPage = definePage({
  path: 'callbacks',
  needs: 'listCallbacks',
  menu: { section: 'Payments', name: 'Callbacks' },
  sayings: {
    replayed: 'Every callback that was given up is due now.',
    none: 'No callback was given up: there is nothing to send again.',
  },
  async show(visit) {
    const { query } = visit;
    const given = filled(query, ['login', 'state', 'from', 'to', 'after', 'orderId']);
    const orderId = /^\d{1,15}$/.test(given.orderId ?? '') ? { orderId: Number(given.orderId) } : {};
    const { found, next } = await visit.ask('listCallbacks', { ...given, ...orderId, limit: PAGE_SIZE });
    const columns = {
      Callback: ({ callbackId }: Callback) => html`<a href="/console/callbacks/${callbackId}">${callbackId}</a>`,
      State: ({ state }: Callback) => stateOf(state),
      ...unlessOfMerchant(visit, { Merchant: merchantLink }),
      Order: (one: Callback) => orderLink(visit, one.orderId),
      'Goes to': { of: ({ destination }: Callback) => mono(destination), kind: 'wide' as const },
      Tries: { of: ({ attempts }: Callback) => attempts, kind: 'number' as const },
      'Next try': ({ dueAt }: Callback) => moment(dueAt),
      Made: ({ createdAt }: Callback) => moment(createdAt),
    };
    const otherwise = `No callback fits. When a payment of an order with a server_callback_url or notify_url ends, its
merchant is told, and each telling is listed here.`;
    return {
      title: 'Callbacks',
      body: html`${searchForm(
        '/console/callbacks',
        html`${merchantFilter(visit)}
${choiceFilter(query, 'state', 'State', [
  ['waiting', 'due'],
  ['delivered', 'delivered'],
  ['failed', 'given up'],
])}
${textField({ name: 'orderId', label: 'Order', numeric: true, value: query.get('orderId') })}${timeFields(query)}`,
      )}
${replayAll(visit)}
${tableOf({ label: 'Callbacks', columns, rows: found, otherwise })}
${nextPage('/console/callbacks', query, next)}`,
    };
  },
  forms: {
    'replay-failed': async (visit) => {
      const { replayed } = await visit.ask('replayFailedCallbacks', filled(visit.given, ['login']));
      return { to: '/console/callbacks', said: replayed === 0 ? 'none' : 'replayed' };
    },
  },
});

/** Of one merchant: whoever runs the gateway names it first, so that nobody tells everybody by mistake. */
function replayAll(visit: Visit): Piece {
  if (!visit.may('replayFailedCallbacks')) return undefined;
  const login = visit.query.get('login')?.trim() ?? '';
  const action = '/console/callbacks/replay-failed';
  const confirm = 'Every callback that was given up is sent once more. Go on?';
  if (isOfMerchant(visit)) {
    return formOf(visit, { action, submit: 'Send all again that were given up', kind: 'quiet', confirm });
  }
  if (login === '') return undefined;
  const submit = `Send all of ${login} again that were given up`;
  return formOf(
    visit,
    { action, submit, kind: 'quiet', confirm },
    html`<input type="hidden" name="login" value="${login}">`,
  );
}

export const callbackPage = definePage({
  path: 'callbacks/:callbackId',
  needs: 'showCallback',
  sayings: { replayed: 'It is due now, and is repeated as if it were new.' },
  async show(visit) {
    const { callbackId = '' } = visit.params;
    const callback = await visit.ask('showCallback', { callbackId });
    const replay =
      visit.may('replayCallback') &&
      formOf(visit, {
        action: `/console/callbacks/${encodeURIComponent(callbackId)}/replay`,
        submit: 'Send it again now',
        confirm: callback.state === 'delivered' ? 'It was delivered already. Send it once more?' : undefined,
      });
    return {
      title: `Callback ${callback.callbackId}`,
      above: [['/console/callbacks', 'Callbacks']],
      body: html`<div class="panels">${panel('facts', 'About it', html`${about(callback, visit)}${replay}`)}</div>
${panel('tries', 'Tries, the latest first', tries(callback.log), { wide: true })}`,
    };
  },
  forms: {
    replay: async (visit) => {
      const { callbackId = '' } = visit.params;
      await visit.ask('replayCallback', { callbackId });
      return { to: `/console/callbacks/${encodeURIComponent(callbackId)}`, said: 'replayed' };
    },
  },
});

function about(callback: Callback, visit: Visit): Html {
  return facts([
    ['State', stateOf(callback.state)],
    ['Merchant', !isOfMerchant(visit) && merchantLink(callback)],
    ['Order', orderLink(visit, callback.orderId)],
    ['Transaction of the order', callback.transaction],
    ['Goes to', callback.target === 'server' ? 'server_callback_url' : 'notify_url'],
    ['Host', mono(callback.destination)],
    ['Tries so far', callback.attempts],
    ['Next try', moment(callback.dueAt)],
    ['Made', moment(callback.createdAt)],
    ['Last changed', moment(callback.changedAt)],
  ]);
}

function tries(log: readonly Try[]): Html {
  return tableOf({
    label: 'Tries',
    columns: {
      Tried: ({ at }) => moment(at),
      Answer: (one) => answerOf(one),
      Address: ({ address }) => mono(address),
      Took: { of: ({ milliseconds }) => `${Math.round(milliseconds)} ms`, kind: 'number' },
      'What was answered': { of: ({ answer, fault }) => answer ?? fault ?? undefined, kind: 'wide' },
    },
    rows: log,
    otherwise: 'It was not tried yet.',
  });
}

function answerOf({ status }: Try): Html {
  if (status === null) return badge('none', 'bad');
  return badge(`HTTP ${status}`, status === 200 ? 'good' : 'bad');
}
