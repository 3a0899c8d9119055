// The fifteen ways to write a card number that a scan looks for, as bytes. Compressed streams are opened before.

/** `spell` gives every spelling of a number of 13 to 19 digits. */
export type Encoding = { readonly name: string; spell(digits: string): readonly Buffer[] };

const ascii = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const eachDigit = (digits: string, write: (digit: string) => string) => [...digits].map(write).join('');

/** As cards print them: fours, and of fifteen digits four, six and five. */
function groupsOf(digits: string): string[] {
  if (digits.length === 15) return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)];
  return digits.match(/\d{1,4}/g) ?? [];
}

const grouped = (digits: string, separator: string) => groupsOf(digits).join(separator);

export const ENCODINGS: readonly Encoding[] = [
  { name: 'plain', spell: (digits) => [ascii(digits)] },
  { name: 'blanks', spell: (digits) => [' ', '\u00a0', '\u2009', '\u202f'].map((one) => utf8(grouped(digits, one))) },
  { name: 'dashes', spell: (digits) => ['-', '\u2010', '\u2011', '\u2013'].map((one) => utf8(grouped(digits, one))) },
  { name: 'other separators', spell: (digits) => [...'./_+'].map((one) => ascii(grouped(digits, one))) },
  {
    name: 'other digits',
    spell: (digits) =>
      [0x0660, 0x06f0, 0x0966, 0xff10].map((zero) =>
        utf8(eachDigit(digits, (digit) => String.fromCodePoint(zero + Number(digit)))),
      ),
  },
  { name: 'UTF-16LE', spell: (digits) => [Buffer.from(digits, 'utf16le')] },
  { name: 'UTF-16BE', spell: (digits) => [Buffer.from(digits, 'utf16le').swap16()] },
  { name: 'EBCDIC', spell: (digits) => [Buffer.from([...digits].map((digit) => 0xf0 + Number(digit)))] },
  { name: 'packed digits', spell: packed },
  { name: 'integer', spell: integers },
  { name: 'hex', spell: (digits) => [ascii(ascii(digits).toString('hex'))] },
  { name: 'base64', spell: (digits) => inBase64(ascii(digits)) },
  {
    name: 'percent-encoded',
    spell: (digits) => [
      ascii(eachDigit(digits, (digit) => `%3${digit}`)),
      ...['%20', '%2D', '%2d'].map((one) => ascii(grouped(digits, one))),
    ],
  },
  {
    name: 'escaped',
    spell: (digits) => [
      ascii(eachDigit(digits, (digit) => `\\u003${digit}`)),
      ascii(eachDigit(digits, (digit) => `&#${48 + Number(digit)};`)),
    ],
  },
  { name: 'reversed', spell: (digits) => [ascii([...digits].reverse().join(''))] },
];

/** Two digits in a byte, filled up with F or 0 on either side, and with the halves of each byte exchanged. */
function packed(digits: string): Buffer[] {
  const even = digits.length % 2 === 0 ? [digits] : [`${digits}f`, `0${digits}`];
  return even.flatMap((nibbles) => {
    const swapped = (nibbles.match(/../g) ?? []).map((pair) => `${pair[1]}${pair[0]}`).join('');
    return [Buffer.from(nibbles, 'hex'), Buffer.from(swapped, 'hex')];
  });
}

const LARGEST = 2n ** 64n;

function integers(digits: string): Buffer[] {
  const number = BigInt(digits);
  if (number >= LARGEST) return [];
  const [big, little] = [Buffer.alloc(8), Buffer.alloc(8)];
  big.writeBigUInt64BE(number);
  little.writeBigUInt64LE(number);
  return [big, little];
}

/**
 * The characters that the text itself decides, wherever it begins in what was encoded. Digits never give one of the
 * two characters in which the alphabet for addresses differs.
 */
export function inBase64(text: Buffer): Buffer[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), text])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + text.length) * 8) / 6);
    return ascii(encoded.slice(first, last));
  });
}
