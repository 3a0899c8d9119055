import { describe, expect, it } from 'vitest';
import { knownSenders } from './known-senders.ts';

const SHA1 = 'ab'.repeat(20);
const SHA256 = 'cd'.repeat(32);
const SUBJECT = 'CN=ds.example.com,O=Example';

describe('who sends results', () => {
  const isKnown = knownSenders([SUBJECT, SHA1.toUpperCase(), SHA256.replace(/..(?=.)/g, '$&:')]);

  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['the subject', SUBJECT, undefined, true],
    ['the subject with spaces around', ` ${SUBJECT} `, undefined, true],
    ['a part of the subject', 'CN=ds.example.com', undefined, false],
    ['more than the subject', `${SUBJECT},C=US`, undefined, false],
    ['the subject twice', `${SUBJECT}, ${SUBJECT}`, undefined, false],
    ['the subject in capitals', SUBJECT.toUpperCase(), undefined, false],
    ['SHA-1', undefined, SHA1, true],
    ['SHA-256', undefined, SHA256, true],
    ['SHA-256 with colons, in capitals', undefined, SHA256.toUpperCase().replace(/..(?=.)/g, '$&:'), true],
    ['another fingerprint', undefined, 'ef'.repeat(32), false],
    ['a fingerprint as a subject', SHA1, undefined, false],
    ['a subject as a fingerprint', undefined, SUBJECT, false],
    ['a subject and a foreign fingerprint', SUBJECT, 'ef'.repeat(32), true],
    ['nothing', undefined, undefined, false],
  ])('%s', (_, subject, fingerprint, expected) => {
    expect(isKnown({ subject, fingerprint })).toBe(expected);
  });

  it('nobody without a certificate, and nobody at all where the list is empty', () => {
    expect(isKnown(undefined)).toBe(false);
    expect(knownSenders([])({ subject: '', fingerprint: '' })).toBe(false);
  });
});
