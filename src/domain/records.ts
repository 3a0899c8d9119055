// Records that give power carry a MAC: over the name of their table, their key and all they say. So a row that somebody
// wrote into the database, changed, copied or moved there is found out. The MACs of a table together carry one more,
// with a counter: so a row that is missing is missed, and an older state that was put back is an older one.

import { createHash } from 'node:crypto';

/** A row of a table: its key, and all it says as one text. */
export type RecordContent = { readonly key: string; readonly content: string };

/** What all MACs of a table together are signed with. */
export type RecordSet = { readonly counter: number; readonly dataKeyId: number; readonly mac: string };

/** A table as it was read. MACs are hexadecimal. */
export type RecordTable = {
  readonly table: string;
  readonly rows: readonly RecordContent[];
  /** By the key of the row. */
  readonly macs: ReadonlyMap<string, string>;
  readonly set: RecordSet | undefined;
};

/** What is wrong, and where. */
export type TamperedRecord = { readonly table: string; readonly place: string; readonly cause: string };

export type RecordJudgement = {
  /** The keys of rows that are as they were signed. */
  readonly good: ReadonlySet<string>;
  /** False when rows are missing or were put back: nobody can tell which. */
  readonly isWhole: boolean;
  readonly tampered: readonly TamperedRecord[];
};

/** Thrown when a change would be written over what somebody else has changed. */
export class TamperedRecords extends Error {
  override readonly name = 'TamperedRecords';
}

/** The MAC of a text in hexadecimal. */
export type RecordMac = (text: string) => string;

/** Between the columns of a key. No key has it in it, and if one had, the row's content tells them apart. */
export const KEY_SEPARATOR = '\u001f';

export function recordText(table: string, { key, content }: RecordContent): string {
  return JSON.stringify(['record', table, key, content]);
}

export function recordSetText(
  table: string,
  { counter, dataKeyId }: Pick<RecordSet, 'counter' | 'dataKeyId'>,
  macs: Iterable<string>,
): string {
  const sorted = [...macs].sort();
  const digest = createHash('sha256').update(sorted.join('\n')).digest('hex');
  return JSON.stringify(['set', table, counter, dataKeyId, sorted.length, digest]);
}

export function judgeRecords(read: RecordTable, mac: RecordMac | undefined): RecordJudgement {
  const { table, rows, macs, set } = read;
  const good = new Set<string>();
  const tampered: TamperedRecord[] = [];
  const tell = (key: string, cause: string) => tampered.push({ table, place: placeOf(table, key), cause });
  const keys = new Set<string>();
  for (const row of rows) {
    keys.add(row.key);
    const told = macs.get(row.key);
    if (told === undefined) tell(row.key, 'was not written by the administration: it has no MAC');
    else if (mac === undefined || told !== mac(recordText(table, row))) {
      tell(row.key, 'was changed by somebody else than the administration: its MAC is that of something else');
    } else good.add(row.key);
  }
  let isWhole = true;
  for (const key of macs.keys()) {
    if (keys.has(key)) continue;
    isWhole = false;
    tell(key, 'was removed by somebody else than the administration');
  }
  if (set === undefined || mac === undefined || set.mac !== mac(recordSetText(table, set, macs.values()))) {
    isWhole = false;
    tampered.push({
      table,
      place: `table ${table}`,
      cause: 'had rows removed or put back: its MACs are not the ones signed',
    });
  }
  return { good, isWhole, tampered };
}

/** A table whose counter was higher before: somebody has put an older state of it back. */
export function putBack(table: string, before: number | undefined, now: number | undefined): TamperedRecord[] {
  if (before === undefined || now === undefined || now >= before) return [];
  return [{ table, place: `table ${table}`, cause: 'is in an older state that somebody has put back' }];
}

/** `merchant_keys 1 demo-rsa` */
export function placeOf(table: string, key: string): string {
  return `${table} ${key.replaceAll(KEY_SEPARATOR, ' ')}`;
}

export type ChangedRecords = {
  readonly written: readonly RecordContent[];
  readonly removed: readonly string[];
};

/** What differs between two readings of a table. */
export function changedRecords(before: readonly RecordContent[], after: readonly RecordContent[]): ChangedRecords {
  const was = new Map(before.map(({ key, content }) => [key, content]));
  const is = new Set(after.map(({ key }) => key));
  return {
    written: after.filter(({ key, content }) => was.get(key) !== content),
    removed: before.filter(({ key }) => !is.has(key)).map(({ key }) => key),
  };
}
