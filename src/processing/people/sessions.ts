// Sessions of people: a cookie's worth of random text, of which a digest is kept. Each sign-in makes a new one, so
// nobody can give somebody else a session that they know.

import { timingSafeEqual } from 'node:crypto';
import type { AdminCaller } from '../../domain/people/caller.ts';
import { type Person, reachOf, type SignInWay } from '../../domain/people/person.ts';
import { REPEATS_KEPT_MS } from '../../domain/people/repeat-key.ts';
import { isOver, OVER_KEPT_MS, whyOver } from '../../domain/people/session-rule.ts';
import { TamperedRecords } from '../../domain/records.ts';
import { Secret } from '../../domain/secret.ts';
import type { StoredSession } from '../../storage/people/sessions.ts';
import { forgetOld } from '../node/forgetting.ts';
import type { PeopleParts, Visitor } from './people-parts.ts';
import { newSecretText, secretDigest, sessionIdOf } from './secret-texts.ts';

/** A session that is used all the time is written down once in this time. */
const SEEN_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 60_000;
const FORGET_LOT = 1_000;
const FAILURES_KEPT_MS = 24 * 60 * 60_000;

export type PersonSession = Extract<AdminCaller, { kind: 'session' }> & {
  readonly digest: Buffer;
  readonly way: SignInWay;
};

export class PersonSessions {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** The text of the cookie. */
  async begin(person: Person, way: SignInWay, { address, browser }: Visitor): Promise<Secret<string>> {
    const { clock, stores } = this.#parts;
    const now = clock.now();
    const cookie = this.#cookie(newSecretText().reveal(), { person: person.name, way, signedInAt: now });
    const digest = secretDigest(cookie);
    await stores.sessions.add({ digest, person: person.name, way, address, browser, signedInAt: now, seenAt: now });
    return cookie;
  }

  /** Whose session this is; undefined when it is nobody's any more. Pages that ask by themselves do not prolong it. */
  async find(cookie: Secret<string>, asks: 'person' | 'page' = 'person'): Promise<PersonSession | undefined> {
    const { clock, mode, stores } = this.#parts;
    const found = await this.#stored(cookie);
    const now = clock.now();
    if (!found || isOver(found.session, now)) return undefined;
    const { digest, session, person } = found;
    if (asks === 'person' && now - session.seenAt >= SEEN_EVERY_MS) await stores.sessions.seen(digest, now);
    const { way } = session;
    return { kind: 'session', person, sessionId: sessionIdOf(digest), reach: reachOf(way, mode), digest, way };
  }

  /** Why a session is over, for whoever has its cookie. Of one that was ended before its time nothing is left. */
  async whyOver(cookie: Secret<string>): Promise<'unused' | 'too-old' | 'ended'> {
    const found = await this.#stored(cookie);
    return (found && whyOver(found.session, this.#parts.clock.now())) ?? 'ended';
  }

  /** The session of this cookie, over or not, of somebody who may sign in. */
  async #stored(cookie: Secret<string>) {
    const digest = secretDigest(cookie);
    const found = await this.#parts.stores.sessions.find(digest);
    if (!found?.person.enabled) return undefined;
    const [random = ''] = cookie.reveal().split('.', 1);
    if (!timingSafeEqual(secretDigest(this.#cookie(random, found.session)), digest)) return undefined;
    return { digest, ...found };
  }

  /**
   * A random text, and what the vault says of it and of whose it is: so nobody makes a session by writing it into the
   * database, nor gives their own to somebody else there. All end when the key of records changes.
   */
  #cookie(random: string, { person, way, signedInAt }: Pick<StoredSession, 'person' | 'way' | 'signedInAt'>) {
    const key = this.#parts.vault.recordKey;
    if (!key) throw new TamperedRecords('the records of this database are not signed, so nobody can sign in');
    const mac = key.mac(JSON.stringify(['session', random, person, way, signedInAt]));
    return new Secret(`${random}.${mac.toString('base64url')}`);
  }

  end(cookie: Secret<string>): Promise<void> {
    return this.#parts.stores.sessions.end(secretDigest(cookie));
  }

  /** Removes what is over of sessions, challenges, failures and repeatable changes until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, stores } = this.#parts;
    const { failures, passkeys, repeats, sessions } = stores;
    const often = { clock, everyMs: FORGET_EVERY_MS, lot: FORGET_LOT };
    const old = [
      { ...often, keptMs: OVER_KEPT_MS, forget: sessions.forget },
      { ...often, keptMs: 0, forget: passkeys.forgetChallenges },
      { ...often, keptMs: FAILURES_KEPT_MS, forget: failures.forget },
      { ...often, keptMs: REPEATS_KEPT_MS, forget: repeats.forget },
    ];
    await Promise.all(old.map((one) => forgetOld(one, signal, onError)));
  }
}
