// What an export is encrypted with and an import is opened with, as people name it: a file with a passphrase, or a key.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Secret } from '../domain/secret.ts';
import { type FileOpener, type FileRecipient, openerKeyOf, recipientKeyOf } from '../vault/sealed-file.ts';
import { Complaint, nearPath } from './complaint.ts';

const LEAST_PASSPHRASE_CHARACTERS = 12;

export type RecipientValues = { readonly passphraseFile?: string; readonly toPublicKey?: string };
export type OpenerValues = { readonly passphraseFile?: string; readonly privateKey?: string };

export async function recipientOf({
  passphraseFile,
  toPublicKey,
}: RecipientValues): Promise<FileRecipient | undefined> {
  if (passphraseFile !== undefined && toPublicKey !== undefined) {
    throw new Complaint('name --passphrase-file or --to-public-key, not both');
  }
  if (passphraseFile !== undefined) {
    const passphrase = await passphraseIn(passphraseFile);
    if (passphrase.reveal().length >= LEAST_PASSPHRASE_CHARACTERS) return { passphrase };
    const path = nearPath(resolve(passphraseFile));
    throw new Complaint(`the passphrase in ${path} has less than ${LEAST_PASSPHRASE_CHARACTERS} characters`);
  }
  if (toPublicKey === undefined) return undefined;
  const publicKey = recipientKeyOf(await readFile(resolve(toPublicKey), 'utf8'));
  return { publicKey: keyIn(toPublicKey, publicKey, 'public') };
}

export async function openerOf({ passphraseFile, privateKey }: OpenerValues): Promise<FileOpener | undefined> {
  if (passphraseFile !== undefined && privateKey !== undefined) {
    throw new Complaint('name --passphrase-file or --private-key, not both');
  }
  if (passphraseFile !== undefined) return { passphrase: await passphraseIn(passphraseFile) };
  if (privateKey === undefined) return undefined;
  return { privateKey: keyIn(privateKey, openerKeyOf(await readFile(resolve(privateKey), 'utf8')), 'private') };
}

/** The first line. */
async function passphraseIn(path: string): Promise<Secret<string>> {
  const [line = ''] = (await readFile(resolve(path), 'utf8')).split(/\r?\n/);
  return new Secret(line);
}

function keyIn<Key>(path: string, key: Key | undefined, what: 'public' | 'private'): Key {
  if (key !== undefined) return key;
  throw new Complaint(`${nearPath(resolve(path))} holds no ${what} key in PEM: X25519, or RSA of 2048 bits or more`);
}
