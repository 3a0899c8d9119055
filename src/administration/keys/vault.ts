// The vault's keys, as an administrator sees and changes them. No key is ever told.

import { nameOf } from '../../domain/input-kinds.ts';
import type { DataKeyUse } from '../../storage/keys/data-keys.ts';
import { isBehindCommand, KekInUse, KeyHolderError, type KeyPurpose } from '../../vault/vault.ts';
import type { Parts } from '../parts.ts';
import {
  type Answered,
  aList,
  aMoment,
  aNumber,
  anObject,
  aText,
  aWord,
  aWordOf,
  orNull,
  type RawAnswer,
  told,
} from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { textTable } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { tellingHolder } from './key-holder.ts';

const aKey = {
  dataKeyId: aNumber(),
  kekId: aText('The key it is wrapped under.'),
  createdAt: aMoment(),
};

const vaultView = anObject({
  dataKeys: aList(
    anObject({ ...aKey, values: aNumber('Sealed under it.') }),
    'With more than one, values are being sealed anew under the current one.',
  ),
  currentDataKeyId: told(aNumber()),
  digestKeys: aList(
    anObject({
      ...aKey,
      purpose: aWordOf<Exclude<KeyPurpose, 'seal'>>(
        'lookup: equal cards are recognised by it. links: of payers, made by it. marks: of keys that merchants choose. records: signs what gives power.',
      ),
      state: aWord(['current', 'coming', 'old'], 'All nodes learn a key that is coming before it is used.'),
      neededUntil: orNull(aMoment('When it is removed, where that is known.')),
    }),
  ),
});

export const showVault = defineReading({
  name: 'showVault',
  command: 'vault status',
  summary: 'show all keys, how old they are, and how many values are sealed under each',
  given: {},
  answer: vaultView,
  run: (_, parts) => lookAt(parts),
  show: vaultStatus,
});

export const rotateDataKey = defineVerb({
  name: 'rotateDataKey',
  summary: 'make a new data key; whoever runs the rotation seals everything anew under it',
  role: 'administrator',
  conduct: 'outside',
  given: {},
  answer: vaultView,
  run: async (_, { rotation, ...parts }) => {
    if (rotation.isUnderWay) {
      throw new InvalidInput('a rotation is under way; "tender vault status" shows how far it is');
    }
    await tellingHolder(() => rotation.begin());
    return lookAt(parts);
  },
  show: vaultStatus,
});

export const rotateKeyEncryptionKey = defineVerb({
  name: 'rotateKeyEncryptionKey',
  summary: 'make a new key-encryption key and wrap the data keys under it',
  role: 'administrator',
  conduct: 'outside',
  given: {},
  answer: anObject({ kekId: told(aText()) }),
  run: async (_, { vault }) => ({ kekId: await tellingHolder(() => vault.rotateKek()) }),
  show: ({ kekId }) =>
    [
      `The data keys are wrapped under ${kekId} now. Older keys stay: backups need them.`,
      ...(isBehindCommand(kekId) ? [] : ['Gateways that have a copy of the key file need the new one.']),
    ].join('\n'),
});

export const retireKeyEncryptionKey = defineVerb({
  name: 'retireKeyEncryptionKey',
  summary: 'destroy an old key-encryption key that no data key is wrapped under any more',
  role: 'administrator',
  conduct: 'outside',
  command: 'vault retire',
  example: 'vault retire kek-0123456789ab',
  given: {
    kekId: mustGive(nameOf('the id of a key-encryption key'), 'the key, as "tender vault rotate --kek" named it', {
      as: '<kek>',
      told: 'key',
    }),
  },
  answer: anObject({ kekId: told(aText()) }),
  run: async ({ kekId }, { vault }) => {
    try {
      await vault.retireKek(kekId);
    } catch (error) {
      if (error instanceof KekInUse) throw new InvalidInput(inUse(kekId, error.dataKeys));
      if (error instanceof KeyHolderError) throw new InvalidInput(error.message);
      throw error;
    }
    return { kekId };
  },
  show: ({ kekId }) =>
    [
      `${kekId} is gone. Backups and exports whose data keys are wrapped under it do not open any more.`,
      ...(isBehindCommand(kekId) ? [] : ['Remove it from copies of the key file too.']),
    ].join('\n'),
});

function inUse(kekId: string, dataKeys: number): string {
  return `${dataKeys} data keys are wrapped under ${kekId}; "tender vault rotate --kek" wraps them under a new key first`;
}

export const rotateLookupKey = defineVerb({
  name: 'rotateLookupKey',
  summary:
    'make a new key by which equal cards are recognised; cards are known by both until all are under the new one',
  role: 'administrator',
  conduct: 'outside',
  given: {},
  answer: vaultView,
  run: (_, parts) => beginDigests('lookup', parts),
  show: vaultStatus,
});

export const rotateLinksKey = defineVerb({
  name: 'rotateLinksKey',
  summary: 'make a new key for the links of payers; those that were made before stay valid until their end',
  role: 'administrator',
  conduct: 'outside',
  given: {},
  answer: vaultView,
  run: (_, parts) => beginDigests('links', parts),
  show: vaultStatus,
});

async function beginDigests(
  purpose: 'lookup' | 'links',
  { digestRotation, ...parts }: Parts<'dataKeyUse' | 'digestRotation' | 'vault'>,
) {
  if (digestRotation.isUnderWay) {
    throw new InvalidInput(
      'a change of the lookup key or of the key for links is under way; "tender vault status" shows how far it is',
    );
  }
  await tellingHolder(() => digestRotation.begin(purpose));
  return lookAt(parts);
}

async function lookAt({ dataKeyUse, vault }: Parts<'dataKeyUse' | 'vault'>): Promise<RawAnswer<typeof vaultView>> {
  const keys = await dataKeyUse();
  const digestKeys = keys.filter(isNoSeal);
  return {
    dataKeys: keys.filter(({ purpose }) => purpose === 'seal'),
    currentDataKeyId: vault.currentDataKeyId,
    digestKeys: digestKeys.map((key) => ({ ...key, state: stateAmong(digestKeys, key) })),
  };
}

function isNoSeal(key: DataKeyUse): key is DataKeyUse & { readonly purpose: Exclude<KeyPurpose, 'seal'> } {
  return key.purpose !== 'seal';
}

/** Numbers grow away from zero with every key of a purpose. */
function stateAmong(keys: readonly DataKeyUse[], key: DataKeyUse): 'current' | 'coming' | 'old' {
  if (isComing(key)) return 'coming';
  const isOlder = keys.some(
    (one) => one.purpose === key.purpose && !isComing(one) && Math.abs(one.dataKeyId) > Math.abs(key.dataKeyId),
  );
  return isOlder ? 'old' : 'current';
}

function isComing({ inUse, neededUntil }: DataKeyUse): boolean {
  return inUse === false && neededUntil === undefined;
}

export function vaultStatus({ currentDataKeyId, dataKeys, digestKeys }: Answered<typeof vaultView>): string {
  const sealing = dataKeys.map((key) => {
    const state = key.dataKeyId === currentDataKeyId ? 'current' : 'old';
    return { ...key, purpose: 'seal', state, values: String(key.values) };
  });
  const rows = [...sealing, ...digestKeys.map((key) => ({ ...key, values: '' }))].map(
    ({ dataKeyId, purpose, state, values, createdAt, kekId }) => [
      String(dataKeyId),
      purpose,
      state,
      values,
      createdAt.slice(0, 10),
      kekId,
    ],
  );
  const underWay =
    dataKeys.length > 1 ? ['', 'Values are being sealed anew; the old keys are removed when nothing needs them.'] : [];
  return [textTable(['KEY', 'FOR', 'STATE', 'VALUES', 'SINCE', 'WRAPPED UNDER'], rows), ...underWay].join('\n');
}
