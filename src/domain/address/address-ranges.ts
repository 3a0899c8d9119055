// Internet addresses as numbers, so that it can be told which ranges an address lies in. A version 4 address written
// in the form of version 6 is read as version 4.

import { isIPv4, isIPv6 } from 'node:net';

export type AddressRange = {
  readonly family: 4 | 6;
  /** As many bits as an address of the family has; those after the prefix are zero. */
  readonly bits: bigint;
  /** How many leading bits all its addresses share. */
  readonly length: number;
};

const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED = 0xffffn;
const MAPPED_LENGTH = 96;

/** The prefix length of one payer: in version 6 a payer has all addresses that share the first 64 bits. */
const PAYER_LENGTH = { 4: 32, 6: 64 } as const;

/** An address, or a range written `address/prefix length`. */
export function readAddressRange(text: string): AddressRange | undefined {
  const [, address = '', given] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const four = bitsOfFour(address);
  const bits = four ?? bitsOfSix(address);
  if (bits === undefined) return undefined;
  const family = four === undefined ? 6 : 4;
  const length = given === undefined ? WIDTH[family] : Number(given);
  if (length > WIDTH[family]) return undefined;
  const isMapped = family === 6 && bits >> 32n === MAPPED && length >= MAPPED_LENGTH;
  return isMapped
    ? within({ family: 4, bits: bits & 0xffffffffn, length: WIDTH[4] }, length - MAPPED_LENGTH)
    : within({ family, bits, length: WIDTH[family] }, length);
}

/** The range of this prefix length that contains the given range. */
export function within({ family, bits }: AddressRange, length: number): AddressRange {
  const rest = BigInt(WIDTH[family] - length);
  return { family, bits: (bits >> rest) << rest, length };
}

/** The range of all addresses that count as the same payer's. */
export function payerRange(range: AddressRange): AddressRange {
  return within(range, PAYER_LENGTH[range.family]);
}

/** As people write it; a single address without a prefix length. */
export function writeAddressRange({ family, bits, length }: AddressRange): string {
  const address = family === 4 ? textOfFour(bits) : textOfSix(bits);
  return length === WIDTH[family] ? address : `${address}/${length}`;
}

function bitsOfFour(text: string): bigint | undefined {
  return isIPv4(text) ? text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n) : undefined;
}

/** Eight groups of hexadecimal digits; `::` stands for groups of zero, and the last two may be version 4. */
function bitsOfSix(text: string): bigint | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const plain = text.replace(/[\d.]*\.\d+$/, (dotted) => groupsOf(bitsOfFour(dotted) ?? 0n, 2).join(':'));
  const [head = [], tail = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function groupsOf(bits: bigint, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    ((bits >> BigInt(16 * (count - 1 - index))) & 0xffffn).toString(16),
  );
}

function textOfFour(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

/** The longest run of at least two zero groups is left out, the first of several (RFC 5952). */
function textOfSix(bits: bigint): string {
  const groups = groupsOf(bits, 8);
  const runs = groups.map((_, first) => zerosFrom(groups, first));
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const first = runs.indexOf(longest);
  return `${groups.slice(0, first).join(':')}::${groups.slice(first + longest).join(':')}`;
}

function zerosFrom(groups: readonly string[], first: number): number {
  const end = groups.findIndex((group, index) => index >= first && group !== '0');
  return (end === -1 ? groups.length : end) - first;
}
