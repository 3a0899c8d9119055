import { describe, expect, it } from 'vitest';
import { EVERY_ORDER } from '../../../test/contracts/sought-orders.ts';
import { Misread } from '../input-kinds.ts';
import { readMark, writeMark } from './mark.ts';
import { leadOf } from './order-lead.ts';
import {
  type AskedOrders,
  cardEndsKind,
  firstMoment,
  lastMoment,
  orderSearchOf,
  soughtCurrency,
  soughtText,
} from './order-search.ts';

const says = (read: unknown) => (read instanceof Misread ? read.says : read);

describe('the ends of a card', () => {
  it.each([
    ['1111', { bin: undefined, lastFour: '1111' }],
    ['411111******1111', { bin: '411111', lastFour: '1111' }],
    ['411111…1111', { bin: '411111', lastFour: '1111' }],
    ['411111xxxxxx1111', { bin: '411111', lastFour: '1111' }],
    ['411111 1111', { bin: '411111', lastFour: '1111' }],
    [' 1111 ', { bin: undefined, lastFour: '1111' }],
  ])('%s is read', (text, ends) => {
    expect(cardEndsKind.read(text, undefined)).toEqual(ends);
  });

  it.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111', '41111111111', '5105105105105100x'])(
    '%s is a whole number, refused and not repeated',
    (text) => {
      const said = says(cardEndsKind.read(text, undefined));
      expect(said).toMatch(/^a whole card number is not taken here/);
      expect(said).not.toContain(text.slice(0, 8));
    },
  );

  it.each(['111', '11111', '41111-1111', 'visa', '', 1111])('%j is no end of a card', (given) => {
    expect(says(cardEndsKind.read(given, undefined))).toMatch(/^the last four digits of a card, or .* are needed$/);
  });
});

describe('a text to look for', () => {
  const email = soughtText('an e-mail address', 20);
  it.each([
    ['ann@example.com', 'ann@example.com'],
    [' ann@example.com ', 'ann@example.com'],
    ['4111111111111111', 'a card number is not taken here'],
    ['a4111 1111 1111 1111@b', 'a card number is not taken here'],
    ['x'.repeat(21), 'an e-mail address is needed, 1 to 20 characters on one line'],
    ['a\nb', 'an e-mail address is needed, 1 to 20 characters on one line'],
    ['', 'an e-mail address is needed, 1 to 20 characters on one line'],
  ])('%j', (text, read) => {
    expect(says(email.read(text, undefined))).toBe(read);
  });

  it('names a currency in any case', () => {
    expect(soughtCurrency.read('usd', undefined)).toBe('USD');
    expect(soughtCurrency.read('XXX', undefined)).toBeInstanceOf(Misread);
  });
});

describe('a range of time', () => {
  it.each([
    ['2027-01-31', Date.UTC(2027, 0, 31), Date.UTC(2027, 1, 1)],
    ['2027-01-31T18:00:00Z', Date.UTC(2027, 0, 31, 18), Date.UTC(2027, 0, 31, 18)],
    ['2027-01-31T18:00+01:00', Date.UTC(2027, 0, 31, 17), Date.UTC(2027, 0, 31, 17)],
    ['2027-02-31', undefined, undefined],
    ['2027-01-31T18:00', undefined, undefined],
    ['yesterday', undefined, undefined],
  ])('%s begins and ends', (text, first, last) => {
    const read = (kind: typeof firstMoment) => {
      const one = kind.read(text, undefined);
      return one instanceof Misread ? undefined : one;
    };
    expect([read(firstMoment), read(lastMoment)]).toEqual([first, last]);
  });
});

describe('a search for orders', () => {
  const { amounts: _, ...every } = EVERY_ORDER;
  const asked = (given: Partial<AskedOrders>): AskedOrders => ({
    ...every,
    amount: undefined,
    amountFrom: undefined,
    amountTo: undefined,
    ...given,
  });

  it.each([
    [
      { amount: '10.42', currency: 'USD' },
      { least: 1042n, most: 1042n },
    ],
    [
      { amountFrom: '10', amountTo: '20.5', currency: 'USD' },
      { least: 1000n, most: 2050n },
    ],
    [
      { amountFrom: '10', currency: 'JPY' },
      { least: 10n, most: 10n ** 18n },
    ],
    [
      { amountTo: '10', currency: 'USD' },
      { least: 0n, most: 1000n },
    ],
    [{}, undefined],
  ])('%j looks for amounts in minor units', (given, amounts) => {
    expect(orderSearchOf(asked(given))).toMatchObject({ search: { amounts } });
  });

  it.each([
    [{ amount: '10' }, ['currency is missing: amounts are looked for in one currency']],
    [{ amount: '10', amountTo: '20', currency: 'USD' }, ['amount: give it or a range, not both']],
    [{ amount: '10.425', currency: 'USD' }, ['amount: USD has at most 2 decimals']],
    [{ amount: '10.4', currency: 'JPY' }, ['amount: JPY has no decimals']],
    [
      { amountFrom: 'x', amountTo: '-1', currency: 'USD' },
      ['amountFrom: an amount such as 10.42 is needed', 'amountTo: an amount such as 10.42 is needed'],
    ],
    [{ amountFrom: '20', amountTo: '10', currency: 'USD' }, ['amountTo: it is below amountFrom']],
    [{ from: 2, to: 2 }, ['to: it is not later than from']],
    [
      { amount: '10', from: 2, to: 1 },
      ['currency is missing: amounts are looked for in one currency', 'to: it is not later than from'],
    ],
  ])('%j is refused with every fault', (given, faults) => {
    expect(orderSearchOf(asked(given))).toEqual({ faults });
  });

  it.each([
    [{}, 'time'],
    [{ status: 'approved' }, 'time'],
    [{ status: 'unknown' }, 'status'],
    [{ reason: 'card-blocked' }, 'status'],
    [{ reason: 'expired' }, 'status'],
    [{ reason: '116' }, 'time'],
    [{ reason: 'none' }, 'time'],
    [{ status: 'declined', reason: 'card-blocked' }, 'time'],
    [{ status: 'filtered', email: 'a@b' }, 'email'],
    [{ email: 'a@b', card: { bin: undefined, lastFour: '1111' } }, 'email'],
    [{ email: 'a@b', rrn: '1' }, 'rrn'],
    [{ orderId: 1, rrn: '1' }, 'orderId'],
    [{ currency: 'USD', endpointId: 1, from: 1 }, 'time'],
  ] as const)('%j is led by the most telling: %s', (given, lead) => {
    expect(leadOf({ ...EVERY_ORDER, ...given })).toBe(lead);
  });
});

describe('a mark', () => {
  const search = { login: 'shop', amounts: { least: 1n, most: 2n } };
  const mark = writeMark(search, [7, 'a']);

  it('is read by the search that it ended', () => {
    expect(readMark({ ...search }, mark, ['number', 'string'])).toEqual([7, 'a']);
  });

  it('is of no other search', () => {
    expect(readMark({ ...search, login: 'other' }, mark, ['number', 'string'])).toBeUndefined();
    expect(readMark({ ...search, amounts: { least: 1n, most: 3n } }, mark, ['number', 'string'])).toBeUndefined();
  });

  it('is refused when it is damaged, letter by letter', () => {
    for (let at = 0; at < mark.length; at++) {
      const other = mark[at] === 'A' ? 'B' : 'A';
      const damaged = mark.slice(0, at) + other + mark.slice(at + 1);
      const read = readMark(search, damaged, ['number', 'string']);
      expect(read === undefined || JSON.stringify(read) === '[7,"a"]').toBe(true);
    }
  });

  it.each(['', 'x', 'null', '[]', Buffer.from('["x"]').toString('base64url')])('%j is none', (text) => {
    expect(readMark(search, text, ['number', 'string'])).toBeUndefined();
  });
});
