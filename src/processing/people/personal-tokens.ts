// Personal tokens: found by their digest, good until they end, are revoked, or their owner is disabled.

import type { AdminCaller } from '../../domain/people/caller.ts';
import { scopeOf } from '../../domain/people/token-scope.ts';
import type { Secret } from '../../domain/secret.ts';
import type { StoredToken } from '../../storage/people/tokens.ts';
import type { PeopleParts } from './people-parts.ts';
import { newToken, secretDigest } from './secret-texts.ts';

/** When a token was used is written down to the minute. */
const USED_EVERY_MS = 60_000;

export type WantedToken = Pick<StoredToken, 'person' | 'label' | 'endsAt' | 'role'> & {
  readonly verbs: readonly string[] | undefined;
};

/** A token as it is kept, and the secret that is told once. */
export function makeToken(wanted: WantedToken, now: number): { token: StoredToken; secret: Secret<string> } {
  const { tokenId, secret } = newToken();
  const verbs = wanted.verbs && [...wanted.verbs];
  const times = { createdAt: now, usedAt: undefined, revokedAt: undefined };
  return { token: { ...wanted, verbs, tokenId, digest: secretDigest(secret), ...times }, secret };
}

export class PersonalTokens {
  readonly #parts: Pick<PeopleParts, 'clock' | 'stores'>;

  constructor(parts: Pick<PeopleParts, 'clock' | 'stores'>) {
    this.#parts = parts;
  }

  /** Whose token this is; undefined when it is nobody's any more. */
  async find(secret: Secret<string>): Promise<AdminCaller | undefined> {
    const { clock, stores } = this.#parts;
    const found = await stores.tokens.find(secretDigest(secret));
    const now = clock.now();
    if (!found?.person.enabled || found.token.revokedAt !== undefined || found.token.endsAt <= now) return undefined;
    const { token, person } = found;
    const { tokenId } = token;
    if (now - (token.usedAt ?? 0) >= USED_EVERY_MS) await stores.tokens.used(tokenId, now);
    return { kind: 'token', person, tokenId, scope: scopeOf(token) };
  }
}
