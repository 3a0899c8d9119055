// The control formula joins values without separators, so one digest can fit two requests; only the first may use it.
// Orders keep the digest that made them; for every other operation the first reading is remembered here, for all nodes.

import type { Clock } from '../../domain/clock.ts';
import { GroupCommit } from '../../storage/group-commit.ts';
import type { ControlMemory } from '../../storage/store.ts';

/** Readings this process keeps at hand, so that polling an order does not ask the database again. */
const CACHE_SIZE = 50_000;
const MAX_BATCH = 256;

type Waiting = {
  readonly merchantId: number;
  readonly digest: Buffer;
  readonly reading: Buffer;
  readonly at: number;
  resolve(first: Buffer): void;
  reject(error: unknown): void;
};

export class ControlReadings {
  readonly #clock: Clock;
  readonly #cache = new Map<string, Buffer>();
  readonly #commits: GroupCommit<Waiting>;

  constructor(memory: ControlMemory, clock: Clock) {
    this.#clock = clock;
    this.#commits = new GroupCommit((items) => flush(memory, items), { lanes: 1, maxBatch: MAX_BATCH, clock });
  }

  /** Whether the digest was not used for another reading before. */
  async accepts(merchantId: number, digest: Buffer, reading: Buffer): Promise<boolean> {
    const mark = `${merchantId} ${digest.toString('latin1')}`;
    const known = this.#cache.get(mark) ?? (await this.#remember(merchantId, digest, reading));
    this.#keep(mark, known);
    return known.equals(reading);
  }

  #remember(merchantId: number, digest: Buffer, reading: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#commits.add({ merchantId, digest, reading, at: this.#clock.now(), resolve, reject }, 0);
    });
  }

  #keep(mark: string, reading: Buffer): void {
    this.#cache.delete(mark);
    this.#cache.set(mark, reading);
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as string);
  }
}

async function flush(memory: ControlMemory, items: Waiting[]): Promise<void> {
  try {
    const first = await memory.remember(items);
    items.forEach((item, index) => {
      item.resolve(first[index] as Buffer);
    });
  } catch (error) {
    for (const item of items) item.reject(error);
  }
}
