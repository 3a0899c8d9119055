// What tests leave in embedded databases: before a test removes its folder, the databases in it, with their write-ahead
// logs, are searched for the card numbers and codes that tests pay with, in every encoding, as the server of PostgreSQL
// is after all tests (scripts/scan-left-behind.mjs). It is done when all tests run, and streams are not decompressed:
// no database compresses what it writes in a way that a scan could open. Pages that are as in what gateways begin from
// (test/seeded.ts) were there before the test.

import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { PAID_WITH } from '../scripts/scan-left-behind.mjs';
import { PatternSearch } from '../src/scan/pattern-search.ts';
import { type Pattern, patternsFor, readWanted } from '../src/scan/wanted.ts';
import { seededFolder } from './seeded.ts';

const PAGE = 8_192;
const NOTHING = Buffer.alloc(PAGE);

type Search = { readonly patterns: readonly Pattern[]; readonly search: PatternSearch };
let prepared: Search | undefined;

/** Takes a while to make, so each process makes it once. */
function searchForPaid(): Search {
  if (!prepared) {
    const patterns = patternsFor(readWanted(PAID_WITH.join('\n')));
    prepared = { patterns, search: new PatternSearch(patterns.map(({ bytes }) => bytes)) };
  }
  return prepared;
}

/** Removes a folder; rejects, when all tests run, if a card number or code was in a database in it. */
export async function removeFolder(folder: string): Promise<void> {
  const found = process.env.TENDER_TEST_SCAN === undefined ? [] : await cardNumbersLeftIn(folder);
  await rm(folder, { recursive: true, force: true });
  if (found.length > 0) throw new Error(`card numbers were left behind: ${found.join('; ')}`);
}

/** Where a number or a code is, and in which encoding; never the number. */
export async function cardNumbersLeftIn(folder: string): Promise<string[]> {
  const { patterns, search } = searchForPaid();
  const found = new Set<string>();
  const seeded = seededFolder('pglite');
  for (const path of await databaseFiles(folder)) {
    const bytes = bytesOf(path);
    const where = relative(folder, path);
    const before = bytesOf(join(seeded, where));
    if (bytes.equals(before)) continue;
    for (const part of written(bytes, before)) {
      search.find(part, 0, (which) => {
        const { shown, encoding } = patterns[which] as Pattern;
        found.add(`${where}: ${shown}, ${encoding}`);
      });
    }
  }
  return [...found];
}

/** At once: there are hundreds of small files, and each would go to another thread and come back. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return NOTHING;
  }
}

/** A folder with this file is a database, and all that is below it belongs to it. */
const MARK = 'PG_VERSION';

async function databaseFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const roots = files.filter(({ name }) => name === MARK).map(({ parentPath }) => parentPath);
  const isWithin = (path: string) => roots.some((root) => path === root || path.startsWith(`${root}/`));
  return files.filter(({ parentPath }) => isWithin(parentPath)).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * The stretches in which something was written: most of a write-ahead log is still empty, and most tables are as they
 * were before. The pages beside one that was written belong to it: what is looked for may begin or end there.
 */
function* written(bytes: Buffer, before: Buffer): Generator<Buffer> {
  const isWritten = (at: number) => {
    const page = bytes.subarray(at, at + PAGE);
    const old = before.subarray(at, at + PAGE);
    return page.length > 0 && !page.equals(NOTHING.subarray(0, page.length)) && !page.equals(old);
  };
  let start: number | undefined;
  for (let at = 0; at < bytes.length; at += PAGE) {
    const belongs = isWritten(at) || (at > 0 && isWritten(at - PAGE)) || isWritten(at + PAGE);
    if (belongs) start ??= at;
    else if (start !== undefined) {
      yield bytes.subarray(start, at);
      start = undefined;
    }
  }
  if (start !== undefined) yield bytes.subarray(start);
}
