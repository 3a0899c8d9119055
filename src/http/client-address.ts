// Where a request comes from and how it was called: what the connection tells or, when a known proxy made the
// connection, what the proxy says.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
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

/** The scheme that the client called with: that of the connection, or what a known proxy was called with. */
export function clientScheme({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): 'http' | 'https' {
  const own = (socket as TLSSocket).encrypted ? 'https' : 'http';
  if (!proxies || !isAmong(proxies, plainAddress(socket.remoteAddress ?? ''))) return own;
  const nearest = String(headers['x-forwarded-proto'] ?? '').split(',');
  return nearest.at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

/** The host that the client called, with its port: what the request names, or what a known proxy was called with. */
export function clientHost({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  const isBelieved = forwarded !== undefined && proxies && isAmong(proxies, plainAddress(socket.remoteAddress ?? ''));
  return isBelieved ? String(forwarded).split(',').at(-1)?.trim() : headers.host;
}

/** The certificate that the client showed: to us, if a named authority issued it, or to a known proxy. */
export function clientCertificate(
  { socket, headers }: IncomingMessage,
  proxies: BlockList | undefined,
): ClientCertificate | undefined {
  if (!proxies || !isAmong(proxies, plainAddress(socket.remoteAddress ?? ''))) return shownTo(socket as TLSSocket);
  const told = (name: string) => String(headers[name] ?? '') || undefined;
  return { subject: told('x-client-certificate-subject'), fingerprint: told('x-client-certificate-fingerprint') };
}

const seen = new WeakMap<TLSSocket, ClientCertificate>();

function shownTo(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized) return undefined;
  const before = seen.get(socket);
  if (before) return before;
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return undefined;
  // Node writes a name by line, the widest first; proxies write it in one line, the narrowest first (RFC 4514).
  const subject = certificate.subject.split('\n').reverse().join(',');
  const shown = { subject, fingerprint: certificate.fingerprint256 };
  seen.set(socket, shown);
  return shown;
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
