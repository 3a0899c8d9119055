import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CardTry,
  isUnderAttack,
  sourceOf,
  stopsCardTesting,
  suspicion,
  testingReason,
  WINDOW_MS_OF,
} from './card-testing.ts';

const NOW = Date.UTC(2026, 10, 17);
const HOUR = WINDOW_MS_OF.address;
const tries = (declined: number, approved: number, at = NOW): CardTry[] => [
  ...Array<CardTry>(declined).fill({ declined: true, at }),
  ...Array<CardTry>(approved).fill({ declined: false, at }),
];
const numbers = { cardsPerNetwork: 10, cardsPerEmail: 5 };

describe('who tests cards', () => {
  it.each([
    [0, 0, 0],
    [9, 0, 9],
    [10, 0, 10],
    [10, 1, 8],
    [540, 27, 486],
    [3, 2, 0],
    [15, 85, 0],
  ])('%i declined and %i approved cards count as %i', (declined, approved, count) => {
    expect(suspicion('address', tries(declined, approved), NOW)).toBe(count);
  });

  it.each([
    ['address', HOUR - 1, 12],
    ['address', HOUR, 0],
    ['email', HOUR, 12],
    ['email', 24 * HOUR - 1, 12],
    ['email', 24 * HOUR, 0],
  ] as const)('is counted by %s for its time: %i ms ago makes %i', (kind, ago, count) => {
    expect(suspicion(kind, tries(12, 0, NOW - ago), NOW)).toBe(count);
  });

  it.each([
    ['address', 9, undefined],
    ['address', 10, 'address-tests-cards'],
    ['email', 4, undefined],
    ['email', 5, 'email-tests-cards'],
  ] as const)('by %s is stopped or not at %i: %s', (kind, count, reason) => {
    expect(testingReason(kind, count, numbers)).toBe(reason);
  });

  it('is stopped for certain when fewer than one card in three is good, however many there are', () => {
    const many = fc.tuple(fc.integer({ min: 30, max: 2_000 }), fc.double({ min: 0, max: 0.2, noNaN: true }));
    fc.assert(
      fc.property(many, ([cards, goodShare]) => {
        const good = Math.floor(cards * goodShare);
        const count = suspicion('address', tries(cards - good, good), NOW);
        expect(testingReason('address', count, numbers)).toBe('address-tests-cards');
      }),
    );
  });

  it('is nobody where at least one card in three is good', () => {
    const many = fc.tuple(fc.nat({ max: 2_000 }), fc.nat({ max: 2_000 }));
    fc.assert(
      fc.property(many, ([declined, more]) => {
        const approved = Math.ceil(declined / 2) + more;
        expect(suspicion('address', tries(declined, approved), NOW)).toBe(0);
      }),
    );
  });

  it('is never more suspicious for an approval, nor less for a decline', () => {
    const history = fc.array(fc.record({ declined: fc.boolean(), at: fc.integer({ min: NOW - 2 * HOUR, max: NOW }) }));
    fc.assert(
      fc.property(history, fc.boolean(), (before, declined) => {
        const [was, is] = [before, [...before, { declined, at: NOW }]].map((all) => suspicion('address', all, NOW));
        if (declined) expect(is).toBeGreaterThanOrEqual(was as number);
        else expect(is).toBeLessThanOrEqual(was as number);
      }),
    );
  });
});

describe('tries are counted together', () => {
  it.each([
    ['address', { ipAddress: '198.51.101.7' }, '198.51.101.0/24'],
    ['address', { ipAddress: '198.51.101.250' }, '198.51.101.0/24'],
    ['address', { ipAddress: '2a00:1450:4001:80b::200e' }, '2a00:1450:4001:80b::/64'],
    ['address', { ipAddress: '8.8.8.8', payerAddress: '198.51.101.7' }, '198.51.101.0/24'],
    ['address', { ipAddress: '127.0.0.1' }, undefined],
    ['address', { ipAddress: '10.1.2.3' }, undefined],
    ['address', {}, undefined],
    ['email', { email: 'Ann@Example.com' }, 'ann@example.com'],
    ['email', { email: 'ann+17@example.com' }, 'ann@example.com'],
    ['email', {}, undefined],
  ] as const)('by %s of %j: %s', (kind, details, source) => expect(sourceOf(kind, details)).toBe(source));
});

describe('an endpoint', () => {
  it.each([
    [undefined, true, false],
    [undefined, false, true],
    [true, true, true],
    [false, false, false],
  ])('set to %s, sandbox %s, stops card testing: %s', (cardTesting, sandbox, stops) => {
    expect(stopsCardTesting({ cardTesting, sandbox })).toBe(stops);
  });

  it.each([
    ['three of three in a small shop', [3, 0], [0, 0], false],
    ['thirty of thirty', [30, 0], [0, 0], true],
    ['as many good ones', [30, 30], [0, 0], true],
    ['a bad day', [30, 70], [15, 85], false],
    ['a bad day of a shop that is hardly ever declined', [30, 70], [1, 99], false],
    ['an attack on a shop of which little is known', [30, 10], [1, 0], true],
    ['an attack beside good business', [200, 100], [15, 85], true],
    ['a shop that is often declined', [60, 40], [40, 60], false],
    ['an attack on a shop that is often declined', [95, 5], [40, 60], true],
  ] as const)('is under attack or not: %s', (_, [declined, approved], [usually, well], isAttacked) => {
    expect(isUnderAttack({ declined, approved }, { declined: usually, approved: well })).toBe(isAttacked);
  });
});
