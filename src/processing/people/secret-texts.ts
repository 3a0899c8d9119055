// Secrets that are texts of our own making: cookies, personal tokens and one-time codes. They are long random numbers,
// so a plain digest is enough to know them again, and nobody finds them by trial.

import { createHash, randomBytes } from 'node:crypto';
import { Secret } from '../../domain/secret.ts';

const SECRET_BYTES = 32;
const LINK_BYTES = 20;
const TOKEN_MARK = 'tnd';
const TOKEN_ID_BYTES = 4;
const ID_DIGITS = 8;

export function newSecretText(): Secret<string> {
  return new Secret(randomBytes(SECRET_BYTES).toString('base64url'));
}

/** A one-time code, which a person may have to type. */
export function newLinkCode(): Secret<string> {
  const groups = randomBytes(LINK_BYTES).toString('hex').match(/.{5}/g) ?? [];
  return new Secret(groups.join('-'));
}

/** The way a person typed a one-time code does not matter. */
export function readLinkCode(typed: string): Secret<string> {
  const digits = typed.toLowerCase().replace(/[^0-9a-f]/g, '');
  return new Secret((digits.match(/.{1,5}/g) ?? []).join('-'));
}

/** Programs that look for secrets in files know a token by its beginning, and its owner by the digits after it. */
export function newToken(): { tokenId: string; secret: Secret<string> } {
  const tokenId = `${TOKEN_MARK}_${randomBytes(TOKEN_ID_BYTES).toString('hex')}`;
  return { tokenId, secret: new Secret(`${tokenId}_${randomBytes(SECRET_BYTES).toString('base64url')}`) };
}

export function secretDigest(secret: Secret<string>): Buffer {
  return createHash('sha256').update(secret.reveal(), 'utf8').digest();
}

/** Tells one session from another, and cannot be used in its place. */
export function sessionIdOf(digest: Buffer): string {
  return digest.toString('hex').slice(0, ID_DIGITS);
}

/** What a form of a signed-in person must bring along: another site cannot know it, and it is no way to the cookie. */
export function formMarkOf(cookie: Secret<string>): string {
  return createHash('sha256').update(`form ${cookie.reveal()}`, 'utf8').digest('base64url');
}
