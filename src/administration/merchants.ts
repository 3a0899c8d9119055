// Merchants: who may sign in, from where and for what (decisions, D-29). A new one gets its first control key at once.

import { isIP, SocketAddress } from 'node:net';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';
import type { AdministrationParts } from './administration.ts';
import { flagOf, type Given, listOf, needed, shown, textOf, Unfit } from './given.ts';
import { makeControlKey, type NewKey } from './keys.ts';

const LOGIN = /^[A-Za-z][A-Za-z0-9_.-]{0,19}$/;
const MAX_NAME = 100;
const MAX_LOGINS_SHOWN = 10;

export type MerchantView = {
  readonly merchantId: number;
  readonly login: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Empty means any. */
  readonly allowedAddresses: readonly string[];
  /** Empty means all. */
  readonly allowedOperations: readonly string[];
  readonly endpointIds: readonly number[];
  readonly groupIds: readonly number[];
};

export function merchantVerbs(parts: AdministrationParts) {
  const { clock, configuration, changed } = parts;
  return {
    async addMerchant(given: Given): Promise<{ merchant: MerchantView; key: NewKey | null }> {
      const before = await configuration.read();
      const login = newLogin(given, before);
      const merchant = {
        merchantId: Math.max(0, ...before.merchants.map((one) => one.merchantId)) + 1,
        login,
        name: login,
        enabled: true,
        allowedAddresses: [],
        allowedOperations: [],
        ...changesIn(given, parts),
      };
      await configuration.addMerchant(merchant, clock.now());
      const wantsKey = flagOf(given, 'key') ?? true;
      const key = wantsKey ? await makeControlKey(parts, merchant) : null;
      await changed();
      return { merchant: viewOf(merchant, before), key };
    },

    async setMerchant(given: Given): Promise<MerchantView> {
      const before = await configuration.read();
      const merchant = { ...merchantOf(given, before), ...changesIn(given, parts) };
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

function changesIn(given: Given, { vocabulary }: AdministrationParts): Partial<StoredMerchant> {
  const name = textOf(given, 'name', MAX_NAME);
  const enabled = flagOf(given, 'enabled');
  const allowedAddresses = listOf(given, 'allowedAddresses', addressOf);
  const allowedOperations = listOf(given, 'allowedOperations', (entry) => operationOf(entry, vocabulary.operations));
  return {
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
    ...(allowedOperations === undefined ? {} : { allowedOperations }),
  };
}

/** As the system writes the address of a connection, so that equal ones are equal text. */
function addressOf(entry: unknown): string {
  const family = typeof entry === 'string' ? isIP(entry) : 0;
  if (family === 0) {
    throw new Unfit(`${shown(entry)} is not a network address such as 192.0.2.7 or 2001:db8::7`);
  }
  const { address } = new SocketAddress({ address: entry as string, family: family === 4 ? 'ipv4' : 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function operationOf(entry: unknown, operations: readonly string[]): string {
  const wanted = String(entry).toUpperCase();
  const name = operations.find((one) => one.toUpperCase() === wanted);
  if (name === undefined) throw new Unfit(`there is no operation ${shown(entry)}; there are ${operations.join(', ')}`);
  return name;
}

function viewOf(merchant: StoredMerchant, { endpoints, groups }: Configuration): MerchantView {
  const own = (one: { readonly merchantId: number }) => one.merchantId === merchant.merchantId;
  return {
    merchantId: merchant.merchantId,
    login: merchant.login,
    name: merchant.name,
    enabled: merchant.enabled,
    allowedAddresses: merchant.allowedAddresses,
    allowedOperations: merchant.allowedOperations,
    endpointIds: endpoints.filter(own).map((one) => one.endpointId),
    groupIds: groups.filter(own).map((one) => one.groupId),
  };
}
