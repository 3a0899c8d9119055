import { expect, it } from 'vitest';
import { id, line } from '../../domain/input-kinds.ts';
import { aNumber, anObject, aText, orNull, told } from './answers.ts';
import { auditNote } from './audit-note.ts';
import { mayGive, mustGive } from './inputs.ts';
import { defineVerb } from './verb.ts';

const verb = defineVerb({
  name: 'addThing',
  summary: 'add a thing',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: mustGive(line(20), 'the merchant', { told: 'merchant' }),
    note: mayGive(line(200), 'why', { told: true }),
    secret: mayGive(line(200), 'never told'),
    count: mayGive(id, 'how many', { told: true }),
  },
  answer: anObject({
    key: orNull(anObject({ keyId: told(aText(), 'key'), controlKey: aText() })),
    state: told(aText()),
    size: aNumber(),
  }),
  run: async () => ({ key: null, state: 'new', size: 1 }),
});

const given = { login: 'shop', note: 'card 4111111111111111', secret: 'S3CRET' };

it('keeps only what the verb says may be told, with card numbers masked', () => {
  const answer = { key: { keyId: 'k-1', controlKey: 'S3CRET' }, state: 'new', size: 3, more: 'S3CRET' };
  const { details, ...note } = auditNote(verb, given, 'ann', answer);
  expect(note).toEqual({ who: 'ann', action: 'addThing', subject: 'key k-1' });
  expect(JSON.parse(details)).toEqual({
    login: 'shop',
    note: expect.stringMatching(/^card 411111.*1111$/),
    keyId: 'k-1',
    state: 'new',
  });
  expect(details).not.toMatch(/S3CRET|4111111111111111/);
});

it('names what was given when nothing is answered, and the gateway when nothing is named', () => {
  expect(auditNote(verb, given, 'ann').subject).toBe('merchant shop');
  expect(auditNote(verb, {}, 'ann').subject).toBe('gateway');
});

it('masks a card number before it cuts a text, in lists too, and keeps no objects', () => {
  const long = `${'x'.repeat(190)}4111111111111111`;
  const { details } = auditNote(verb, { login: 'shop', note: [long, '4111111111111111'], count: { n: 1 } }, 'ann');
  expect(details).not.toMatch(/4111111|"n"/);
  const [cut] = JSON.parse(details).note;
  expect(cut).toHaveLength(200);
});

it('keeps the beginning of a long list', () => {
  const { details } = auditNote(verb, { login: 'shop', note: Array(101).fill('x') }, 'ann');
  expect(JSON.parse(details).note).toHaveLength(100);
});

it('names of several the one that stands in the answer itself', () => {
  const inner = anObject({ state: told(aText()), keyId: told(aText(), 'key') });
  const both = { ...verb, answer: anObject({ before: inner, state: told(aText()), keyId: told(aText(), 'key') }) };
  const answer = { before: { state: 'old', keyId: 'k-1' }, state: 'new', keyId: 'k-2' };
  const { subject, details } = auditNote(both as never, given, 'ann', answer);
  expect(subject).toBe('key k-2');
  expect(JSON.parse(details)).toMatchObject({ state: 'new', keyId: 'k-2' });
});
