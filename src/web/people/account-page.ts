// The page of one's own account: how one signs in, where one is signed in, and one's tokens.

import { NEEDS_SECOND_FACTOR } from '../../domain/people/caller.ts';
import { MIN_PASSWORD } from '../../domain/people/passwords.ts';
import { PERSON_ROLES } from '../../domain/people/roles.ts';
import type { AccountView, NewApp } from '../../processing/people/account.ts';
import { sessionIdOf } from '../../processing/people/secret-texts.ts';
import type { PersonSession } from '../../processing/people/sessions.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply } from '../route.ts';
import { done, formField, markField, type PeopleAssets, peoplePage, trouble } from './layout.ts';
import { placesPanel, type SandboxPlaces } from './sandbox-places.ts';

/** How long a token made here may last. */
export const TOKEN_DAYS = [30, 90, 365] as const;

export type AccountParts = AccountView & {
  readonly session: PersonSession;
  readonly mark: string;
  readonly now: number;
  /** An authenticator app that waits for its first code. */
  readonly newApp: NewApp | undefined;
  /** A token that was just made. */
  readonly newToken?: string | undefined;
  readonly places?: SandboxPlaces | undefined;
  readonly trouble?: string | undefined;
  readonly done?: string | undefined;
};

export function accountPage(assets: PeopleAssets, parts: AccountParts): WebReply {
  const { person, session, mark } = parts;
  const { name, role } = person;
  const isWhole = session.reach === 'whole';
  return peoplePage(assets, {
    title: 'Your account',
    status: parts.trouble === undefined ? 200 : 422,
    signedIn: { name, role, mark },
    body: html`<h1 class="people-title">Your account</h1>
${trouble(parts.trouble)}${done(parts.done)}
${!isWhole && setUpNotice(parts)}
${parts.newToken !== undefined && tokenNotice(parts.newToken)}
<div class="cards">
${isWhole && parts.places && placesPanel(parts.places)}
${passwordPanel(parts)}
${passkeyPanel(parts)}
${appPanel(parts)}
${sessionPanel(parts)}
${isWhole && tokenPanel(parts)}
</div>`,
  });
}

function setUpNotice({ person, passkeys, passwordIsEnough }: AccountParts): Html {
  const isReady = passkeys.length > 0 || (person.password !== undefined && person.totpSince !== undefined);
  const needs = passwordIsEnough
    ? 'Choose a password, or add a passkey. Then you can work here.'
    : `To work here, ${NEEDS_SECOND_FACTOR}. A passkey is enough by itself; a password needs an app beside it.`;
  const text = isReady ? html`You are ready: <a href="/sign-in?said=ready">sign in now</a>.` : needs;
  return html`<p class="notice ${isReady || passwordIsEnough ? 'good' : 'bad'}" role="status">${text}</p>`;
}

function tokenNotice(token: string): Html {
  return html`<section class="notice good" role="status"><p>Your new token, shown this once. Keep it safe.</p>
<pre tabindex="0"><code>${token}</code></pre></section>`;
}

function panel(id: string, title: string, body: Piece): Html {
  return html`<section class="panel" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
}

function form(action: string, mark: string, body: Piece): Html {
  return html`<form method="post" action="/account/${action}">${markField(mark)}${body}</form>`;
}

function passwordPanel({ person, mark }: AccountParts): Html {
  const has = person.password !== undefined;
  const current = {
    name: 'current',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
  } as const;
  return panel(
    'password-title',
    has ? 'Change your password' : 'Choose a password',
    form(
      'password',
      mark,
      html`<input class="away" type="text" name="username" value="${person.name}" autocomplete="username" readonly
tabindex="-1" aria-hidden="true">
${has && formField(current)}
${formField({
  name: 'chosen',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${MIN_PASSWORD} characters; several words are best. Other sessions end.`,
})}
<button class="quiet" type="submit">${has ? 'Change it' : 'Choose it'}</button>`,
    ),
  );
}

function passkeyPanel({ passkeys, mark, session }: AccountParts): Html {
  const rows = passkeys.map(
    ({ credentialId, label, createdAt, usedAt }) => html`<li><div><strong>${label}</strong>
<span>added ${moment(createdAt)}, ${usedAt === undefined ? 'not used yet' : html`used ${moment(usedAt)}`}</span></div>
${
  session.reach === 'whole' &&
  form(
    'passkeys/remove',
    mark,
    html`<input type="hidden" name="passkey" value="${credentialId}">
<button class="quiet small" type="submit" aria-label="Remove ${label}">Remove</button>`,
  )
}</li>`,
  );
  return panel(
    'passkeys-title',
    'Passkeys',
    html`<p class="intro">A passkey is kept by your phone, your computer or a security key. It asks for your finger, your face or
a PIN, works only on this site, and nobody can steal it from here.</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
<form data-passkey-add hidden>${markField(mark)}
<p class="notice bad" role="alert" data-passkey-trouble hidden></p>
${formField({ name: 'label', label: 'What to call it', autocomplete: 'off', value: 'My passkey' })}
<button class="quiet" type="submit">Add a passkey</button></form>
<p class="fine" data-no-passkey>Adding one needs a browser that knows passkeys and runs scripts.</p>`,
  );
}

function appPanel(parts: AccountParts): Html {
  return panel('app-title', 'Authenticator app', appBody(parts));
}

function appBody({ person, mark, newApp, session }: AccountParts): Html {
  const { totpSince: since } = person;
  const isWhole = session.reach === 'whole';
  if (since !== undefined) {
    return html`<p class="intro">Your password needs a code of the app since ${moment(since)}.</p>
${isWhole && form('app/remove', mark, html`<button class="quiet" type="submit">Remove the app</button>`)}`;
  }
  if (!newApp) {
    return html`<p class="intro">An app on your phone shows a new code every half a minute, which is asked for beside your
password.</p>${form('app/begin', mark, html`<button class="quiet" type="submit">Set up an app</button>`)}`;
  }
  const groups = newApp.secret.match(/.{1,4}/g) ?? [];
  return html`<p class="intro">Give your app this secret, or open the <a href="${newApp.uri}">link for apps</a> on your phone.
Then type the code it shows.</p>
<pre class="to-type" tabindex="0"><code>${groups.join(' ')}</code></pre>
${form(
  'app/confirm',
  mark,
  html`${formField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', numeric: true })}
<button type="submit">Turn it on</button>`,
)}`;
}

function sessionPanel({ sessions, session, mark }: AccountParts): Html {
  const rows = sessions.map(({ digest, browser, address, signedInAt, way }) => {
    const isThis = digest.equals(session.digest);
    return html`<li><div><strong>${browser}</strong> ${isThis && html`<em>this one</em>`}
<span>by ${way} from ${address}, since ${moment(signedInAt)} (${sessionIdOf(digest)})</span></div></li>`;
  });
  const end = form('sessions/end', mark, html`<button class="quiet" type="submit">Sign out everywhere else</button>`);
  return panel(
    'sessions-title',
    'Where you are signed in',
    html`<ul class="rows">${rows}</ul>${sessions.length > 1 && end}`,
  );
}

function tokenPanel({ tokens, mark, now, person }: AccountParts): Html {
  const valid = tokens.filter(({ revokedAt, endsAt }) => revokedAt === undefined && endsAt > now);
  const rows = valid.map(
    ({ tokenId, label, role, verbs = [], endsAt, usedAt }) => html`<li><div><strong>${label}</strong>
<span><code>${tokenId}</code>, for ${role ?? verbs.join(', ')}, until ${moment(endsAt)},
${usedAt === undefined ? 'not used yet' : html`used ${moment(usedAt)}`}</span></div>
${form(
  'tokens/revoke',
  mark,
  html`<input type="hidden" name="token" value="${tokenId}">
<button class="quiet small" type="submit" aria-label="Revoke ${label}">Revoke</button>`,
)}</li>`,
  );
  const roles = [person.role, ...PERSON_ROLES.filter((role) => role !== person.role)];
  return panel(
    'tokens-title',
    'Tokens for programs',
    html`${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
${form(
  'tokens/add',
  mark,
  html`${formField({ name: 'token-label', label: 'What it is for', autocomplete: 'off' })}
<div class="pair"><div class="field"><label for="token-role">What it may do</label>
<select id="token-role" name="role">${roles.map((role) => html`<option>${role}</option>`)}</select></div>
<div class="field"><label for="token-days">For how long</label>
<select id="token-days" name="days">${TOKEN_DAYS.map((days) => html`<option value="${days}">${days} days</option>`)}</select></div></div>
<button class="quiet" type="submit">Make a token</button>`,
)}`,
  );
}

function moment(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 16)} UTC</time>`;
}
