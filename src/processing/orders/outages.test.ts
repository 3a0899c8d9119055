import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../storage/database.ts';
import { throughOutages } from './outages.ts';

/** How long a commit is repeated when each try takes this long to fail. */
async function repeatedFor(tryMs: number): Promise<{ tries: number; ms: number }> {
  let now = 0;
  let tries = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const unreachable = async () => {
    tries += 1;
    now += tryMs;
    throw new DatabaseError('cannot reach the database', { sqlState: '08001' });
  };
  await expect(throughOutages({ now: () => now, sleep }, unreachable)).rejects.toThrow('cannot reach');
  return { tries, ms: now };
}

describe('a commit is repeated while the database is away', () => {
  it('for ten seconds where connections are refused', async () => {
    expect(await repeatedFor(0)).toEqual({ tries: 40, ms: 9_750 });
  });

  it('not for minutes where nobody answers and each try takes its whole time', async () => {
    expect((await repeatedFor(10_000)).ms).toBeLessThan(60_000);
  });

  it('again after one that was lost in silence', async () => {
    expect((await repeatedFor(35_000)).tries).toBe(2);
  });

  it('and not when it fails for another reason', async () => {
    let tries = 0;
    const bad = async () => {
      tries += 1;
      throw new DatabaseError('a bad row', { sqlState: '23514' });
    };
    await expect(throughOutages({ now: () => 0, sleep: async () => {} }, bad)).rejects.toThrow('a bad row');
    expect(tries).toBe(1);
  });
});
