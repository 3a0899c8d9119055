// What people do with their own account: a password, an authenticator app, passkeys, tokens and sessions. Every change
// and its entry in the audit chain are one transaction, under the name of the person who was signed in.

import { randomBytes } from 'node:crypto';
import type { AuditNote } from '../../domain/audit.ts';
import { callerText } from '../../domain/people/caller.ts';
import { passwordFault } from '../../domain/people/passwords.ts';
import { type Person, reachOf } from '../../domain/people/person.ts';
import type { PersonRole } from '../../domain/people/roles.ts';
import { isOver } from '../../domain/people/session-rule.ts';
import { base32, fromBase32, matchingStep, TOTP_SECRET_BYTES, totpUri } from '../../domain/people/totp.ts';
import { Secret } from '../../domain/secret.ts';
import type { StoredPasskey } from '../../storage/people/passkeys.ts';
import type { StoredPerson } from '../../storage/people/people.ts';
import type { StoredSession } from '../../storage/people/sessions.ts';
import type { PeopleStores } from '../../storage/people/stores.ts';
import type { StoredToken } from '../../storage/people/tokens.ts';
import { totpPlace } from '../../vault/places.ts';
import type { Passkeys } from './passkeys.ts';
import type { PasswordHashes } from './password-hashes.ts';
import type { PeopleParts, Visitor } from './people-parts.ts';
import { makeToken } from './personal-tokens.ts';
import type { PersonSession } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

const ISSUER = 'Tender';
const TOO_MANY_TRIES = 'There were too many tries. Wait a while, then try again.';
const DAY_MS = 24 * 60 * 60_000;

export type AccountView = {
  readonly person: StoredPerson;
  readonly passkeys: readonly StoredPasskey[];
  readonly sessions: readonly StoredSession[];
  readonly tokens: readonly StoredToken[];
  /** Whether one may work with a password alone, as in a sandbox. */
  readonly passwordIsEnough: boolean;
};

/** What an authenticator app is given, until it has shown its first code. */
export type NewApp = { readonly secret: string; readonly uri: string };

/** A password that somebody chose, and where they are. */
export type NewPassword = {
  readonly chosen: Secret<string>;
  /** The one before; empty where there is none. */
  readonly current: Secret<string>;
  readonly visitor: Visitor;
};

type Change = { readonly action: string; readonly details?: object };

type AccountHelpers = {
  readonly hashes: PasswordHashes;
  readonly passkeys: Passkeys;
  readonly signIn: SignIn;
};

export class PersonAccount {
  readonly #parts: PeopleParts;
  readonly #hashes: PasswordHashes;
  readonly #passkeys: Passkeys;
  readonly #signIn: SignIn;

  constructor(parts: PeopleParts, { hashes, passkeys, signIn }: AccountHelpers) {
    this.#parts = parts;
    this.#hashes = hashes;
    this.#passkeys = passkeys;
    this.#signIn = signIn;
  }

  async view({ person: { name } }: PersonSession): Promise<AccountView> {
    const { clock } = this.#parts;
    const { passkeys, sessions, tokens } = this.#parts.stores;
    const person = await this.#stored({ name });
    return {
      person,
      passkeys: await passkeys.list(name),
      sessions: (await sessions.list(name)).filter((one) => !isOver(one, clock.now())),
      tokens: await tokens.list(name),
      passwordIsEnough: reachOf('password', this.#parts.mode) === 'whole',
    };
  }

  /** Whether who came by a one-time link could come by password from now on, and so is signed in by it. */
  async isInByPassword(session: PersonSession): Promise<boolean> {
    const { person, passkeys, passwordIsEnough } = await this.view(session);
    const hasOnlyPassword = person.password !== undefined && person.totpSince === undefined && passkeys.length === 0;
    return session.way === 'link' && passwordIsEnough && hasOnlyPassword;
  }

  /** Why it was not taken, as a sentence; undefined when it was. All other sessions end. */
  async setPassword(session: PersonSession, { chosen, current, visitor }: NewPassword): Promise<string | undefined> {
    const person = await this.#stored(session.person);
    const { name } = person;
    const fault = passwordFault(chosen.reveal(), name);
    if (fault !== undefined) return fault;
    const known = person.password === undefined ? 'right' : await this.#signIn.confirm(person, current, visitor);
    if (known !== 'right') return known === 'wrong' ? 'The current password is wrong.' : TOO_MANY_TRIES;
    const hash = await this.#hashes.hash(chosen);
    await this.#change(session, { action: 'setPassword' }, async ({ people, sessions }) => {
      await people.setPassword(name, hash);
      await sessions.endAll(name, session.digest);
    });
    return undefined;
  }

  /** Makes a secret for an app; it counts when the first code has shown that the app has it. */
  async beginApp(session: PersonSession): Promise<NewApp | undefined> {
    const { stores, vault } = this.#parts;
    const person = await this.#stored(session.person);
    if (person.totpSince !== undefined) return undefined;
    const secret = base32(randomBytes(TOTP_SECRET_BYTES));
    if (vault.isStale) await vault.freshen();
    const totp = vault.seal(new Secret(secret), totpPlace(person));
    await stores.people.setApp(person.name, { totp, totpSince: undefined, totpStep: person.totpStep });
    return newApp(secret, person);
  }

  /** The secret that waits for its first code. */
  async waitingApp({ person: { name } }: PersonSession): Promise<NewApp | undefined> {
    const person = await this.#stored({ name });
    if (person.totp === undefined || person.totpSince !== undefined) return undefined;
    return newApp((await this.#parts.vault.reveal(person.totp, totpPlace(person))).reveal(), person);
  }

  /** Whether the code was right: codes are asked for from now on, and who is signed in without one is so no longer. */
  async confirmApp(session: PersonSession, code: string): Promise<boolean> {
    const { clock, vault } = this.#parts;
    const { totp, totpSince, totpStep, name } = await this.#stored(session.person);
    if (totp === undefined || totpSince !== undefined) return false;
    const secret = fromBase32((await vault.reveal(totp, totpPlace({ name }))).reveal());
    const now = clock.now();
    const step = matchingStep(secret, code, now, totpStep);
    if (step === undefined) return false;
    return this.#change(session, { action: 'addAuthenticator' }, async ({ people, sessions }) => {
      await sessions.endAll(name, session.digest);
      return people.confirmApp(name, { since: now, step });
    });
  }

  async removeApp(session: PersonSession): Promise<void> {
    const { name, totpStep } = await this.#stored(session.person);
    await this.#change(session, { action: 'removeAuthenticator' }, ({ people }) =>
      people.setApp(name, { totp: undefined, totpSince: undefined, totpStep }),
    );
  }

  async passkeyOptions(session: PersonSession): Promise<object> {
    return this.#passkeys.registrationOptions(await this.#stored(session.person));
  }

  async addPasskey(session: PersonSession, answer: unknown, label: string): Promise<boolean> {
    const passkey = await this.#passkeys.registered(await this.#stored(session.person), answer, label);
    if (!passkey) return false;
    await this.#change(session, { action: 'addPasskey', details: { label: passkey.label } }, async (stores) => {
      await stores.sessions.endAll(passkey.person, session.digest);
      await stores.passkeys.add({ ...passkey, usedAt: undefined });
    });
    return true;
  }

  /** Of what is not theirs, or nobody's, nothing is told to the audit chain. */
  async removePasskey(session: PersonSession, credentialId: string): Promise<void> {
    const own = await this.#parts.stores.passkeys.list(session.person.name);
    if (!own.some((one) => one.credentialId === credentialId)) return;
    await this.#change(session, { action: 'removePasskey' }, ({ passkeys }) =>
      passkeys.remove(session.person.name, credentialId),
    );
  }

  /** The token, which is shown this once. */
  async addToken(session: PersonSession, wanted: { label: string; role: PersonRole; days: number }): Promise<string> {
    const now = this.#parts.clock.now();
    const { label, role, days } = wanted;
    const made = { person: session.person.name, label, role, verbs: undefined, endsAt: now + days * DAY_MS };
    const { token, secret } = makeToken(made, now);
    const details = { token: token.tokenId, label, role, days };
    await this.#change(session, { action: 'addToken', details }, ({ tokens }) => tokens.add(token));
    return secret.reveal();
  }

  async revokeToken(session: PersonSession, tokenId: string): Promise<void> {
    const { clock, stores } = this.#parts;
    const own = await stores.tokens.list(session.person.name);
    if (!own.some((one) => one.tokenId === tokenId)) return;
    await this.#change(session, { action: 'revokeToken', details: { tokenId } }, ({ tokens }) =>
      tokens.revoke(tokenId, clock.now(), session.person.name),
    );
  }

  /** All but the one that asks. */
  async endOtherSessions(session: PersonSession): Promise<void> {
    await this.#change(session, { action: 'endSessions' }, ({ sessions }) =>
      sessions.endAll(session.person.name, session.digest),
    );
  }

  async #stored({ name }: Pick<Person, 'name'>): Promise<StoredPerson> {
    const person = await this.#parts.stores.people.find(name);
    if (!person) throw new Error('a session belongs to nobody');
    return person;
  }

  #change<T>(session: PersonSession, change: Change, work: (stores: PeopleStores) => Promise<T>): Promise<T> {
    const { clock, inTransaction } = this.#parts;
    const note: AuditNote = {
      who: callerText(session),
      action: change.action,
      subject: `person ${session.person.name}`,
      details: JSON.stringify(change.details ?? {}),
    };
    return inTransaction(async (stores, audit) => {
      const done = await work(stores);
      await audit.append(note, clock.now());
      return done;
    });
  }
}

function newApp(secret: string, { name }: Pick<Person, 'name'>): NewApp {
  return { secret, uri: totpUri(secret, { name, issuer: ISSUER }) };
}
