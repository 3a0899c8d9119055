// Who asks for a verb, as far as it was authenticated, and whether they may. The audit chain names them by it.

import type { Person, Reach } from './person.ts';
import { articled, may, whoMay } from './roles.ts';
import { type ScopedVerb, type TokenScope, tokenMay } from './token-scope.ts';

export type AdminCaller =
  /** The command line of the user that the gateway runs as; what it says of itself is only a note. */
  | { readonly kind: 'local'; readonly who: string }
  | { readonly kind: 'session'; readonly person: Person; readonly sessionId: string; readonly reach: Reach }
  | { readonly kind: 'token'; readonly person: Person; readonly tokenId: string; readonly scope: TokenScope };

export function callerText(caller: AdminCaller): string {
  if (caller.kind === 'local') return caller.who;
  const { name } = caller.person;
  return caller.kind === 'session' ? `${name} by session ${caller.sessionId}` : `${name} by token ${caller.tokenId}`;
}

/** The name of the person in such a text; of the local command line it is what that says of itself. */
export function whoIn(text: string): string {
  return text.split(' by ', 1)[0] ?? text;
}

/** The name of the person who asks; undefined for the local command line. */
export function askerOf(caller: AdminCaller): string | undefined {
  return caller.kind === 'local' ? undefined : caller.person.name;
}

/** The merchant whose people ask; undefined of those who run the gateway. */
export function merchantOfCaller(caller: AdminCaller): number | undefined {
  return caller.kind === 'local' ? undefined : caller.person.merchantId;
}

const OF_GATEWAY = 'this is for people who run the gateway';

export const NEEDS_SECOND_FACTOR = 'add a passkey or an authenticator app to your account first, then sign in with it';

const LOCAL_ONLY = "this is done by a command on the gateway's own machine";

/** Why somebody may not use a verb, as a phrase; undefined when they may. */
export function denialOf(caller: AdminCaller, verb: ScopedVerb): string | undefined {
  if (caller.kind === 'local') return undefined;
  const { name, role, merchantId } = caller.person;
  if (merchantId !== undefined && verb.merchants !== 'own') return `${OF_GATEWAY}; ${name} belongs to a merchant`;
  if (verb.localOnly) return LOCAL_ONLY;
  if (!may(role, verb)) return `this needs ${whoMay(verb)}; ${name} is ${articled(role)}`;
  if (caller.kind === 'session') return caller.reach === 'whole' ? undefined : NEEDS_SECOND_FACTOR;
  if (tokenMay(role, caller.scope, verb)) return undefined;
  return verb.inPerson
    ? 'this is done by somebody who signed in, not with a token'
    : `token ${caller.tokenId} is not meant for this verb`;
}
