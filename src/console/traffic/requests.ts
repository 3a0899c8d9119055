// Requests of merchants, refused ones too, and those whose sender is not known.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { filled, searchForm, textField } from '../pieces/forms.ts';
import { merchantLink, orderLink } from '../pieces/links.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { nextPage, tableOf } from '../pieces/tables.ts';
import { badge, moment, mono } from '../pieces/values.ts';
import { choiceFilter, merchantFilter, timeFields } from './finding.ts';

const PAGE_SIZE = 50;
const SOUGHT = ['endpointId', 'operation', 'httpStatus', 'errorCode', 'from', 'to', 'after'];

type Line = AnswerTo<'listRequests'>['found'][number];
type Stranger = AnswerTo<'listStrangers'>['found'][number];

export const requestsPage = definePage({
  path: 'requests',
  needs: 'listRequests',
  menu: { section: 'Payments', name: 'Requests' },
  async show(visit) {
    const { query } = visit;
    const given = filled(query, [...SOUGHT, 'login', 'orderId']);
    const refused = query.get('refused') === 'yes' ? { refused: true } : {};
    const { found, next } = await visit.ask('listRequests', { ...asNumbers(given), ...refused, limit: PAGE_SIZE });
    const columns = {
      Came: ({ at, serialNumber }: Line) => serialLink(visit, serialNumber, moment(at)),
      ...unlessOfMerchant(visit, { Merchant: merchantLink }),
      Operation: ({ operation }: Line) => mono(operation),
      Endpoint: ({ pathId }: Line) => pathId ?? undefined,
      Order: ({ orderId }: Line) => orderLink(visit, orderId),
      Answered: answered,
      Took: { of: ({ milliseconds }: Line) => `${Math.round(milliseconds)} ms`, kind: 'number' as const },
    };
    const otherwise =
      'No request fits. Here is what merchants sent to the interface, and what each request was told, newest first.';
    return {
      title: 'Requests',
      body: html`${tabs('requests', visit)}
${searchForm(
  '/console/requests',
  html`${merchantFilter(visit)}${commonFields(query)}
${choiceFilter(query, 'refused', 'Which', [['yes', 'refused ones only']])}${timeFields(query)}`,
)}
${tableOf({ label: 'Requests', columns, rows: found, otherwise })}
${nextPage('/console/requests', query, next)}`,
    };
  },
});

export const strangersPage = definePage({
  path: 'strangers',
  needs: 'listStrangers',
  async show(visit) {
    const { query } = visit;
    const given = filled(query, SOUGHT);
    const { found, next } = await visit.ask('listStrangers', { ...asNumbers(given), limit: PAGE_SIZE });
    const columns = {
      Came: ({ at, serialNumber }: Stranger) => serialLink(visit, serialNumber, moment(at)),
      From: ({ from }: Stranger) => mono(from),
      Operation: ({ operation }: Stranger) => mono(operation),
      Endpoint: ({ pathId }: Stranger) => pathId ?? undefined,
      Answered: answered,
      'What it was told': { of: ({ says }: Stranger) => says ?? undefined, kind: 'wide' as const },
    };
    const otherwise = html`No such request came. Here are requests that nobody can be held to: a wrong signature, an
unknown login, an endpoint that does not exist. They are kept for a shorter time than others.`;
    const own = isOfMerchant(visit) && html`<p>These came to your own endpoints.</p>`;
    return {
      title: 'Requests of unknown senders',
      above: [['/console/requests', 'Requests']],
      body: html`${tabs('strangers', visit)}${own}
${searchForm('/console/strangers', html`${commonFields(query)}${timeFields(query)}`)}
${tableOf({ label: 'Requests of unknown senders', columns, rows: found, otherwise })}
${nextPage('/console/strangers', query, next)}`,
    };
  },
});

const TABS = [
  ['requests', 'Of merchants'],
  ['strangers', 'Sender unknown'],
] as const;

function tabs(here: (typeof TABS)[number][0], visit: Visit): Piece {
  const links = TABS.map(([path, everybodys]) => {
    const name = path === 'requests' && isOfMerchant(visit) ? 'Signed by you' : everybodys;
    const current = path === here && html` aria-current="page"`;
    return html`<li><a href="/console/${path}"${current}>${name}</a></li>`;
  });
  return html`<nav class="tabs" aria-label="Whose requests"><ul>${links}</ul></nav>`;
}

const commonFields = (query: URLSearchParams) => html`
${textField({ name: 'endpointId', label: 'Endpoint or group', numeric: true, value: query.get('endpointId') })}
${textField({ name: 'operation', label: 'Operation', value: query.get('operation'), placeholder: 'SALE' })}
${textField({ name: 'httpStatus', label: 'HTTP status', numeric: true, value: query.get('httpStatus') })}
${textField({ name: 'errorCode', label: 'Error code', numeric: true, value: query.get('errorCode') })}`;

/** Of a number that cannot be read the verb says what is wrong. */
const NUMBERS = new Set(['endpointId', 'httpStatus', 'errorCode', 'orderId']);

function asNumbers(given: Readonly<Record<string, string>>): Record<string, string | number> {
  const read = (name: string, text: string) => (NUMBERS.has(name) && /^\d{1,15}$/.test(text) ? Number(text) : text);
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, read(name, text)]));
}

function serialLink(visit: Visit, serialNumber: string, text: Piece): Piece {
  return visit.may('showRequest') ? html`<a href="/console/requests/${serialNumber}">${text}</a>` : text;
}

export function answered({ httpStatus, errorCode }: Pick<Line, 'httpStatus' | 'errorCode'>): Piece {
  if (httpStatus === 0) return badge('not looked at', 'waiting');
  if (httpStatus < 300) return badge(`${httpStatus} taken`, 'good');
  const code = errorCode === null ? '' : `, error ${errorCode}`;
  return badge(`${httpStatus} ${httpStatus < 500 ? 'refused' : 'failed'}${code}`, 'bad');
}
