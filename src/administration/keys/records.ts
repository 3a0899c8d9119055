// Records that give power, such as keys, endpoints, limits and terminals, carry MACs. Here an administrator sees what
// somebody else has written, accepts what is there, and changes the key of the MACs.

import { aList, aNumber, anObject, aText, told } from '../verb/answers.ts';
import { counted, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { tellingHolder } from './key-holder.ts';

const tamperedView = anObject({ place: aText('The table and the key of the row.'), cause: aText() });

export const listTampered = defineReading({
  name: 'listTampered',
  command: 'record list',
  summary: 'list the records that somebody else than the administration has written, changed or removed',
  example: 'tender record list',
  given: {},
  answer: aList(tamperedView),
  run: async (_, { records }) => (await records.look()).tampered,
  show: rowsOf(
    { RECORD: (one) => one.place, 'WHAT IS WRONG': (one) => one.cause },
    'Every record is as the administration wrote it.',
  ),
});

export const signRecords = defineVerb({
  name: 'signRecords',
  command: 'record sign',
  summary: 'accept every record as it is now, also what "record list" shows',
  example: 'tender record sign',
  role: 'administrator',
  conduct: 'change',
  given: {},
  answer: anObject({
    signed: told(aNumber()),
    accepted: told(aList(aText(), 'What was wrong, and counts from now on.')),
  }),
  run: async (_, { records }) => {
    const { tampered } = await records.look();
    return { accepted: tampered.map(({ place, cause }) => `${place} ${cause}`), signed: await records.signAll() };
  },
  show: ({ signed, accepted }) =>
    [
      ...accepted.map((one) => `Accepted: ${one}`),
      `Signed ${counted(signed, 'record')}. The audit chain holds what was accepted.`,
    ].join('\n'),
});

export const rotateRecordKey = defineVerb({
  name: 'rotateRecordKey',
  command: 'record rotate-key',
  summary: 'make a new key for the MACs of records, and sign all of them under it',
  example: 'tender record rotate-key',
  role: 'administrator',
  conduct: 'change',
  given: {},
  answer: anObject({ dataKeyId: told(aNumber()), signed: told(aNumber()) }),
  run: async (_, { records }) => tellingHolder(() => records.rotateKey()),
  show: ({ dataKeyId, signed }) =>
    `Signed ${counted(signed, 'record')} under the new key ${dataKeyId}. The old key counts for nothing any more.`,
});
