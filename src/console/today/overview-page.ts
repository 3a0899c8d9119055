// The first page: figures of a range against the one before, charts, and what waits. It is kept up to date by itself.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { findBox } from '../orders/find-box.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, filled, searchForm, textField } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { live, moment, nothing, panel } from '../pieces/values.ts';
import { chartsOf } from './charts.ts';
import { drillOf } from './drill-down.ts';
import { nodesTable, pointsTable, reasonsTable, terminalsTable } from './overview-tables.ts';
import { tilesOf } from './tiles.ts';

const EVERY_SECONDS = 10;

const RANGE_LINKS = [
  ['hour', 'Last hour'],
  ['day', 'Last day'],
  ['week', 'Last week'],
  ['month', 'Last month'],
] as const;

/** Inputs of the verb, by the same names in the address. */
const FILTERS = ['login', 'endpointId', 'currency'] as const;
const ASKED = ['range', 'from', 'to', ...FILTERS] as const;

export const overviewPage = definePage({
  path: '',
  needs: 'showOverview',
  menu: { section: 'Today', name: 'Overview' },
  async show(visit) {
    const given = filled(visit.query, ASKED);
    const overview = await visit.ask('showOverview', numbered(given));
    const drill = drillOf(overview, given);
    const isGateway = overview.terminals !== null;
    return {
      title: 'Overview',
      body: html`${visit.may('listOrders') && findBox(visit)}${rangeLinks(given, overview.range)}
${await filters(visit, given)}
${live('overview-tiles', EVERY_SECONDS, [countedLine(overview), tilesOf(overview, drill, visit)])}
${panel(
  'charts',
  'How it went',
  html`${live('overview-charts', EVERY_SECONDS, chartsOf(overview, drill))}
<details class="folded"><summary>The same figures as a table</summary>
${live('overview-points', EVERY_SECONDS, pointsTable(overview, drill))}</details>`,
)}
<div class="panels">
${panel('reasons', 'Why orders ended without money', live('overview-reasons', EVERY_SECONDS, reasonsTable(overview, drill)), { wide: true })}
${isGateway && panel('terminals', 'Terminals', live('overview-terminals', EVERY_SECONDS, terminalsTable(overview, drill)), { wide: true })}
${isGateway && panel('nodes', 'Nodes of the gateway', live('overview-nodes', EVERY_SECONDS, nodesTable(overview)), { wide: true })}
</div>`,
    };
  },
});

/** Ids travel as numbers; what is none is refused by the verb in its own words. */
function numbered({ endpointId, ...given }: Record<string, string>): Record<string, unknown> {
  return endpointId === undefined ? given : { ...given, endpointId: Number(endpointId) || endpointId };
}

function rangeLinks(given: Record<string, string>, range: string | null): Piece {
  const { range: _range, from: _from, to: _to, ...kept } = given;
  const links = RANGE_LINKS.map(([name, text]) => {
    const query = new URLSearchParams({ range: name, ...kept });
    const current = name === range && html` aria-current="page"`;
    return html`<li><a class="button quiet small" href="/console?${query.toString()}"${current}>${text}</a></li>`;
  });
  return html`<nav class="ranges" aria-label="How much time"><ul>${links}</ul></nav>`;
}

/** Whoever belongs to a merchant sees no other. */
async function filters(visit: Visit, given: Record<string, string>): Promise<Piece> {
  const merchants = isOfMerchant(visit) || !visit.may('listMerchants') ? [] : await visit.ask('listMerchants');
  const choices = merchants.map(({ login, name }) => [login, `${login} · ${name}`] as const);
  const range = given.range ?? '';
  const days = ['from', 'to'].map((name) =>
    textField({
      name,
      label: name === 'from' ? 'From (UTC)' : 'Until (UTC)',
      value: given[name],
      placeholder: '2027-01-31',
    }),
  );
  const fields = html`${range !== '' && html`<input type="hidden" name="range" value="${range}">`}
${!isOfMerchant(visit) && choiceField({ name: 'login', label: 'Merchant', value: given.login }, [['', 'All'], ...choices])}
${textField({ name: 'endpointId', label: 'Endpoint', value: given.endpointId, numeric: true })}
${textField({ name: 'currency', label: 'Currency', value: given.currency, placeholder: 'EUR' })}
${range === '' && days}`;
  const isUsed = ['from', 'to', ...FILTERS].some((name) => given[name] !== undefined);
  return html`<details class="folded narrowing"${isUsed && html` open`}><summary>Narrow it down</summary>
${searchForm('/console', fields, 'Show')}</details>`;
}

function countedLine({ countedAt, from, to, compared }: AnswerTo<'showOverview'>): Piece {
  if (countedAt === null) return nothing('Orders are counted in the background; the first figures come in a moment.');
  return html`<p class="counted">${moment(from)} to ${moment(to)}, counted ${moment(countedAt)}. What came until
${moment(compared.to)} is compared with as much time before.</p>`;
}
