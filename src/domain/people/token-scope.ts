// What a personal token may be used for, and for how long: never for more than its owner may, never for ever, and never
// for what a person must do in person.

import { type GuardedVerb, may, type PersonRole } from './roles.ts';

const DAY_MS = 24 * 60 * 60_000;
export const MAX_TOKEN_MS = 366 * DAY_MS;
export const MAX_TOKEN_VERBS = 100;

/** A role, or the names of verbs. */
export type TokenScope = { readonly role: PersonRole } | { readonly verbs: readonly string[] };

/** What a token may be used for, as it is kept: one of the two is undefined. */
export function scopeOf(kept: {
  readonly role?: PersonRole | undefined;
  readonly verbs?: readonly string[] | undefined;
}): TokenScope {
  return kept.role === undefined ? { verbs: kept.verbs ?? [] } : { role: kept.role };
}

export type ScopedVerb = GuardedVerb & {
  readonly name: string;
  /** Whether people of a merchant may use it, for what is their merchant's own. */
  readonly merchants?: 'own' | undefined;
  /** Makes people or ways to sign in: nobody does that with a token, or a stolen one would outlive its end. */
  readonly inPerson?: boolean | undefined;
  /** Writes secrets to the gateway's own disk, where only its own user finds them: asked for from there alone. */
  readonly localOnly?: boolean | undefined;
};

export function tokenMay(owner: PersonRole, scope: TokenScope, verb: ScopedVerb): boolean {
  if (verb.inPerson || verb.localOnly || !may(owner, verb)) return false;
  return 'role' in scope ? may(scope.role, verb) : scope.verbs.includes(verb.name);
}

/** Why a token cannot end then; undefined when it can. */
export function tokenEndFault(until: number, now: number): string | undefined {
  if (until <= now) return 'a token must end in the future';
  return until - now > MAX_TOKEN_MS ? 'a token ends within a year' : undefined;
}
