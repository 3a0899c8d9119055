// People and their roles. Nobody gets a password from somebody else: a new person gets a one-time code, and chooses.

import { flag, formed, nameOf, word } from '../../domain/input-kinds.ts';
import { isLockedOut, NAME_RULE } from '../../domain/people/lock-out.ts';
import { PERSON_NAME } from '../../domain/people/person.ts';
import { PERSON_ROLES } from '../../domain/people/roles.ts';
import { isOver } from '../../domain/people/session-rule.ts';
import { shown } from '../../domain/text.ts';
import { failureKeyOf } from '../../processing/people/failure-keys.ts';
import { makeLink, newPerson } from '../../processing/people/one-time-links.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { StoredPerson } from '../../storage/people/people.ts';
import { loginOf, merchantLogin, merchantOf } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import {
  type Answered,
  aFlag,
  aList,
  aMoment,
  aNumber,
  anObject,
  aText,
  aWord,
  orNull,
  told,
  toldOnce,
} from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { counted, minute, properties, rowsOf } from '../verb/table.ts';
import { defineVerb } from '../verb/verb.ts';

/** The name of a person who is there. */
export const namedPerson = nameOf('the name of a person');
const thePerson = mustGive(namedPerson, 'the person', { as: '<name>', told: 'person' });
const newName = formed(PERSON_NAME, 'a name of small letters, digits, dots and dashes, at most 40');

const personView = anObject({
  name: told(aText(), 'person'),
  role: told(aWord(PERSON_ROLES)),
  login: told(orNull(aText('The merchant they belong to; null of people who run the gateway.'))),
  enabled: told(aFlag()),
  password: aFlag('Whether they have chosen one.'),
  authenticator: aFlag('Whether codes of an app are asked for.'),
  passkeys: aNumber('How many they have.'),
  sessions: aNumber('How many they are signed in with.'),
  locked: aFlag('Whether a lock keeps their password out after failed tries.'),
  createdAt: aMoment(),
});

type PersonView = Answered<typeof personView>;

const invitation = anObject({
  person: personView,
  code: toldOnce(aText('For the first sign-in; it is shown this once.')),
  codeEndsAt: aMoment(),
  link: orNull(aText('Where it is used, with the code in it.')),
});

export const addPerson = defineVerb({
  name: 'addPerson',
  command: 'person add',
  summary: 'add a person, and print a one-time link for their first sign-in',
  merchants: 'own',
  example: 'tender person add ann --role administrator',
  role: 'administrator',
  conduct: 'change',
  inPerson: true,
  given: {
    name: mustGive(newName, 'what they sign in with, such as ann', { as: '<name>', told: 'person' }),
    role: mustGive(word(PERSON_ROLES), 'what they may do', { as: '--role <role>', told: true }),
    login: mayGive(merchantLogin, 'the merchant they belong to; they see and change nothing else, for ever', {
      as: '--merchant <login>',
      told: true,
    }),
  },
  answer: invitation,
  run: async ({ name, role, login }, parts) => {
    const { clock, staff } = parts;
    const all = await parts.configuration.read();
    const merchantId = login === undefined ? parts.merchantId : merchantOf(login, all).merchantId;
    if (await staff.people.look(name)) throw new InvalidInput(`there is a person ${shown(name)} already`);
    const person = newPerson({ name, role, enabled: true, merchantId }, { now: clock.now() });
    await staff.people.add(person);
    return invite(parts, person);
  },
  show: (given) =>
    [`Added ${given.person.name} as ${given.person.role}${ofMerchant(given.person)}.`, ...linkLines(given)].join('\n'),
});

export const listPeople = defineVerb({
  name: 'listPeople',
  command: 'person list',
  summary: 'list the people who work with the gateway',
  merchants: 'own',
  role: 'administrator',
  conduct: 'read',
  given: {},
  answer: aList(personView),
  run: async (_, parts) => {
    const all = await parts.configuration.read();
    return Promise.all((await parts.staff.people.list()).map((one) => viewOf(parts, one, all)));
  },
  show: rowsOf(
    {
      NAME: (one) => one.name,
      ROLE: (one) => one.role,
      MERCHANT: (one) => one.login,
      STATE: stateOf,
      'SIGNS IN BY': waysOf,
      SESSIONS: (one) => one.sessions,
    },
    'There is nobody yet; add the first with: tender person add <name> --role administrator',
  ),
});

export const showPerson = defineVerb({
  name: 'showPerson',
  command: 'person show',
  summary: 'show a person',
  merchants: 'own',
  role: 'administrator',
  conduct: 'read',
  given: { name: thePerson },
  answer: personView,
  run: async ({ name }, parts) => viewOf(parts, await personOf(parts, name)),
  show: whole,
});

export const setPerson = defineVerb({
  name: 'setPerson',
  command: 'person set',
  summary: 'change what a person may do',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  inPerson: true,
  given: {
    name: thePerson,
    role: mayGive(word(PERSON_ROLES), 'what they may do', { as: '--role <role>', told: true }),
    enabled: mayGive(flag, 'whether they may sign in', { told: true }),
  },
  mustChange: true,
  answer: personView,
  run: async ({ name, role, enabled }, parts) => {
    const { staff } = parts;
    const before = await personOf(parts, name);
    const after = { ...before, role: role ?? before.role, enabled: enabled ?? before.enabled };
    await staff.people.set(after);
    if (!after.enabled) await staff.sessions.endAll(name);
    return viewOf(parts, after);
  },
  show: whole,
  further: [
    {
      words: 'person disable',
      summary: 'let a person in no longer, and end their sessions',
      takes: ['name'],
      gives: { enabled: false },
      show: ({ name }) => `${name} is disabled: no session and no token of theirs works any more.`,
    },
    {
      words: 'person enable',
      summary: 'let a person in again',
      takes: ['name'],
      gives: { enabled: true },
      show: ({ name }) => `${name} is enabled.`,
    },
  ],
});

export const resetPerson = defineVerb({
  name: 'resetPerson',
  command: 'person reset',
  summary: 'take every way in from a person, and print a one-time link for a new first sign-in',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  inPerson: true,
  given: { name: thePerson },
  answer: invitation,
  run: async ({ name }, parts) => {
    const { clock, staff } = parts;
    const person = await personOf(parts, name);
    await staff.people.setPassword(name, undefined);
    await staff.people.setApp(name, { totp: undefined, totpSince: undefined, totpStep: person.totpStep });
    await staff.passkeys.removeAll(name);
    await staff.sessions.endAll(name);
    await staff.tokens.revokeAll(name, clock.now());
    await staff.failures.clear(failureKeyOf(name));
    return invite(parts, { ...person, password: undefined, totp: undefined, totpSince: undefined });
  },
  show: (given) =>
    [`${given.person.name} has no password, passkey, app, session or token any more.`, ...linkLines(given)].join('\n'),
});

export const unlockPerson = defineVerb({
  name: 'unlockPerson',
  command: 'person unlock',
  summary: 'forget the failed tries to sign in as a person',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: { name: thePerson },
  answer: personView,
  run: async ({ name }, parts) => {
    const person = await personOf(parts, name);
    await parts.staff.failures.clear(failureKeyOf(name));
    return viewOf(parts, person);
  },
  show: ({ name }) => `The failed tries to sign in as ${name} are forgotten.`,
});

export const endSessions = defineVerb({
  name: 'endSessions',
  command: 'person sign-out',
  summary: 'end all sessions of a person',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: { name: thePerson },
  answer: anObject({ ended: told(aNumber('How many there were.')) }),
  run: async ({ name }, parts) => {
    await personOf(parts, name);
    const ended = await openSessionsOf(parts, name);
    await parts.staff.sessions.endAll(name);
    return { ended };
  },
  show: ({ ended }) => `Ended ${counted(ended, 'session')}.`,
});

/** The person of this name; where there is none, says who there is. */
export async function personOf({ staff }: Parts<'staff'>, name: string): Promise<StoredPerson> {
  const person = await staff.people.look(name);
  if (person) return person;
  throw new InvalidInput(`there is no person ${shown(name)}; "tender person list" shows all`);
}

/** How many there are; those that are over are kept for a while. */
async function openSessionsOf({ clock, staff }: Parts<'clock' | 'staff'>, name: string): Promise<number> {
  return (await staff.sessions.list(name)).filter((one) => !isOver(one, clock.now())).length;
}

type ViewParts = Parts<'clock' | 'configuration' | 'staff'>;

async function invite(parts: Parts<'adminOrigin' | 'clock' | 'configuration' | 'staff'>, person: StoredPerson) {
  const { adminOrigin, clock, staff } = parts;
  const made = await makeLink(staff.people, { name: person.name, now: clock.now(), origin: adminOrigin?.() });
  return { person: await viewOf(parts, person), ...made };
}

async function viewOf({ clock, configuration, staff }: ViewParts, person: StoredPerson, known?: Configuration) {
  const { name, role, enabled, createdAt, merchantId } = person;
  const all = merchantId === undefined ? undefined : (known ?? (await configuration.read()));
  const login = merchantId === undefined || !all ? undefined : loginOf(merchantId, all);
  const passkeys = (await staff.passkeys.list(name)).length;
  const sessions = await openSessionsOf({ clock, staff }, name);
  const locked = isLockedOut(await staff.failures.find(failureKeyOf(name)), clock.now(), NAME_RULE);
  const has = { password: person.password !== undefined, authenticator: person.totpSince !== undefined };
  return { name, role, login, enabled, createdAt, passkeys, sessions, locked, ...has };
}

function linkLines({ code, codeEndsAt, link }: Answered<typeof invitation>): string[] {
  return [
    link === null ? `One-time code: ${code}` : `One-time link: ${link}`,
    `It is shown this once, works once, and ends at ${minute(codeEndsAt)}. Give it to nobody else.`,
  ];
}

function ofMerchant({ login }: PersonView): string {
  return login === null ? '' : ` of merchant ${login}`;
}

function stateOf({ enabled, locked }: PersonView): string {
  if (!enabled) return 'disabled';
  return locked ? 'locked' : 'enabled';
}

function waysOf({ password, authenticator, passkeys }: PersonView): string {
  const ways = [
    password ? 'password' : undefined,
    authenticator ? 'app' : undefined,
    passkeys > 0 ? counted(passkeys, 'passkey') : undefined,
  ].filter((one) => one !== undefined);
  return ways.join(', ') || 'nothing yet';
}

function whole(person: PersonView): string {
  return properties([
    ['Name', person.name],
    ['Role', person.role],
    ['Merchant', person.login ?? 'none: runs the gateway'],
    ['State', stateOf(person)],
    ['Signs in by', waysOf(person)],
    ['Sessions', String(person.sessions)],
    ['Since', minute(person.createdAt)],
  ]);
}
