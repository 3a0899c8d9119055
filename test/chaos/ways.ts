// The ways a request takes to the gateway: by which endpoint, in which flavour, signed how. The same request can be
// sent again.

import type { Client, Fields, Reply, SignOptions } from '../harness.ts';

/** Where a request goes, and which flavour of reply it asks for. */
export type Place = Pick<SignOptions, 'endpoint' | 'headers'>;

/** The endpoints of a merchant. */
export type Places = {
  readonly usual: { readonly endpoint: number };
  /** Asks for 3-D Secure, and takes EUR. */
  readonly authenticated: { readonly endpoint: number };
  /** Other ways to the same money: by the group, or by an endpoint that answers in the old flavour. */
  readonly others: readonly Place[];
};

/** They have the demo merchant's numbers, or follow another first one as those do. */
export const numbersFrom = (first: number) => {
  return { usual: first, authenticated: first + 1, plain: first + 2, group: first + 99 };
};

export function placesFrom(first: number): Places {
  const { usual, authenticated, plain, group } = numbersFrom(first);
  const others = [
    { endpoint: group },
    { endpoint: `group/${group}` },
    { endpoint: plain, headers: { accept: undefined } },
    { endpoint: plain, headers: { accept: '*/*' } },
  ];
  return { usual: { endpoint: usual }, authenticated: { endpoint: authenticated }, others };
}

export type Sent = { readonly fields: Fields; readonly key: string; readonly at: Place };
export type Send = (client: Client, sent: Sent) => Promise<Reply>;

/** A control-signed request's options; those of OAuth take the key by its own name. */
export const idempotent = (key: string, { endpoint, headers }: Place): SignOptions => ({
  ...(endpoint !== undefined && { endpoint }),
  headers: { ...headers, 'idempotency-key': key },
});

export const keyed =
  (method: (client: Client) => Client['sale']): Send =>
  (client, { fields, key, at }) =>
    method(client).call(client, fields, idempotent(key, at));

/** Signed with OAuth, with the method its version asks for. */
export const oauthTo =
  (path: string): Send =>
  (client, { fields, key, at }) =>
    client.oauth(path, fields, { ...at, idempotencyKey: key });

/** The old flavour answers everything with 200: refusals and breakdowns show by their type. */
export function plainly(reply: Reply): Reply {
  const { type } = reply.body;
  if (reply.status !== 200 || (type !== 'validation-error' && type !== 'error')) return reply;
  return { ...reply, status: type === 'error' ? 500 : 400 };
}
