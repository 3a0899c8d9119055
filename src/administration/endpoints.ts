// Endpoints: where a merchant's orders arrive, in one currency and by the rules set for it. Amounts are given and told
// in major units with a point.

import { endpointSettings, limitsComplaint, sandboxComplaint } from '../domain/merchant/endpoint-settings.ts';
import { type Endpoint, newEndpoint } from '../domain/merchant/merchant.ts';
import { type ToldSettings, toldSettings } from '../domain/merchant/setting.ts';
import { isCurrency } from '../domain/money/currency.ts';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, idOf, needed, shown, Unfit } from './given.ts';
import { merchantOf } from './merchants.ts';
import { changesIn } from './settings.ts';

const FIRST_ID = 101;

type AcquirerSetting = 'acquirerBin' | 'acquirerMerchantId' | 'category' | 'country';

export type EndpointView = {
  readonly endpointId: number;
  readonly login: string;
  readonly currency: string;
  /** How its acquirer made it known to the card networks. */
  readonly acquiring: Readonly<Record<'bin' | 'merchantId' | 'category' | 'country', string>>;
} & Omit<ToldSettings<typeof endpointSettings>, AcquirerSetting>;

export function endpointVerbs(parts: AdministrationParts) {
  const { clock, configuration, mode, changed } = parts;
  return {
    async addEndpoint(given: Given): Promise<EndpointView> {
      const before = await configuration.read();
      const merchant = merchantOf(given, before);
      const currency = currencyOf(given);
      const fresh = newEndpoint({
        endpointId: newPathId(given, 'endpointId', before),
        merchantId: merchant.merchantId,
        name: `${merchant.name} ${currency}`,
        currency,
        sandbox: mode === 'sandbox',
        descriptor: merchant.login.toUpperCase(),
      });
      const endpoint = withChanges(fresh, given, parts);
      await configuration.addEndpoint(endpoint, clock.now());
      await changed();
      return viewOf(endpoint, merchant);
    },

    async setEndpoint(given: Given): Promise<EndpointView> {
      const before = await configuration.read();
      const old = endpointOf(given, before);
      if (given.currency !== undefined && given.currency !== old.currency) {
        throw new Unfit(
          `an endpoint keeps its currency, ${old.currency}; add another endpoint for ${shown(given.currency)}`,
        );
      }
      const endpoint = withChanges(old, given, parts);
      await configuration.setEndpoint(endpoint);
      await changed();
      return viewOf(endpoint, ownerOf(endpoint, before));
    },

    async listEndpoints(given: Given): Promise<EndpointView[]> {
      const all = await configuration.read();
      const only = given.login === undefined ? undefined : merchantOf(given, all).merchantId;
      return all.endpoints
        .filter(({ merchantId }) => only === undefined || merchantId === only)
        .map((endpoint) => viewOf(endpoint, ownerOf(endpoint, all)));
    },

    async showEndpoint(given: Given): Promise<EndpointView> {
      const all = await configuration.read();
      const endpoint = endpointOf(given, all);
      return viewOf(endpoint, ownerOf(endpoint, all));
    },
  };
}

/** The id that was asked for, or the next above all others: endpoints and groups share one number space. */
export function newPathId(given: Given, name: string, { endpoints, groups }: Configuration): number {
  const taken = [...endpoints.map((one) => one.endpointId), ...groups.map((one) => one.groupId)];
  const wanted = idOf(given, name);
  if (wanted === undefined) return Math.max(FIRST_ID - 1, ...taken) + 1;
  if (!taken.includes(wanted)) return wanted;
  const kind = endpoints.some((one) => one.endpointId === wanted) ? 'an endpoint' : 'a group';
  throw new Unfit(`${wanted} is ${kind} already; endpoints and groups share their numbers`);
}

/** The endpoint that `endpointId` names. */
export function endpointOf(given: Given, { endpoints }: Configuration): Endpoint {
  const endpointId = needed(idOf(given, 'endpointId'), 'endpointId', 'the id of an endpoint');
  const endpoint = endpoints.find((one) => one.endpointId === endpointId);
  if (!endpoint) throw new Unfit(`there is no endpoint ${endpointId}; "tender endpoint list" shows all`);
  return endpoint;
}

function ownerOf({ merchantId }: Endpoint, { merchants }: Configuration): StoredMerchant {
  return merchants.find((one) => one.merchantId === merchantId) as StoredMerchant;
}

function currencyOf(given: Given): string {
  const currency = needed(given.currency, 'currency', 'an ISO 4217 code such as USD');
  const code = typeof currency === 'string' ? currency.toUpperCase() : '';
  if (!isCurrency(code)) throw new Unfit(`currency: ${shown(currency)} is not an ISO 4217 code such as USD`);
  return code;
}

function withChanges(old: Endpoint, given: Given, { mode, vocabulary }: AdministrationParts): Endpoint {
  const changes = changesIn(endpointSettings, given, { vocabulary, currency: old.currency });
  const endpoint = { ...old, ...changes };
  const complaint = sandboxComplaint(changes, mode) ?? limitsComplaint(endpoint);
  if (complaint !== undefined) throw new Unfit(complaint);
  return endpoint;
}

function viewOf(endpoint: Endpoint, { login }: StoredMerchant): EndpointView {
  const { endpointId, currency } = endpoint;
  const told = toldSettings(endpointSettings, endpoint, { currency });
  const { acquirerBin: bin, acquirerMerchantId: merchantId, category, country, ...settings } = told;
  return { endpointId, login, currency, ...settings, acquiring: { bin, merchantId, category, country } };
}
