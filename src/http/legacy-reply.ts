// The old form of replies, for clients deployed long ago: form-encoded text, a line feed after every value, always
// HTTP 200. Only endpoints that have it switched on reply so, and only when the Accept header does not ask for the
// new form.

import { wellFormed } from '../domain/text.ts';
import { MEDIA_TYPE, type ReplyBody } from '../operations/response.ts';
import { mediaTypeOf } from './media-types.ts';

export const LEGACY_MEDIA_TYPE = 'text/html;charset=utf-8';

/** What old clients send, who read pairs whatever they say they accept: anything but our type that could be a text. */
const LEGACY_TYPES = /^(?:\*|text|application)\/./;

export function isLegacyAccept(header: string | string[] | undefined): boolean {
  if (header === undefined || header === '') return true;
  const types = String(header).split(',').map(mediaTypeOf);
  return types.some((type) => LEGACY_TYPES.test(type)) && !types.includes(MEDIA_TYPE);
}

/** The old form has no lists; the message names the single faults already. */
export function legacyBody(reply: ReplyBody): string {
  return Object.entries(reply)
    .flatMap(([name, value]) => (typeof value === 'string' ? [`${encoded(name)}=${encoded(value)}\n`] : []))
    .join('&');
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll('%20', '+');
}
