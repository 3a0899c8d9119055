// The keys merchants sign with: control keys, sealed and told once, and RSA public keys (decisions, D-28). Several may be
// valid at a time, so that a merchant changes from one to the next without an outage.

import { createHash, createPublicKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { isValidAt } from '../domain/merchant/merchant.ts';
import { Secret } from '../domain/secret.ts';
import type { StoredKey, StoredMerchant } from '../storage/configuration.ts';
import { controlKeyPlace } from '../vault/places.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, momentOf, needed, shown, Unfit, wordOf } from './given.ts';
import { loginOf, merchantOf } from './merchants.ts';
import { written, writtenIfAny } from './verb/moments.ts';

const KINDS = ['control', 'rsa'] as const;
/** Requests are tried against every valid key of a merchant. */
const MAX_VALID_KEYS = 10;
const CONTROL_KEY = /^[\x21-\x7e]{16,128}$/;
const MIN_RSA_BITS = 2048;
const MAX_PEM_CHARACTERS = 16 * 1024;
const KEY_ID_BYTES = 4;
const FINGERPRINT_DIGITS = 16;

export type KeyView = {
  readonly keyId: string;
  readonly login: string;
  readonly kind: 'control' | 'rsa';
  readonly state: 'valid' | 'not yet valid' | 'ended';
  readonly validFrom: string;
  readonly validUntil: string | null;
};

/** A control key that was made here is told this once; it cannot be asked for again. */
export type NewKey = KeyView & { readonly controlKey: string | null };

type Validity = { readonly validFrom: number; readonly validUntil: number | undefined };

export function keyVerbs(parts: AdministrationParts) {
  const { clock, configuration, changed } = parts;
  return {
    async addKey(given: Given): Promise<NewKey> {
      const before = await configuration.read();
      const merchant = merchantOf(given, before);
      const kind = needed(wordOf(given, 'kind', KINDS), 'kind', 'control or rsa');
      const validity = validityOf(given, clock.now());
      const own = before.keys.filter((key) => key.merchantId === merchant.merchantId && key.kind === kind);
      if (own.filter((key) => stateOf(key, clock.now()) !== 'ended').length >= MAX_VALID_KEYS) {
        throw new Unfit(`a merchant has at most ${MAX_VALID_KEYS} keys of a kind; retire one first`);
      }
      const added =
        kind === 'control'
          ? await makeControlKey(parts, merchant, validity, givenControlKey(given))
          : await addPublicKey(parts, merchant, validity, publicKeyOf(given), own);
      await changed();
      return added;
    },

    async listKeys(given: Given): Promise<KeyView[]> {
      const all = await configuration.read();
      const only = given.login === undefined ? undefined : merchantOf(given, all).merchantId;
      return all.keys
        .filter(({ merchantId }) => only === undefined || merchantId === only)
        .map((key) => viewOf(key, loginOf(key.merchantId, all), clock.now()));
    },

    /** Answers with the key and how many of its kind the merchant can still sign with. */
    async retireKey(given: Given): Promise<{ key: KeyView; stillValid: number }> {
      const before = await configuration.read();
      const { login, merchantId } = merchantOf(given, before);
      const own = before.keys.filter((key) => key.merchantId === merchantId);
      const key = own.find((one) => one.keyId === given.keyId);
      if (!key)
        throw new Unfit(
          `merchant "${login}" has no key ${shown(given.keyId)}; "tender key list ${login}" shows its keys`,
        );
      const now = clock.now();
      if (stateOf(key, now) === 'ended') throw new Unfit(`key ${key.keyId} has ended already`);
      const at = momentOf(given, 'at') ?? now;
      if (at < now) throw new Unfit('a key can end now or later, not in the past');
      await configuration.retireKey(merchantId, key.keyId, at);
      await changed();
      const others = own.filter((one) => one !== key && one.kind === key.kind && isValidAt(one, at));
      return { key: viewOf({ ...key, validUntil: at }, login, clock.now()), stillValid: others.length };
    },
  };
}

/** Seals a control key for the merchant: the one given, or a new one that is told. */
export async function makeControlKey(
  { clock, configuration, vault }: AdministrationParts,
  { login, merchantId }: StoredMerchant,
  validity: Validity = { validFrom: clock.now(), validUntil: undefined },
  chosen?: Secret<string>,
): Promise<NewKey> {
  const keyId = `control-${randomBytes(KEY_ID_BYTES).toString('hex')}`;
  const key = chosen ?? new Secret(randomUUID().toUpperCase());
  if (vault.isStale) await vault.freshen();
  const sealed = vault.seal(key, controlKeyPlace(merchantId, keyId));
  const stored = { kind: 'control', merchantId, keyId, sealed, ...validity } as const;
  await configuration.addKey(stored, clock.now());
  return { ...viewOf(stored, login, clock.now()), controlKey: chosen ? null : key.reveal() };
}

async function addPublicKey(
  { clock, configuration }: AdministrationParts,
  { login, merchantId }: StoredMerchant,
  validity: Validity,
  key: KeyObject,
  own: readonly StoredKey[],
): Promise<NewKey> {
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const keyId = `rsa-${digest.slice(0, FINGERPRINT_DIGITS)}`;
  if (own.some((one) => one.keyId === keyId)) throw new Unfit(`merchant "${login}" has this key already, as ${keyId}`);
  const publicKey = key.export({ type: 'spki', format: 'pem' }) as string;
  const stored = { kind: 'rsa', merchantId, keyId, publicKey, ...validity } as const;
  await configuration.addKey(stored, clock.now());
  return { ...viewOf(stored, login, clock.now()), controlKey: null };
}

/** The key itself is never repeated. */
function givenControlKey({ controlKey }: Given): Secret<string> | undefined {
  if (controlKey === undefined) return undefined;
  if (typeof controlKey === 'string' && CONTROL_KEY.test(controlKey)) return new Secret(controlKey);
  throw new Unfit('the control key must be 16 to 128 printable characters without spaces');
}

function publicKeyOf({ publicKey: pem }: Given): KeyObject {
  const what = 'an RSA public key in PEM, "BEGIN PUBLIC KEY" or "BEGIN RSA PUBLIC KEY"';
  if (typeof pem !== 'string' || pem.length > MAX_PEM_CHARACTERS) throw new Unfit(`${what} is needed`);
  if (pem.includes('PRIVATE KEY')) throw new Unfit(`this is a private key: keep it to yourself and give ${what}`);
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/m.test(pem)) throw new Unfit(`this is not ${what}`);
  const key = readPem(pem);
  if (key?.asymmetricKeyType !== 'rsa') throw new Unfit(`this is not ${what}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS) throw new Unfit(`the RSA key has ${bits} bits; at least ${MIN_RSA_BITS} are needed`);
  return key;
}

function readPem(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function validityOf(given: Given, now: number): Validity {
  const validFrom = momentOf(given, 'validFrom') ?? now;
  const validUntil = momentOf(given, 'validUntil');
  if (validUntil !== undefined && (validUntil <= validFrom || validUntil <= now)) {
    throw new Unfit('a key must end in the future and after it becomes valid');
  }
  return { validFrom, validUntil };
}

function stateOf(key: Validity & { readonly keyId: string }, now: number): KeyView['state'] {
  if (isValidAt(key, now)) return 'valid';
  // Retired before its time, it never will be.
  const isOver = key.validUntil !== undefined && key.validUntil <= key.validFrom;
  return now < key.validFrom && !isOver ? 'not yet valid' : 'ended';
}

function viewOf(key: StoredKey, login: string, now: number): KeyView {
  const { keyId, kind, validFrom, validUntil } = key;
  return {
    keyId,
    login,
    kind,
    state: stateOf(key, now),
    validFrom: written(validFrom),
    validUntil: writtenIfAny(validUntil),
  };
}
