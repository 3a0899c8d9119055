// Network addresses as numbers, so that an address is found in the networks it belongs to. A version 4 address written
// in version 6 is the version 4 one.

import { isIP, SocketAddress } from 'node:net';

export type Network = {
  readonly family: 4 | 6;
  /** The whole width of the family; the bits after the prefix are zero. */
  readonly bits: bigint;
  /** How many leading bits all its addresses share. */
  readonly length: number;
};

const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED = 0xffffn;
const MAPPED_LENGTH = 96;

/** One payer's own part of version 6: whoever has an address has all that share its first 64 bits. */
const PAYER_LENGTH = { 4: 32, 6: 64 } as const;

/** An address, or a network written `address/prefix length`. */
export function readNetwork(text: string): Network | undefined {
  const [, address = '', given] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  const length = given === undefined ? WIDTH[family] : Number(given);
  if (length > WIDTH[family]) return undefined;
  const bits = family === 4 ? bitsOfFour(address) : bitsOfSix(address);
  const isMapped = family === 6 && bits >> 32n === MAPPED && length >= MAPPED_LENGTH;
  if (isMapped) return within({ family: 4, bits: bits & 0xffffffffn, length: 32 }, length - MAPPED_LENGTH);
  return within({ family, bits, length: WIDTH[family] }, length);
}

/** The network of that prefix length around another one. */
export function within({ family, bits }: Network, length: number): Network {
  const rest = BigInt(WIDTH[family] - length);
  return { family, bits: (bits >> rest) << rest, length };
}

/** What all addresses of one payer have in common. */
export function payerNetwork(network: Network): Network {
  return within(network, PAYER_LENGTH[network.family]);
}

/** As people write it; a single address without a prefix length. */
export function writeNetwork({ family, bits, length }: Network): string {
  const address = family === 4 ? textOfFour(bits) : textOfSix(bits);
  return length === WIDTH[family] ? address : `${address}/${length}`;
}

function bitsOfFour(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function bitsOfSix(text: string): bigint {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0];
  const plain = dotted === undefined ? text : text.slice(0, -dotted.length) + groupsOf(bitsOfFour(dotted), 2).join(':');
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after];
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

function textOfSix(bits: bigint): string {
  return new SocketAddress({ address: groupsOf(bits, 8).join(':'), family: 'ipv6' }).address;
}
