// All merchants, and how one is added.

import type { AnswerTo } from '../../administration/administration.ts';
import { html } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, searchForm, textField } from '../pieces/forms.ts';
import { merchantLink } from '../pieces/links.ts';
import { isOfMerchant, MERCHANTS, merchantsAbove } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { onOrOff, panel } from '../pieces/values.ts';
import { fieldGroup, verbFields, verbGiven } from '../pieces/verb-form.ts';
import { shownOnce } from './shown-once.ts';

type MerchantRow = AnswerTo<'listMerchants'>[number];

/** More are found by searching. */
const MOST_SHOWN = 200;

export const merchantsPage = definePage({
  path: 'merchants',
  needs: 'listMerchants',
  menu: { section: 'Set-up', ...MERCHANTS },
  async show(visit) {
    const isOwn = isOfMerchant(visit);
    const wanted = (visit.query.get('q') ?? '').trim();
    const all = await visit.ask('listMerchants');
    const found = all.filter((one) => fits(one, wanted));
    const search = textField({ name: 'q', label: 'Name or login', value: wanted });
    return {
      title: merchantsAbove(visit)[1],
      body: html`${!isOwn && searchForm('/console/merchants', search)}
${visit.may('addMerchant') && addForm(visit)}
${tableOf({
  label: 'Merchants',
  columns: {
    Login: merchantLink,
    Name: ({ name }) => name,
    State: onOrOff,
    Endpoints: { of: ({ endpointIds }) => endpointIds.length, kind: 'number' },
    Groups: { of: ({ groupIds }) => groupIds.length, kind: 'number' },
  },
  rows: found.slice(0, MOST_SHOWN),
  otherwise:
    wanted === ''
      ? 'Merchants would be listed here: the shops whose payments this gateway takes. Add the first one.'
      : 'No merchant has this in its name or login.',
})}
${found.length > MOST_SHOWN && html`<p class="hint">${MOST_SHOWN} of ${found.length} merchants are shown; search for others.</p>`}`,
    };
  },
  forms: { add: addOne },
});

function fits({ login, name }: MerchantRow, wanted: string): boolean {
  return `${login} ${name}`.toLowerCase().includes(wanted.toLowerCase());
}

function addForm(visit: Visit) {
  const fields = verbFields(visit, 'addMerchant', {
    form: 'add',
    without: ['key'],
    labels: { login: 'Login' },
    hints: { login: 'What it signs in with: a letter, then up to 19 letters, digits, "_", "." or "-". It stays.' },
  });
  return foldedForm(
    visit,
    'Add a merchant',
    { action: '/console/merchants/add', submit: 'Add the merchant' },
    fieldGroup('Who it is', fields),
  );
}

async function addOne(visit: Visit) {
  const { merchant, key, advice } = await visit.ask(
    'addMerchant',
    verbGiven(visit, 'addMerchant', { without: ['key'] }),
  );
  const address = `/console/merchants/${encodeURIComponent(merchant.login)}`;
  return {
    title: `${merchant.login} is added`,
    above: [merchantsAbove(visit)],
    body: html`${
      key !== null &&
      key.controlKey !== null &&
      panel('key', 'Its control key', shownOnce(`Control key ${key.keyId}`, key.controlKey, 'Give it to the merchant.'))
    }
${advice !== null && html`<p class="notice">${advice}</p>`}
<p>Next, add an endpoint: where its orders arrive.</p>
<p><a class="button small" href="${address}">Go on to ${merchant.login}</a></p>`,
  };
}
