import { expect, it } from 'vitest';
import type { ArchivedMonth } from '../../storage/history/archives.ts';
import type { VerbParts } from '../parts.ts';
import { auditNote } from '../verb/audit-note.ts';
import { archiveOddities } from './archive-checks.ts';
import { dropArchivedMonth } from './archives.ts';

const NOW = Date.UTC(2026, 10, 19);
const filed = { table: 'journal', month: '2026-05', rows: 3, digest: '7', file: 'tender-journal-2026-05.gz' } as const;

/** A row of archives, and what the audit chain tells when the local door wrote it. */
const odditiesOf = (sha256: string, changes: Partial<ArchivedMonth> = {}, action = 'dropArchivedMonth') => {
  const { digest: _, ...row } = { ...filed, sha256, until: Date.UTC(2026, 5), archivedAt: NOW };
  const entry = { ...auditNote(dropArchivedMonth, { ...filed, sha256 }, 'somebody', { month: filed.month }), action };
  const parts = {
    archives: { list: async () => [{ ...row, ...changes }] },
    audit: { head: async () => ({ seq: 1, hash: '' }), search: async () => [entry] },
  } as unknown as VerbParts;
  return archiveOddities(parts, NOW);
};

const PLAIN = 'ab'.repeat(32);
/** Has digits that look like a card number, which the chain masks. */
const CARDLIKE = `4111111111111111${'ab'.repeat(24)}`;

it.each([PLAIN, CARDLIKE])('an archive that the chain tells of is believed: %s', async (sha256) => {
  expect(await odditiesOf(sha256)).toEqual([]);
});

it('one that the chain tells nothing of, or something else, or only that it failed, is not', async () => {
  const untold = { place: 'archive journal 2026-05', cause: 'has no entry in the audit chain that tells of it' };
  expect(await odditiesOf(PLAIN, { rows: 4 })).toEqual([untold]);
  expect(await odditiesOf(PLAIN, { sha256: 'ba'.repeat(32) })).toEqual([untold]);
  expect(await odditiesOf(PLAIN, {}, 'dropArchivedMonth failed')).toEqual([untold]);
});
