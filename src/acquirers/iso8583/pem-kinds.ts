// Kinds of settings that hold keys and certificates. What is wrong is told without repeating any of it.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type InputKind, Misread } from '../../domain/input-kinds.ts';

const LONGEST_PEM = 100_000;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

function unrepeated(what: string, faultOf: (text: string) => string | undefined): InputKind<string> {
  return {
    schema: { type: 'string', maxLength: LONGEST_PEM },
    what,
    spelling: 'text',
    read: (value) => {
      if (typeof value !== 'string' || value.length > LONGEST_PEM) return new Misread(`${what} is needed`);
      const fault = faultOf(value.trim());
      return fault === undefined ? value.trim() : new Misread(fault);
    },
  };
}

const blocksOf = (text: string) => [...text.matchAll(BLOCK)].map(([block, kind = '']) => ({ block, kind }));

/** One or more certificates. */
export const pemCertificates = unrepeated('a certificate in PEM', (text) => {
  const blocks = blocksOf(text);
  if (blocks.some(({ kind }) => kind.endsWith('PRIVATE KEY'))) {
    return 'a certificate in PEM is needed, this is a private key';
  }
  if (blocks.length === 0) return 'a certificate in PEM is needed, beginning with -----BEGIN CERTIFICATE-----';
  return blocks.every(({ block }) => isReadable(() => new X509Certificate(block)))
    ? undefined
    : 'a certificate in PEM is needed, this one cannot be read';
});

export const pemKey = unrepeated('a private key in PEM', (text) => {
  const [first] = blocksOf(text);
  if (first?.kind === 'CERTIFICATE') return 'a private key in PEM is needed, this is a certificate';
  if (first?.kind.startsWith('ENCRYPTED') || /Proc-Type: 4,ENCRYPTED/.test(text)) {
    return 'a private key without a passphrase is needed';
  }
  return isReadable(() => createPrivateKey(text)) ? undefined : 'a private key in PEM is needed, this cannot be read';
});

/** A key of 16, 24 or 32 bytes. */
export const hexKey = unrepeated('a key of 32, 48 or 64 hexadecimal digits', (text) => {
  if (!/^[0-9a-fA-F]*$/.test(text)) return 'a key of 32, 48 or 64 hexadecimal digits is needed';
  return [32, 48, 64].includes(text.length)
    ? undefined
    : `a key of 32, 48 or 64 hexadecimal digits is needed, not of ${text.length}`;
});

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
