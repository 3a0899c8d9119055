// What the books say of every merchant, by account and currency, now or at a moment.

import type { AnswerTo } from '../../administration/administration.ts';
import { html } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { filled, searchForm, textField } from '../pieces/forms.ts';
import { merchantLink } from '../pieces/links.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, moment, panel, sum } from '../pieces/values.ts';

type Balance = AnswerTo<'listBalances'>['balances'][number];
type Total = AnswerTo<'listBalances'>['totals'][number];

const AT = '/console/books';

const ACCOUNTS: Readonly<Record<string, string>> = {
  merchant: 'what the merchant is owed',
  clearing: 'between us and banks',
  reserved: 'for payouts on their way',
  transit: "between a sender's card and a receiver's",
};

export const balancesPage = definePage({
  path: 'books',
  needs: 'listBalances',
  menu: { section: 'Books', name: 'Balances' },
  async show(visit) {
    const { ask, query } = visit;
    const isOwn = isOfMerchant(visit);
    const { at, ...wanted } = filled(query, ['login', 'currency', 'at']);
    // Browsers give a moment without its zone: it is taken as UTC, as the field says.
    const asked = { ...wanted, ...(at !== undefined && { at: /Z$/.test(at) ? at : `${at}Z` }) };
    const { at: told, balances, totals } = await ask('listBalances', asked);
    const filters = html`${!isOwn && textField({ name: 'login', label: 'Merchant', value: query.get('login') })}
${textField({ name: 'currency', label: 'Currency', value: query.get('currency'), placeholder: 'EUR' })}
${textField({ name: 'at', label: 'As they were at (UTC)', type: 'datetime-local', value: at?.replace(/Z$/, '') })}`;
    return {
      title: 'Balances',
      body: html`${searchForm(AT, filters, 'Show')}
<p class="hint">As they stood at ${moment(told)}. ${isOwn ? 'What makes them up is on the statement.' : 'Every booking takes from one account what it gives to another.'}</p>
${tableOf<Balance>({
  label: 'Balances',
  columns: {
    ...unlessOfMerchant(visit, { Merchant: merchantLink }),
    Account: ({ account }) => account,
    'What it is': { of: ({ account }) => ACCOUNTS[account] ?? '', kind: 'wide' },
    Balance: { of: ({ balance, currency }) => sum(balance, currency), kind: 'number' },
  },
  rows: isOwn ? balances.filter(({ account }) => account !== 'clearing') : balances,
  otherwise: 'Nothing is booked. Balances are here once a payment was approved.',
})}
${
  balances.length > 0 &&
  !isOwn &&
  panel(
    'totals',
    'All accounts of a currency together',
    tableOf<Total>({
      label: 'Totals',
      columns: {
        Currency: ({ currency }) => currency,
        Total: { of: ({ total, currency }) => sum(total, currency), kind: 'number' },
        'In order': ({ total }) =>
          /^-?0(\.0+)?$/.test(total) ? badge('as it must be', 'good') : badge('not nothing', 'bad'),
      },
      rows: totals,
      otherwise: '',
    }),
  )
}`,
    };
  },
});
