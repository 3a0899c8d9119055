// Endpoints: where a merchant's orders arrive, in one currency and by the rules set for it. Amounts are given and told
// in major units with a point.

import { isCountry } from '../domain/country.ts';
import {
  type Acquiring,
  type Endpoint,
  newEndpoint,
  type ThreeDSecure,
  type Unauthenticated,
} from '../domain/merchant/merchant.ts';
import { isCurrency, readAmount, writeAmount } from '../domain/money/money.ts';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';
import type { AdministrationParts } from './administration.ts';
import { flagOf, type Given, idOf, listOf, needed, shown, textOf, Unfit, wordOf } from './given.ts';
import { merchantOf } from './merchants.ts';

const MAX_NAME = 100;
const GATES = ['none', 'optional', 'required'] as const satisfies ThreeDSecure[];
const UNAUTHENTICATED = ['by-gate', 'pass', 'refuse'] as const satisfies Unauthenticated[];
/** What card statements have room for. */
const DESCRIPTOR = /^[\x20-\x7e]{1,25}$/;
/** What 3-D Secure messages of every version have room for. */
const ACQUIRER_BIN = /^\d{1,11}$/;
const ACQUIRER_MERCHANT_ID = /^[!-~]{1,24}$/;
const CATEGORY = /^\d{4}$/;
/** Takes a limit away. */
const NO_LIMIT = 'none';
const FIRST_ID = 101;

export type EndpointView = Omit<Endpoint, 'merchantId' | 'minimum' | 'maximum' | 'creditLimit'> & {
  readonly login: string;
  /** In major units with a point. */
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly creditLimit: string;
};

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
  const sandbox = flagOf(given, 'sandbox') ?? old.sandbox;
  if (sandbox && mode === 'production' && given.sandbox !== undefined) {
    throw new Unfit('sandbox: a gateway in production has no sandbox endpoints');
  }
  const endpoint = {
    ...old,
    sandbox,
    name: textOf(given, 'name', MAX_NAME) ?? old.name,
    enabled: flagOf(given, 'enabled') ?? old.enabled,
    threeDSecure: wordOf(given, 'threeDSecure', GATES) ?? old.threeDSecure,
    unauthenticated: wordOf(given, 'unauthenticated', UNAUTHENTICATED) ?? old.unauthenticated,
    acquiring: acquiringOf(given, old.acquiring),
    legacyReplies: flagOf(given, 'legacyReplies') ?? old.legacyReplies,
    strictSigning: flagOf(given, 'strictSigning') ?? old.strictSigning,
    signedForms: flagOf(given, 'signedForms') ?? old.signedForms,
    frameAncestors: listOf(given, 'frameAncestors', originOf) ?? old.frameAncestors,
    minimum: limitOf(given, 'minimum', old),
    maximum: limitOf(given, 'maximum', old),
    creditLimit: limitOf(given, 'creditLimit', old) ?? 0n,
    requiredFields: listOf(given, 'requiredFields', (entry) => fieldOf(entry, vocabulary.fields)) ?? old.requiredFields,
    descriptor: descriptorOf(given) ?? old.descriptor,
  };
  const { minimum, maximum } = endpoint;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    throw new Unfit('minimum: it must not be above the maximum');
  }
  return endpoint;
}

function limitOf(
  given: Given,
  name: 'minimum' | 'maximum' | 'creditLimit',
  { currency, ...old }: Endpoint,
): bigint | undefined {
  const value = given[name];
  if (value === undefined) return old[name];
  if (value === NO_LIMIT) return undefined;
  const minor = typeof value === 'string' ? readAmount(value, currency, 'major') : undefined;
  if (minor !== undefined) return minor;
  const example = writeAmount({ minor: 1000n, currency }, 'major');
  throw new Unfit(`${name}: an amount in ${currency} such as ${example}, or none, is needed, not ${shown(value)}`);
}

function fieldOf(entry: unknown, fields: readonly string[]): string {
  const name = fields.find((one) => one === entry);
  if (name !== undefined) return name;
  throw new Unfit(`${shown(entry)} is not an optional field such as first_name, phone or zip_code`);
}

/** Scheme, host and port, and nothing that could end the policy it is put into. */
function originOf(entry: unknown): string {
  const url = typeof entry === 'string' && URL.canParse(entry) ? new URL(entry) : undefined;
  if (url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)) return url.origin;
  throw new Unfit(`${shown(entry)} is not an origin such as https://shop.example`);
}

function descriptorOf(given: Given): string | undefined {
  const { descriptor } = given;
  if (descriptor === undefined) return undefined;
  if (typeof descriptor === 'string' && DESCRIPTOR.test(descriptor)) return descriptor;
  throw new Unfit('descriptor: 1 to 25 plain characters are needed; card statements have no room for more');
}

function acquiringOf(given: Given, old: Acquiring): Acquiring {
  return {
    bin: formedOf(given, 'acquirerBin', ACQUIRER_BIN, 'at most 11 digits') ?? old.bin,
    merchantId:
      formedOf(given, 'acquirerMerchantId', ACQUIRER_MERCHANT_ID, 'at most 24 characters without spaces') ??
      old.merchantId,
    category: formedOf(given, 'category', CATEGORY, '4 digits such as 5999') ?? old.category,
    country: countryOf(given) ?? old.country,
  };
}

function formedOf(given: Given, name: string, form: RegExp, what: string): string | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && form.test(value)) return value;
  throw new Unfit(`${name}: ${what} are needed, not ${shown(value)}`);
}

function countryOf({ country }: Given): string | undefined {
  if (country === undefined) return undefined;
  const code = typeof country === 'string' ? country.toUpperCase() : '';
  if (isCountry(code)) return code;
  throw new Unfit(`country: a code of two letters such as US is needed, not ${shown(country)}`);
}

function viewOf(
  { merchantId: _, minimum, maximum, creditLimit, ...endpoint }: Endpoint,
  { login }: StoredMerchant,
): EndpointView {
  const { currency } = endpoint;
  const limit = (minor: bigint | undefined) => (minor === undefined ? null : writeAmount({ minor, currency }, 'major'));
  const credit = writeAmount({ minor: creditLimit, currency }, 'major');
  return { ...endpoint, login, minimum: limit(minimum), maximum: limit(maximum), creditLimit: credit };
}
