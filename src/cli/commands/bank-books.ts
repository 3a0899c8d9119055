// The books of the simulated bank, oldest entry first: of one that has an address, or of the one a running gateway pays
// with.

import { type BookEntry, readBookEntry, readBooks } from '../../acquirers/index.ts';
import type { Administrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';

export async function* booksAt(url: string): AsyncGenerator<BookEntry> {
  try {
    yield* readBooks(url);
  } catch (cause) {
    noBankAt(url, cause);
  }
}

export async function* booksOf({ ask }: Administrator): AsyncGenerator<BookEntry> {
  for (let from: number | null = 0; from !== null; ) {
    const part: { lines: readonly string[]; next: number | null } = await ask('readBankJournal', { from });
    for (const line of part.lines) yield readBookEntry(line);
    from = part.next;
  }
}

export function noBankAt(url: string, cause: unknown): never {
  throw new Complaint(`there is no bank at ${url}; name its address with --url`, { exit: 'unreachable', cause });
}
