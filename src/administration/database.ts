// A running gateway's embedded database, which nobody else can open: a copy of it for an export to be made from.

import { formed } from '../domain/input-kinds.ts';
import { anObject, aText, told } from './verb/answers.ts';
import { mustGive } from './verb/inputs.ts';
import { InvalidInput } from './verb/invalid-input.ts';
import { defineVerb } from './verb/verb.ts';

/** Beside the database in the data folder, named after the process that will remove it. */
const copyName = formed(/^export-\d{1,10}$/, 'a name such as export-123');

export const copyDatabase = defineVerb({
  name: 'copyDatabase',
  summary: "copy the embedded database's files into the data folder",
  role: 'administrator',
  conduct: 'outside',
  given: { name: mustGive(copyName, 'the name of the copy, which whoever asks removes', { told: true }) },
  answer: anObject({ name: told(aText()) }),
  run: async ({ name }, { copyDatabase }) => {
    if (!copyDatabase) {
      throw new InvalidInput('this gateway runs on PostgreSQL; name the database with --database-url or DATABASE_URL');
    }
    await copyDatabase(name);
    return { name };
  },
});
