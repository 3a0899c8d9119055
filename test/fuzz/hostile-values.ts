// Texts that have broken programs: too long, of the wrong kind, in the wrong script, meant for another language's
// parser. Each comes from the chance it is given alone.

import { wellFormed } from '../../src/domain/text.ts';
import type { Chance } from './chance.ts';

const NUMBERS = [
  '0',
  '-1',
  '-0',
  '1',
  '00',
  '1.005',
  '10.420',
  '1e3',
  '1E400',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '1_000',
  '１０',
  '٤٢',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '+1',
  '1,000.00',
  '.5',
  '5.',
  '2147483648',
  '٠',
  '1'.repeat(400),
];

const TEXTS = [
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  'a\0b',
  '\u0001',
  '\ufeff',
  '\u202e',
  '\u200b',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  "'",
  '"',
  '`',
  '\\',
  '%',
  '%00',
  '%zz',
  '%ff%fe',
  "' OR '1'='1",
  "'; DROP TABLE orders; --",
  '$1',
  '$' + '{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x>',
  '../../../../etc/passwd',
  '//evil.example',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  'http://[::1]:8080/',
  'http://user:pass@127.0.0.1/',
  'https://example.com/\r\nX-Injected: 1',
  '\ud800',
  'é',
  'e\u0301',
  '😀',
  '漢字',
  'ß',
  'İ',
  'ﬁ',
  'a'.repeat(127),
  'a'.repeat(255),
  'a'.repeat(256),
  'a'.repeat(5000),
  '😀'.repeat(300),
  'a@b',
  'a@b@c',
  '"a b"@example.com',
  'USD',
  'usd',
  'XXX',
  'ZZZ',
  'JPY',
  'KWD',
  'EUR',
  '999',
  '12',
  '13',
  '2000',
  '2099',
  '127.0.0.1',
  '::1',
  '::ffff:10.0.0.1',
  '256.1.1.1',
  '4111111111111111',
  '4111-1111-1111-1111',
  '4111 1111 1111 1112',
  '000',
  '123',
  '1234',
  '12345',
  '217',
  '909',
  'demo',
  'on',
  'off',
];

export function hostileValue(chance: Chance, before: string): string {
  // Half a surrogate pair has no bytes in UTF-8.
  return wellFormed(anyValue(chance, before));
}

function anyValue(chance: Chance, before: string): string {
  switch (chance.below(6)) {
    case 0:
      return chance.oneOf(NUMBERS);
    case 1:
      return before + chance.oneOf(TEXTS);
    case 2:
      return before.slice(0, chance.below(before.length + 1));
    case 3:
      return flipped(chance, before);
    case 4:
      return before.repeat(1 + chance.below(40));
    default:
      return chance.oneOf(TEXTS);
  }
}

/** One character is another one. */
function flipped(chance: Chance, text: string): string {
  if (text === '') return '\u007f';
  const at = chance.below(text.length);
  return text.slice(0, at) + String.fromCharCode(chance.below(0x2fff)) + text.slice(at + 1);
}

/** Bytes of a request, some of them lost, doubled or others. */
export function spoiltBytes(chance: Chance, bytes: Buffer): Buffer {
  const spoilt = Buffer.from(bytes);
  const at = chance.below(spoilt.length);
  const length = 1 + chance.below(8);
  switch (chance.below(5)) {
    case 0:
      for (let turn = 0; turn < length; turn++) spoilt[chance.below(spoilt.length)] = chance.below(256);
      return spoilt;
    case 1:
      return Buffer.concat([spoilt.subarray(0, at), spoilt.subarray(at + length)]);
    case 2:
      return Buffer.concat([spoilt.subarray(0, at + length), spoilt.subarray(at)]);
    case 3:
      return spoilt.subarray(0, at);
    default:
      return Buffer.concat([
        spoilt.subarray(0, at),
        Buffer.from(Array.from({ length }, () => chance.below(256))),
        spoilt.subarray(at),
      ]);
  }
}
