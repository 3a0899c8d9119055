import { describe, expect, it } from 'vitest';
import type { Order, Transaction } from '../order/order.ts';
import {
  approverComplaint,
  DEED_LASTS_MS,
  EQUAL_DEED_MS,
  equalBefore,
  isDeedOver,
  movedBy,
  needsSecondPerson,
} from './second-person.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const usd = (minor: bigint) => ({ minor, currency: 'USD' });

describe('a second person is needed', () => {
  it.each([
    ['no amount is set', eur(10n ** 9n), 0n, [], false],
    ['it is the amount itself', eur(500n), 0n, [eur(500n)], false],
    ['it is more', eur(501n), 0n, [eur(500n)], true],
    ['it is more in another currency', usd(501n), 0n, [eur(500n)], false],
    ['one of several currencies fits', usd(501n), 0n, [eur(900n), usd(500n)], true],
    ['it is more with what was moved before', eur(300n), 201n, [eur(500n)], true],
    ['it is the amount with what was moved before', eur(300n), 200n, [eur(500n)], false],
    ['the smaller of two amounts is passed', eur(300n), 0n, [eur(500n), eur(200n)], true],
    ['every deed takes two', eur(1n), 0n, [eur(0n)], true],
  ])('when %s: %#', (_, amount, before, above, expected) => {
    expect(needsSecondPerson(amount, before, above)).toBe(expected);
  });
});

describe('the second person', () => {
  it.each([
    ['ann', 'bob', undefined],
    ['ann', 'ann', 'ann asked for it; somebody else must approve it'],
    [undefined, 'bob', undefined],
    ['ann', undefined, expect.stringMatching(/^the local command line/)],
    [undefined, undefined, expect.stringMatching(/^the local command line/)],
  ])('asked by %s, approved by %s', (asker, person, expected) => {
    expect(approverComplaint(asker, { who: `${person} by token t`, person })).toEqual(expected);
  });
});

it.each([
  [DEED_LASTS_MS - 1, false],
  [DEED_LASTS_MS, true],
])('a deed has expired after %i ms: %s', (now, expected) => {
  expect(isDeedOver({ expiresAt: DEED_LASTS_MS }, now)).toBe(expected);
});

const transaction = (seq: number, more: Partial<Transaction>) =>
  ({ seq, type: 'reversal', stage: 'approved', amount: 100n, createdAt: 0, ...more }) as Transaction;
const order = (...transactions: Transaction[]) => ({ transactions }) as unknown as Order;

it('what was moved counts while it may come to something', () => {
  const all = order(
    transaction(1, { type: 'sale', amount: 1000n }),
    transaction(2, {}),
    transaction(3, { stage: 'declined' }),
    transaction(4, { stage: 'sending', amount: 30n }),
  );
  expect(movedBy(all, [2, 3, 4])).toBe(130n);
  expect(movedBy(all, [])).toBe(0n);
});

describe('an equal deed before', () => {
  it.each([
    ['the same', {}, 'return', 100n, 2],
    ['a release of the hold', { type: 'cancel' }, 'return', 100n, 2],
    ['under way', { stage: 'asking' }, 'return', 100n, 2],
    ['another amount', {}, 'return', 99n, undefined],
    ['declined', { stage: 'declined' }, 'return', 100n, undefined],
    ['of another kind', {}, 'capture', 100n, undefined],
    ['a day ago', { createdAt: -EQUAL_DEED_MS }, 'return', 100n, undefined],
    ['less than a day ago', { createdAt: 1 - EQUAL_DEED_MS }, 'return', 100n, 2],
  ] as const)('%s', (_, more, kind, amount, expected) => {
    const all = order(transaction(1, { type: 'sale' }), transaction(2, more));
    expect(equalBefore(all, kind, amount, 0)).toBe(expected);
  });
});
