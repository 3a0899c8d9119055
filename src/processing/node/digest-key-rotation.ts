// Changes the keys of digests while payments go on: a new key is known to every node for a whole grace period before
// anything is made under it, so that no node ever meets a digest it cannot recognise. Older keys go when nothing that
// was made under them is looked for any more. The keys themselves are all the state there is.

import type { Clock } from '../../domain/clock.ts';
import type { Vault } from '../../vault/vault.ts';

const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 60_000;

export type DigestKeyRotationParts = {
  readonly clock: Clock;
  readonly vault: Vault;
  /** Longer than it takes any node to notice a new key. */
  readonly graceMs: number;
  /** How long a link of a payer may be followed. */
  readonly linksLastMs: number;
};

export class DigestKeyRotation {
  readonly #parts: DigestKeyRotationParts;

  constructor(parts: DigestKeyRotationParts) {
    this.#parts = parts;
  }

  get isUnderWay(): boolean {
    return this.#parts.vault.comingDigestKeys.length > 0;
  }

  async begin(purpose: 'links'): Promise<void> {
    await this.#parts.vault.newDigestKey(purpose);
  }

  /** Finishes every change that anybody begins, until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, vault } = this.#parts;
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      try {
        if (this.isUnderWay) await this.finish(signal);
        await vault.removeOverdueKeys(clock.now());
      } catch (error) {
        onError(error);
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  async finish(signal: AbortSignal): Promise<void> {
    const { clock, vault, graceMs, linksLastMs } = this.#parts;
    const coming = vault.comingDigestKeys;
    await clock.sleep(graceMs, signal);
    if (signal.aborted) return;
    // A node that has yet to learn that the new key is in use makes digests under the old one for a moment longer.
    for (const { dataKeyId } of coming) {
      await vault.useDigestKey(dataKeyId, clock.now() + linksLastMs + graceMs);
    }
  }
}
