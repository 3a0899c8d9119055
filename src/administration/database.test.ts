import { describe, expect, it } from 'vitest';
import { copyDatabase } from './database.ts';
import type { VerbParts } from './parts.ts';
import { readInputs } from './verb/inputs.ts';

describe('a copy of the database', () => {
  const made: string[] = [];
  const partsWith = (copyDatabase: VerbParts['copyDatabase']) => ({ copyDatabase }) as VerbParts;
  const parts = partsWith(async (name: string) => void made.push(name));
  const copy = async (name: unknown) => copyDatabase.run(readInputs(copyDatabase.given, { name }), parts);

  it('is made under the name of the process that asks', async () => {
    expect(await copy('export-123')).toEqual({ name: 'export-123' });
    expect(made).toEqual(['export-123']);
  });

  it.each(['', '..', '../export-1', 'export-1/..', 'export-', 'database', 'export-12345678901', 7, undefined])(
    'is not made under %j, which could be anywhere',
    async (name) => {
      await expect(copy(name)).rejects.toThrow('a name such as export-123 is needed');
      expect(made).toHaveLength(1);
    },
  );

  it('cannot be had of a server', async () => {
    const run = copyDatabase.run({ name: 'export-1' }, partsWith(undefined));
    await expect(run).rejects.toThrow('this gateway runs on PostgreSQL');
  });
});
