// Where a request comes from and how it was called: what the connection tells or, when a known proxy made the
// connection, what the proxy says.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { ClientCertificate } from '../web/route.ts';

/** Addresses and ranges such as 10.0.0.0/8; undefined when a text is neither. */
export function addressesIn(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/', 2);
    const family = familyOf(address);
    const most = family === 'ipv6' ? 128 : 32;
    if (family === undefined) return undefined;
    if (bits === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= most) list.addSubnet(address, Number(bits), family);
    else return undefined;
  }
  return list;
}

/**
 * Each proxy adds the address that asked it at the end of X-Forwarded-For. Read from the end, the first address that is
 * not a known proxy's is the client's; nothing before it is believed.
 */
export function clientAddress({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): string {
  let address = plainAddress(socket.remoteAddress ?? '');
  if (!proxies) return address;
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  while (isAmong(proxies, address)) {
    const next = plainAddress(named.pop()?.trim() ?? '');
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** The scheme that the client called with. We speak plain HTTP; only a known proxy can have been called otherwise. */
export function clientScheme({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): 'http' | 'https' {
  if (!proxies || !isAmong(proxies, plainAddress(socket.remoteAddress ?? ''))) return 'http';
  const nearest = String(headers['x-forwarded-proto'] ?? '').split(',');
  return nearest.at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

/** What a known proxy says of the certificate that the client showed it. */
export function clientCertificate(
  { socket, headers }: IncomingMessage,
  proxies: BlockList | undefined,
): ClientCertificate | undefined {
  if (!proxies || !isAmong(proxies, plainAddress(socket.remoteAddress ?? ''))) return undefined;
  const told = (name: string) => String(headers[name] ?? '') || undefined;
  return { subject: told('x-client-certificate-subject'), fingerprint: told('x-client-certificate-fingerprint') };
}

export function isKnownProxy(address: string, proxies: BlockList | undefined): boolean {
  return proxies !== undefined && isAmong(proxies, plainAddress(address));
}

function isAmong(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** IPv4 addresses on an IPv6 socket come as ::ffff:192.0.2.1. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '');
}
