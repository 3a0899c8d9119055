import { describe, expect, it } from 'vitest';
import { firstStep, type KnownPerson } from './first-sign-in.ts';

const unused: KnownPerson = { isDemo: true, enabled: true, hasWayIn: false };
const used: KnownPerson = { ...unused, hasWayIn: true };
const byHand: KnownPerson = { ...unused, isDemo: false };

describe('what a start does for who signs in first', () => {
  it.each<[string, readonly KnownPerson[], { sandbox: string; elsewhere: string }]>([
    ['nobody', [], { sandbox: 'add', elsewhere: 'nobody' }],
    ["the demo's administrator, without a way in", [unused], { sandbox: 'renew', elsewhere: 'waiting' }],
    ["the demo's administrator, with a password", [used], { sandbox: 'chosen', elsewhere: 'chosen' }],
    ['somebody made by hand', [byHand], { sandbox: 'others', elsewhere: 'others' }],
    ['both', [unused, byHand], { sandbox: 'others', elsewhere: 'others' }],
    ['both, the other way round', [byHand, unused], { sandbox: 'others', elsewhere: 'others' }],
    ['an administrator who was disabled', [{ ...unused, enabled: false }], { sandbox: 'others', elsewhere: 'others' }],
  ])('%s', (_, people, { sandbox, elsewhere }) => {
    expect([firstStep(people, true), firstStep(people, false)]).toEqual([sandbox, elsewhere]);
  });
});
