// The vault's keys, as an administrator sees and changes them. No key is ever told.

import type { DataKeyUse } from '../storage/data-keys.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, Unfit } from './given.ts';

export type VaultView = {
  readonly currentDataKeyId: number;
  /** With more than one, values are being sealed anew under the current one. */
  readonly dataKeys: readonly DataKeyUse[];
};

export function vaultVerbs({ dataKeyUse, rotation, vault }: AdministrationParts) {
  const look = async (): Promise<VaultView> => ({
    dataKeys: await dataKeyUse(),
    currentDataKeyId: vault.currentDataKeyId,
  });
  return {
    async showVault(_given: Given): Promise<VaultView> {
      return look();
    },

    /** Makes a new data key; whoever runs the rotation seals everything anew under it. */
    async rotateDataKey(_given: Given): Promise<VaultView> {
      if (rotation.isUnderWay) throw new Unfit('a rotation is under way; "tender vault status" shows how far it is');
      await rotation.begin();
      return look();
    },

    async rotateKeyEncryptionKey(_given: Given): Promise<{ kekId: string }> {
      return { kekId: await vault.rotateKek() };
    },
  };
}
