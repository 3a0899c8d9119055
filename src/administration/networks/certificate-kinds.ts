// Certificates and private keys in PEM, as an administrator gives them. A private key is never repeated, whatever is
// wrong with it.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type InputKind, Misread } from '../../domain/input-kinds.ts';
import { Secret } from '../../domain/secret.ts';

const MAX_PEM_CHARACTERS = 32 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Takes certificates away. */
export const NONE = 'none';

/** One or several, one after the other. */
function certificates(what: string): InputKind<string> {
  return {
    schema: { type: 'string', maxLength: MAX_PEM_CHARACTERS },
    what,
    spelling: 'text',
    read: (value) => {
      if (value === NONE) return NONE;
      const pem = pemOf(value);
      if (pem.includes('PRIVATE KEY'))
        return wrong(`${what} is needed, and this is a private key: keep it to yourself`);
      const read = certificatesIn(pem);
      return read === undefined ? wrong(`this is not ${what}`) : read.map(String).join('');
    },
  };
}

export const authorityGiven = certificates('a CA certificate in PEM, "BEGIN CERTIFICATE"');
export const certificateGiven = certificates('a client certificate in PEM, "BEGIN CERTIFICATE"');

const KEY = 'a private key in PEM, "BEGIN PRIVATE KEY"';

export const privateKeyGiven: InputKind<Secret<string>> = {
  schema: { type: 'string', maxLength: MAX_PEM_CHARACTERS },
  what: KEY,
  spelling: 'text',
  read: (value) => {
    const pem = pemOf(value);
    if (/BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(pem)) {
      return wrong('the private key is locked with a passphrase: give it without one, the vault seals it');
    }
    const key = readKey(pem);
    // The types say text or bytes; as PEM it is text.
    if (key) return new Secret(key.export({ type: 'pkcs8', format: 'pem' }) as string);
    return wrong(
      pem.includes('BEGIN CERTIFICATE') ? `${KEY} is needed, and this is a certificate` : `this is not ${KEY}`,
    );
  },
};

/** Undefined when there is none, or one that cannot be read. */
export function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    const read = (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
    return read.length > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the private key is that of the first of the certificates. */
export function fitsKey([own]: readonly X509Certificate[], key: Secret<string>): boolean {
  return own?.checkPrivateKey(createPrivateKey(key.reveal())) === true;
}

/** Why TLS does not take a certificate that can be read, such as a key that is too short; undefined when it does. */
export function tlsComplaint(certificate: string, key: Secret<string>): string | undefined {
  try {
    createSecureContext({ cert: certificate, key: key.reveal() });
    return undefined;
  } catch (error) {
    const { reason, message } = error as Error & { readonly reason?: string };
    return reason ?? message;
  }
}

/** `CN=ds.example.com, O=Example`. */
export function nameOnOneLine(name: string): string {
  return name.trim().split('\n').reverse().join(', ');
}

function pemOf(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_PEM_CHARACTERS ? value : '';
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function wrong(says: string): Misread {
  return new Misread(says, { standsAlone: true });
}
