import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  binOf,
  brandOf,
  fullYear,
  isCardNumber,
  isExpired,
  issuerDigitsOf,
  lastFourOf,
  maskCardNumber,
  normaliseCardNumber,
  passesLuhn,
} from './card.ts';
import { maskCardNumbers } from './numbers-in-text.ts';

// Test numbers published by gateways.
const PUBLISHED = {
  VISA:
    '4111111111111111 4242424242424242 4012888888881881 4000056655665556 4012000033330026 4005519200000004 ' +
    '4222222222222 4444555566661111',
  MASTERCARD:
    '5555555555554444 5105105105105100 5200828282828210 5123450000000008 5424000000000015 ' +
    '2223003122003222 2223000048400011 2223000000000007',
  AMEX: '378282246310005 371449635398431 378734493671000 370000000000002',
  DINERS: '30569309025904 38520000023237 36227206271667 3056930009020004',
  DISCOVER: '6011111111111117 6011000990139424 6011981111111113',
  JCB: '3530111333300000 3566002020360505',
  UNIONPAY: '6200000000000005 6243030000000001 6205500000000000004 8171999927660000',
  MAESTRO: '6759649826438453 6304000000000000 6703444444444449',
  MIR: '2200000000000004 2202474301322987',
  TROY: '9792030394440796',
  ELO: '5066991111111118 6362970000457013 5067310000000010',
  HIPERCARD: '6062826786276634 6062828888666688',
  UNKNOWN: '1000000000000008',
};

const everyNumber = Object.entries(PUBLISHED).flatMap(([brand, numbers]) =>
  numbers.split(' ').map((number) => [number, brand] as const),
);

const digits = (minimum: number, maximum: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: minimum, maxLength: maximum }).map((list) => list.join(''));

const validNumber = digits(12, 18).map((body) => {
  const check = [...'0123456789'].find((digit) => passesLuhn(body + digit));
  return body + check;
});

describe('card numbers', () => {
  test.each(everyNumber)('%s is a card number of %s', (number, brand) => {
    expect(isCardNumber(number)).toBe(true);
    expect(brandOf(number)).toBe(brand);
  });

  test.each([
    ['', 'nothing'],
    ['444455556666', '12 digits'],
    ['44445555666611111111', '20 digits'],
    ['4444555566661112', 'a wrong check digit'],
    ['4444 5555 6666 1111', 'not normalised'],
    ['٤٤٤٤٥٥٥٥٦٦٦٦١١١١', 'digits of another script'],
  ])('%s is none: %s', (text) => {
    expect(isCardNumber(text)).toBe(false);
  });

  test.each([['4444 5555 6666 1111'], ['4444-5555-6666-1111'], [' 4444-5555 66661111 ']])(
    '%s is normalised',
    (text) => {
      expect(normaliseCardNumber(text)).toBe('4444555566661111');
    },
  );

  test('the ends name issuer and card', () => {
    expect(binOf('4444555566661111')).toBe('444455');
    expect(lastFourOf('4444555566661111')).toBe('1111');
  });

  test.each([
    ['4444555566661111', '44445555'],
    ['6212345678901234567', '62123456'],
    // Eight digits and the last four would leave too few that nobody knows.
    ['378282246310005', undefined],
    ['4222222222222', undefined],
  ])('of %s no more than %s is kept beside the last four', (number, kept) => {
    expect(issuerDigitsOf(number)).toBe(kept);
  });

  test('no digits at all are no number', () => expect(passesLuhn('')).toBe(false));

  test('one changed digit is always noticed', () => {
    fc.assert(
      fc.property(validNumber, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const at = place % number.length;
        const changed = (Number(number[at]) + by) % 10;
        return !passesLuhn(number.slice(0, at) + changed + number.slice(at + 1));
      }),
    );
  });
});

describe('expiry', () => {
  test.each([
    [11, 2026, '2026-11-30T23:59:59Z', false],
    [11, 2026, '2026-12-01T11:59:59Z', false], // still November at UTC-12
    [11, 2026, '2026-12-01T12:00:00Z', true],
    [12, 2026, '2026-12-31T23:59:59Z', false],
    [12, 2026, '2027-01-01T12:00:00Z', true],
    [2, 28, '2028-02-29T23:59:59Z', false],
    [10, 26, '2026-11-15T00:00:00Z', true],
  ])('%i/%i at %s: expired %s', (month, year, now, expired) => {
    expect(isExpired({ month, year }, Date.parse(now))).toBe(expired);
  });

  test('two digits of a year mean this century', () => {
    expect([fullYear(0), fullYear(31), fullYear(99), fullYear(2031)]).toEqual([2000, 2031, 2099, 2031]);
  });
});

describe('masking', () => {
  test.each([
    ['4444555566661111', '444455******1111'],
    ['378282246310005', '378282*****0005'],
    ['4222222222222', '422222***2222'],
    ['1234567890', '**********'],
  ])('%s is shown as %s', (number, shown) => {
    expect(maskCardNumber(number)).toBe(shown);
  });

  test.each([
    ['card 4444555566661111 declined', 'card 444455******1111 declined'],
    ['4444 5555 6666 1111', '444455******1111'],
    ['4444-5555-6666-1111', '444455******1111'],
    ['number=4444+5555+6666+1111&x=1', 'number=444455******1111&x=1'],
    ['number=4444%205555%206666%201111&x=1', 'number=444455******1111&x=1'],
    ['3782 822463 10005', '378282*****0005'],
    ['{"pan":"4444555566661111"}', '{"pan":"444455******1111"}'],
    ['pan=4444555566661111&cvv2=123', 'pan=444455******1111&cvv2=123'],
    ['PAN4444555566661111x', 'PAN444455******1111x'],
    ['4444555566661111 123', '444455******1111 123'],
    ['order 12 4444 5555 6666 1111 99', 'order 12 444455******1111 99'],
    ['4444555566661111,4111111111111111', '444455******1111,411111******1111'],
    ['4444555566661111 4111111111111111', '444455******1111 411111******1111'],
    ['4444.5555.6666.1111', '444455******1111'],
    ['4444/5555/6666/1111', '444455******1111'],
    ['4444_5555_6666_1111', '444455******1111'],
    ['4444   5555   6666   1111', '444455******1111'],
    ['4444\n5555\r\n6666\n1111', '444455******1111'],
    ['4444\u20095555\u202f6666\u30001111', '444455******1111'],
    ['4444\u20135555\u20106666\u200b1111', '444455******1111'],
    ['n=4444%C2%A05555%25206666%2d1111', 'n=444455******1111'],
    ['\uff14\uff14\uff14\uff14555566661111', '444455******1111'],
    ['\u0664\u0664\u0664\u0664 \u06f5\u06f5\u06f5\u06f5 6666 1111', '444455******1111'],
    ['4444555566661111123', '444455*************'],
    ['0000004444555566661111', '000000444455**********'],
    ['44445555666611110000000', '444455*****************'],
  ])('%s becomes %s', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });

  test.each([
    ['nothing to see'],
    [''],
    ['4444555566661112'],
    ['1111111111111111111111'],
    ['2026-11-15 22:47:28.123'],
    ['203.0.113.7, 203.0.113.8'],
    ['\u0661\u0662\u0663 rooms'],
    ['2026-11-15T03:00:23.000Z'],
    ['00000000-0000-0000-0000-000000000000'],
    ['serial-number 44445555-6666-1111-0000-000002d9b22a'],
    ['+1 202 555 0123'],
  ])('%s stays', (text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('when two readings overlap nothing after the first six digits is shown', () => {
    // 16 digits are a card number, and so are all 19.
    expect(maskCardNumbers('4444 5555 6666 1111 018')).toBe('444455*************');
  });

  test('no card number survives, however it is grouped and wherever it stands', () => {
    const grouped = fc
      .tuple(
        validNumber,
        fc.array(fc.constantFrom('', ' ', '-', '+', '%20', '--', '.', '/', '_', '%2520', '%C2%A0', '\u2009', '', ''), {
          minLength: 19,
          maxLength: 19,
        }),
      )
      .map(([number, separators]) => ({
        number,
        written: [...number].map((digit, at) => (at === 0 ? digit : separators[at] + digit)).join(''),
      }));
    const words = fc.stringMatching(/^[a-z "':,=]{0,12}$/);
    fc.assert(
      fc.property(grouped, words, words, ({ number, written }, before, after) => {
        const masked = maskCardNumbers(before + written + after);
        const shown = masked.replaceAll(/%(25)?20|%C2%A0/g, '').replace(/[^\d*]/g, '');
        return !shown.includes(number) && shown.includes('***') && masked.startsWith(before) && masked.endsWith(after);
      }),
    );
  });

  test('texts of words stay, and masking never makes a text longer', () => {
    fc.assert(fc.property(fc.stringMatching(/^\D{0,80}$/), (text) => maskCardNumbers(text) === text));
    fc.assert(fc.property(fc.stringMatching(/^[\d -]{0,80}$/), (text) => maskCardNumbers(text).length <= text.length));
  });
});
