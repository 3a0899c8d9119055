// Changes the keys of digests while payments go on: a new key is known to every node for a whole grace period before
// anything is made under it, so that no node ever meets a digest it cannot recognise. After a change of the lookup key
// fingerprints of card numbers are made anew. Older keys go when nothing that was made under them is looked for any
// more. The keys themselves are all the state there is, so a change that was interrupted goes on with the next start.

import type { Clock } from '../../domain/clock.ts';
import type { CardFingerprintStore } from '../../storage/cards/card-fingerprints.ts';
import type { Vault } from '../../vault/vault.ts';
import { fingerprintWalk } from '../cards/fingerprint-walk.ts';

const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 60_000;

/** Payments are served between two batches. */
const BATCH = 50;
const PAUSE_MS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * How long after a change of the lookup key a repeated request is recognised as one that was sent before the change.
 * After that its order id is refused as used, and nothing is charged twice.
 */
const REPEATS_KNOWN_MS = 400 * DAY_MS;

export type DigestKeyRotationParts = {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly fingerprints: CardFingerprintStore;
  /** Longer than it takes any node to notice a new key and to commit what it has made under the old one. */
  readonly graceMs: number;
  /** How long a link of a payer may be followed. */
  readonly linksLastMs: number;
};

export class DigestKeyRotation {
  readonly #parts: DigestKeyRotationParts;
  /** Keys that stay beyond their time, because something that cannot be made anew is still looked up by them. */
  readonly #kept = new Set<number>();

  constructor(parts: DigestKeyRotationParts) {
    this.#parts = parts;
  }

  get isUnderWay(): boolean {
    const { vault } = this.#parts;
    return vault.comingDigestKeys.length > 0 || vault.hasOldFingerprints;
  }

  async begin(purpose: 'lookup' | 'links'): Promise<void> {
    await this.#parts.vault.newDigestKey(purpose);
  }

  /** Finishes every change that anybody begins, until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, vault } = this.#parts;
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      try {
        if (this.isUnderWay) await this.finish(signal);
        for (const id of await vault.removeOverdueKeys(clock.now(), this.#kept)) this.#kept.add(id);
      } catch (error) {
        onError(error);
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  async finish(signal: AbortSignal, tell: (made: number) => void = () => {}): Promise<void> {
    const { clock, vault, graceMs, linksLastMs } = this.#parts;
    const coming = vault.comingDigestKeys;
    if (coming.length > 0) await clock.sleep(graceMs, signal);
    if (signal.aborted) return;
    for (const { dataKeyId, purpose } of coming) {
      // A node that has yet to learn that the new key is in use makes digests under the old one for a moment longer.
      const neededUntil = purpose === 'links' ? clock.now() + linksLastMs + graceMs : undefined;
      await vault.useDigestKey(dataKeyId, neededUntil);
    }
    if (vault.hasOldFingerprints) await this.#makeFingerprintsAnew(signal, tell);
  }

  /** Ends when a whole grace period has passed in which nobody made a fingerprint under an old key. */
  async #makeFingerprintsAnew(signal: AbortSignal, tell: (made: number) => void): Promise<void> {
    const { clock, vault, graceMs } = this.#parts;
    const current = vault.currentLookupKeyId;
    const goesOn = () => !signal.aborted && vault.currentLookupKeyId === current;
    await this.#walk(signal, tell);
    let made: number;
    do {
      await clock.sleep(graceMs, signal);
      made = await this.#walk(signal, tell);
    } while (goesOn() && made > 0);
    if (goesOn()) await vault.settleLookupKeys(clock.now() + REPEATS_KNOWN_MS);
  }

  /** Resolves with how many were made anew. */
  async #walk(signal: AbortSignal, tell: (made: number) => void): Promise<number> {
    const { clock, vault, fingerprints: store } = this.#parts;
    let count = 0;
    const made = () => {
      count += 1;
      tell(count);
    };
    const next = fingerprintWalk({ vault, store, made });
    while (!signal.aborted && (await next(BATCH)) > 0) await clock.sleep(PAUSE_MS, signal);
    return count;
  }
}
