// A merchant's statement, on a page and as a file for a spreadsheet.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { csvFile } from '../pieces/files.ts';
import { choiceField, filled, searchForm } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { dayText, facts, nothing, panel, sum } from '../pieces/values.ts';
import { timeFields } from './finding.ts';

type Statement = AnswerTo<'showStatement'>;
type InCurrency = Statement['currencies'][number];
type Day = InCurrency['days'][number];

const SOUGHT = ['login', 'currency', 'from', 'to'];

export const statementPage = definePage({
  path: 'statement',
  needs: 'showStatement',
  menu: { section: 'Books', name: 'Statement' },
  async show(visit) {
    const { query } = visit;
    const merchants = isOfMerchant(visit) ? [] : await visit.ask('listMerchants');
    const [first] = merchants;
    if (!isOfMerchant(visit) && first === undefined) {
      return { title: 'Statement', body: nothing('There is no merchant yet whose statement could be shown.') };
    }
    const given = { ...(first && { login: first.login }), ...filled(query, SOUGHT) };
    const statement = await visit.ask('showStatement', given);
    const logins = merchants.map(({ login }) => [login, login] as const);
    const wanted = new URLSearchParams(given);
    return {
      title: `Statement of ${statement.login}`,
      body: html`${searchForm(
        '/console/statement',
        html`${logins.length > 0 && choiceField({ name: 'login', label: 'Merchant', value: statement.login }, logins)}
${timeFields(new URLSearchParams({ from: statement.from, to: statement.to }))}`,
        'Show',
      )}
<p>${dayText(statement.from)} to ${dayText(statement.to)}, days in UTC. Fees are not booked by this gateway, so there are none here.
<a class="button quiet small" href="/console/statement.csv?${wanted.toString()}" download>Download as CSV</a></p>
${statement.currencies.map(ofCurrency)}
${statement.currencies.length === 0 && nothing('Nothing was ever booked. What is taken, returned and paid out is shown here by day.')}`,
    };
  },
});

function ofCurrency(one: InCurrency): Html {
  const { currency } = one;
  const about = facts([
    ['Balance before', sum(one.opening, currency)],
    ['Taken', sum(one.taken, currency)],
    ['Returned', sum(one.returned, currency)],
    ['Charged back', sum(one.chargedBack, currency)],
    ['Paid out', sum(one.paidOut, currency)],
    ['Balance after', sum(one.closing, currency)],
    ['On its way out now', sum(one.reserved, currency)],
  ]);
  const amount = (of: (day: Day) => Piece) => ({ of, kind: 'number' as const });
  const days = tableOf<Day>({
    label: `Days in ${currency}`,
    columns: {
      Day: ({ day }) => dayText(day),
      Taken: amount(({ taken }) => taken),
      Returned: amount(({ returned }) => returned),
      'Charged back': amount(({ chargedBack }) => chargedBack),
      'Paid out': amount(({ paidOut }) => paidOut),
      Bookings: amount(({ bookings }) => bookings),
      [`Balance, ${currency}`]: amount(({ balance }) => balance),
    },
    rows: one.days,
    otherwise: 'Nothing was booked on these days.',
  });
  return panel(`in-${currency.toLowerCase()}`, `In ${currency}`, html`${about}${days}`, { wide: true });
}

export const statementFile = definePage({
  path: 'statement.csv',
  needs: 'showStatement',
  async show(visit: Visit) {
    const statement = await visit.ask('showStatement', filled(visit.query, SOUGHT));
    return csvFile(`statement-${statement.from}-${statement.to}.csv`, { body: csvOf(statement) });
  },
});

const HEAD = ['merchant', 'currency', 'day', 'taken', 'returned', 'charged_back', 'paid_out', 'bookings', 'balance'];

/** Nothing in it needs quotes: logins, codes, days and amounts. */
function csvOf({ login, currencies }: Statement): string {
  const rows = currencies.flatMap(({ currency, days }) =>
    days.map((one) => [
      ...[login, currency, one.day, one.taken, one.returned, one.chargedBack, one.paidOut],
      ...[one.bookings, one.balance],
    ]),
  );
  return [HEAD, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}
