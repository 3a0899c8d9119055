// What headers say of types: the one name of each, whatever stands behind it.

import { MEDIA_TYPE } from '../operations/response.ts';

/** The type a header names, or a part of a list. */
export function mediaTypeOf(text: string): string {
  const end = text.indexOf(';');
  return (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
}

/** Our type, and nothing beside it. */
export function acceptsOurs(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && mediaTypeOf(header) === MEDIA_TYPE && !header.includes(',');
}
