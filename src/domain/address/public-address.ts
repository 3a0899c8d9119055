// Which internet addresses are public, and which are not: private ranges, this machine, carriers', clouds' metadata,
// and version 6 addresses that hide one of version 4 (RFC 6890 and the IANA special-purpose registries).

import { type AddressRange, readAddressRange, within } from './address-ranges.ts';

export type AddressKind = 'public' | 'loopback' | 'inside';

const LOOPBACK = ranges('127.0.0.0/8 ::1');

// 168.63.129.16 looks public, but a cloud's own services answer at it.
const INSIDE_FOUR = ranges(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 168.63.129.16 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);

/** The public part of version 6; translated, mapped, local and multicast addresses are outside it. */
const GIVEN_SIX = ranges('2000::/3');

/** Exceptions within it: protocols and Teredo, documentation, and 6to4, which carries a version 4 address. */
const INSIDE_SIX = ranges('2001::/23 2001:db8::/32 2002::/16 3fff::/20');

/** Undefined when the text is no address. */
export function addressKind(text: string): AddressKind | undefined {
  const address = text.includes('/') ? undefined : readAddressRange(text);
  if (!address) return undefined;
  if (isIn(address, LOOPBACK)) return 'loopback';
  if (address.family === 4) return isIn(address, INSIDE_FOUR) ? 'inside' : 'public';
  return isIn(address, GIVEN_SIX) && !isIn(address, INSIDE_SIX) ? 'public' : 'inside';
}

/** Whether who listens there is reached from its own machine only. */
export function isReachedFromHereOnly(host: string): boolean {
  return host === 'localhost' || addressKind(host) === 'loopback';
}

function isIn(address: AddressRange, list: readonly AddressRange[]): boolean {
  return list.some(({ family, bits, length }) => address.family === family && within(address, length).bits === bits);
}

function ranges(...lists: string[]): AddressRange[] {
  const texts = lists.flatMap((list) => list.split(' '));
  return texts.map((text) => {
    const range = readAddressRange(text);
    if (!range) throw new Error(`${text} is no address range`);
    return range;
  });
}
