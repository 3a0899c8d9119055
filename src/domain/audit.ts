// The audit chain: every entry is hashed together with the hash of the one before it. Whoever keeps one hash can tell
// whether anything up to that entry was removed, changed or moved since.

import { createHash } from 'node:crypto';

/** What the audit trail says about one action. */
export type AuditNote = {
  /** The person, as far as the machine knows, and the way they came. */
  readonly who: string;
  readonly action: string;
  /** What it was done to: `merchant shop`, `order 1234 transaction 2`. */
  readonly subject: string;
  /** JSON, without secrets. */
  readonly details: string;
};

export type AuditEntry = AuditNote & {
  /** 1, 2, 3 … */
  readonly seq: number;
  readonly at: number;
  /** Hexadecimal digits, as is `hash`. */
  readonly previous: string;
  readonly hash: string;
};

/** The number and the hash of an entry: enough to check every entry before it. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'hash'>;

/** The head of an empty chain, which the first entry follows. */
export const BEFORE_ALL: AuditHead = { seq: 0, hash: '0'.repeat(64) };

export function nextEntry(head: AuditHead, note: AuditNote, at: number): AuditEntry {
  const unhashed = { seq: head.seq + 1, at, ...note, previous: head.hash };
  return { ...unhashed, hash: hashOf(unhashed) };
}

export function hashOf({ seq, at, who, action, subject, details, previous }: Omit<AuditEntry, 'hash'>): string {
  // JSON keeps two different lists of values from becoming the same text.
  const text = JSON.stringify([seq, new Date(at).toISOString(), who, action, subject, details, previous]);
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** What is wrong with an entry that is found after `head`, in words; undefined when the chain holds. */
export function breakAt(head: AuditHead, entry: AuditEntry): string | undefined {
  const expected = head.seq + 1;
  if (entry.seq > expected) {
    const gone = entry.seq === expected + 1 ? `entry ${expected} is` : `entries ${expected} to ${entry.seq - 1} are`;
    return `${gone} missing`;
  }
  if (entry.seq < expected) return `entry ${entry.seq} comes out of its order`;
  if (entry.hash !== hashOf(entry)) return `entry ${entry.seq} was changed: its hash is that of something else`;
  if (entry.previous !== head.hash) return `entry ${entry.seq} does not follow the one before it`;
  return undefined;
}
