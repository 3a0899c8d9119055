// The audit chain, as an administrator reads it.

import { id, instant, line } from '../../domain/input-kinds.ts';
import { type Answered, aList, aMoment, aNumber, anObject, anything, aText, orNull } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { minute, textTable } from '../verb/table.ts';
import { defineVerb } from '../verb/verb.ts';

const LIST_LIMIT = 100;

/** So many entries are looked through for one page: what is looked for may be rare, and the chain long. */
const LOOKED_THROUGH = 20_000;

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
  next: orNull(aNumber('Before this one the next page begins; null at the end of the chain.')),
});

export const listAudit = defineVerb({
  name: 'listAudit',
  command: 'audit list',
  role: 'administrator',
  conduct: 'read',
  summary: 'list the entries of the audit chain, the newest first, 100 at a time',
  example: 'tender audit list',
  given: {
    before: mayGive(id, 'only those before this one', { as: '--before <number>' }),
    who: mayGive(line(100), 'only those of this person', { as: '--who <name>' }),
    action: mayGive(line(100), 'only those of this verb, such as setMerchant', { as: '--action <verb>' }),
    since: mayGive(instant, 'only those from then on', { as: '--since <moment>' }),
    until: mayGive(instant, 'only those until then', { as: '--until <moment>' }),
  },
  answer: auditView,
  run: async ({ before, ...wanted }, { audit }) => {
    const { seq, hash } = await audit.head();
    const from = before ?? seq + 1;
    const entries = await audit.search({ ...wanted, before: from, limit: LIST_LIMIT, among: LOOKED_THROUGH });
    const read = entries.map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
    // A page that is not full has looked through all it was let look through.
    const last = entries.length === LIST_LIMIT ? (entries.at(-1)?.seq ?? 0) : Math.max(0, from - LOOKED_THROUGH);
    return { head: `${seq}:${hash}`, entries: read, next: last > 1 ? last : undefined };
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

function listed({ head, entries, next }: Answered<typeof auditView>): string {
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
    ...(next === null ? [] : ['', `There may be more: the same command goes on with --before ${next}`]),
    '',
    `Head ${head}`,
    'Keep it somewhere else: "tender verify --audit-head <head>" then shows whether anything up to it was changed or cut off.',
  ].join('\n');
}
