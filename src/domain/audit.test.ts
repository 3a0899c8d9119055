import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEntry, BEFORE_ALL, breakAt, hashOf, nextEntry } from './audit.ts';

function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let index = 0; index < length; index++) {
    const note = { who: 'ann', action: 'setMerchant', subject: `merchant m${index}`, details: `{"n":${index}}` };
    entries.push(nextEntry(entries.at(-1) ?? BEFORE_ALL, note, 1_000 * index));
  }
  return entries;
}

function breaks(entries: readonly AuditEntry[]): string[] {
  const found: string[] = [];
  let head = BEFORE_ALL;
  for (const entry of entries) {
    const wrong = breakAt(head, entry);
    if (wrong !== undefined) found.push(wrong);
    head = entry;
  }
  return found;
}

describe('the audit chain', () => {
  it('holds as it was written', () => expect(breaks(chain(20))).toEqual([]));

  it('tells two notes apart whose values are the same text when joined', () => {
    const [a] = chain(1) as [AuditEntry];
    expect(hashOf({ ...a, who: 'ann b', action: 'c' })).not.toBe(hashOf({ ...a, who: 'ann', action: 'b c' }));
  });

  it.each([
    { seq: 2 },
    { at: 1 },
    { who: 'bob' },
    { action: 'x' },
    { subject: 'x' },
    { details: '{}' },
    { previous: 'f'.repeat(64) },
  ])('hashes every value: %j is another entry', (change) => {
    const [a] = chain(1) as [AuditEntry];
    expect(hashOf({ ...a, ...change })).not.toBe(a.hash);
  });

  it('shows an entry that is missing', () => {
    expect(breaks(chain(5).filter(({ seq }) => seq !== 3))).toEqual(['entry 3 is missing']);
    expect(breaks(chain(6).filter(({ seq }) => seq < 3 || seq > 4))).toEqual(['entries 3 to 4 are missing']);
  });

  it('shows an entry that comes a second time', () => {
    const [first, second, third] = chain(3) as [AuditEntry, AuditEntry, AuditEntry];
    expect(breaks([first, second, third, second])).toEqual(['entry 2 comes out of its order']);
  });

  it('shows an entry that was changed, and one whose hash was made anew', () => {
    const entries = chain(3);
    const changed = { ...(entries[1] as AuditEntry), who: 'nobody' };
    expect(breaks([entries[0]!, changed, entries[2]!])).toEqual([
      'entry 2 was changed: its hash is that of something else',
    ]);
    const covered = { ...changed, hash: hashOf(changed) };
    expect(breaks([entries[0]!, covered, entries[2]!])).toEqual(['entry 3 does not follow the one before it']);
  });

  it('shows whatever one removes, changes or moves, unless it is the end that is cut off', () => {
    const field = fc.constantFrom('who', 'action', 'subject', 'details', 'at' as const);
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.nat(), fc.nat(), field, (length, a, b, name) => {
        const entries = chain(length);
        const [from, to] = [a % (length - 1), b % length];
        const removed = entries.filter((_, index) => index !== from);
        expect(breaks(removed)).not.toEqual([]);
        const changed = entries.map((entry, index) =>
          index === from ? { ...entry, [name]: name === 'at' ? entry.at + 1 : `${entry[name]}.` } : entry,
        );
        expect(breaks(changed)).not.toEqual([]);
        if (from === to) return;
        const moved = [...entries];
        [moved[from], moved[to]] = [moved[to]!, moved[from]!];
        expect(breaks(moved)).not.toEqual([]);
      }),
    );
  });
});
