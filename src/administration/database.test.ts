import { describe, expect, it } from 'vitest';
import { databaseVerbs } from './database.ts';

describe('a copy of the database', () => {
  const made: string[] = [];
  const verbs = databaseVerbs({ copyDatabase: async (name) => void made.push(name) });

  it('is made under the name of the process that asks', async () => {
    expect(await verbs.copyDatabase({ name: 'export-123' })).toEqual({ name: 'export-123' });
    expect(made).toEqual(['export-123']);
  });

  it.each(['', '..', '../export-1', 'export-1/..', 'export-', 'database', 'export-12345678901', 7, undefined])(
    'is not made under %j, which could be anywhere',
    async (name) => {
      await expect(verbs.copyDatabase({ name })).rejects.toThrow('a name such as export-123 is needed');
      expect(made).toHaveLength(1);
    },
  );

  it('cannot be had of a server', async () => {
    const { copyDatabase } = databaseVerbs({ copyDatabase: undefined });
    await expect(copyDatabase({ name: 'export-1' })).rejects.toThrow('this gateway runs on PostgreSQL');
  });
});
