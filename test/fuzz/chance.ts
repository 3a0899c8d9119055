// Chance that a seed repeats, with the few questions that the generators ask it.

import { type Random, seeded } from '../crash/random.ts';

export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** Whether something of this probability happens. */
  happens(probability: number): boolean {
    return this.#random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  oneOf<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to choose from');
    return list[this.below(list.length)] as T;
  }

  /** A seed for somebody else's chance. */
  seed(): number {
    return this.below(2 ** 31);
  }
}
