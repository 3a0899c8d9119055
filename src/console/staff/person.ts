// One person: their role, whether they may come in, their sessions and tokens.

import { type Html, html } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, foldedForm, formOf } from '../pieces/forms.ts';
import { facts, moment, panel } from '../pieces/values.ts';
import { invited, personBadge, roleChoices, type ShownPerson, tokensOf, waysIn } from './people.ts';

const placeOf = (name: string) => `/console/people/${encodeURIComponent(name)}`;

export const personPage = definePage({
  path: 'people/:name',
  needs: 'showPerson',
  sayings: {
    role: 'The role is changed. It holds from their next click on.',
    enabled: 'They may sign in again.',
    disabled: 'They may not sign in any more; their sessions have ended and their tokens do not work.',
    unlocked: 'The failed tries are forgotten.',
    ended: 'Their sessions have ended.',
    revoked: 'The token is revoked: it works no longer.',
  },
  async show(visit) {
    const name = visit.params.name ?? '';
    const person = await visit.ask('showPerson', { name });
    const at = placeOf(name);
    return {
      title: person.name,
      above: [['/console/people', 'People']],
      body: html`<div class="panels">${panel('about', 'About', aboutOf(person))}
${visit.may('setPerson') && panel('may', 'What they may do', mayForms(visit, person, at))}</div>
${visit.may('resetPerson') && panel('ways', 'How they come in', wayForms(visit, person, at))}
${panel('tokens', 'Tokens of their programs', await tokensOf(visit, at, name), { wide: true })}`,
    };
  },
  forms: {
    role: async ({ ask, given, params }) => {
      await ask('setPerson', { name: params.name, role: given.role });
      return { to: placeOf(params.name ?? ''), said: 'role' };
    },
    enable: (visit) => setEnabled(visit, true),
    disable: (visit) => setEnabled(visit, false),
    unlock: async ({ ask, params }) => {
      await ask('unlockPerson', { name: params.name });
      return { to: placeOf(params.name ?? ''), said: 'unlocked' };
    },
    'end-sessions': async ({ ask, params }) => {
      await ask('endSessions', { name: params.name });
      return { to: placeOf(params.name ?? ''), said: 'ended' };
    },
    reset: async ({ ask, params }) => invited(await ask('resetPerson', { name: params.name })),
    revoke: async ({ ask, given, params }) => {
      await ask('revokeToken', { tokenId: given.tokenId ?? '' });
      return { to: placeOf(params.name ?? ''), said: 'revoked' };
    },
  },
});

async function setEnabled({ ask, params }: Visit, enabled: boolean) {
  await ask('setPerson', { name: params.name, enabled });
  return { to: placeOf(params.name ?? ''), said: enabled ? 'enabled' : 'disabled' };
}

function aboutOf(person: ShownPerson): Html {
  const { login, role, sessions, createdAt } = person;
  return facts([
    ['State', personBadge(person)],
    ['Role', role],
    ['Merchant', login ?? 'none: runs the gateway'],
    ['Signs in by', waysIn(person)],
    ['Sessions', `${sessions}`],
    ['Since', moment(createdAt)],
  ]);
}

function mayForms(visit: Visit, { name, role, enabled }: ShownPerson, at: string): Html {
  const isSelf = visit.person.name === name;
  return html`${isSelf && html`<p class="hint">This is you: whoever takes the role from themselves cannot give it back.</p>`}
${formOf(
  visit,
  { action: `${at}/role`, submit: 'Change the role', confirm: isSelf ? 'Change your own role?' : undefined },
  choiceField({ name: 'role', label: 'Role', value: role }, roleChoices),
)}
${
  enabled
    ? formOf(visit, {
        action: `${at}/disable`,
        submit: `Let ${name} in no longer`,
        kind: 'bad',
        confirm: `Let ${name} in no longer? Their sessions end now.`,
      })
    : formOf(visit, { action: `${at}/enable`, submit: `Let ${name} in again` })
}`;
}

function wayForms(visit: Visit, { name, sessions, locked }: ShownPerson, at: string): Html {
  const end =
    sessions > 0 && formOf(visit, { action: `${at}/end-sessions`, submit: 'End all sessions', kind: 'quiet' });
  const unlock = locked && formOf(visit, { action: `${at}/unlock`, submit: 'Forget the failed tries', kind: 'quiet' });
  return html`${(end || unlock) && html`<div class="buttons">${end}${unlock}</div>`}
${foldedForm(
  visit,
  'They have lost their password, passkey or app',
  { action: `${at}/reset`, submit: 'Take every way in, and show a one-time link', kind: 'bad' },
  html`<p>Takes password, passkeys, app, sessions and tokens from ${name}, and shows a one-time link for a new first
sign-in.</p>`,
)}`;
}
