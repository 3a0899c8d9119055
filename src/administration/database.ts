// What only a running gateway can give of itself: a copy of its embedded database, which nobody else can open, and a
// snapshot of its memory. Whoever asks for one removes it, so only commands on this machine may: a token could fill the
// disk, and stop the gateway for some seconds again and again.

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
  localOnly: true,
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

const heapName = formed(/^heap-\d{1,10}$/, 'a name such as heap-123');

export const writeHeap = defineVerb({
  name: 'writeHeap',
  summary: "write a snapshot of the process's memory into the data folder; nothing is answered meanwhile",
  role: 'administrator',
  conduct: 'outside',
  localOnly: true,
  given: { name: mustGive(heapName, 'the name of the snapshot, which whoever asks removes', { told: true }) },
  answer: anObject({ name: told(aText()) }),
  run: async ({ name }, { writeHeap }) => {
    if (!writeHeap) throw new InvalidInput('no gateway runs whose memory could be looked at');
    await writeHeap(name);
    return { name };
  },
});
