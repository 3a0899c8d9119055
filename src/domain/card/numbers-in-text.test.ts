import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passesLuhn } from './luhn.ts';
import { holdsCardNumber, holdsThisNumber, maskCardNumbers, maskKnownCards } from './numbers-in-text.ts';

const MASKED = '411111******1111';
/** Of no brand, with a right check digit. */
const UNBRANDED = '9999999999999995';
const inScript = (zero: number) =>
  [...'4111111111111111'].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

describe('a card number', () => {
  it.each([
    ['plainly', '4111111111111111'],
    ['in groups', '4111 1111 1111 1111'],
    ['with dashes', '4111-1111-1111-1111'],
    ['with long dashes', '4111\u20141111\u20121111\u22121111'],
    ['with no-break and thin spaces', '4111\u00a01111\u20091111\u202f1111'],
    ['with signs without a width', '4\u200b111\u200d1111\u00ad1111\u2060\ufeff1111'],
    ['with marks of direction', '\u202d4111\u202c1111\u20661111\u20691111'],
    ['with points, slashes and underscores', '4111.1111/1111_1111'],
    ['on several lines', '4111\n1111\r\n1111\t1111'],
    ['on several lines, as JSON', JSON.stringify('4111\n1111\r\n1111\t1111').slice(1, -1)],
    ['with control characters', '4111\u00011111\u000b1111\u001f1111'],
    ['with control characters, as JSON', JSON.stringify('4111\u00011111\u000b1111\u001f1111').slice(1, -1)],
    ['with control characters, as JSON in capitals', '4111\\u001F1111\\u000A1111\\u000B1111'],
    ['in Arabic digits', inScript(0x0660)],
    ['in Persian digits', inScript(0x06f0)],
    ['in Devanagari digits', inScript(0x0966)],
    ['in Thai digits', inScript(0x0e50)],
    ['in full-width digits', inScript(0xff10)],
    ['in mathematical digits', inScript(0x1d7d8)],
    ['in keycaps', [...'4111111111111111'].map((digit) => `${digit}\ufe0f\u20e3`).join(' ')],
    ['in a form', '4111+1111+1111+1111'],
    ['percent-encoded', [...'4111111111111111'].map((digit) => `%3${digit}`).join('')],
    ['percent-encoded twice', [...'4111111111111111'].map((digit) => `%253${digit}`).join('')],
    ['percent-encoded in Arabic digits', encodeURIComponent(inScript(0x0660))],
    ['with percent-encoded blanks and dashes', '4111%201111%2D1111%C2%A01111'],
    ['with a percent-encoded long dash', '4111%E2%80%931111%E2%80%931111%E2%80%931111'],
  ])('written %s is found and masked', (_how, written) => {
    expect(maskKnownCards(written)).toContain(MASKED);
    expect(maskCardNumbers(`{"a":"${written}"}`)).toContain(MASKED);
    expect(holdsCardNumber(`https://shop.example/paid?by=${written}&for=you`)).toBe(true);
    expect(holdsCardNumber(`ann.${written}@example.com`)).toBe(true);
  });

  it('behind a percent sign of its own is found', () => {
    expect(maskKnownCards('100%254111111111111111')).not.toContain('111111111111');
  });

  it('beside bytes that are no text is found', () => {
    expect(holdsCardNumber(`%ff${[...'4111111111111111'].map((digit) => `%3${digit}`).join('')}%fe`)).toBe(true);
  });

  it('of no brand is found in logs, and in kept texts if it is one of the order', () => {
    expect(maskCardNumbers(UNBRANDED)).toBe('999999******9995');
    expect(holdsCardNumber(UNBRANDED)).toBe(false);
    expect(holdsCardNumber('9999-9999-9999-9995', [UNBRANDED])).toBe(true);
  });

  it('leaves JSON readable when it is masked', () => {
    const kept = { a: '"%22%5C', b: '%34111%201111%0A1111%091111', c: 'x' };
    expect(JSON.parse(maskCardNumbers(JSON.stringify(kept)))).toEqual({ ...kept, b: MASKED });
  });

  it('leaves no control character that it decoded beside it', () => {
    expect(maskCardNumbers('{"a":"%00 4111%1F111111111111 %01%C2%85x"}')).toBe(`{"a":"  ${MASKED}   x"}`);
  });
});

describe('what is no card number', () => {
  it.each([
    ['a phone number', '+49 30 901820'],
    ['a time in milliseconds', '1763405432121'],
    ['a time in microseconds', '1763405432123458'],
    ['a date and a time', '2026-11-17 18:50:12.123456'],
    ['an order id by date', '20261117185012345'],
    ['an order id of sixteen digits with a wrong check digit', '4111111111111112'],
    ['a number of no brand', UNBRANDED],
    ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['a UUID', '41111111-1111-1111-0000-000002d9b22a'],
    ['an address', 'https://shop.example/2026/11/17/paid?order=1042&sum=10.42'],
    ['two addresses of the network', '203.0.113.7, 198.51.100.23'],
    ['prices', '4.11 1.11 1.11 1.11'],
  ])('%s stays as it is', (_what, text) => {
    expect(maskKnownCards(text)).toBe(text);
    expect(holdsCardNumber(text)).toBe(false);
  });

  it('is most of what has sixteen digits', () => {
    const found = fc
      .sample(fc.stringMatching(/^\d{16}$/), { numRuns: 2_000, seed: 1 })
      .filter((digits) => holdsCardNumber(digits));
    expect(found.length).toBeLessThan(200);
    expect(found.every(passesLuhn)).toBe(true);
  });
});

it('is masked between serial numbers, which stay', () => {
  const serial = fc.uuid();
  const written = fc.constantFrom('4111111111111111', '4111-1111-1111-1111', '4111 1111 1111 1111');
  const apart = fc.constantFrom('', ' ', '-', '"', ',"by":"', 'x', 'é');
  fc.assert(
    fc.property(fc.array(fc.tuple(serial, apart, written), { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map(([uuid, sign, number]) => `${uuid}"${sign}z${number}z`).join('');
      const masked = maskCardNumbers(text);
      return masked === parts.map(([uuid, sign]) => `${uuid}"${sign}z${MASKED}z`).join('');
    }),
  );
});

it('is looked for in a long text in as much time for each sign as in a short one', () => {
  for (const piece of [
    '11111111-1111-1111-1111-111111111111 ',
    '1 ',
    '1-',
    '11111111-1111-',
    '%31',
    '\\u001f1',
    'a1 ',
  ]) {
    const short = piece.repeat(200);
    const long = piece.repeat(200 * 40);
    const effort = (text: string, times: number) => {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time++) maskCardNumbers(text);
      const { user, system } = process.cpuUsage(before);
      return Math.max(1, user + system);
    };
    effort(short, 40);
    const ratios = [1, 2, 3, 4, 5].map(() => effort(long, 1) / effort(short, 40));
    expect(Math.min(...ratios), piece).toBeLessThan(8);
  }
});

it('never makes a text longer, and masks nothing a second time', () => {
  const pieces = fc.array(
    fc.constantFrom('4111', '1111', '5555', '٤', '%34', '%2520', '-', ' ', 'x', '\\n', '\u200b', '=', '😀'),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      const masked = maskCardNumbers(text);
      return masked.length <= text.length && maskCardNumbers(masked) === masked;
    }),
  );
});

describe('hidden further than usual', () => {
  it.each([
    ['four blanks between its groups', '4111    1111    1111    1111'],
    ['encoded four times', '%25252534111111111111111'],
  ])('a number is found with %s', (_, text) => expect(holdsCardNumber(text)).toBe(true));

  it('a number of fifteen digits is masked with a code glued to it', () => {
    expect(maskCardNumbers('378282246310005123')).toBe('378282************');
  });
});

it.each([
  ['of thirteen digits', '4222222222222', '422222***2222'],
  ['of nineteen digits', '9999999999999999998', '999999*********9998'],
  ['that runs into another one shows no end', '4111 1111 1111 1111 0002', '411111**************'],
])('a number %s', (_, text, masked) => expect(maskCardNumbers(text)).toBe(masked));

describe("an order's own number", () => {
  const OWN = '4111111111111111';

  it.each([
    ['plainly', OWN, true],
    ['within more', `x${OWN}9`, true],
    ['with dashes', 'no. 4111-1111-1111-1111', true],
    ['with letters between', '4111a1111b1111c1111', true],
    ['in Arabic digits', inScript(0x0660), true],
    ['percent-encoded', [...OWN].map((digit) => `%3${digit}`).join(''), true],
    ['as another one', '4111111111111112', false],
    ['too short', OWN.slice(1), false],
  ])('written %s in a text: %s is found: %s', (_, text, isFound) => {
    expect(holdsThisNumber(text, OWN)).toBe(isFound);
  });
});
