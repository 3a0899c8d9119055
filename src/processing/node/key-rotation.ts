// Changes the vault's data key while payments go on: a new key becomes current, everything sealed under older ones is
// sealed anew in small batches, and the older ones are removed when nobody has sealed under them for the whole grace.
// A value that cannot be opened is reported and left as it is; a key that something is still sealed under stays.
// The keys themselves are all the state there is, so a rotation that was interrupted goes on with the next start.

import type { Clock } from '../../domain/clock.ts';
import type { Vault, Walk } from '../../vault/vault.ts';

/** A batch is one transaction, and payments are served between two of them. */
const BATCH = 50;
const PAUSE_MS = 20;

/** How often a node looks whether there is something to rotate, and how long it waits after a failure. */
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 60_000;

export type KeyRotationParts = {
  readonly clock: Clock;
  readonly vault: Vault;
  /** Longer than it takes any node to notice the new key and to commit what it has sealed under the old one. */
  readonly graceMs: number;
  /** Called once for each value that cannot be opened; `count` says how many they are by now. */
  readonly lost: (value: { readonly place: string; readonly error: unknown; readonly count: number }) => void;
};

/** How many values were resealed and how many cannot be opened; `waiting` for the grace period to end. */
export type RotationProgress = { readonly resealed: number; readonly lost: number; readonly waiting: boolean };

/** What a rotation has found so far; `lost` holds the places of values that cannot be opened. */
type Found = { resealed: number; readonly lost: Set<string> };

export class KeyRotation {
  readonly #parts: KeyRotationParts;
  /** The current key of the last rotation that ended, even if an old key had to stay. */
  #ended = 0;

  constructor(parts: KeyRotationParts) {
    this.#parts = parts;
  }

  get isUnderWay(): boolean {
    const { vault } = this.#parts;
    return vault.hasOldKeys && vault.currentDataKeyId !== this.#ended;
  }

  async begin(): Promise<number> {
    return this.#parts.vault.newDataKey();
  }

  /** Finishes every rotation that anybody begins, until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      if (!this.isUnderWay) continue;
      try {
        await this.finish(signal);
      } catch (error) {
        onError(error);
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  /**
   * Ends when no keys are left but the current one and those of values that cannot be opened. It ends early when the
   * signal is aborted or yet another key was made.
   */
  async finish(signal: AbortSignal, tell: (progress: RotationProgress) => void = () => {}): Promise<void> {
    const { clock, vault, graceMs } = this.#parts;
    const current = vault.currentDataKeyId;
    const goesOn = () => !signal.aborted && vault.currentDataKeyId === current;
    const found: Found = { resealed: 0, lost: new Set() };
    const told = (waiting: boolean) => tell({ resealed: found.resealed, lost: found.lost.size, waiting });
    const resealAll = async () => {
      const before = found.resealed;
      const next = this.#walk(found);
      while (goesOn() && (await next(BATCH)) > 0) {
        told(false);
        await clock.sleep(PAUSE_MS, signal);
      }
      return found.resealed - before;
    };
    await resealAll();
    while (goesOn()) {
      told(true);
      await clock.sleep(graceMs, signal);
      // A node that sealed under an old key may do so again, until a whole grace period has passed without it.
      if ((await resealAll()) > 0 || !goesOn()) continue;
      const kept = await vault.removeOldKeys();
      if (kept.length > 0 && found.lost.size === 0) continue;
      this.#ended = current;
      return;
    }
  }

  #walk(found: Found): Walk {
    const next = this.#parts.vault.walk((place, error) => {
      found.resealed -= 1;
      if (found.lost.has(place)) return;
      found.lost.add(place);
      this.#parts.lost({ place, error, count: found.lost.size });
    });
    return async (limit) => {
      const met = await next(limit);
      found.resealed += met;
      return met;
    };
  }
}
