// A merchant's call of an operation: signs the fields as the operation asks, posts them, and reads the reply.

import { randomUUID } from 'node:crypto';
import { postForm } from '../../client/post-form.ts';
import { signedRequest } from '../../client/signed-request.ts';
import type { Secret } from '../../domain/secret.ts';
import { canonicalName } from '../../operations/form.ts';
import type { ControlAuth, OAuthAuth, Operation } from '../../operations/operation.ts';
import { Complaint } from '../complaint.ts';

/** Who calls, and where. */
export type CallingMerchant = {
  /** The address that is signed, and the one that is called. */
  readonly publicUrl: string;
  readonly calledUrl: string;
  readonly endpoint: string;
  readonly login: string;
  readonly controlKey: Secret<string> | undefined;
  /** In PEM. */
  readonly privateKey: Secret<string> | undefined;
  /** How far the gateway's clock is ahead of this machine's: that of a sandbox may have been put forward. */
  readonly aheadMs: number;
};

export type SentFields = Readonly<Record<string, string>>;

export type SignedCall = {
  readonly url: string;
  readonly path: string;
  readonly fields: SentFields;
  readonly headers: SentFields;
};

export type HeardReply = { readonly status: number; readonly reply: Readonly<Record<string, unknown>> };

const WAIT_MS = 60_000;

/** An amount on the command line is in major units, also without a point. */
export function signCall(operation: Operation, given: SentFields, who: CallingMerchant): SignedCall {
  const auth = operation.auth.scheme === 'open' ? operation.auth.ifSigned : operation.auth;
  const [controlKey, privateKey] = keysFor(auth, who);
  const { name, path } = operation;
  const hasLogin = wireNames(operation).includes('login');
  const called = { name, path, auth, hasLogin, amounts: [], amountLists: [] };
  const { publicUrl, calledUrl, endpoint, login } = who;
  const signer = { publicUrl, endpoint, login, controlKey, privateKey, isStrict: false, notation: 'major' } as const;
  const moment = { now: Date.now() + who.aheadMs, nonce: randomUUID() };
  const ready = signedRequest(called, byWireName(operation, given), signer, moment);
  const fields = Object.fromEntries(new URLSearchParams(ready.body));
  return { url: `${calledUrl.replace(/\/$/, '')}${ready.path}`, path: ready.path, fields, headers: ready.headers };
}

export async function postCall({ url, fields, headers }: SignedCall): Promise<HeardReply> {
  const body = new URLSearchParams(fields).toString();
  const signal = AbortSignal.timeout(WAIT_MS);
  const { status, text } = await postForm(url, { body, headers, signal }).catch((cause: FetchFault) => {
    throw unanswered(cause, new URL(url).origin, fields);
  });
  try {
    return { status, reply: JSON.parse(text) };
  } catch (cause) {
    throw new Complaint(`${url} does not answer as a gateway does (HTTP ${status})`, { cause });
  }
}

type FetchFault = Error & { readonly cause?: NodeJS.ErrnoException };

/** Failures before anything was sent; after all others the gateway may have done what was asked. */
const NO_WAY = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
const NO_TRUST = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

function unanswered(cause: FetchFault, origin: string, { client_orderid: order }: SentFields): Complaint {
  const code = cause.cause?.code ?? '';
  if (NO_WAY.test(code) || NO_TRUST.test(code)) {
    return new Complaint(`${origin} cannot be reached: ${code}`, { exit: 'unreachable', cause });
  }
  const reason = cause.name === 'TimeoutError' ? 'no answer in time' : code || (cause.cause ?? cause).message;
  const how =
    order === undefined ? 'ask before you send it again' : `ask with "tender status --client-orderid ${order}"`;
  const says = `the request was sent to ${origin} and not answered (${reason}); it may have been carried out: ${how}`;
  return new Complaint(says, { cause });
}

function wireNames({ request }: Operation): string[] {
  return Object.values(request.fields).map(({ wire }) => wire);
}

/** Fields may be typed in any spelling that the interface takes. */
function byWireName(operation: Operation, given: SentFields): SentFields {
  const names = new Map(wireNames(operation).map((wire) => [canonicalName(wire), wire]));
  const named = Object.entries(given).map(([name, value]) => [names.get(canonicalName(name)) ?? name, value.trim()]);
  return Object.fromEntries(named);
}

/** The keys as the client takes them; the one that the operation needs must be there. */
function keysFor(auth: ControlAuth | OAuthAuth, { controlKey, privateKey }: CallingMerchant) {
  const isRsa = auth.scheme === 'oauth' && (auth.method === 'RSA-SHA256' || (auth.method === 'either' && privateKey));
  if (isRsa && !privateKey) {
    throw new Complaint('this operation is signed with an RSA key: --private-key', { exit: 'usage' });
  }
  if (!isRsa && !controlKey) {
    throw new Complaint('this operation is signed with a control key: --key-file', { exit: 'usage' });
  }
  return [controlKey?.reveal(), privateKey?.reveal()];
}
