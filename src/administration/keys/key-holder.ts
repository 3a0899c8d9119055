// Who holds the key-encryption keys may be away, or refuse. An operator who asked for a change of keys is told why, as
// at start: what the holder complains of holds no key.

import { KeyHolderError } from '../../vault/vault.ts';
import { OutOfReach } from '../verb/invalid-input.ts';

export async function tellingHolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof KeyHolderError ? new OutOfReach(error.message, { cause: error }) : error;
  }
}
