// A running gateway's embedded database, which nobody else can open: a copy of it for an export to be made from.

import type { AdministrationParts } from './administration.ts';
import { type Given, shown, Unfit } from './given.ts';

/** Beside the database in the data folder, named after the process that will remove it. */
const COPY_NAME = /^export-\d{1,10}$/;

export function databaseVerbs({ copyDatabase }: Pick<AdministrationParts, 'copyDatabase'>) {
  return {
    async copyDatabase({ name }: Given): Promise<{ readonly name: string }> {
      if (!copyDatabase)
        throw new Unfit('this gateway runs on PostgreSQL; name the database with --database-url or DATABASE_URL');
      if (typeof name !== 'string' || !COPY_NAME.test(name)) {
        throw new Unfit(`name: a name such as export-123 is needed, not ${shown(name)}`);
      }
      await copyDatabase(name);
      return { name };
    },
  };
}
