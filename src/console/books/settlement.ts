// Settlement: the end of the simulated bank's day, what was cleared for a day, and whether it fits ours.

import type { AnswerTo } from '../../administration/administration.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { writeAmount } from '../../domain/money/money.ts';
import type { ClearedLine } from '../../domain/money/reconciliation.ts';
import { readSettlementLines } from '../../domain/money/settlement-file.ts';
import { type Html, html } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { csvFile } from '../pieces/files.ts';
import { filled, formOf, searchForm, textField } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { dayText, moment, mono, panel, sum } from '../pieces/values.ts';
import { RUN_SAYINGS, runPanel, stopForm } from './run-panel.ts';

const AT = '/console/books/settlement';
const LINES_SHOWN = 200;

type SettlementPart = AnswerTo<'readSettlement'>;

export const settlementPage = definePage({
  path: 'books/settlement',
  needs: 'readSettlement',
  menu: { section: 'Books', name: 'Settlement' },
  sayings: { ...RUN_SAYINGS, cleared: "The bank's day has ended: what moved money can no longer be voided." },
  async show(visit) {
    const { query } = visit;
    const { date } = filled(query, ['date']);
    if (date !== undefined && query.get('as') === 'csv') {
      // What is wrong with the day is told before the file begins.
      const first = await visit.ask('readSettlement', { date });
      return csvFile(`settlement-${date}.csv`, { body: '', stream: wholeFile(visit, date, first) });
    }
    return {
      title: 'Settlement',
      body: html`<p>Once a day the simulated bank clears what moved money, and writes it into a file. Other banks send
theirs; <code class="command">tender reconcile --file</code> reads them.</p>
${searchForm(AT, textField({ name: 'date', label: 'Business day', type: 'date', value: date }), 'Show')}
${date !== undefined && (await dayOf(visit, date))}
${visit.may('clearBank') && panel('clear', "End the bank's day now", clearForm(visit))}
${await runPanel(visit, {
  kind: 'settlement',
  at: AT,
  title: 'The last comparison',
  otherwise: 'No day was compared at this node yet. Show a day above, then compare it.',
})}`,
    };
  },
  forms: {
    clear: async ({ ask }) => ({ to: `${AT}?date=${(await ask('clearBank')).date}`, said: 'cleared' }),
    begin: async ({ ask, given }) => {
      await ask('verifyInBackground', { kind: 'settlement', ...filled(given, ['date']) });
      return { to: `${AT}?date=${encodeURIComponent(given.date ?? '')}`, said: 'begun' };
    },
    stop: stopForm(AT),
  },
});

const clearForm = (visit: Visit) =>
  formOf(
    visit,
    {
      action: `${AT}/clear`,
      submit: 'End the day',
      kind: 'bad',
      confirm: "End the bank's day now? What moved money can no longer be voided then, only returned.",
    },
    html`<p>What moved money since the last end of a day is cleared. It can no longer be voided then, only returned.</p>`,
  );

async function dayOf(visit: Visit, date: string): Promise<Html> {
  // The names of its columns stand first.
  const part = await visit.ask('readSettlement', { date, limit: LINES_SHOWN + 1 });
  const lines = readSettlementLines(part.lines.join('\n'));
  const compare = formOf(
    visit,
    { action: `${AT}/begin`, submit: 'Compare with ours' },
    html`<input type="hidden" name="date" value="${date}">`,
  );
  const table = tableOf<ClearedLine>({
    label: `What was cleared for ${date}`,
    columns: {
      Reference: ({ reference }) => referenceLink(reference),
      Kind: ({ kind }) => kind,
      Amount: { of: amountOf, kind: 'number' },
      Cleared: ({ clearedAt }) => moment(clearedAt),
    },
    rows: lines,
    otherwise: `Nothing was cleared for ${dayText(date)}. Payments are here once the bank's day has ended.`,
  });
  const more =
    part.next !== null && html`<p class="hint">These are the first ${LINES_SHOWN}; the file has all of them.</p>`;
  const actions = html`<div class="buttons"><a class="button quiet small" href="${AT}?date=${date}&amp;as=csv">Download as
CSV</a>${visit.may('verifyInBackground') && compare}</div>`;
  return panel('day', `Cleared for ${dayText(date)}`, html`${table}${more}${lines.length > 0 && actions}`, {
    wide: true,
  });
}

function amountOf({ minor, currency }: ClearedLine) {
  return isCurrency(currency) ? sum(writeAmount({ minor, currency }, 'major'), currency) : `${minor} ${currency}`;
}

/** The order's id stands first in what the bank knows an instruction by. */
function referenceLink(reference: string): Html {
  const [orderId = ''] = reference.split('-');
  if (!/^\d+$/.test(orderId)) return html`${mono(reference)}`;
  return html`<a href="/console/orders/${orderId}">${reference}</a>`;
}

async function* wholeFile({ askAnew }: Visit, date: string, first: SettlementPart): AsyncGenerator<string> {
  let part = first;
  for (;;) {
    yield part.lines.map((line) => `${line}\r\n`).join('');
    if (part.next === null) return;
    part = await askAnew('readSettlement', { date, from: part.next });
  }
}
