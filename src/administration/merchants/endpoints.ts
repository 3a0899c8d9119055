// Endpoints: where a merchant's orders arrive, in one currency and by the rules set for it. Amounts are given and told
// in major units with a point.

import { type InputKind, id, Misread, nameOf } from '../../domain/input-kinds.ts';
import {
  endpointSettings,
  limitsComplaint,
  routeComplaint,
  sandboxComplaint,
} from '../../domain/merchant/endpoint-settings.ts';
import { type Endpoint, newEndpoint } from '../../domain/merchant/merchant.ts';
import { toldSettings } from '../../domain/merchant/setting.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration } from '../../storage/configuration.ts';
import { endpointOf, loginOf, merchantLogin, merchantOf, newPathId } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { type Answered, aList, aNumber, anObject, aText, told } from '../verb/answers.ts';
import { type Given, mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { properties, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { changesIn, settingAnswers, settingInputs, settingLines } from './settings.ts';
import { adviceAnswer, signingAdvice } from './signing-advice.ts';

export const givenCurrency: InputKind<string> = {
  schema: { type: 'string', pattern: '^[A-Z]{3}$' },
  what: 'an ISO 4217 code such as USD',
  spelling: 'text',
  read: (value) => {
    const code = typeof value === 'string' ? value.toUpperCase() : '';
    return isCurrency(code) ? code : new Misread(`${shown(value)} is not an ISO 4217 code such as USD`);
  },
};

const theEndpoint = mustGive(id, 'its id', { as: '<id>', told: 'endpoint', what: 'the id of an endpoint' });

const { acquirerBin, acquirerMerchantId, category, country, ...settings } = settingAnswers(endpointSettings);

const endpointView = anObject({
  endpointId: told(aNumber(), 'endpoint'),
  login: told(aText(), 'merchant'),
  currency: told(aText()),
  ...settings,
  acquiring: anObject(
    { bin: aText(), merchantId: aText(), category: aText(), country: aText() },
    'How its acquirer made it known to the card networks.',
  ),
});

type EndpointView = Answered<typeof endpointView>;

export const addEndpoint = defineVerb({
  name: 'addEndpoint',
  command: 'endpoint add',
  summary: 'add an endpoint to a merchant',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' }),
    currency: mustGive(givenCurrency, 'the one currency it takes, such as USD; it stays', {
      as: '--currency <code>',
      told: true,
    }),
    endpointId: mayGive(id, 'its id in the path; the next free one when left out', {
      as: '--id <number>',
      told: 'endpoint',
    }),
    ...settingInputs(endpointSettings),
  },
  answer: anObject({ ...endpointView.members, advice: adviceAnswer }),
  run: async ({ login, currency, endpointId, ...given }, parts) => {
    const before = await parts.configuration.read();
    const merchant = merchantOf(login, before);
    const fresh = newEndpoint({
      endpointId: newPathId(endpointId, before),
      merchantId: merchant.merchantId,
      currency,
      name: `${merchant.name} ${currency}`,
      sandbox: parts.mode === 'sandbox',
      descriptor: login.toUpperCase(),
    });
    const endpoint = withChanges(fresh, given, parts, before);
    await parts.configuration.addEndpoint(endpoint, parts.clock.now());
    const isStrict = merchant.strictSigning || endpoint.strictSigning;
    return { ...viewOf(endpoint, login), advice: signingAdvice(login, isStrict, parts) };
  },
  show: ({ advice, ...endpoint }) =>
    [
      `Added endpoint ${endpoint.endpointId} to merchant ${endpoint.login}.`,
      whole(endpoint),
      ...(advice === null ? [] : [advice]),
    ].join('\n'),
});

export const setEndpoint = defineVerb({
  name: 'setEndpoint',
  command: 'endpoint set',
  summary: 'change an endpoint',
  role: 'administrator',
  conduct: 'change',
  given: {
    endpointId: theEndpoint,
    currency: mayGive(nameOf('a currency'), 'its currency, which stays', { told: true }),
    ...settingInputs(endpointSettings),
  },
  mustChange: true,
  answer: endpointView,
  run: async ({ endpointId, currency, ...given }, parts) => {
    const before = await parts.configuration.read();
    const old = endpointOf(endpointId, before);
    if (currency !== undefined && currency !== old.currency) {
      throw new InvalidInput(
        `an endpoint keeps its currency, ${old.currency}; add another endpoint for ${shown(currency)}`,
      );
    }
    const endpoint = withChanges(old, given, parts, before);
    await parts.configuration.setEndpoint(endpoint);
    return viewOf(endpoint, loginOf(endpoint.merchantId, before));
  },
  show: whole,
});

export const listEndpoints = defineReading({
  name: 'listEndpoints',
  command: 'endpoint list',
  summary: 'list the endpoints of a merchant, or all',
  merchants: 'own',
  given: { login: mayGive(merchantLogin, 'only those of this merchant', { as: '[login]' }) },
  answer: aList(endpointView),
  run: async ({ login }, { configuration }) => {
    const all = await configuration.read();
    const only = login === undefined ? undefined : merchantOf(login, all).merchantId;
    return all.endpoints
      .filter(({ merchantId }) => only === undefined || merchantId === only)
      .map((endpoint) => viewOf(endpoint, loginOf(endpoint.merchantId, all)));
  },
  show: rowsOf(
    {
      ID: (one) => one.endpointId,
      MERCHANT: (one) => one.login,
      CURRENCY: (one) => one.currency,
      NAME: (one) => one.name,
      STATE: (one) => (one.enabled ? 'enabled' : 'disabled'),
      '3DS': (one) => one.threeDSecure,
      MINIMUM: (one) => one.minimum,
      MAXIMUM: (one) => one.maximum,
    },
    'There are no endpoints; add one with: tender endpoint add <login> --currency USD',
  ),
});

export const showEndpoint = defineReading({
  name: 'showEndpoint',
  command: 'endpoint show',
  summary: 'show everything about an endpoint',
  merchants: 'own',
  given: { endpointId: theEndpoint },
  answer: endpointView,
  run: async ({ endpointId }, { configuration }) => {
    const all = await configuration.read();
    const endpoint = endpointOf(endpointId, all);
    return viewOf(endpoint, loginOf(endpoint.merchantId, all));
  },
  show: whole,
});

function withChanges(
  old: Endpoint,
  given: Given,
  { mode, vocabulary }: Parts<'mode' | 'vocabulary'>,
  { terminals }: Pick<Configuration, 'terminals'>,
): Endpoint {
  const changes = changesIn(endpointSettings, given, { vocabulary, currency: old.currency });
  const endpoint = { ...old, ...changes };
  const known = terminals.map(({ name }) => name);
  const complaint = sandboxComplaint(changes, mode) ?? limitsComplaint(endpoint) ?? routeComplaint(changes, known);
  if (complaint !== undefined) throw new InvalidInput(complaint);
  return endpoint;
}

function viewOf(endpoint: Endpoint, login: string): EndpointView {
  const { endpointId, currency } = endpoint;
  const told = toldSettings(endpointSettings, endpoint, { currency });
  const { acquirerBin: bin, acquirerMerchantId: merchantId, category, country, ...settings } = told;
  return { endpointId, login, currency, ...settings, acquiring: { bin, merchantId, category, country } };
}

function whole(endpoint: EndpointView): string {
  const { bin, merchantId, category, country } = endpoint.acquiring;
  const told = { ...endpoint, acquirerBin: bin, acquirerMerchantId: merchantId, category, country };
  const [name = ['Name', ''], ...others] = settingLines(endpointSettings, told);
  return properties([
    ['Endpoint', String(endpoint.endpointId)],
    ['Merchant', endpoint.login],
    name,
    ['Currency', endpoint.currency],
    ...others,
  ]);
}
