// Months of what only grows that lie in files: which there are, and how one leaves the database for its file.

import { line, wholeNumber, word } from '../../domain/input-kinds.ts';
import { aList, aMoment, aNumber, anObject, aText } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, textTable } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';

const TABLES = ['journal', 'order_events', 'callback_attempts'] as const;

const archiveView = anObject({
  table: aText('journal, order_events or callback_attempts.'),
  month: aText('Such as 2026-05, or before-2026-06.'),
  until: aMoment('Its rows are from before this moment.'),
  rows: aNumber(),
  sha256: aText('Of its lines, as the end of the file says it.'),
  file: aText('Its name, without the folder.'),
  archivedAt: aMoment(),
});

export const listArchives = defineReading({
  name: 'listArchives',
  command: 'archive list',
  summary: 'list the months that were archived, the oldest first',
  example: 'tender archive list',
  given: {},
  answer: aList(archiveView),
  run: (_, { archives }) => archives.list(),
  show: (all) =>
    all.length === 0
      ? 'Nothing was archived.'
      : textTable(
          ['TABLE', 'MONTH', 'ROWS', 'FILE', 'ARCHIVED', 'SHA-256'],
          all.map((one) => [one.table, one.month, String(one.rows), one.file, minute(one.archivedAt), one.sha256]),
        ),
});

/** Why it stays is for whoever asked. */
function refusing(error: Error): never {
  throw error.name === 'NotArchived' ? new InvalidInput(error.message) : error;
}

/** Of a running embedded database, which nobody else can open: "tender archive make" has written the file. */
export const dropArchivedMonth = defineVerb({
  name: 'dropArchivedMonth',
  summary: 'drop a month whose rows lie in a file that was just written',
  role: 'administrator',
  conduct: 'change',
  localOnly: true,
  given: {
    table: mustGive(word(TABLES), 'the table', { told: true }),
    month: mustGive(line(20), 'the month', { told: true }),
    rows: mustGive(wholeNumber(0, Number.MAX_SAFE_INTEGER), 'how many rows the file has', { told: true }),
    digest: mustGive(line(60), 'what the rows come to in the database'),
    sha256: mustGive(line(64), 'what the end of the file says', { told: true }),
    file: mustGive(line(255), 'its name', { told: true }),
  },
  answer: anObject({ month: aText() }),
  run: async (filed, { archives, clock }) => {
    await archives.drop(filed, clock.now()).catch(refusing);
    return { month: filed.month };
  },
});
