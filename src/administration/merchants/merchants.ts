// Merchants: who may sign in, from where and for what (decisions, D-29). A new one gets its first control key at once.

import { flag, type InputKind, Misread, wholeNumber } from '../../domain/input-kinds.ts';
import { merchantSettings } from '../../domain/merchant/merchant-settings.ts';
import { firstSettings, toldSettings } from '../../domain/merchant/setting.ts';
import { LAST_SHARD, nextMerchantId } from '../../domain/merchant/shard.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration, StoredMerchant } from '../../storage/configuration.ts';
import { makeControlKey, newKey, toldKey } from '../keys/keys.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import { type Answered, aList, aNumber, anObject, aText, orNull, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { properties, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { changesIn, settingAnswers, settingInputs, settingLines } from './settings.ts';
import { adviceAnswer, signingAdvice } from './signing-advice.ts';

export const LOGIN_FORM = /^[A-Za-z][A-Za-z0-9_.-]{0,19}$/;
export const LOGIN_RULE = 'must be a letter and then up to 19 letters, digits, "_", "." or "-"';

const newLogin: InputKind<string> = {
  schema: { type: 'string', pattern: LOGIN_FORM.source },
  what: 'a name the merchant signs in with',
  spelling: 'text',
  read: (value) =>
    typeof value === 'string' && LOGIN_FORM.test(value) ? value : new Misread(`${shown(value)} ${LOGIN_RULE}`),
};

const theMerchant = mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' });

const merchantView = anObject({
  merchantId: told(aNumber()),
  login: told(aText(), 'merchant'),
  ...settingAnswers(merchantSettings),
  endpointIds: told(aList(aNumber())),
  groupIds: aList(aNumber()),
});

type MerchantView = Answered<typeof merchantView>;

export const addMerchant = defineVerb({
  name: 'addMerchant',
  command: 'merchant add',
  summary: 'add a merchant, with a control key',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: mustGive(newLogin, 'what it signs in with', { as: '<login>', told: 'merchant' }),
    ...settingInputs(merchantSettings),
    shard: mayGive(wholeNumber(0, LAST_SHARD), 'where its orders are kept on a cluster; 0 when left out', {
      as: '--shard <number>',
    }),
    key: mayGive(flag, 'make a control key, also when left out', { not: ['--no-key', 'make no control key'] }),
  },
  answer: anObject({ merchant: merchantView, key: orNull(newKey), advice: adviceAnswer }),
  run: async ({ login, shard = 0, key: wantsKey = true, ...given }, parts) => {
    const { clock, configuration } = parts;
    const before = await configuration.read();
    if (before.merchants.some((one) => one.login === login)) {
      throw new InvalidInput(`there is a merchant "${login}" already`);
    }
    const merchantId = nextMerchantId(before.merchants, shard);
    const settings = { name: login, ...changesIn(merchantSettings, given, parts) };
    const merchant = { merchantId, login, ...firstSettings(merchantSettings, merchantId, settings) };
    await configuration.addMerchant(merchant, clock.now());
    const key = wantsKey ? await makeControlKey(parts, merchant) : null;
    const advice = signingAdvice(login, merchant.strictSigning, parts);
    return { merchant: viewOf(merchant, before), key, advice };
  },
  show: ({ merchant, key, advice }) =>
    [
      `Added merchant ${merchant.login} (id ${merchant.merchantId}).`,
      ...(key ? toldKey(key) : []),
      `Next: tender endpoint add ${merchant.login} --currency USD`,
      ...(advice === null ? [] : [advice]),
    ].join('\n'),
});

export const setMerchant = defineVerb({
  name: 'setMerchant',
  command: 'merchant set',
  summary: 'change a merchant',
  role: 'administrator',
  conduct: 'change',
  given: { login: theMerchant, ...settingInputs(merchantSettings) },
  mustChange: true,
  answer: merchantView,
  run: async ({ login, ...given }, { configuration, vocabulary }) => {
    const before = await configuration.read();
    const merchant = { ...merchantOf(login, before), ...changesIn(merchantSettings, given, { vocabulary }) };
    await configuration.setMerchant(merchant);
    return viewOf(merchant, before);
  },
  show: whole,
  further: [
    {
      words: 'merchant disable',
      summary: 'refuse all requests of a merchant',
      takes: ['login'],
      gives: { enabled: false },
      show: ({ login }) => `Merchant ${login} is disabled.`,
    },
    {
      words: 'merchant enable',
      summary: 'take requests of a merchant again',
      takes: ['login'],
      gives: { enabled: true },
      show: ({ login }) => `Merchant ${login} is enabled.`,
    },
    {
      words: 'merchant strict',
      summary: 'take strictly signed requests only, at all endpoints of a merchant, present and future',
      takes: ['login'],
      gives: { strictSigning: true },
      show: ({ login }) => `Merchant ${login} must send header X-Signature with every signed request from now on.`,
    },
  ],
});

export const listMerchants = defineReading({
  name: 'listMerchants',
  command: 'merchant list',
  summary: 'list all merchants',
  merchants: 'own',
  given: {},
  answer: aList(merchantView),
  run: async (_, { configuration }) => {
    const all = await configuration.read();
    return all.merchants.map((merchant) => viewOf(merchant, all));
  },
  show: rowsOf(
    {
      ID: (one) => one.merchantId,
      LOGIN: (one) => one.login,
      NAME: (one) => one.name,
      STATE: (one) => (one.enabled ? 'enabled' : 'disabled'),
      ENDPOINTS: (one) => one.endpointIds.join(' ') || null,
      GROUPS: (one) => one.groupIds.join(' ') || null,
    },
    'There are no merchants; add one with: tender merchant add <login>',
  ),
});

export const showMerchant = defineReading({
  name: 'showMerchant',
  command: 'merchant show',
  summary: 'show everything about a merchant',
  merchants: 'own',
  given: { login: theMerchant },
  answer: merchantView,
  run: async ({ login }, { configuration }) => {
    const all = await configuration.read();
    return viewOf(merchantOf(login, all), all);
  },
  show: whole,
});

function viewOf(merchant: StoredMerchant, { endpoints, groups }: Configuration): MerchantView {
  const own = (one: { readonly merchantId: number }) => one.merchantId === merchant.merchantId;
  return {
    merchantId: merchant.merchantId,
    login: merchant.login,
    ...toldSettings(merchantSettings, merchant),
    endpointIds: endpoints.filter(own).map((one) => one.endpointId),
    groupIds: groups.filter(own).map((one) => one.groupId),
  };
}

function whole(merchant: MerchantView): string {
  return properties([
    ['Login', merchant.login],
    ['Id', String(merchant.merchantId)],
    ...settingLines(merchantSettings, merchant),
    ['Endpoints', merchant.endpointIds.join(', ') || 'none'],
    ['Groups', merchant.groupIds.join(', ') || 'none'],
  ]);
}
