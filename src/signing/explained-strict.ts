// Why a strict signature is wrong: what people sign in the place of "t.OPERATION.id.body", tried one after the other.

import { createHmac, hash } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import { keySpellings } from './key-spellings.ts';
import { type StrictSubject, strictText } from './strict.ts';

export type StrictMistake = { readonly mistake: string; readonly text: string };

/** The text that is signed; the body stands at its end. */
export function strictString(seconds: string, { operation, pathId, body }: StrictSubject): string {
  return `${seconds}.${operation}.${pathId}.${body.toString('utf8')}`;
}

const HEADER = /^t=(\d+),v1=(.+)$/;

/** The first mistake that gives the signature; undefined when none does, or when it is right. */
export function explainStrict(header: string, subject: StrictSubject, key: Secret<string>): StrictMistake | undefined {
  const [, seconds = '', came = ''] = HEADER.exec(strictText(header)) ?? [];
  if (seconds === '') return undefined;
  const right = strictString(seconds, subject);
  const signed = (text: string, secret = key.reveal(), algorithm = 'sha256') =>
    createHmac(algorithm, secret).update(text).digest('hex');
  if (signed(right) === came) return undefined;
  const found = [...textsInstead(seconds, subject)].find(([text]) => signed(text) === came);
  if (found) return { text: found[0], mistake: found[1] };
  const spelling = keySpellings(key).find(({ spelled }) => signed(right, spelled.reveal()) === came);
  if (spelling?.mistake !== undefined) return { text: right, mistake: spelling.mistake };
  if (signed(right, undefined, 'sha1') === came) {
    return { text: right, mistake: 'It is an HMAC-SHA1: it must be HMAC-SHA256.' };
  }
  if (hash('sha256', right + key.reveal(), 'hex') === came) {
    return {
      text: right,
      mistake: 'It is a plain SHA-256 of string and key: it must be an HMAC-SHA256 under the key.',
    };
  }
  const inBase64 = createHmac('sha256', key.reveal()).update(right).digest('base64').toLowerCase();
  return inBase64 === came ? { text: right, mistake: 'It is written in Base64: it must be hexadecimal.' } : undefined;
}

function* textsInstead(seconds: string, subject: StrictSubject): Generator<[text: string, mistake: string]> {
  const { operation, pathId, body } = subject;
  const text = body.toString('utf8');
  const named = (name: string) => strictString(seconds, { ...subject, operation: name });
  yield [named(operation.toLowerCase()), `The operation is signed in small letters: it is ${operation}.`];
  yield [
    named(operation.toLowerCase().replaceAll('_', '-')),
    `The operation is signed as in the path: it is ${operation}.`,
  ];
  yield [`${seconds}.${operation}.${text}`, 'The id of the endpoint is left out: it stands before the body.'];
  yield [`${seconds}.${pathId}.${text}`, 'The name of the operation is left out: it stands behind the time.'];
  yield [`${seconds}.${text}`, 'Operation and id are left out: they stand between time and body.'];
  yield [text, 'Only the body is signed: time, operation and id stand before it.'];
  yield [`${seconds}${operation}${pathId}${text}`, 'The points between the parts are left out.'];
  yield [`${seconds}.${operation}.${pathId}`, 'The body is left out.'];
  yield [`${seconds}.${operation}.${pathId}.`, 'The body is left out.'];
  const encodings: readonly (readonly [string, string])[] = [
    [text.replaceAll('+', '%20'), 'The body is signed with %20 and sent with +: sign the very bytes that are sent.'],
    [text.replaceAll('%20', '+'), 'The body is signed with + and sent with %20: sign the very bytes that are sent.'],
    [decodeURIComponent(text.replaceAll('+', ' ')), 'The body is signed before it is encoded: sign what is sent.'],
    [`${text}\n`, 'A line end stands behind the body that is signed: it is not sent.'],
    [text.trim(), 'The body is signed without the blanks around it, which are sent.'],
  ];
  for (const [other, mistake] of encodings) {
    if (other !== text) yield [strictString(seconds, { ...subject, body: Buffer.from(other) }), mistake];
  }
}
