// The audit chain, as an administrator reads it.

import { id } from '../domain/input-kinds.ts';
import { type Answered, aList, aMoment, aNumber, anObject, anything, aText } from './verb/answers.ts';
import { mayGive } from './verb/inputs.ts';
import { minute, textTable } from './verb/table.ts';
import { defineVerb } from './verb/verb.ts';

const LIST_LIMIT = 100;

const auditView = anObject({
  head: aText('To be kept elsewhere: with it a chain that was cut off or written anew is found out.'),
  entries: aList(
    anObject({
      seq: aNumber(),
      at: aMoment(),
      who: aText(),
      action: aText(),
      subject: aText('What it was done to.'),
      details: anything('What may be told of what was given and answered.'),
      previous: aText('The hash of the entry before.'),
      hash: aText('Of this entry and the one before, SHA-256.'),
    }),
  ),
});

export const listAudit = defineVerb({
  name: 'listAudit',
  command: 'audit list',
  role: 'administrator',
  conduct: 'read',
  summary: 'list the entries of the audit chain, the newest first, 100 at a time',
  example: 'tender audit list',
  given: { before: mayGive(id, 'only those before this one', { as: '--before <number>' }) },
  answer: auditView,
  run: async ({ before }, { audit }) => {
    const entries = await audit.list({ before, limit: LIST_LIMIT });
    const { seq, hash } = await audit.head();
    const read = entries.map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
    return { head: `${seq}:${hash}`, entries: read };
  },
  show: listed,
});

const HASHES = 1_000;

export const listAuditHashes = defineVerb({
  name: 'listAuditHashes',
  role: 'administrator',
  conduct: 'read',
  summary: 'list numbers and hashes of the audit chain, the oldest first, 1000 at a time',
  given: { after: mayGive(id, 'only those after this one') },
  answer: aList(anObject({ seq: aNumber(), hash: aText() })),
  run: async ({ after = 0 }, { audit }) => audit.following(after, HASHES),
});

function listed({ head, entries }: Answered<typeof auditView>): string {
  const rows = entries.map(({ seq, at, who, action, subject, details }) => [
    String(seq),
    minute(at),
    who,
    action,
    subject,
    JSON.stringify(details),
  ]);
  return [
    entries.length === 0
      ? 'There are no such entries.'
      : textTable(['NUMBER', 'AT', 'WHO', 'ACTION', 'SUBJECT', 'DETAILS'], rows),
    '',
    `Head ${head}`,
    'Keep it somewhere else: "tender verify --audit-head <head>" then shows whether anything up to it was changed or cut off.',
  ].join('\n');
}
