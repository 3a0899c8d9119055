// A nonce is taken once, across all nodes. Waiting ones are written together; old ones are removed in the background,
// when no node could still accept their time.

import type { Clock } from '../../domain/clock.ts';
import { askTogether } from '../../storage/group-commit.ts';
import type { Nonce, NonceStore } from '../../storage/requests/oauth-nonces.ts';
import { forgetOld } from '../node/forgetting.ts';

/** How far a request's own time may be from ours. */
export const OAUTH_WINDOW_MS = 300_000;

/** Twice the window: nodes whose clocks differ by less than the window still refuse each other's nonces. */
const KEPT_MS = 2 * OAUTH_WINDOW_MS;
const FORGET_EVERY_MS = 60_000;
const FORGET_LIMIT = 5_000;
const MAX_BATCH = 256;

export class Nonces {
  readonly #store: NonceStore;
  readonly #clock: Clock;
  /** Whether the nonce is new. Check the signature before, or strangers could use up a merchant's nonces. */
  readonly take: (nonce: Nonce) => Promise<boolean>;

  constructor(store: NonceStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.take = askTogether((nonces) => store.take(nonces), { maxBatch: MAX_BATCH, clock });
  }

  /** Removes old nonces until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const forget = (before: number, limit: number) => this.#store.forget(before, limit);
    const old = { clock: this.#clock, keptMs: KEPT_MS, everyMs: FORGET_EVERY_MS, lot: FORGET_LIMIT, forget };
    await forgetOld(old, signal, onError);
  }
}
