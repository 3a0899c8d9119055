// The people who work with the gateway, or with a merchant: who they are, what they may do, and how a new one comes in.

import type { AnswerTo } from '../../administration/administration.ts';
import { PERSON_ROLES } from '../../domain/people/roles.ts';
import { type Html, html } from '../../web/design/html.ts';
import { definePage, type Shown, type Visit } from '../page.ts';
import { choiceField, filled, formOf, textField, typed } from '../pieces/forms.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, block, moment, panel } from '../pieces/values.ts';

export type ShownPerson = AnswerTo<'listPeople'>[number];
type ShownToken = AnswerTo<'listTokens'>[number];

const AT = '/console/people';

export const staffListPage = definePage({
  path: 'people',
  needs: 'listPeople',
  menu: { section: 'People', name: 'People' },
  sayings: { revoked: 'The token is revoked: it works no longer.' },
  async show(visit) {
    const people = await visit.ask('listPeople');
    return {
      title: 'People',
      body: html`${tableOf<ShownPerson>({
        label: 'People',
        columns: {
          Name: ({ name }) => personLink(name),
          Role: ({ role }) => role,
          ...unlessOfMerchant(visit, { Merchant: ({ login }: ShownPerson) => login ?? 'runs the gateway' }),
          State: personBadge,
          'Signs in by': waysIn,
          Sessions: { of: ({ sessions }) => sessions, kind: 'number' },
          Since: ({ createdAt }) => moment(createdAt),
        },
        rows: people,
        otherwise: 'There is nobody yet.',
      })}
${visit.may('addPerson') && panel('add', 'Add a person', addForm(visit))}
${panel('tokens', 'Tokens of their programs', await tokensOf(visit, AT), { wide: true })}`,
    };
  },
  forms: {
    add: async ({ ask, given }) => invited(await ask('addPerson', filled(given, ['name', 'role', 'login']))),
    revoke: async ({ ask, given }) => {
      await ask('revokeToken', { tokenId: given.tokenId ?? '' });
      return { to: `${AT}#tokens`, said: 'revoked' };
    },
  },
});

const ROLES: Readonly<Record<string, string>> = {
  viewer: 'viewer: looks, and changes nothing',
  operator: 'operator: also gives money back, repeats callbacks, blocks',
  administrator: 'administrator: also changes merchants, keys and people',
  auditor: 'auditor: looks at everything, and changes nothing',
};

export const roleChoices = PERSON_ROLES.map((role) => [role, ROLES[role] ?? role] as const);

function addForm(visit: Visit): Html {
  const value = (name: string) => typed(visit, 'add', name);
  return formOf(
    visit,
    { action: `${AT}/add`, submit: 'Add, and show a one-time link' },
    html`${textField({
      name: 'name',
      label: 'Name',
      hint: 'What they sign in with: small letters, digits, dots and dashes, such as ann.',
      required: true,
      value: value('name'),
    })}
${choiceField({ name: 'role', label: 'Role', value: value('role') || 'viewer' }, roleChoices)}
${
  !isOfMerchant(visit) &&
  textField({
    name: 'login',
    label: 'Merchant (optional)',
    hint: 'The login of the merchant they belong to: they see and change nothing else, for ever. Empty for people who run the gateway.',
    value: value('login'),
  })
}`,
  );
}

/** The link is on this page alone: nobody can show it again. */
export function invited({ person, code, codeEndsAt, link }: AnswerTo<'addPerson'>): Shown {
  return {
    title: `A one-time link for ${person.name}`,
    above: [[AT, 'People']],
    body: html`<p class="notice">This is shown once. Give it to ${person.name} and to nobody else: whoever has it chooses
the password. It works once, and ends at ${moment(codeEndsAt)}.</p>
${block(link ?? code, link === null ? 'The one-time code' : 'The one-time link')}
<p>${personLink(person.name)} is ${person.role}${person.login !== null && html` of merchant ${person.login}`}.</p>`,
  };
}

export const personLink = (name: string) => html`<a href="${AT}/${encodeURIComponent(name)}">${name}</a>`;

export function personBadge({ enabled, locked }: ShownPerson): Html {
  if (!enabled) return badge('disabled', 'bad');
  return locked ? badge('locked out', 'waiting') : badge('enabled', 'good');
}

export function waysIn({ password, authenticator, passkeys }: ShownPerson): string {
  const ways = [
    password && 'password',
    authenticator && 'app',
    passkeys > 0 && (passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`),
  ];
  return ways.filter((one) => one !== false).join(', ') || 'nothing yet';
}

/** Of one person, or of all; never the tokens themselves. */
export async function tokensOf(visit: Visit, at: string, name?: string): Promise<Html> {
  const tokens = await visit.ask('listTokens', name === undefined ? {} : { name });
  const revoke = ({ tokenId, state }: ShownToken) =>
    state === 'valid' &&
    formOf(
      visit,
      {
        action: `${at}/revoke`,
        submit: `Revoke ${tokenId}`,
        kind: 'quiet',
        confirm: `Let the token ${tokenId} end now?`,
      },
      html`<input type="hidden" name="tokenId" value="${tokenId}">`,
    );
  return tableOf<ShownToken>({
    label: 'Tokens',
    columns: {
      'Begins with': ({ tokenId }) => tokenId,
      ...(name === undefined && { Person: ({ person }: ShownToken) => personLink(person) }),
      'What it is for': { of: ({ label }) => label, kind: 'wide' },
      May: ({ scope }) => scope,
      State: ({ state }) => badge(state, state === 'valid' ? 'good' : 'plain'),
      Until: ({ endsAt }) => moment(endsAt),
      'Last used': ({ usedAt }) => moment(usedAt) ?? 'never',
      ...(visit.may('revokeToken') && { 'Take it back': { of: revoke, kind: 'actions' as const } }),
    },
    rows: tokens,
    otherwise: 'There are no tokens. People make their own on the page of their account.',
  });
}
