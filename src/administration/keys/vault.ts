// The vault's keys, as an administrator sees and changes them. No key is ever told.

import type { Parts } from '../parts.ts';
import { type Answered, aList, aNumber, anObject, aText, told } from '../verb/answers.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { textTable } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';

const vaultView = anObject({
  dataKeys: aList(
    anObject({
      dataKeyId: aNumber(),
      kekId: aText('The key it is wrapped under.'),
      values: aNumber('Sealed under it.'),
    }),
    'With more than one, values are being sealed anew under the current one.',
  ),
  currentDataKeyId: told(aNumber()),
});

export const showVault = defineReading({
  name: 'showVault',
  command: 'vault status',
  summary: 'show the data keys and how many values are sealed under each',
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
    await rotation.begin();
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
  run: async (_, { vault }) => ({ kekId: await vault.rotateKek() }),
  show: ({ kekId }) =>
    `The data keys are wrapped under ${kekId} now. Older keys stay in the key file: backups need them.\nGateways on other machines need the new file too.`,
});

async function lookAt({ dataKeyUse, vault }: Parts<'dataKeyUse' | 'vault'>): Promise<Answered<typeof vaultView>> {
  return { dataKeys: await dataKeyUse(), currentDataKeyId: vault.currentDataKeyId };
}

export function vaultStatus({ currentDataKeyId, dataKeys }: Answered<typeof vaultView>): string {
  const rows = dataKeys.map(({ dataKeyId, kekId, values }) => [
    String(dataKeyId),
    dataKeyId === currentDataKeyId ? 'current' : 'old',
    String(values),
    kekId,
  ]);
  const underWay =
    dataKeys.length > 1 ? ['', 'Values are being sealed anew; the old keys are removed when nothing needs them.'] : [];
  return [textTable(['DATA KEY', 'STATE', 'VALUES', 'WRAPPED UNDER'], rows), ...underWay].join('\n');
}
