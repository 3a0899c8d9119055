import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Money } from '../domain/money/money.ts';
import type { Secret } from '../domain/secret.ts';
import * as kind from './field-kinds.ts';
import { canonicalName, type ReadingContext, readForm, UNSETTLED, Unreadable, type Values } from './form.ts';
import { operations } from './index.ts';
import { sale } from './v2/sale.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

function read<T>(of: { read: (text: string, context: ReadingContext) => T }, text: string, context = {}) {
  const value = of.read(text, { now, ...context });
  return value instanceof Unreadable ? `${value.error}: ${value.hint}` : value;
}

describe('amounts', () => {
  const positive = 'parameter-malformed: it must be a positive number with an optional point such as 10.42';
  const tooLong = 'parameter-too-long: at most 10 digits, decimals included';

  test.each([
    ['1042', 'USD', 'minor', 1042n],
    ['10.42', 'USD', 'major', 1042n],
    ['10', 'USD', 'major', 1000n],
    ['500', 'JPY', 'major', 500n],
    ['1.234', 'KWD', 'major', 1234n],
    ['9999999999', 'USD', 'minor', 9_999_999_999n],
    ['99999999.99', 'USD', 'major', 9_999_999_999n],
  ] as const)('%s %s in %s units', (text, currency, notation, minor) => {
    expect(read(kind.signedAmount, text, { currency, notation })).toEqual({ minor, currency });
  });

  test.each([
    ['-1', positive],
    ['+1', positive],
    ['1e3', positive],
    ['NaN', positive],
    ['Infinity', positive],
    ['', positive],
    ['1,5', positive],
    ['1.', positive],
    ['.5', positive],
    ['1 000', positive],
    ['١٠', positive],
    ['0', 'parameter-malformed: it must be more than zero'],
    ['0.00', 'parameter-malformed: it must be more than zero'],
    ['007', 'parameter-malformed: it must have no leading zeros'],
    ['10.001', 'parameter-malformed: USD has at most 2 decimals'],
    ['12345678901', tooLong],
    ['100000000.00', tooLong],
    ['9999999999', tooLong],
  ])('"%s" in major USD: %s', (text, complaint) => {
    expect(read(kind.signedAmount, text, { currency: 'USD', notation: 'major' })).toBe(complaint);
  });

  test('the hint names what the currency takes', () => {
    expect(read(kind.signedAmount, '1.5', { currency: 'JPY', notation: 'major' })).toBe(
      'parameter-malformed: JPY has no decimals',
    );
    expect(read(kind.signedAmount, '10.42', { currency: 'USD', notation: 'minor' })).toBe(
      'parameter-malformed: it must be whole minor units of USD such as 1042',
    );
    // Decimals that no notation has are what is wrong with it, whichever was meant.
    expect(read(kind.signedAmount, '10.001', { currency: 'USD', notation: 'minor' })).toBe(
      'parameter-malformed: USD has at most 2 decimals',
    );
  });

  test('without currency or notation an amount is checked, not read', () => {
    expect(read(kind.signedAmount, '10.42')).toBe(UNSETTLED);
    expect(read(kind.signedAmount, '10.42', { currency: 'USD' })).toBe(UNSETTLED);
    expect(read(kind.signedAmount, '-1')).toBe(positive);
  });

  test('lists of amounts are read one by one', () => {
    const context = { currency: 'USD', notation: 'major' };
    expect(read(kind.amounts(128), '10, 5.50,1', context)).toEqual([
      { minor: 1000n, currency: 'USD' },
      { minor: 550n, currency: 'USD' },
      { minor: 100n, currency: 'USD' },
    ]);
    expect(read(kind.amounts(128), '10,,1', context)).toBe(positive);
  });
});

describe('kinds', () => {
  test.each([
    ['one line', kind.text(9), 'a\nb'],
    ['name', kind.personName(50), '4444 5555 6666 1111'],
    ['day', kind.day, '20260230'],
    ['day', kind.day, '2026-1-1'],
    ['past day', kind.pastDay, '20261116'],
    ['country', kind.country, 'ZZ'],
    ['country', kind.country, '__proto__'],
    ['currency', kind.currencyCode, 'usd'],
    ['currency', kind.currencyCode, 'XXX'],
    ['e-mail', kind.mail, 'nobody'],
    ['e-mail', kind.mail, 'a b@example.com'],
    ['address', kind.ip, '1.2.3'],
    ['address', kind.ip, 'fe80::1%eth0'],
    ['url', kind.url(99), 'shop.example/paid'],
    ['url', kind.url(99), 'ftp://shop.example'],
    ['url', kind.url(99), 'javascript:alert(1)'],
    ['url', kind.url(99), 'https://user:pass@shop.example'],
    ['url', kind.url(99), 'https://shop.example/a b'],
    ['url', kind.url(99), 'https:\\\\shop.example'],
    ['url', kind.url(99), 'http://'],
    ['order number', kind.orderNumber, '0'],
    ['order number', kind.orderNumber, '9007199254740993'],
    ['uuid', kind.uuid, '3d671629'],
    ['month', kind.expiryMonth, '13'],
    ['month', kind.expiryMonth, '0'],
    ['year', kind.expiryYear, '1999'],
    ['year', kind.expiryYear, '031'],
    ['security code', kind.securityCode, '12'],
    ['card number', kind.cardNumber, '4444555566661112'],
    ['boolean', kind.boolean, 'yes'],
    ['integer', kind.integer(-840, 840), '841'],
    ['integer', kind.integer(1, 9), '1.5'],
    ['word', kind.oneOf('SRC', 'DST'), 'src'],
    ['base64', kind.base64(99), 'a&b'],
  ])('%s refuses what it is not', (_, of, text) => {
    expect(read<unknown>(of, text)).toMatch(/^parameter-malformed: ./);
  });

  test.each([
    ['free text', kind.freeText(9), 'a\n\tb', 'a\n\tb'],
    ['day', kind.day, '20280229', '20280229'],
    ['country', kind.country, 'us', 'US'],
    ['e-mail', kind.mail, 'john.smith+x@gmail.com', 'john.smith+x@gmail.com'],
    ['address', kind.ip, '2001:db8::1', '2001:db8::1'],
    ['url', kind.url(99), 'HTTPS://shop.example:8443/paid?x=1', 'HTTPS://shop.example:8443/paid?x=1'],
    ['order number', kind.orderNumber, '9007199254740991', 9007199254740991],
    ['month', kind.expiryMonth, '1', 1],
    ['year', kind.expiryYear, '31', 2031],
    ['boolean', kind.boolean, 'false', false],
    ['integer', kind.integer(-840, 840), '-60', -60],
    ['base64', kind.base64(99), 'ab+/\r\nc_-=', 'ab+/c_-='],
  ])('%s reads %s', (_, of, text, value) => {
    expect(read<unknown>(of, text)).toBe(value);
  });
});

describe('the forms of all operations', () => {
  const fields = operations.flatMap((operation) => Object.values(operation.request.fields));

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s names every field once',
    (_, { request }) => {
      const names = Object.values(request.fields).map((field) => canonicalName(field.wire));
      expect(new Set(names).size).toBe(names.length);
    },
  );

  test('one name is one length and one exposure everywhere', () => {
    const seen = new Map<string, string>();
    for (const { wire, maxLength, exposure } of fields) {
      const trait = `${maxLength} ${exposure}`;
      expect([wire, seen.get(canonicalName(wire)) ?? trait]).toEqual([wire, trait]);
      seen.set(canonicalName(wire), trait);
    }
  });

  test('what must not be seen in journals is marked', () => {
    const marked = (exposure: string) =>
      new Set(fields.filter((field) => field.exposure === exposure).map((field) => field.wire));
    expect([...marked('card-number')].sort()).toEqual([
      'credit_card_number',
      'destination-card-no',
      'receiving-card-number',
      'sending-card-number',
    ]);
    expect([...marked('hidden')]).toEqual(
      expect.arrayContaining(['cvv2', 'control', 'account_number', 'ssn', 'paRes']),
    );
  });

  test('values have the types their fields read', () => {
    type Sale = Values<typeof sale.request.fields>;
    expectTypeOf<Sale['amount']>().toEqualTypeOf<Money>();
    expectTypeOf<Sale['creditCardNumber']>().toEqualTypeOf<Secret<string>>();
    expectTypeOf<Sale['cvv2']>().toEqualTypeOf<Secret<string>>();
    expectTypeOf<Sale['email']>().toEqualTypeOf<string>();
    expectTypeOf<Sale['expireYear']>().toEqualTypeOf<number>();
    expectTypeOf<Sale['firstName']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Sale['browserInfo']>().toEqualTypeOf<boolean | undefined>();
  });
});

describe('a sale', () => {
  const good = {
    client_orderid: 'inv-1',
    amount: '10.42',
    currency: 'USD',
    email: 'ann@example.com',
    credit_card_number: '4444 5555 6666 1111',
    expire_month: '12',
    expire_year: '31',
    cvv2: '123',
    control: 'c6bdd88a78834ef4b863b088827a459f039e8257',
  };

  function readSale(changes: Record<string, string | undefined>) {
    const sent = Object.entries({ ...good, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const parameters = new Map(sent.map(([name, value]) => [canonicalName(name), value]));
    return readForm(sale.request, parameters, { now, currency: 'USD', notation: 'major' });
  }

  test('is read into its values', () => {
    const { values, faults } = readSale({ 'first-name': 'Ann' });
    expect(faults).toEqual([]);
    expect(values).toMatchObject({ amount: { minor: 1042n, currency: 'USD' }, expireYear: 2031, firstName: 'Ann' });
    expect(values.creditCardNumber.reveal()).toBe('4444555566661111');
    expect(JSON.stringify(values.creditCardNumber)).toBe('"[secret]"');
  });

  test('reports everything that is wrong at once', () => {
    const { faults } = readSale({ amount: '-1', email: undefined, cvv2: 'abc', client_orderid: 'x'.repeat(129) });
    expect(faults.map(({ error, field }) => `${field} ${error}`)).toEqual([
      'client_orderid parameter-too-long',
      'amount parameter-malformed',
      'email parameter-required',
      'cvv2 parameter-malformed',
    ]);
  });

  test('with an expired card is refused by the year', () => {
    expect(readSale({ expire_month: '10', expire_year: '2026' }).faults).toMatchObject([
      { error: 'card-expired', field: 'expire_year' },
    ]);
  });

  test('that announces browser data has to bring all of it', () => {
    const missing = readSale({ customer_browser_info: 'true', customer_browser_language: 'en-GB' }).faults;
    expect(missing).toHaveLength(8);
    expect(missing[0]?.message).toBe('Parameter customer_browser_accept_header is required');
    expect(readSale({ customer_browser_info: 'false' }).faults).toEqual([]);
  });
});
