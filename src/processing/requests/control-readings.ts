// The control formula joins values without separators, so one digest can fit two requests; only the first may use it.
// Orders keep the digest that made them; for every other operation the first reading is remembered here, for all nodes.

import type { Clock } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { askTogether } from '../../storage/group-commit.ts';
import type { ControlMemory } from '../../storage/store.ts';

/** Readings this process keeps at hand, so that polling an order does not ask the database again. */
const CACHE_SIZE = 50_000;
const MAX_BATCH = 256;

type Reading = Parameters<ControlMemory['remember']>[0][number];

export class ControlReadings {
  readonly #clock: Clock;
  readonly #cache = new Map<string, Buffer>();
  /** Resolves with the first reading of the digest. */
  readonly #remember: (reading: Reading) => Promise<Buffer>;

  constructor(memory: ControlMemory, clock: Clock) {
    this.#clock = clock;
    this.#remember = askTogether((readings) => memory.remember(readings), { maxBatch: MAX_BATCH, clock });
  }

  /** Whether the digest was not used for another reading before. */
  async accepts(merchantId: number, digest: Buffer, reading: Buffer): Promise<boolean> {
    const mark = `${merchantId} ${digest.toString('latin1')}`;
    const at = this.#clock.now();
    const known = this.#cache.get(mark) ?? (await this.#remember({ merchantId, digest, reading, at }));
    this.#keep(mark, known);
    return known.equals(reading);
  }

  #keep(mark: string, reading: Buffer): void {
    this.#cache.delete(mark);
    this.#cache.set(mark, reading);
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(present(this.#cache.keys().next().value));
  }
}
