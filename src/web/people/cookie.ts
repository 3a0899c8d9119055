// The cookie of a signed-in person. Scripts cannot read it, other sites cannot make a browser send it, and under https
// it goes nowhere but to this host.

import type { IncomingHttpHeaders } from 'node:http';
import { Secret } from '../../domain/secret.ts';

const NAME = 'tender-person';
const MAX_LENGTH = 100;

const isSecure = (origin: string) => origin.startsWith('https:');

function cookieName(origin: string): string {
  return isSecure(origin) ? `__Host-${NAME}` : NAME;
}

function attributes(origin: string): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure(origin) ? '; Secure' : ''}`;
}

export function cookieHeader(cookie: Secret<string>, origin: string): string {
  return `${cookieName(origin)}=${cookie.reveal()}${attributes(origin)}`;
}

/** Makes a browser forget it. */
export function noCookieHeader(origin: string): string {
  return `${cookieName(origin)}=; Max-Age=0${attributes(origin)}`;
}

export function cookieIn({ cookie = '' }: IncomingHttpHeaders, origin: string): Secret<string> | undefined {
  const wanted = `${cookieName(origin)}=`;
  const found = cookie.split(/;\s*/).find((one) => one.startsWith(wanted));
  const value = found?.slice(wanted.length) ?? '';
  return value !== '' && value.length <= MAX_LENGTH ? new Secret(value) : undefined;
}

/** Whether a request that changes something was made by a page of ours: browsers always say whose page it was. */
export function isOwnPage({ origin: said }: IncomingHttpHeaders, origin: string): boolean {
  return said === origin;
}
