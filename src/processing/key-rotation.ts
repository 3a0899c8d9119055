// Changes the vault's data key while payments go on: a new key becomes current, everything sealed under older ones is
// sealed anew in small batches, and the older ones are removed when surely nobody can seal under them any more.
// Which keys there are is all the state there is, so a rotation that was interrupted goes on with the next start.

import type { Clock } from '../domain/clock.ts';
import type { Vault } from '../vault/vault.ts';

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
};

/** `resealed` values so far; `waiting` for the grace period to end. */
export type Progress = { readonly resealed: number; readonly waiting: boolean };

export class KeyRotation {
  readonly #clock: Clock;
  readonly #vault: Vault;
  readonly #graceMs: number;

  constructor({ clock, vault, graceMs }: KeyRotationParts) {
    this.#clock = clock;
    this.#vault = vault;
    this.#graceMs = graceMs;
  }

  get isUnderWay(): boolean {
    return this.#vault.hasOldKeys;
  }

  async begin(): Promise<number> {
    return this.#vault.newDataKey();
  }

  /** Finishes every rotation that anybody begins, until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(LOOK_EVERY_MS, signal);
      if (!this.isUnderWay) continue;
      try {
        await this.finish(signal);
      } catch (error) {
        onError(error);
        await this.#clock.sleep(RETRY_MS, signal);
      }
    }
  }

  /** Ends when only the current key is left, or early when the signal is aborted or yet another key was made. */
  async finish(signal: AbortSignal, tell: (progress: Progress) => void = () => {}): Promise<void> {
    const current = this.#vault.currentDataKeyId;
    const graceEnds = this.#clock.now() + this.#graceMs;
    const goesOn = () => !signal.aborted && this.#vault.currentDataKeyId === current;
    let resealed = 0;
    const resealAll = async () => {
      while (goesOn()) {
        const changed = await this.#vault.reseal(BATCH);
        if (changed === 0) return;
        resealed += changed;
        tell({ resealed, waiting: false });
        await this.#clock.sleep(PAUSE_MS, signal);
      }
    };
    await resealAll();
    if (goesOn() && this.#clock.now() < graceEnds) {
      tell({ resealed, waiting: true });
      await this.#clock.sleep(graceEnds - this.#clock.now(), signal);
    }
    // What was sealed under an old key before its node knew the new one has been written by now.
    await resealAll();
    if (goesOn()) await this.#vault.removeOldKeys();
  }
}
