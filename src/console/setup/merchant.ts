// One merchant: what it may do, its endpoints, groups, keys, limits and people.

import type { AnswerTo } from '../../administration/administration.ts';
import { counted } from '../../administration/verb/table.ts';
import { merchantSettings } from '../../domain/merchant/merchant-settings.ts';
import { settingText, titleOf } from '../../domain/merchant/setting-spelling.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, formOf } from '../pieces/forms.ts';
import { endpointLink } from '../pieces/links.ts';
import { merchantsAbove } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, facts, onOrOff, panel, stateBadge } from '../pieces/values.ts';
import { fieldGroup, verbFields, verbGiven } from '../pieces/verb-form.ts';
import { groupTable } from './groups.ts';
import { limitTable } from './limits.ts';

type MerchantView = AnswerTo<'showMerchant'>;

const addressOf = (login: string) => `/console/merchants/${encodeURIComponent(login)}`;

export const merchantPage = definePage({
  path: 'merchants/:login',
  needs: 'showMerchant',
  sayings: {
    set: 'The merchant is changed.',
    same: 'Nothing was different, so nothing was changed.',
    endpoint: 'The endpoint is added.',
    group: 'The group is added.',
  },
  async show(visit) {
    const { login = '' } = visit.params;
    const merchant = await visit.ask('showMerchant', { login });
    const [endpoints, groups, keys, limits] = await Promise.all([
      visit.ask('listEndpoints', { login }),
      visit.ask('listGroups', { login }),
      visit.ask('listKeys', { login }),
      visit.ask('listLimits', { login }),
    ]);
    return {
      title: merchant.name,
      above: [merchantsAbove(visit)],
      body: html`<div class="panels">
${panel('facts', 'What it is', factsOf(merchant))}
${panel('keys', 'Keys', keysOf(keys, login))}
${panel('endpoints', 'Endpoints', [endpointTable(endpoints), visit.may('addEndpoint') && addEndpointForm(visit, login)], { wide: true })}
${panel('groups', 'Groups', [groupTable(groups), visit.may('addGroup') && addGroupForm(visit, login)], { wide: true })}
${panel('limits', 'Limits', limitTable(limits), { wide: true })}
${panel('people', 'People of this merchant', await peopleOf(visit, login), { wide: true })}
${visit.may('setMerchant') && panel('settings', 'Change it', settingsForm(visit, merchant), { wide: true })}
</div>`,
    };
  },
  forms: {
    async set(visit) {
      const { login = '' } = visit.params;
      const now = await visit.ask('showMerchant', { login });
      const changes = verbGiven(visit, 'setMerchant', { now, without: ['login'] });
      if (Object.keys(changes).length === 0) return { to: addressOf(login), said: 'same' };
      await visit.ask('setMerchant', { login, ...changes });
      return { to: addressOf(login), said: 'set' };
    },
    async endpoint(visit) {
      const { login = '' } = visit.params;
      await visit.ask('addEndpoint', { login, ...verbGiven(visit, 'addEndpoint', { only: NEW_ENDPOINT }) });
      return { to: `${addressOf(login)}#endpoints`, said: 'endpoint' };
    },
    async group(visit) {
      const { login = '' } = visit.params;
      await visit.ask('addGroup', { login, ...verbGiven(visit, 'addGroup', { without: ['login'] }) });
      return { to: `${addressOf(login)}#groups`, said: 'group' };
    },
  },
});

/** All else is set on the endpoint's own page. */
const NEW_ENDPOINT = ['currency', 'name', 'endpointId'];

function factsOf(merchant: MerchantView): Piece {
  const settings = merchantSettings.filter(({ name }) => name !== 'enabled');
  return facts([
    ['Login', merchant.login],
    ['Number', merchant.merchantId],
    ['State', onOrOff(merchant)],
    ...settings.map((one) => [titleOf(one), settingText(one, merchant[one.name])] as const),
  ]);
}

function keysOf(keys: AnswerTo<'listKeys'>, login: string): Piece {
  const valid = keys.filter(({ state }) => state === 'valid');
  const text =
    valid.length === 0 ? badge('no valid key', 'bad') : `${valid.length} of ${counted(keys.length, 'key')} valid.`;
  return html`<p>${text}</p><p><a class="button quiet small" href="${addressOf(login)}/keys">See and change keys</a></p>`;
}

function endpointTable(endpoints: AnswerTo<'listEndpoints'>): Piece {
  return tableOf({
    label: 'List of endpoints',
    columns: {
      Endpoint: endpointLink,
      Name: ({ name }) => name,
      Currency: ({ currency }) => currency,
      State: onOrOff,
      '3-D Secure': ({ threeDSecure }) => threeDSecure,
      Amounts: ({ minimum, maximum, currency }) => amountsOf(minimum, maximum, currency),
    },
    rows: endpoints,
    otherwise: 'Endpoints would be here: where orders arrive, each in one currency.',
  });
}

function amountsOf(minimum: string | null, maximum: string | null, currency: string): string {
  if (minimum === null && maximum === null) return 'any';
  if (maximum === null) return `from ${minimum} ${currency}`;
  return minimum === null ? `up to ${maximum} ${currency}` : `${minimum} to ${maximum} ${currency}`;
}

function addEndpointForm(visit: Visit, login: string): Piece {
  const labels = { endpointId: 'Its number in addresses', currency: 'Currency' };
  const fields = verbFields(visit, 'addEndpoint', { form: 'endpoint', only: NEW_ENDPOINT, labels });
  const options = { action: `${addressOf(login)}/endpoint`, submit: 'Add the endpoint' };
  return foldedForm(visit, 'Add an endpoint', options, html`<div class="field-grid">${fields}</div>`);
}

function addGroupForm(visit: Visit, login: string): Piece {
  const labels = { endpointIds: 'Endpoints', groupId: 'Its number in addresses' };
  const fields = verbFields(visit, 'addGroup', { form: 'group', without: ['login'], labels });
  const options = { action: `${addressOf(login)}/group`, submit: 'Add the group' };
  return foldedForm(visit, 'Put endpoints into a group', options, html`<div class="field-grid">${fields}</div>`);
}

function settingsForm(visit: Visit, merchant: MerchantView): Piece {
  const fields = verbFields(visit, 'setMerchant', {
    form: 'set',
    now: merchant,
    without: ['login'],
    labels: {
      allowedAddresses: 'Addresses it may call from',
      allowedCertificates: 'Client certificates',
      allowedOperations: 'Operations it may call',
      secondPersonAbove: 'A second person is needed above',
    },
  });
  const options = { action: `${addressOf(merchant.login)}/set`, submit: 'Save' };
  return formOf(visit, options, fieldGroup('Settings', fields));
}

async function peopleOf(visit: Visit, login: string): Promise<Piece> {
  if (!visit.may('listPeople')) return html`<p>Administrators see the people here.</p>`;
  const people = (await visit.ask('listPeople')).filter((one) => one.login === login);
  return tableOf({
    label: 'List of people',
    columns: {
      Name: ({ name }) => name,
      Role: ({ role }) => role,
      State: ({ enabled }) => stateBadge(enabled ? 'enabled' : 'disabled'),
    },
    rows: people,
    otherwise: "Nobody yet. People who work for this merchant see what is the merchant's, and nothing else.",
  });
}
