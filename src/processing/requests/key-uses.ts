// With which keys the requests of merchants come, as far as this node has seen since it started: whoever changes a key
// wants to know whether the new one is in use. It is kept in memory only, so that it costs requests nothing.

import type { Clock } from '../../domain/clock.ts';

export type KeyUse = { readonly count: number; readonly lastAt: number };

/** What was seen, as it travels to another process. */
export type ToldUses = { readonly since: number; readonly uses: readonly (readonly [name: string, use: KeyUse])[] };

/** What whoever looks at keys asks for. */
export type SeenUses = Pick<KeyUses, 'of' | 'since'>;

/** More keys than merchants have; a bound all the same. */
const MAX_KEYS = 100_000;

export class KeyUses {
  readonly #clock: Clock;
  readonly #uses = new Map<string, KeyUse>();
  /** When this node began to count. */
  readonly since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.since = clock.now();
  }

  /** A request was signed rightly with this key. */
  used(merchantId: number, keyId: string): void {
    const name = nameOf(merchantId, keyId);
    const before = this.#uses.get(name);
    if (!before && this.#uses.size >= MAX_KEYS) return;
    this.#uses.set(name, { count: (before?.count ?? 0) + 1, lastAt: this.#clock.now() });
  }

  of(merchantId: number, keyId: string): KeyUse | undefined {
    return this.#uses.get(nameOf(merchantId, keyId));
  }

  told(): ToldUses {
    return { since: this.since, uses: [...this.#uses] };
  }
}

/** What several processes have seen together, since the last of them started. */
export function usesOfAll(told: readonly ToldUses[]): SeenUses {
  const all = new Map<string, KeyUse>();
  for (const [name, { count, lastAt }] of told.flatMap(({ uses }) => uses)) {
    const before = all.get(name) ?? { count: 0, lastAt };
    all.set(name, { count: before.count + count, lastAt: Math.max(before.lastAt, lastAt) });
  }
  return {
    since: Math.max(...told.map(({ since }) => since)),
    of: (merchantId, keyId) => all.get(nameOf(merchantId, keyId)),
  };
}

const nameOf = (merchantId: number, keyId: string) => `${merchantId} ${keyId}`;
