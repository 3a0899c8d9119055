// Keys and nonces that merchants choose may be anything, also card numbers. They are compared and never read again, so
// they are kept only as digests under a key of the vault that never changes: nobody can find a number in them by trial.

import type { ClearMark, ClearMarkStore } from '../../storage/requests/clear-marks.ts';
import type { NonceStore } from '../../storage/requests/oauth-nonces.ts';
import type { Vault } from '../../vault/vault.ts';

type Digests = Pick<Vault, 'requestMark'>;

/** What is stored of an idempotency key. */
export type KeyMark = (merchantId: number, key: string) => string;

export function keyMarks(vault: Digests): KeyMark {
  return (merchantId, key) => markOf(vault, 'key', merchantId, key);
}

/** The same store, which keeps digests of the nonces it is given. */
export function digestedNonces(store: NonceStore, vault: Digests): NonceStore {
  return {
    ...store,
    take: (nonces) =>
      store.take(nonces.map((one) => ({ ...one, nonce: markOf(vault, 'nonce', one.merchantId, one.nonce) }))),
  };
}

function markOf(vault: Digests, kind: ClearMark['kind'], merchantId: number, text: string): string {
  return vault.requestMark([`mark/${kind}`, String(merchantId), text]).toString('base64url');
}

/** Digests what an earlier version has left in clear. It must end before requests are taken, or repeats would pass. */
export async function digestClearMarks(store: ClearMarkStore, vault: Digests): Promise<void> {
  for (;;) {
    const clear = await store.find();
    if (clear.length === 0) return;
    await store.replace(clear.map((one) => ({ ...one, digest: markOf(vault, one.kind, one.merchantId, one.text) })));
  }
}
