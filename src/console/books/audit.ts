// The audit chain: who did what, the newest first, and whether the chain holds.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { filled, formOf, searchForm, textField, typed } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { block, moment, mono, panel } from '../pieces/values.ts';
import { RUN_SAYINGS, runPanel, stopForm } from './run-panel.ts';

type Entry = AnswerTo<'listAudit'>['entries'][number];

const AT = '/console/audit';

export const auditPage = definePage({
  path: 'audit',
  needs: 'listAudit',
  menu: { section: 'Books', name: 'Audit chain' },
  sayings: RUN_SAYINGS,
  async show(visit) {
    const { ask, query } = visit;
    const wanted = filled(query, ['who', 'action', 'since', 'until']);
    const before = Number(query.get('after'));
    const { head, entries, next } = await ask('listAudit', {
      ...wanted,
      ...inUtc(wanted, 'since'),
      ...inUtc(wanted, 'until'),
      ...(before > 0 && { before }),
    });
    const isFiltered = Object.keys(wanted).length > 0;
    const none = isFiltered
      ? html`Nothing fits among the entries that were looked through.${next !== null && ' The next page goes on.'}`
      : 'Nobody has changed anything yet. What people do is here, with who did it and when.';
    return {
      title: 'Audit chain',
      body: html`${searchForm(AT, filtersOf(query))}
${tableOf<Entry>({ label: 'Entries of the audit chain', columns, rows: entries, otherwise: none })}
${pagesOf(query, next)}
${panel('head', 'The head now', headOf(head))}
${visit.may('verifyInBackground') && panel('begin', 'Check the chain', checkForm(visit))}
${await runPanel(visit, {
  kind: 'audit',
  at: AT,
  title: 'The last check',
  otherwise: 'The chain was not checked at this node yet.',
})}`,
    };
  },
  forms: {
    check: async ({ ask, given }) => {
      await ask('verifyInBackground', { kind: 'audit', ...filled(given, ['auditHead']) });
      return { to: `${AT}#run`, said: 'begun' };
    },
    stop: stopForm(AT),
  },
});

const columns = {
  Entry: ({ seq }: Entry) => String(seq),
  When: ({ at }: Entry) => moment(at),
  Who: ({ who }: Entry) => who,
  What: ({ action }: Entry) => mono(action),
  'Done to': ({ subject }: Entry) => subjectLink(subject),
  Details: { of: ({ details }: Entry) => detailsOf(details), kind: 'wide' },
} as const;

const filtersOf = (query: URLSearchParams) => html`
${textField({ name: 'who', label: 'Who', value: query.get('who'), placeholder: 'ann' })}
${textField({ name: 'action', label: 'Verb', value: query.get('action'), placeholder: 'setMerchant' })}
${textField({ name: 'since', label: 'From (UTC)', type: 'datetime-local', value: query.get('since') })}
${textField({ name: 'until', label: 'Until (UTC)', type: 'datetime-local', value: query.get('until') })}`;

/** Browsers give moments without their zone. */
function inUtc(wanted: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  const text = wanted[name];
  return text === undefined ? {} : { [name]: /Z$/.test(text) ? text : `${text}Z` };
}

function pagesOf(query: URLSearchParams, next: number | null): Piece {
  return next === null && !query.has('after')
    ? undefined
    : html`<nav class="pages" aria-label="Pages">
${query.has('after') && html`<a class="button quiet small" href="${AT}?${turned(query)}">Newest</a>`}
${next !== null && html`<a class="button quiet small" rel="next" href="${AT}?${turned(query, next)}">Older</a>`}</nav>`;
}

function turned(query: URLSearchParams, after?: number): string {
  const wanted = new URLSearchParams(query);
  for (const name of ['said', 'after', 'run']) wanted.delete(name);
  if (after !== undefined) wanted.set('after', String(after));
  return wanted.toString();
}

/** What has a page of its own is a link: `order 17 transaction 2`, `merchant shop`, `person ann`. */
function subjectLink(subject: string): Piece {
  const [, orderId] = /^order (\d+)/.exec(subject) ?? [];
  if (orderId !== undefined) return html`<a href="/console/orders/${orderId}">${subject}</a>`;
  const [, kind, name = ''] = /^(merchant|person) (\S+)$/.exec(subject) ?? [];
  if (kind === undefined) return subject;
  const folder = kind === 'person' ? 'people' : 'merchants';
  return html`<a href="/console/${folder}/${encodeURIComponent(name)}">${subject}</a>`;
}

function detailsOf(details: unknown): Piece {
  const pairs = Object.entries(typeof details === 'object' && details !== null ? details : {});
  return pairs.map(([name, value], index) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return html`${index > 0 && html`<br>`}<span class="audit-fact">${name}:</span> ${text}`;
  });
}

const headOf = (head: string): Html => html`<p>Keep it somewhere else, or let the gateway send it there with
<code>--audit-heads</code>: with it, a chain that was cut off or written anew is found out.</p>
${block(head, 'The head of the audit chain')}`;

const checkForm = (visit: Visit) =>
  formOf(
    visit,
    { action: `${AT}/check`, submit: 'Check the chain' },
    html`<p>Computes the hash of every entry again, from the first to the last.</p>
${textField({
  name: 'auditHead',
  label: 'A head that was kept elsewhere (optional)',
  hint: 'Such as 42:9f86d0… as it was sent or printed then.',
  value: typed(visit, 'check', 'auditHead'),
})}`,
  );
