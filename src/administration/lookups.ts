// Finds what a login or an id names; where it names nothing, says what there is. And the id that is free.

import { nameOf } from '../domain/input-kinds.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { shown } from '../domain/text.ts';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';
import { mayGive } from './verb/inputs.ts';
import { InvalidInput } from './verb/invalid-input.ts';

const MAX_LOGINS_SHOWN = 10;
export const FIRST_PATH_ID = 101;

/** The login of a merchant that is there. */
export const merchantLogin = nameOf('the login of a merchant');

/** For lists: those of one merchant, or all. */
export const onlyMerchant = mayGive(merchantLogin, 'only those of this merchant', {
  as: '--merchant <login>',
  title: 'Merchant',
});

export function merchantOf(login: string, { merchants }: Configuration): StoredMerchant {
  const merchant = merchants.find((one) => one.login === login);
  if (merchant) return merchant;
  const known = merchants.slice(0, MAX_LOGINS_SHOWN).map((one) => one.login);
  const more = merchants.length > MAX_LOGINS_SHOWN ? ' …' : '';
  const there = known.length > 0 ? `there are: ${known.join(', ')}${more}` : 'add one first';
  throw new InvalidInput(`there is no merchant ${shown(login)}; ${there}`);
}

/** Of the merchant when one is named, else of all. */
export function merchantIdsOf(login: string | undefined, all: Configuration): number[] {
  if (login !== undefined) return [merchantOf(login, all).merchantId];
  return all.merchants.map(({ merchantId }) => merchantId);
}

export function loginOf(merchantId: number, { merchants }: Configuration): string {
  return merchants.find((one) => one.merchantId === merchantId)?.login ?? '';
}

export function endpointOf(endpointId: number, { endpoints }: Configuration): Endpoint {
  const endpoint = endpoints.find((one) => one.endpointId === endpointId);
  if (!endpoint) throw new InvalidInput(`there is no endpoint ${endpointId}; "tender endpoint list" shows all`);
  return endpoint;
}

/** The id that was asked for, or the next above all others: endpoints and groups share one number space. */
export function newPathId(wanted: number | undefined, { endpoints, groups }: Configuration): number {
  const taken = [...endpoints.map((one) => one.endpointId), ...groups.map((one) => one.groupId)];
  if (wanted === undefined) return Math.max(FIRST_PATH_ID - 1, ...taken) + 1;
  if (!taken.includes(wanted)) return wanted;
  const kind = endpoints.some((one) => one.endpointId === wanted) ? 'an endpoint' : 'a group';
  throw new InvalidInput(`${wanted} is ${kind} already; endpoints and groups share their numbers`);
}
