import { describe, expect, it } from 'vitest';
import type { PersonRole } from './roles.ts';
import { MAX_TOKEN_MS, type ScopedVerb, scopeOf, type TokenScope, tokenEndFault, tokenMay } from './token-scope.ts';

const reading: ScopedVerb = { name: 'listMerchants', role: 'viewer', conduct: 'read' };
const settling: ScopedVerb = { name: 'settleStuck', role: 'operator', conduct: 'change' };
const adding: ScopedVerb = { name: 'addPerson', role: 'administrator', conduct: 'change', inPerson: true };

describe('a token', () => {
  it.each<[PersonRole, TokenScope, ScopedVerb, boolean]>([
    ['operator', { role: 'operator' }, settling, true],
    ['operator', { role: 'viewer' }, settling, false],
    ['operator', { role: 'viewer' }, reading, true],
    ['viewer', { role: 'administrator' }, settling, false],
    ['auditor', { role: 'operator' }, settling, false],
    ['operator', { verbs: ['settleStuck'] }, settling, true],
    ['operator', { verbs: ['settleStuck'] }, reading, false],
    ['viewer', { verbs: ['settleStuck'] }, settling, false],
    ['administrator', { role: 'administrator' }, adding, false],
    ['administrator', { verbs: ['addPerson'] }, adding, false],
  ])('of %s for %j may use %j: %s', (owner, scope, verb, allowed) => {
    expect(tokenMay(owner, scope, verb)).toBe(allowed);
  });

  it.each([
    [{ role: 'viewer' }, { role: 'viewer' }],
    [{ verbs: ['settleStuck'] }, { verbs: ['settleStuck'] }],
    [{}, { verbs: [] }],
  ] as const)('that is kept as %j is for %j', (kept, scope) => {
    expect(scopeOf(kept)).toEqual(scope);
  });

  it.each([
    [0, 'a token must end in the future'],
    [1, undefined],
    [MAX_TOKEN_MS, undefined],
    [MAX_TOKEN_MS + 1, 'a token ends within a year'],
  ])('that ends after %s ms: %s', (after, fault) => {
    expect(tokenEndFault(1_000 + after, 1_000)).toBe(fault);
  });
});
