// Heads of the audit chain that are kept elsewhere: how one is written, found again in whatever was written around it,
// and held against the chain. Whoever writes the chain anew, or cuts it off, would have to change those, too.

import type { AuditHead } from './audit.ts';

export type SentHead = AuditHead & { readonly at: number };

const HEAD = /(?<![\w:])(\d{1,15}):([0-9a-f]{64})(?![\w:])/g;

/** `42:9f86…`, as commands take it. */
export function headText({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`;
}

/** Every head in a text: a file of heads, or the log of a machine that gets them. */
export function headsIn(text: string): AuditHead[] {
  return [...text.matchAll(HEAD)].map(([, seq, hash]) => ({ seq: Number(seq), hash: hash ?? '' }));
}

/** What the kept heads say against the chain, given the hashes of its entries by their number. */
export function headFindings(kept: readonly AuditHead[], hashes: ReadonlyMap<number, string>): string[] {
  const last = Math.max(0, ...hashes.keys());
  const found = kept.flatMap(({ seq, hash }) => {
    // The chain before its first entry.
    if (seq === 0) return [];
    const is = hashes.get(seq);
    if (is === hash) return [];
    if (is !== undefined) return [`entry ${seq} is another one than the one whose hash was kept`];
    return seq > last
      ? [`entry ${seq} was there when its hash was kept; the chain ends with entry ${last}`]
      : [`entry ${seq} was there when its hash was kept, and is missing`];
  });
  return [...new Set(found)];
}
