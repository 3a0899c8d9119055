// Where callbacks may go: http on ports 80 and 8080, https on 443 and 8443, and never to a private address. A URL is
// checked when it is given; the address its host name leads to is checked before every call.

import { addressKind } from '../address/public-address.ts';
import { maskCardNumbers } from '../card/numbers-in-text.ts';
import { type CallbackHost, isListedAddress, isListedName } from './callback-hosts.ts';

/** The first is the one of a URL that names none. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  'http:': ['80', '8080'],
  'https:': ['443', '8443'],
};

/** A sandbox may call the machine it runs on, at any port, and the hosts inside that it lists. */
export type CallbackPolicy = { readonly loopback: boolean; readonly hosts?: readonly CallbackHost[] };

/** Why callbacks cannot go there, as far as the URL itself tells. */
export function whyNotCallable(text: string, policy: CallbackPolicy): string | undefined {
  const url = new URL(text);
  const ports = PORTS[url.protocol];
  if (!ports) return 'it must begin with http:// or https://';
  if (!isHostCallable(url, policy)) return `a callback URL cannot be local or private${remedyOf(policy)}`;
  if (policy.loopback || ports.includes(portOf(url))) return undefined;
  return `with ${url.protocol}// the port must be ${ports.join(' or ')}`;
}

/** Host names are judged when they are looked up; only `localhost` is known before. */
function isHostCallable(url: URL, policy: CallbackPolicy): boolean {
  const host = hostOf(url);
  if (isLocalName(host)) return policy.loopback;
  return addressKind(host) === undefined || isCallableFor(url, host, policy);
}

/** Whether this internet address, to which the URL leads, may be called. */
export function isCallableFor(url: URL, address: string, policy: CallbackPolicy): boolean {
  const { hosts = [] } = policy;
  return isCallable(address, policy) || isListed(url, policy) || isListedAddress(address, portOf(url), hosts);
}

/** Whether this internet address may be called by everybody. */
export function isCallable(address: string, { loopback }: CallbackPolicy): boolean {
  const kind = addressKind(address);
  return kind === 'public' || (loopback && kind === 'loopback');
}

/** Whether the sandbox lists the name of the URL. */
export function isListed(url: URL, { hosts = [] }: CallbackPolicy): boolean {
  return isListedName(hostOf(url), portOf(url), hosts);
}

/** What helps where hosts may be listed. */
export function remedyOf({ hosts }: CallbackPolicy): string {
  return hosts === undefined ? '' : '; --callback-hosts lists those that this sandbox may call';
}

export function isLocalName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host);
}

/** Without the brackets of a version 6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export function portOf({ protocol, port }: URL): string {
  return port === '' ? (PORTS[protocol]?.[0] ?? '') : port;
}

/** Host and port, masked: a receiver that is slow or gone delays only the callbacks to itself. */
export function destinationOf(text: string): string {
  const url = new URL(text);
  return `${maskCardNumbers(url.hostname)}:${portOf(url)}`;
}
