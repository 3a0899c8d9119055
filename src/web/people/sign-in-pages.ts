// The pages for who is not signed in: signing in by password and code or by passkey, and the first time by a one-time
// code.

import { SESSION_IDLE_MS, SESSION_MS } from '../../domain/people/session-rule.ts';
import { html } from '../design/html.ts';
import type { WebReply } from '../route.ts';
import { done, formField, type PeopleAssets, peoplePage, trouble } from './layout.ts';

const REFUSED =
  'That did not work. Check name, password and code. If you have a passkey and no authenticator app, sign in with the passkey.';

export type SignInSaying =
  | 'refused'
  | 'wait'
  | 'foreign'
  | 'signed-out'
  | 'ready'
  | 'unused'
  | 'too-old'
  | 'ended'
  | undefined;

const IDLE_MINUTES = SESSION_IDLE_MS / 60_000;
const MOST_HOURS = SESSION_MS / 3_600_000;

const SAYINGS: Readonly<Record<NonNullable<SignInSaying>, string>> = {
  refused: REFUSED,
  wait: 'There were too many tries. Wait a while, then try again.',
  foreign: 'This form was not sent from this page. Try again here.',
  'signed-out': 'You are signed out.',
  ready: 'All is set up. Sign in.',
  unused: `You were signed out, because nothing was done for ${IDLE_MINUTES} minutes. Sign in to go on where you were.`,
  'too-old': `You were signed out, because you signed in ${MOST_HOURS} hours ago. Sign in to go on where you were.`,
  ended:
    'Your session was ended: you signed out or changed how you sign in, an administrator ended it, or it was long ago. Sign in to go on where you were.',
};

const STATUS: Readonly<Partial<Record<NonNullable<SignInSaying>, number>>> = { refused: 403, wait: 429, foreign: 403 };

/** What the page is asked for with, besides what it says. */
export type SignInAsked = {
  readonly name?: string;
  /** The page to go on to. */
  readonly to?: string | undefined;
  /** Whether something was sent that was not done, because nobody was signed in any more. */
  readonly isLost?: boolean;
};

export function signInPage(assets: PeopleAssets, saying: SignInSaying, asked: SignInAsked = {}): WebReply {
  const { name = '', to, isLost = false } = asked;
  const isBad = saying === 'refused' || saying === 'wait' || saying === 'foreign';
  const text = saying && `${SAYINGS[saying]}${isLost ? ' What you sent last was not done.' : ''}`;
  return peoplePage(assets, {
    title: 'Sign in',
    status: (saying && STATUS[saying]) ?? 200,
    body: html`<section class="panel people-single" aria-labelledby="what">
<h1 id="what">Sign in</h1>
${isBad ? trouble(text) : done(text)}
<div data-passkey-sign-in${to !== undefined && html` data-to="${to}"`} hidden>
<p class="notice bad" role="alert" data-passkey-trouble hidden></p>
<button type="button">Sign in with a passkey</button>
<p class="or"><span>or with your password</span></p>
</div>
<form method="post" action="/sign-in">
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
${formField({ name: 'name', label: 'Name', autocomplete: 'username', value: name })}
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${formField({
  name: 'code',
  label: 'Code of your authenticator app',
  autocomplete: 'one-time-code',
  hint: 'Six digits. Leave it empty if you have no such app.',
  numeric: true,
  required: false,
})}
<button type="submit">Sign in</button>
</form>
<p class="fine">For the first time, or after a reset? <a href="/first-sign-in">Use your one-time code</a></p>
</section>`,
  });
}

export function firstSignInPage(assets: PeopleAssets, saying: 'refused' | 'wait' | 'foreign' | undefined): WebReply {
  const text = saying === 'refused' ? 'This code is wrong, was used, or is too old. Ask for a new one.' : undefined;
  return peoplePage(assets, {
    title: 'First sign-in',
    status: (saying && STATUS[saying]) ?? 200,
    body: html`<section class="panel people-single" aria-labelledby="what">
<h1 id="what">First sign-in</h1>
<p class="intro">An administrator gave you a one-time link. It works once; then you choose how you sign in.</p>
${trouble(text ?? (saying && SAYINGS[saying]))}
<form method="post" action="/first-sign-in" data-one-time-code>
${formField({ name: 'code', label: 'One-time code', autocomplete: 'off', hint: 'The part of the link after the #.' })}
<button type="submit">Go on</button>
</form>
<p class="fine"><a href="/sign-in">Sign in with a password or a passkey</a></p>
</section>`,
  });
}
