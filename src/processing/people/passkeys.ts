// Passkeys (WebAuthn). A challenge is a random number with a time and our own keyed digest, so that nothing is kept for
// strangers who ask for one; it belongs to one purpose, is good for some minutes, and is answered once.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { ADDRESS_RULE } from '../../domain/people/lock-out.ts';
import { TamperedRecords } from '../../domain/records.ts';
import type { StoredPasskey } from '../../storage/people/passkeys.ts';
import type { StoredPerson } from '../../storage/people/people.ts';
import { failureKeyOfAddress } from './failure-keys.ts';
import type { PeopleParts, Visitor } from './people-parts.ts';
import type { SignIn, SignInResult } from './sign-in.ts';

const CHALLENGE_MS = 5 * 60_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const MAX_LABEL = 60;
const MAX_PASSKEYS = 20;
const RP_NAME = 'Tender';

/** It brings many small packages, so it is read when somebody first uses a passkey. */
const library = () => import('@simplewebauthn/server');

type NewPasskey = Omit<StoredPasskey, 'usedAt'>;

export class Passkeys {
  readonly #parts: PeopleParts;
  readonly #signIn: SignIn;

  constructor(parts: PeopleParts, signIn: SignIn) {
    this.#parts = parts;
    this.#signIn = signIn;
  }

  /** What a browser is asked for, to make a passkey for a person. */
  async registrationOptions(person: StoredPerson): Promise<object> {
    const { generateRegistrationOptions } = await library();
    const own = await this.#parts.stores.passkeys.list(person.name);
    return generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: this.#rpId(),
      userID: new Uint8Array(person.handle),
      userName: person.name,
      challenge: this.#challenge(`register ${person.name}`),
      attestationType: 'none',
      excludeCredentials: own.map(({ credentialId }) => ({ id: credentialId })),
      // The authenticator keeps the name and asks for a finger, a face or a PIN: so it is two factors by itself.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** The passkey that a browser made, to be kept; undefined when its answer does not hold. */
  async registered(person: StoredPerson, answer: unknown, label: string): Promise<NewPasskey | undefined> {
    const { clock, log, stores } = this.#parts;
    if ((await stores.passkeys.list(person.name)).length >= MAX_PASSKEYS) return undefined;
    const { verifyRegistrationResponse } = await library();
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        // The library reads it, and throws where it is none.
        response: answer as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.#take(challenge, `register ${person.name}`),
        expectedOrigin: this.#parts.origin(),
        expectedRPID: this.#rpId(),
        requireUserVerification: true,
      });
      if (!verified) return undefined;
      const { credential } = registrationInfo;
      return {
        credentialId: credential.id,
        person: person.name,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        label:
          label
            .replace(/\p{Cc}/gu, '')
            .trim()
            .slice(0, MAX_LABEL) || 'Passkey',
        createdAt: clock.now(),
      };
    } catch (error) {
      log.warn('a passkey could not be added', { error });
      return undefined;
    }
  }

  /** What a browser is asked for, to sign in with any passkey it has for us. */
  async signInOptions(): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: this.#rpId(),
      challenge: this.#challenge('sign in'),
      userVerification: 'required',
    });
  }

  /** A lock of the name does not keep a passkey out: it cannot be guessed, and strangers must not lock people out. */
  async signIn(answer: unknown, visitor: Visitor): Promise<SignInResult> {
    const { clock, stores } = this.#parts;
    const key = failureKeyOfAddress(visitor.address);
    const counted = await stores.failures.count([{ key, rule: ADDRESS_RULE }], clock.now());
    if (counted.waitMs > 0) return { kind: 'wait', ms: counted.waitMs };
    const person = await this.#personOf(answer);
    if (!person) return this.#signIn.refuse({ person: undefined, visitor, isLock: false });
    await stores.failures.giveBack(key);
    return this.#signIn.welcome(person, 'passkey', visitor);
  }

  async #personOf(answer: unknown): Promise<StoredPerson | undefined> {
    const { clock, log, stores } = this.#parts;
    // The library reads it, and throws where it is none.
    const response = answer as AuthenticationResponseJSON;
    const passkey = typeof response?.id === 'string' ? await stores.passkeys.find(response.id) : undefined;
    const person = passkey && (await stores.people.find(passkey.person));
    if (!passkey || !person?.enabled) return undefined;
    const { credentialId, publicKey, counter, transports } = passkey;
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: (challenge) => this.#take(challenge, 'sign in'),
        expectedOrigin: this.#parts.origin(),
        expectedRPID: this.#rpId(),
        requireUserVerification: true,
        credential: {
          id: credentialId,
          publicKey: new Uint8Array(publicKey),
          counter,
          // They are kept as the browser told them; unknown ones do no harm there.
          transports: [...transports] as AuthenticatorTransport[],
        },
      });
      const used = { credentialId, counter: authenticationInfo.newCounter };
      return verified && (await stores.passkeys.used(used, clock.now())) ? person : undefined;
    } catch (error) {
      log.warn('a passkey was refused', { error });
      return undefined;
    }
  }

  #rpId(): string {
    return new URL(this.#parts.origin()).hostname;
  }

  #challenge(purpose: string): Uint8Array<ArrayBuffer> {
    const endsAt = Buffer.alloc(TIME_BYTES);
    endsAt.writeBigUInt64BE(BigInt(this.#parts.clock.now() + CHALLENGE_MS));
    const head = Buffer.concat([randomBytes(NONCE_BYTES), endsAt]);
    return new Uint8Array(Buffer.concat([head, this.#seal(head, purpose)]));
  }

  /** Whether a challenge is ours, for this purpose, in its time, and answered for the first time. */
  async #take(challenge: string, purpose: string): Promise<boolean> {
    const { clock, stores } = this.#parts;
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    const digest = this.#seal(head, purpose);
    const given = bytes.subarray(head.length);
    if (given.length !== digest.length || !timingSafeEqual(given, digest)) return false;
    const endsAt = Number(head.readBigUInt64BE(NONCE_BYTES));
    return endsAt > clock.now() && (await stores.passkeys.takeChallenge(digest, endsAt));
  }

  /** Not under the lookup key, which changes: nodes would disagree meanwhile. */
  #seal(head: Buffer, purpose: string): Buffer {
    const key = this.#parts.vault.recordKey;
    if (!key) throw new TamperedRecords('the records of this database are not signed, so nobody can sign in');
    return key.mac(JSON.stringify(['passkey challenge', purpose, head.toString('hex')]));
  }
}
