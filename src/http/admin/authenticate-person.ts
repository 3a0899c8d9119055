// Who asks the administrators' interface: the owner of a personal token, or somebody who signed in with a browser. What
// a session does must come from our own pages: as JSON, from our origin, with a header that no form can send.

import type { IncomingMessage } from 'node:http';
import type { AdminCaller } from '../../domain/people/caller.ts';
import { Secret } from '../../domain/secret.ts';
import type { PeopleAccess } from '../../processing/people/access.ts';
import { cookieIn, isOwnPage } from '../../web/people/cookie.ts';

/** Sent by scripts of our own pages with every verb; the value does not matter. */
export const PAGE_HEADER = 'tender-page';

const MAX_TOKEN = 200;

export type PersonRefusal = { readonly status: 401 | 403; readonly error: string };

export type AuthenticateParts = {
  readonly access: Pick<PeopleAccess, 'sessions' | 'tokens'>;
  readonly origin: () => string;
};

export const WRONG_TOKEN: PersonRefusal = { status: 401, error: 'the token is wrong' };
const SIGN_IN_FIRST: PersonRefusal = { status: 401, error: 'sign in first' };
const FOREIGN_PAGE: PersonRefusal = {
  status: 403,
  error: 'verbs are taken as JSON from the pages of this gateway only',
};

export async function authenticatePerson(
  { access, origin }: AuthenticateParts,
  request: IncomingMessage,
): Promise<AdminCaller | PersonRefusal> {
  const { headers, headersDistinct } = request;
  const { authorization = '' } = headers;
  if ((headersDistinct.authorization?.length ?? 0) > 1) return WRONG_TOKEN;
  if (authorization !== '') {
    const [, token] = /^Bearer ([\w-]+)$/.exec(authorization) ?? [];
    const isToken = token !== undefined && token.length <= MAX_TOKEN;
    return (isToken && (await access.tokens.find(new Secret(token)))) || WRONG_TOKEN;
  }
  const cookie = cookieIn(headers, origin());
  if (!cookie) return WRONG_TOKEN;
  if (!isOwnPage(headers, origin()) || !isJson(request) || headers[PAGE_HEADER] === undefined) return FOREIGN_PAGE;
  return (await access.sessions.find(cookie)) ?? SIGN_IN_FIRST;
}

export function isRefusal(found: AdminCaller | PersonRefusal): found is PersonRefusal {
  return 'status' in found;
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}
