import { describe, expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import type { ScreeningStore } from '../../storage/screening.ts';
import type { Vault } from '../../vault/vault.ts';
import type { MaterialsStore } from '../orders/materials.ts';
import { Screening } from './screening.ts';

describe('an order that limits may stop', () => {
  it('finds what it counts although it is written minutes late', async () => {
    const now = Date.UTC(2026, 5, 1);
    const stopping = new AbortController();
    const clock: Clock = { now: () => now, sleep: async () => stopping.abort() };
    /** Marks are removed that counted until these moments. */
    const forgotten: number[] = [];
    const store: ScreeningStore = {
      async forget(before) {
        forgotten.push(before);
        return 0;
      },
    };
    const nothing = { vault: {} as Vault, materials: {} as MaterialsStore };
    await new Screening({ store, clock, ...nothing }).run(stopping.signal, () => {});
    expect(forgotten).toEqual([now - 10 * 60_000]);
  });
});
