import { describe, expect, it } from 'vitest';
import { type GuardedVerb, may, PERSON_ROLES, whoMay } from './roles.ts';

describe('who may use a verb', () => {
  it.each<[GuardedVerb['role'], GuardedVerb['conduct'], readonly string[], string]>([
    ['viewer', 'read', ['viewer', 'operator', 'administrator', 'auditor'], 'a viewer'],
    ['operator', 'read', ['operator', 'administrator', 'auditor'], 'an operator or an auditor'],
    ['operator', 'cards', ['operator', 'administrator', 'auditor'], 'an operator or an auditor'],
    ['operator', 'change', ['operator', 'administrator'], 'an operator'],
    ['operator', 'outside', ['operator', 'administrator'], 'an operator'],
    ['operator', 'begun', ['operator', 'administrator'], 'an operator'],
    ['administrator', 'read', ['administrator', 'auditor'], 'an administrator or an auditor'],
    ['administrator', 'change', ['administrator'], 'an administrator'],
    ['administrator', 'outside', ['administrator'], 'an administrator'],
    ['viewer', 'change', ['viewer', 'operator', 'administrator'], 'a viewer'],
  ])('for %s, of conduct %s: %s', (role, conduct, allowed, said) => {
    expect(PERSON_ROLES.filter((one) => may(one, { role, conduct }))).toEqual(allowed);
    expect(whoMay({ role, conduct })).toBe(said);
  });
});
