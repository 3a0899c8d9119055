// Merchants: who may sign in, from where and for what (decisions, D-29). A new one gets its first control key at once.

import { type MerchantSettings, merchantSettings } from '../domain/merchant/merchant-settings.ts';
import { firstSettings, toldSettings } from '../domain/merchant/setting.ts';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';
import type { AdministrationParts } from './administration.ts';
import { flagOf, type Given, needed, shown, Unfit } from './given.ts';
import { makeControlKey, type NewKey } from './keys.ts';
import { changesIn } from './settings.ts';

const LOGIN = /^[A-Za-z][A-Za-z0-9_.-]{0,19}$/;
const MAX_LOGINS_SHOWN = 10;

export type MerchantView = { readonly merchantId: number; readonly login: string } & MerchantSettings & {
    readonly endpointIds: readonly number[];
    readonly groupIds: readonly number[];
  };

export function merchantVerbs(parts: AdministrationParts) {
  const { clock, configuration, changed } = parts;
  return {
    async addMerchant(given: Given): Promise<{ merchant: MerchantView; key: NewKey | null }> {
      const before = await configuration.read();
      const login = newLogin(given, before);
      const merchantId = Math.max(0, ...before.merchants.map((one) => one.merchantId)) + 1;
      const settings = { name: login, ...changesIn(merchantSettings, given, parts) };
      const merchant = { merchantId, login, ...firstSettings(merchantSettings, merchantId, settings) };
      await configuration.addMerchant(merchant, clock.now());
      const wantsKey = flagOf(given, 'key') ?? true;
      const key = wantsKey ? await makeControlKey(parts, merchant) : null;
      await changed();
      return { merchant: viewOf(merchant, before), key };
    },

    async setMerchant(given: Given): Promise<MerchantView> {
      const before = await configuration.read();
      const merchant = { ...merchantOf(given, before), ...changesIn(merchantSettings, given, parts) };
      await configuration.setMerchant(merchant);
      await changed();
      return viewOf(merchant, before);
    },

    async listMerchants(_given: Given): Promise<MerchantView[]> {
      const all = await configuration.read();
      return all.merchants.map((merchant) => viewOf(merchant, all));
    },

    async showMerchant(given: Given): Promise<MerchantView> {
      const all = await configuration.read();
      return viewOf(merchantOf(given, all), all);
    },
  };
}

/** The merchant that `login` names. */
export function merchantOf(given: Given, { merchants }: Configuration): StoredMerchant {
  const login = needed(given.login, 'login', 'the login of a merchant');
  const merchant = merchants.find((one) => one.login === login);
  if (merchant) return merchant;
  const known = merchants.slice(0, MAX_LOGINS_SHOWN).map((one) => one.login);
  const more = merchants.length > MAX_LOGINS_SHOWN ? ' …' : '';
  throw new Unfit(
    `there is no merchant ${shown(login)}; ${known.length > 0 ? `there are: ${known.join(', ')}${more}` : 'add one first'}`,
  );
}

/** Of the merchant `login` when one is named, else of all. */
export function merchantIdsOf(given: Given, all: Configuration): number[] {
  if (given.login !== undefined) return [merchantOf(given, all).merchantId];
  return all.merchants.map(({ merchantId }) => merchantId);
}

export function loginOf(merchantId: number, { merchants }: Configuration): string {
  return merchants.find((one) => one.merchantId === merchantId)?.login ?? '';
}

function newLogin(given: Given, { merchants }: Configuration): string {
  const login = needed(given.login, 'login', 'a name the merchant signs in with');
  if (typeof login !== 'string' || !LOGIN.test(login)) {
    throw new Unfit(`login: ${shown(login)} must be a letter and then up to 19 letters, digits, "_", "." or "-"`);
  }
  if (merchants.some((one) => one.login === login)) throw new Unfit(`there is a merchant "${login}" already`);
  return login;
}

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
