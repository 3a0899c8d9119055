// Signing in. All that was given is checked before anything is said, and every refusal is the same sentence: nobody
// learns which name exists, or which of password and code was wrong (PCI DSS 8.5.1).

import { ADDRESS_RULE, NAME_RULE } from '../../domain/people/lock-out.ts';
import type { SignInWay } from '../../domain/people/person.ts';
import { fromBase32, matchingStep } from '../../domain/people/totp.ts';
import type { Secret } from '../../domain/secret.ts';
import type { StoredPerson } from '../../storage/people/people.ts';
import { totpPlace } from '../../vault/places.ts';
import { failureKeyOf, failureKeyOfAddress } from './failure-keys.ts';
import { type PasswordHashes, TooManyPasswords } from './password-hashes.ts';
import type { PeopleParts, Visitor } from './people-parts.ts';
import { secretDigest } from './secret-texts.ts';
import type { PersonSessions } from './sessions.ts';

export type SignInResult =
  | { readonly kind: 'signed in'; readonly cookie: Secret<string> }
  | { readonly kind: 'refused' }
  /** Too many failed before, or too much is going on. */
  | { readonly kind: 'wait'; readonly ms: number };

export type GivenPassword = {
  readonly name: string;
  readonly password: Secret<string>;
  /** Of the authenticator app; empty where nobody typed one. */
  readonly code: string;
};

type FailedSignIn = {
  readonly person: StoredPerson | undefined;
  readonly visitor: Visitor;
  /** Whether it was the try that locks the name. */
  readonly isLock: boolean;
};

const BUSY_MS = 5_000;

export class SignIn {
  readonly #parts: PeopleParts;
  readonly #sessions: PersonSessions;
  readonly #hashes: PasswordHashes;

  constructor(parts: PeopleParts, sessions: PersonSessions, hashes: PasswordHashes) {
    this.#parts = parts;
    this.#sessions = sessions;
    this.#hashes = hashes;
  }

  async byPassword({ name, password, code }: GivenPassword, visitor: Visitor): Promise<SignInResult> {
    const { clock, stores } = this.#parts;
    const [byName, byAddress] = [failureKeyOf(name), failureKeyOfAddress(visitor.address)];
    const keys = [
      { key: byName, rule: NAME_RULE },
      { key: byAddress, rule: ADDRESS_RULE },
    ];
    const counted = await stores.failures.count(keys, clock.now());
    if (counted.waitMs > 0) return this.#waits(counted.waitMs);
    const person = await stores.people.find(name);
    const fits = await this.#fits(password, person?.password);
    if (fits === 'busy') {
      for (const { key } of keys) await stores.failures.giveBack(key);
      return this.#waits(BUSY_MS);
    }
    // Only who knows the password makes us look further, so that wrong ones cost the same for every name.
    const way = fits && person?.enabled ? await this.#wayOf(person, code) : undefined;
    const isLock = counted.counts[0] === NAME_RULE.lockAt;
    if (!person || way === undefined) return this.refuse({ person, visitor, isLock });
    await stores.failures.clear(byName);
    await stores.failures.giveBack(byAddress);
    await this.#renew(person, password);
    return this.welcome(person, way, visitor);
  }

  /** Whether somebody who is signed in knows their password: who took a session over must not find it by trial. */
  async confirm(person: StoredPerson, password: Secret<string>, visitor: Visitor): Promise<'right' | 'wrong' | 'wait'> {
    const { clock, stores } = this.#parts;
    const key = failureKeyOf(person.name);
    const counted = await stores.failures.count([{ key, rule: NAME_RULE }], clock.now());
    const fits = counted.waitMs > 0 ? 'busy' : await this.#fits(password, person.password);
    if (fits === 'busy') {
      if (counted.waitMs === 0) await stores.failures.giveBack(key);
      this.#waits(counted.waitMs);
      return 'wait';
    }
    if (fits) await stores.failures.giveBack(key);
    else await this.refuse({ person, visitor, isLock: counted.counts[0] === NAME_RULE.lockAt });
    return fits ? 'right' : 'wrong';
  }

  /** By the one-time code of somebody who has nothing to sign in by yet. */
  async byLink(code: Secret<string>, visitor: Visitor): Promise<SignInResult> {
    const { clock, stores } = this.#parts;
    const key = failureKeyOfAddress(visitor.address);
    const counted = await stores.failures.count([{ key, rule: ADDRESS_RULE }], clock.now());
    if (counted.waitMs > 0) return this.#waits(counted.waitMs);
    const person = await stores.people.takeLink(secretDigest(code), clock.now());
    if (!person) return this.refuse({ person: undefined, visitor, isLock: false });
    await stores.failures.giveBack(key);
    return this.welcome(person, 'link', visitor);
  }

  /** Gives somebody a new session, and tells the audit chain. */
  async welcome(person: StoredPerson, way: SignInWay, visitor: Visitor): Promise<SignInResult> {
    const { clock, inTransaction, count } = this.#parts;
    const cookie = await this.#sessions.begin(person, way, visitor);
    const details = JSON.stringify({ by: way, address: visitor.address });
    const note = { who: person.name, action: 'signIn', subject: `person ${person.name}`, details };
    await inTransaction((_, audit) => audit.append(note, clock.now()));
    count('signed in');
    return { kind: 'signed in', cookie };
  }

  /** A failure is logged; the audit chain is told only of locks of people, because strangers must not fill it. */
  async refuse(failed: FailedSignIn): Promise<SignInResult> {
    const { clock, count, inTransaction, log } = this.#parts;
    const { person, visitor, isLock } = failed;
    const { address } = visitor;
    count(isLock ? 'locked' : 'refused');
    log.warn('somebody could not sign in', { address, ...(isLock ? { detail: 'the name is locked now' } : {}) });
    if (isLock && person) {
      const details = JSON.stringify({ address });
      const note = { who: 'a stranger', action: 'lockOut', subject: `person ${person.name}`, details };
      // Nobody waits for it: the time of a refusal must not tell that the name is somebody's.
      inTransaction((_, audit) => audit.append(note, clock.now())).catch((error) =>
        log.error('the audit chain could not be told of a lock', { error }),
      );
    }
    return { kind: 'refused' };
  }

  async #fits(password: Secret<string>, stored: string | undefined): Promise<boolean | 'busy'> {
    try {
      return await this.#hashes.fits(password, stored);
    } catch (error) {
      if (error instanceof TooManyPasswords) return 'busy';
      throw error;
    }
  }

  #waits(ms: number): SignInResult {
    this.#parts.count('waits');
    return { kind: 'wait', ms };
  }

  /** How a person came who knows the password; undefined when something besides it is needed. */
  async #wayOf(person: StoredPerson, code: string): Promise<SignInWay | undefined> {
    const { clock, stores, vault } = this.#parts;
    if (person.totp !== undefined && person.totpSince !== undefined) {
      const secret = fromBase32((await vault.reveal(person.totp, totpPlace(person))).reveal());
      const step = matchingStep(secret, code, clock.now(), person.totpStep);
      const isNew = step !== undefined && (await stores.people.takeStep(person.name, step));
      return isNew ? 'password and code' : undefined;
    }
    // Who has a passkey signs in with it: a password alone would be the weaker way in.
    return (await stores.passkeys.hasAny(person.name)) ? undefined : 'password';
  }

  async #renew(person: StoredPerson, password: Secret<string>): Promise<void> {
    if (person.password === undefined || !this.#hashes.isOutdated(person.password)) return;
    await this.#parts.stores.people.setPassword(person.name, await this.#hashes.hash(password));
  }
}
