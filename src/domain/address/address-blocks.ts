// The range an internet address belongs to, where whoever has one address of it can have any: the last number of a
// version 4 address, and the second half of a version 6 address, say nothing.

import { isIPv4 } from 'node:net';
import { readAddressRange, within, writeAddressRange } from './address-ranges.ts';

const BLOCK_LENGTH = { 4: 24, 6: 64 } as const;

/** `203.0.113.0/24` or `2001:db8::/64`; what is no address is a block of its own. */
export function addressBlock(address: string): string {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  const range = readAddressRange(address);
  return range ? writeAddressRange(within(range, BLOCK_LENGTH[range.family])) : 'unknown';
}
