// The mail server of an installation, as an operator writes it: `smtps://user:password@mail.example:465`, or
// `smtp://…:587`, which is made secure by STARTTLS. Only a server on this machine may be spoken to in clear.

import { addressKind } from '../address/public-address.ts';
import { Secret } from '../secret.ts';

export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** From the first byte, by STARTTLS or not at all. */
  readonly tls: 'at-once' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: Secret<string> } | undefined;
};

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Undefined when it cannot be read. The text may hold a password, so no complaint repeats it. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usual = url && PORTS[url.protocol];
  if (!url || usual === undefined || url.hostname === '' || (url.username === '') !== (url.password === '')) {
    return undefined;
  }
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined) return undefined;
  const isHere = /^localhost\.?$/i.test(host) || addressKind(host) === 'loopback';
  return {
    host,
    port: url.port === '' ? usual : Number(url.port),
    tls: url.protocol === 'smtps:' ? 'at-once' : isHere ? 'none' : 'starttls',
    login: user === '' ? undefined : { user, password: new Secret(password) },
  };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    // A zero byte would end the name inside the line that carries both.
    return plain.includes('\0') ? undefined : plain;
  } catch {
    return undefined;
  }
}
