// Archives as the database lists them, held to the audit chain: each row says that a month is no longer here, and so
// excuses what is missing. It is only believed if the chain tells of its drop.

import type { AuditEntry } from '../../domain/audit.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { endOfArchive } from '../../domain/time/archivable-months.ts';
import type { ArchivedMonth } from '../../storage/history/archives.ts';
import type { Parts } from '../parts.ts';

const DROPPED = 'dropArchivedMonth';

/** More months than three tables have in a thousand years. */
const MOST_DROPS = 40_000;

type Oddity = { readonly place: string; readonly cause: string };

export async function archiveOddities(
  { archives, audit }: Parts<'archives' | 'audit'>,
  now: number,
): Promise<Oddity[]> {
  const listed = await archives.list();
  if (listed.length === 0) return [];
  // Read behind the rows: each was written with its entry.
  const before = (await audit.head()).seq + 1;
  const drops = await audit.search({ action: DROPPED, before, among: before, limit: MOST_DROPS });
  const told = new Set(drops.filter(({ action }) => action === DROPPED).map(textOfEntry));
  return listed.flatMap((archive) => {
    const { table, month, until } = archive;
    const place = `archive ${table} ${month}`;
    const causes = told.has(textOf(archive)) ? [] : ['has no entry in the audit chain that tells of it'];
    if (until !== endOfArchive(month)) causes.push(`says that it ends at ${new Date(until).toISOString()}`);
    else if (until > now) causes.push('is of a month that is not over');
    return causes.map((cause) => ({ place, cause }));
  });
}

/** What is said in the chain has passed the mask of card numbers, which may take digits of a hash for one. */
const textOf = ({ table, month, rows, sha256, file }: Omit<ArchivedMonth, 'until' | 'archivedAt'>) =>
  JSON.stringify([table, month, rows, maskCardNumbers(sha256), file]);

function textOfEntry({ details }: AuditEntry): string {
  // The chain's own entries are JSON; of another nothing is believed.
  try {
    return textOf(JSON.parse(details));
  } catch {
    return '';
  }
}
