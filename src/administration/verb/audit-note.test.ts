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
  needs: [],
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
