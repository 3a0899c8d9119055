// The keys merchants sign with: control keys, sealed and told once, and RSA public keys (decisions, D-28). Several may
// be valid at a time, so that a merchant changes from one to the next without an outage.

import { createHash, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { instant, nameOf, word } from '../../domain/input-kinds.ts';
import { type KeySettings, keySettings } from '../../domain/merchant/key-settings.ts';
import { isValidAt } from '../../domain/merchant/merchant.ts';
import { firstSettings, toldSettings } from '../../domain/merchant/setting.ts';
import { Secret } from '../../domain/secret.ts';
import { shown } from '../../domain/text.ts';
import type { SeenUses } from '../../processing/requests/key-uses.ts';
import type { Configuration, StoredKey, StoredMerchant } from '../../storage/configuration.ts';
import { controlKeyPlace } from '../../vault/places.ts';
import { loginOf, merchantLogin, merchantOf } from '../lookups.ts';
import { changesIn, settingAnswers, settingInputs } from '../merchants/settings.ts';
import type { Parts } from '../parts.ts';
import {
  type Answered,
  aList,
  aMoment,
  aNumber,
  anObject,
  aText,
  aWord,
  orNull,
  told,
  toldOnce,
} from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { counted, minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { controlKeyGiven, rsaPublicKey } from './key-kinds.ts';

const KINDS = ['control', 'rsa'] as const;
/** Requests are tried against every valid key of a merchant. */
const MAX_VALID_KEYS = 10;
const KEY_ID_BYTES = 4;
const FINGERPRINT_DIGITS = 16;

const keyView = anObject({
  keyId: told(aText(), 'key'),
  login: told(aText(), 'merchant'),
  kind: told(aWord(KINDS)),
  state: told(aWord(['valid', 'not yet valid', 'ended'])),
  validFrom: told(aMoment()),
  validUntil: told(orNull(aMoment())),
  ...settingAnswers(keySettings),
});

const usedKey = anObject({
  ...keyView.members,
  use: orNull(
    anObject(
      {
        since: aMoment('When this node began to count.'),
        count: aNumber('How many requests came to it that were signed rightly with the key.'),
        lastAt: orNull(aMoment('When the last of them came.')),
      },
      'What the node that answers has seen since it started; null where no gateway runs.',
    ),
  ),
});

export const newKey = anObject({
  ...keyView.members,
  controlKey: toldOnce(
    orNull(aText('A control key that was made here is told this once; it cannot be asked for again.')),
  ),
});

type Validity = { readonly validFrom: number; readonly validUntil: number | undefined };

type NewKey = Validity & KeySettings;

type KeyParts = Parts<'clock' | 'configuration' | 'vault'>;

const theMerchant = mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' });
const theKey = mustGive(nameOf('the id of a key'), 'the id of the key', { as: '<key-id>', told: 'key' });

export const addKey = defineVerb({
  name: 'addKey',
  summary: 'add a key a merchant signs with',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: mustGive(merchantLogin, 'the merchant', { told: 'merchant' }),
    kind: mustGive(word(KINDS, 'control or rsa'), 'what the key is for', { told: true }),
    controlKey: mayGive(controlKeyGiven, 'a control key that exists already; a new one is made when left out'),
    publicKey: mayGive(rsaPublicKey, 'an RSA public key in PEM (SPKI or PKCS#1), 2048 bits or more'),
    validFrom: mayGive(instant, 'when it becomes valid; now when left out', { told: true }),
    validUntil: mayGive(instant, 'when it ends; never when left out', { told: true }),
    ...settingInputs(keySettings),
  },
  answer: newKey,
  run: async ({ login, kind, controlKey, publicKey, validFrom, validUntil, ...given }, parts) => {
    const { clock, configuration } = parts;
    const before = await configuration.read();
    const merchant = merchantOf(login, before);
    const settings = firstSettings(keySettings, merchant.merchantId, changesIn(keySettings, given, parts));
    const fresh = { ...validityOf(validFrom, validUntil, clock.now()), ...settings };
    const own = before.keys.filter((key) => key.merchantId === merchant.merchantId && key.kind === kind);
    if (own.filter((key) => stateOf(key, clock.now()) !== 'ended').length >= MAX_VALID_KEYS) {
      throw new InvalidInput(`a merchant has at most ${MAX_VALID_KEYS} keys of a kind; retire one first`);
    }
    if (kind === 'control') {
      if (controlKey) await refuseKnownKey(parts, merchant, controlKey, own);
      return makeControlKey(parts, merchant, fresh, controlKey);
    }
    if (publicKey === undefined) throw new InvalidInput(`${rsaPublicKey.what} is needed`);
    return addPublicKey(parts, merchant, fresh, publicKey, own);
  },
  show: (key) => [`Added key ${key.keyId} to merchant ${key.login}.`, ...toldKey(key)].join('\n'),
});

export const listKeys = defineReading({
  name: 'listKeys',
  command: 'key list',
  summary: 'list the keys of a merchant, or all, never the keys themselves',
  merchants: 'own',
  given: { login: mayGive(merchantLogin, 'only those of this merchant', { as: '[login]' }) },
  answer: aList(usedKey),
  run: async ({ login }, { clock, configuration, keyUses }) => {
    const all = await configuration.read();
    const only = login === undefined ? undefined : merchantOf(login, all).merchantId;
    const uses = await keyUses?.();
    return all.keys
      .filter(({ merchantId }) => only === undefined || merchantId === only)
      .map((key) => ({ ...viewOf(key, loginOf(key.merchantId, all), clock.now()), use: useOf(key, uses) }));
  },
  show: rowsOf(
    {
      KEY: (one) => one.keyId,
      MERCHANT: (one) => one.login,
      KIND: (one) => one.kind,
      STATE: (one) => one.state,
      FROM: (one) => sinceEver(one.validFrom),
      UNTIL: (one) => sinceEver(one.validUntil),
      OPERATIONS: (one) => one.operations.join(' ') || 'all',
      'LAST USE': (one) => minute(one.use?.lastAt ?? null),
    },
    'There are no keys; add one with: tender key add <login>',
  ),
});

export const setKey = defineVerb({
  name: 'setKey',
  command: 'key set',
  summary: 'change what a key may sign',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: { login: theMerchant, keyId: theKey, ...settingInputs(keySettings) },
  mustChange: true,
  answer: keyView,
  run: async ({ login, keyId, ...given }, { clock, configuration, vocabulary }) => {
    const before = await configuration.read();
    const { key } = keyOf(login, keyId, before);
    const changed = { ...key, ...changesIn(keySettings, given, { vocabulary }) };
    await configuration.setKey(changed);
    return viewOf(changed, login, clock.now());
  },
  show: ({ keyId, operations }) => `Key ${keyId} signs ${operations.join(', ') || 'all operations'}.`,
});

export const retireKey = defineVerb({
  name: 'retireKey',
  command: 'key retire',
  summary: 'let a key end',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: theMerchant,
    keyId: theKey,
    at: mayGive(instant, 'when; now when left out', { as: '--at <moment>' }),
  },
  answer: anObject({ key: keyView, stillValid: aNumber('How many of its kind the merchant can still sign with.') }),
  run: async ({ login, keyId, at }, { clock, configuration }) => {
    const before = await configuration.read();
    const { key, own } = keyOf(login, keyId, before);
    const now = clock.now();
    if (stateOf(key, now) === 'ended') throw new InvalidInput(`key ${key.keyId} has ended already`);
    const end = at ?? now;
    if (end < now) throw new InvalidInput('a key can end now or later, not in the past');
    await configuration.retireKey(key.merchantId, key.keyId, end);
    const others = own.filter((one) => one !== key && one.kind === key.kind && isValidAt(one, end));
    return { key: viewOf({ ...key, validUntil: end }, login, clock.now()), stillValid: others.length };
  },
  show: ({ key, stillValid }, { at }) => {
    const kind = key.kind === 'rsa' ? 'valid RSA key' : 'valid control key';
    const when = at === undefined ? 'has ended' : `ends at ${key.validUntil}`;
    return `Key ${key.keyId} ${when}. Merchant ${key.login} keeps ${counted(stillValid, kind)}.`;
  },
});

/** The key, and all that its merchant has. */
function keyOf(login: string, keyId: string, all: Configuration): { key: StoredKey; own: readonly StoredKey[] } {
  const { merchantId } = merchantOf(login, all);
  const own = all.keys.filter((key) => key.merchantId === merchantId);
  const key = own.find((one) => one.keyId === keyId);
  if (key) return { key, own };
  throw new InvalidInput(`merchant "${login}" has no key ${shown(keyId)}; "tender key list ${login}" shows its keys`);
}

/**
 * What a control once stood for is forgotten some time after its key has ended: with the key back, requests that were
 * recorded then could be read in another way. Ended keys are kept, so that they are known again.
 */
async function refuseKnownKey(
  { clock, vault }: KeyParts,
  { login }: StoredMerchant,
  chosen: Secret<string>,
  own: readonly StoredKey[],
): Promise<void> {
  for (const key of own) {
    if (key.kind !== 'control' || !isSameText(await vault.reveal(key.sealed, controlKeyPlace(key)), chosen)) continue;
    const hasEnded = stateOf(key, clock.now()) === 'ended';
    const says = `merchant "${login}" has this key already, as ${key.keyId}`;
    throw new InvalidInput(hasEnded ? `${says}, which has ended; a key that has ended is not taken again` : says);
  }
}

function isSameText(one: Secret<string>, other: Secret<string>): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text.reveal()).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

/** Seals a control key for the merchant: the one given, or a new one that is told. */
export async function makeControlKey(
  { clock, configuration, vault }: KeyParts,
  { login, merchantId }: StoredMerchant,
  fresh: NewKey = { validFrom: clock.now(), validUntil: undefined, operations: [] },
  chosen?: Secret<string>,
) {
  const keyId = `control-${randomBytes(KEY_ID_BYTES).toString('hex')}`;
  const key = chosen ?? new Secret(randomUUID().toUpperCase());
  if (vault.isStale) await vault.freshen();
  const sealed = vault.seal(key, controlKeyPlace({ merchantId, keyId }));
  const stored = { kind: 'control', merchantId, keyId, sealed, ...fresh } as const;
  await configuration.addKey(stored, clock.now());
  return { ...viewOf(stored, login, clock.now()), controlKey: chosen ? undefined : key.reveal() };
}

async function addPublicKey(
  { clock, configuration }: KeyParts,
  { login, merchantId }: StoredMerchant,
  fresh: NewKey,
  key: KeyObject,
  own: readonly StoredKey[],
) {
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const keyId = `rsa-${digest.slice(0, FINGERPRINT_DIGITS)}`;
  if (own.some((one) => one.keyId === keyId)) {
    throw new InvalidInput(`merchant "${login}" has this key already, as ${keyId}`);
  }
  // The types say text or bytes; as PEM it is text.
  const publicKey = key.export({ type: 'spki', format: 'pem' }) as string;
  const stored = { kind: 'rsa', merchantId, keyId, publicKey, ...fresh } as const;
  await configuration.addKey(stored, clock.now());
  return viewOf(stored, login, clock.now());
}

function validityOf(validFrom: number | undefined, validUntil: number | undefined, now: number): Validity {
  const from = validFrom ?? now;
  if (validUntil !== undefined && (validUntil <= from || validUntil <= now)) {
    throw new InvalidInput('a key must end in the future and after it becomes valid');
  }
  return { validFrom: from, validUntil };
}

function stateOf(key: Validity & { readonly keyId: string }, now: number): Answered<typeof keyView>['state'] {
  if (isValidAt(key, now)) return 'valid';
  // Retired before its time, it never will be.
  const isOver = key.validUntil !== undefined && key.validUntil <= key.validFrom;
  return now < key.validFrom && !isOver ? 'not yet valid' : 'ended';
}

function viewOf(key: StoredKey, login: string, now: number) {
  return { ...key, ...toldSettings(keySettings, key, {}), login, state: stateOf(key, now) };
}

function useOf({ merchantId, keyId }: StoredKey, uses: SeenUses | undefined) {
  if (!uses) return undefined;
  const { count = 0, lastAt } = uses.of(merchantId, keyId) ?? {};
  return { since: uses.since, count, lastAt };
}

/** The secret and what to do with it; nothing when there is none to tell. */
export function toldKey({ controlKey, keyId }: Answered<typeof newKey>): string[] {
  if (controlKey === null) return [];
  return [`Control key ${keyId}: ${controlKey}`, 'It is shown this once and cannot be read again: keep it safe.'];
}

function sinceEver(moment: string | null): string {
  return moment !== null && Date.parse(moment) === 0 ? '-' : minute(moment);
}
