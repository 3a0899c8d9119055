// The pages for people, below the administrators' address. Forms are taken from our own pages only, and of who is
// signed in only with the mark of their session.

import type { Clock } from '../../domain/clock.ts';
import { Secret } from '../../domain/secret.ts';
import type { PeopleAccess } from '../../processing/people/access.ts';
import { formMarkOf, readLinkCode } from '../../processing/people/secret-texts.ts';
import type { PersonSession } from '../../processing/people/sessions.ts';
import type { SignInResult } from '../../processing/people/sign-in.ts';
import { seeOther, type WebReply, type WebRequest, type WebRoute } from '../route.ts';
import { answerAccount, type SignedIn, type SignedInPages } from './account-forms.ts';
import { cookieHeader, cookieIn, isOwnPage, noCookieHeader } from './cookie.ts';
import { formFields, json, jsonOf, visitorOf, withHeader } from './form-bodies.ts';
import type { PeopleAssets } from './layout.ts';
import { ownPath } from './own-path.ts';
import type { SandboxPlaces } from './sandbox-places.ts';
import { firstSignInPage, type SignInAsked, type SignInSaying, signInPage } from './sign-in-pages.ts';

export type PeopleRouteParts = {
  readonly access: PeopleAccess;
  readonly assets: PeopleAssets;
  readonly clock: Clock;
  /** The address that browsers reach these pages at. */
  readonly origin: () => string;
  /** Only in a sandbox. */
  readonly places: SandboxPlaces | undefined;
  /** Below /console. */
  readonly console: SignedInPages;
};

const PAGES = /^\/($|sign-in($|\/)|first-sign-in$|sign-out$|account($|\/)|console($|\/)|assets\/)/;

/** Whether a path belongs to these pages and not to a verb. */
export function isPeoplePath(path: string): boolean {
  return PAGES.test(path);
}

export function peopleRoute(parts: PeopleRouteParts): WebRoute {
  return { prefix: '/', handle: (request) => answer(parts, request) };
}

const NOT_FOUND: WebReply = { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'Not found' };
const FOR_EVER = 'public, max-age=31536000, immutable';

async function answer(parts: PeopleRouteParts, request: WebRequest): Promise<WebReply> {
  const { assets, origin } = parts;
  const asked = `${request.method} ${request.rest}`;
  if (asked === 'GET ') return seeOther('/console');
  if (request.method === 'GET' && request.rest.startsWith('assets/')) return asset(assets, request.rest.slice(7));
  if (asked === 'GET sign-in') return signInPage(assets, sayingIn(request), askedIn(request));
  if (asked === 'GET first-sign-in') return firstSignInPage(assets, undefined);
  const isForeign = request.method === 'POST' && !isOwnPage(request.headers, origin());
  if (isForeign) return signInPage(assets, 'foreign');
  switch (asked) {
    case 'POST sign-in':
      return signIn(parts, request);
    case 'POST first-sign-in':
      return firstSignIn(parts, request);
    case 'POST sign-in/passkey-options':
      return json(200, await parts.access.passkeys.signInOptions());
    case 'POST sign-in/passkey':
      return signInByPasskey(parts, request);
  }
  const signedIn = await signedInBy(parts, request);
  if (!signedIn) return /^(account|console)/.test(request.rest) ? signInFirst(parts, request) : NOT_FOUND;
  if (asked === 'POST sign-out') return signOut(parts, signedIn, request);
  if (/^console($|\/)/.test(request.rest)) return parts.console(signedIn, request);
  return (await answerAccount(parts, signedIn, request)) ?? NOT_FOUND;
}

function asset({ files }: PeopleAssets, name: string): WebReply {
  const file = files.get(name);
  if (!file) return NOT_FOUND;
  return { status: 200, headers: { 'Content-Type': file.type, 'Cache-Control': FOR_EVER }, body: file.body };
}

async function signIn(parts: PeopleRouteParts, request: WebRequest): Promise<WebReply> {
  const given = formFields(request);
  const { name = '', password = '', code = '' } = given;
  const to = ownPath(given.to ?? '');
  const signing = { name: name.trim().toLowerCase(), password: new Secret(password), code };
  const result = await parts.access.signIn.byPassword(signing, visitorOf(request));
  return afterSignIn(parts, request, result, (saying) => signInPage(parts.assets, saying, { name, to }), to);
}

async function firstSignIn(parts: PeopleRouteParts, request: WebRequest): Promise<WebReply> {
  const result = await parts.access.signIn.byLink(readLinkCode(formFields(request).code ?? ''), visitorOf(request));
  return afterSignIn(parts, request, result, (saying) => firstSignInPage(parts.assets, saying), '/account');
}

async function afterSignIn(
  { access, origin }: PeopleRouteParts,
  { headers }: WebRequest,
  result: SignInResult,
  again: (saying: 'refused' | 'wait') => WebReply,
  to = '/console',
): Promise<WebReply> {
  if (result.kind === 'refused') return again('refused');
  if (result.kind === 'wait') return withHeader(again('wait'), 'Retry-After', String(Math.ceil(result.ms / 1000)));
  await endOld(access, headers, origin());
  return withHeader(seeOther(to), 'Set-Cookie', cookieHeader(result.cookie, origin()));
}

async function signInByPasskey({ access, origin }: PeopleRouteParts, request: WebRequest): Promise<WebReply> {
  const given = jsonOf(request);
  const result = await access.passkeys.signIn(given?.answer, visitorOf(request));
  if (result.kind === 'wait') return json(429, { error: 'There were too many tries. Wait a while, then try again.' });
  if (result.kind === 'refused') return json(403, { error: 'This passkey was not taken.' });
  await endOld(access, request.headers, origin());
  return withHeader(
    json(200, { location: ownPath(String(given?.to ?? '')) ?? '/console' }),
    'Set-Cookie',
    cookieHeader(result.cookie, origin()),
  );
}

/** Whoever signs in anew leaves no session behind in the same browser. */
async function endOld(access: PeopleAccess, headers: WebRequest['headers'], origin: string): Promise<void> {
  const old = cookieIn(headers, origin);
  if (old) await access.sessions.end(old);
}

async function signedInBy({ access, origin }: PeopleRouteParts, request: WebRequest): Promise<SignedIn | undefined> {
  const cookie = cookieIn(request.headers, origin());
  const asks = request.method === 'GET' && request.headers['tender-live'] === '1' ? 'page' : 'person';
  const session: PersonSession | undefined = cookie && (await access.sessions.find(cookie, asks));
  const again = async () => cookie && access.sessions.find(cookie, 'page');
  return cookie && session && { session, mark: formMarkOf(cookie), cookie, again };
}

async function signOut(parts: PeopleRouteParts, { cookie, mark }: SignedIn, request: WebRequest): Promise<WebReply> {
  if (formFields(request).mark !== mark) return signInPage(parts.assets, 'foreign');
  await parts.access.sessions.end(cookie);
  return withHeader(seeOther('/sign-in?said=signed-out'), 'Set-Cookie', noCookieHeader(parts.origin()));
}

/** Whoever was signed in is told why they are not any more, and comes back to the page they asked for. */
async function signInFirst({ access, origin }: PeopleRouteParts, request: WebRequest): Promise<WebReply> {
  const cookie = cookieIn(request.headers, origin());
  if (!cookie) return seeOther('/sign-in');
  const query = new URLSearchParams({ said: await access.sessions.whyOver(cookie) });
  if (request.method === 'POST') query.set('lost', '1');
  const to = ownPath(pageOf(request));
  if (to !== undefined && to !== '/console') query.set('to', to);
  return seeOther(`/sign-in?${query}`);
}

/** The page that was asked for, or that stands around a form. */
function pageOf({ method, rest, search }: WebRequest): string {
  if (method === 'GET') return `/${rest}${search}`;
  return rest.startsWith('account') ? '/account' : `/${rest.slice(0, Math.max(0, rest.lastIndexOf('/')))}`;
}

const SAID = ['signed-out', 'ready', 'unused', 'too-old', 'ended'] as const;

function sayingIn({ query }: WebRequest): SignInSaying {
  return SAID.find((one) => one === query.get('said'));
}

function askedIn({ query }: WebRequest): SignInAsked {
  return { to: ownPath(query.get('to') ?? ''), isLost: query.has('lost') };
}
