// Media types in headers, without their parameters.

import { MEDIA_TYPE } from '../operations/response.ts';

/** The media type that a header, or one entry of its list, names. */
export function mediaTypeOf(text: string): string {
  const end = text.indexOf(';');
  return (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
}

/** Whether the header accepts our type and no other. */
export function acceptsOurs(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && mediaTypeOf(header) === MEDIA_TYPE && !header.includes(',');
}
