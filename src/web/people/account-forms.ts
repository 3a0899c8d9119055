// What the forms of the account page do. Each brings the mark of its session, which no other site can know.

import type { Clock } from '../../domain/clock.ts';
import { PERSON_ROLES } from '../../domain/people/roles.ts';
import { Secret } from '../../domain/secret.ts';
import type { PeopleAccess } from '../../processing/people/access.ts';
import type { PersonSession } from '../../processing/people/sessions.ts';
import { seeOther, type WebReply, type WebRequest } from '../route.ts';
import { type AccountParts, accountPage, TOKEN_DAYS } from './account-page.ts';
import { cookieHeader } from './cookie.ts';
import { formFields, json, jsonOf, visitorOf, withHeader } from './form-bodies.ts';
import type { PeopleAssets } from './layout.ts';
import type { SandboxPlaces } from './sandbox-places.ts';

/** Somebody who is signed in, and what their forms must bring along. */
export type SignedIn = {
  readonly session: PersonSession;
  readonly cookie: Secret<string>;
  readonly mark: string;
  /** The session as it is now, for what lasts longer than a request; undefined once it is over. */
  again(): Promise<PersonSession | undefined>;
};

/** Further pages for whoever has signed in, below a path of their own. */
export type SignedInPages = (signedIn: SignedIn, request: WebRequest) => Promise<WebReply>;

export type AccountFormParts = {
  readonly access: PeopleAccess;
  readonly assets: PeopleAssets;
  readonly clock: Clock;
  readonly origin: () => string;
  /** What a sandbox has to look at. */
  readonly places?: SandboxPlaces | undefined;
};

const MAX_LABEL = 60;

/** What was done, by a word in the address: anybody may write one there. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password is set.'],
  ['app', 'Codes of your app are asked for from now on.'],
  ['app-removed', 'Your app is removed.'],
  ['passkey', 'Your passkey is added.'],
  ['passkey-removed', 'Your passkey is removed.'],
  ['sessions', 'You are signed out everywhere else.'],
  ['revoked', 'The token is revoked.'],
]);

/** Who has shown one factor only may add to their account, and take nothing away. */
const WHOLE_ONLY = new Set(['app/remove', 'passkeys/remove', 'tokens/add', 'tokens/revoke']);

const back = (done: string) => seeOther(`/account?done=${done}`);

/** Undefined when there is no such form. */
export async function answerAccount(
  parts: AccountFormParts,
  signedIn: SignedIn,
  request: WebRequest,
): Promise<WebReply | undefined> {
  const { rest, method, query } = request;
  if (method === 'GET') {
    return rest === 'account' ? page(parts, signedIn, { done: DONE.get(query.get('done') ?? '') }) : undefined;
  }
  const action = rest.slice('account/'.length);
  if (action === 'passkeys/options' || action === 'passkeys/add') return passkeys(parts, signedIn, request, action);
  const given = formFields(request);
  if (given.mark !== signedIn.mark) {
    return { ...(await page(parts, signedIn, { trouble: 'This form is too old. Try again.' })), status: 403 };
  }
  if (signedIn.session.reach !== 'whole' && WHOLE_ONLY.has(action)) {
    return { ...(await page(parts, signedIn, { trouble: 'Sign in with both factors first.' })), status: 403 };
  }
  return change(parts, signedIn, request, action);
}

async function change(
  parts: AccountFormParts,
  signedIn: SignedIn,
  request: WebRequest,
  action: string,
): Promise<WebReply | undefined> {
  const { account } = parts.access;
  const { session } = signedIn;
  const given = formFields(request);
  const again = (trouble: string) => page(parts, signedIn, { trouble });
  switch (action) {
    case 'password': {
      const [chosen, current] = [new Secret(given.chosen ?? ''), new Secret(given.current ?? '')];
      const fault = await account.setPassword(session, { chosen, current, visitor: visitorOf(request) });
      return fault === undefined ? withPassword(parts, signedIn, request) : again(fault);
    }
    case 'app/begin':
      await account.beginApp(session);
      return back('');
    case 'app/confirm': {
      const isRight = await account.confirmApp(session, given.code ?? '');
      return isRight
        ? withBothFactors(parts, signedIn, request)
        : again('This code is wrong. Type the one it shows now.');
    }
    case 'app/remove':
      await account.removeApp(session);
      return back('app-removed');
    case 'passkeys/remove':
      await account.removePasskey(session, given.passkey ?? '');
      return back('passkey-removed');
    case 'sessions/end':
      await account.endOtherSessions(session);
      return back('sessions');
    case 'tokens/add':
      return addToken(parts, signedIn, given);
    case 'tokens/revoke':
      await account.revokeToken(session, given.token ?? '');
      return back('revoked');
  }
  return undefined;
}

/** In a sandbox whoever came by a one-time link and has chosen a password is in. */
async function withPassword(parts: AccountFormParts, signedIn: SignedIn, request: WebRequest): Promise<WebReply> {
  if (!(await parts.access.account.isInByPassword(signedIn.session))) return back('password');
  return signedInAnew(parts, signedIn, request, 'password');
}

/** Who came by password has now shown both factors, and goes on in a session that says so. */
async function withBothFactors(parts: AccountFormParts, signedIn: SignedIn, request: WebRequest): Promise<WebReply> {
  if (signedIn.session.way !== 'password') return back('app');
  return signedInAnew(parts, signedIn, request, 'app');
}

/** What was just done says how they are signed in from now on: in a new session, because the old one says otherwise. */
async function signedInAnew(
  { access, origin }: AccountFormParts,
  { session, cookie }: SignedIn,
  request: WebRequest,
  done: 'app' | 'password',
): Promise<WebReply> {
  await access.sessions.end(cookie);
  const way = done === 'app' ? 'password and code' : 'password';
  const fresh = await access.sessions.begin(session.person, way, visitorOf(request));
  return withHeader(back(done), 'Set-Cookie', cookieHeader(fresh, origin()));
}

async function addToken(
  parts: AccountFormParts,
  signedIn: SignedIn,
  given: Readonly<Record<string, string>>,
): Promise<WebReply> {
  const { session } = signedIn;
  const label = (given['token-label'] ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_LABEL);
  const role = PERSON_ROLES.find((one) => one === given.role);
  const days = TOKEN_DAYS.find((one) => String(one) === given.days);
  const isWanted = label !== '' && role !== undefined && days !== undefined;
  if (!isWanted) return page(parts, signedIn, { trouble: 'Say what the token is for.' });
  const newToken = await parts.access.account.addToken(session, { label, role, days });
  return page(parts, signedIn, { newToken });
}

/** These come from our script, as JSON. */
async function passkeys(
  { access }: AccountFormParts,
  { session, mark }: SignedIn,
  request: WebRequest,
  action: 'passkeys/options' | 'passkeys/add',
): Promise<WebReply> {
  const given = jsonOf(request);
  if (given?.mark !== mark) return json(403, { error: 'This page is too old. Load it again.' });
  if (action === 'passkeys/options') return json(200, await access.account.passkeyOptions(session));
  const isAdded = await access.account.addPasskey(session, given.answer, String(given.label ?? ''));
  return isAdded
    ? json(200, { location: '/account?done=passkey' })
    : json(422, { error: 'This passkey could not be added. Try again.' });
}

async function page(
  { access, assets, clock, places }: AccountFormParts,
  { session, mark }: SignedIn,
  said: Pick<AccountParts, 'trouble' | 'done' | 'newToken'>,
): Promise<WebReply> {
  const view = await access.account.view(session);
  const newApp = await access.account.waitingApp(session);
  return accountPage(assets, { ...view, session, mark, now: clock.now(), newApp, places, ...said });
}
