// Which statements are about more than one shard, and all statements there are.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** They go over all shards on purpose: none is asked while a payment waits. */
export const OVER_ALL_SHARDS: Readonly<Record<string, RegExp>> = {
  'the console and its lists':
    /^(orders-by-|callbacks-by-|journal-by-|journal-strangers-|balances-(now|at)$|unfinished-|recurring-(list|key)$|timelines-(merchant|request)$|figures-)/,
  'verify and reconcile': /^(verification-|instructions-page$)/,
  'what is forgotten by age': /^(card-tries-since$|transactions-forget-|confirmations-forget-)/,
  'the start and the end of a node, and its figures':
    /^(transactions-(release|any-code)$|callbacks-(release|backlog)$|authentications-release$|due-moments-)/,
  'new keys for old values': /^(sealed-values-find-|card-fingerprints-(cards|attempts)$|clear-marks-)/,
  'keys that nothing is under any more': /^data-keys-(remove|remove-digest|count)$/,
  'terminals that are removed': /^terminals-under-way$/,
  'receipts of the first orders': /^receipts-find-order$/,
};

export const isOverAll = (name: string) => Object.values(OVER_ALL_SHARDS).some((names) => names.test(name));

/** Reads the modules of storage, whose statements are known afterwards. */
export async function readAllStatements(): Promise<void> {
  const folder = join(import.meta.dirname, '../../src/storage');
  const files = (await readdir(folder, { recursive: true })).filter((one) => one.endsWith('.ts'));
  const sources = files.filter((one) => !one.endsWith('.test.ts') && !one.includes('pglite-worker'));
  for (const one of sources) await import(pathToFileURL(join(folder, one)).href);
}
