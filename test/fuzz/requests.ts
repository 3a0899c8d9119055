// Requests that know the interface: a good one of some operation, rightly signed, then spoilt in up to three ways,
// before or after it was signed.

import { generateKeyPairSync } from 'node:crypto';
import type { OperationName } from '../../src/operations/index.ts';
import type { Auth, ControlAuth } from '../../src/operations/operation.ts';
import { encode, type Fields, FORM, MEDIA_TYPE, minorUnits, oauthHeader, sha1 } from '../harness.ts';
import type { Chance } from './chance.ts';
import { goodRequest, operationNamed, type World } from './good-requests.ts';
import { hostileValue } from './hostile-values.ts';
import type { Place } from './known.ts';

export type Shop = { readonly login: string; readonly key: string; readonly privateKey: string };

/** What a request is sent as. */
export type FuzzRequest = {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
};

const OTHER_ENDPOINTS = [
  '0',
  '-1',
  '999',
  '1e3',
  '101/',
  'group',
  '%31%30%31',
  '9'.repeat(30),
  'ab',
  '104',
  'group/201',
];
const TAILS = ['&', '&&', '=', '&=', '&a', '&%', '&login=x', '&amount=1&amount=2', ';'];
const METHODS = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'];

export type OperationRequest = FuzzRequest & { readonly operation: OperationName; readonly place: Place };

/** Where and by whom a request is signed. */
export type Signing = { readonly shop: Shop; readonly base: string };

/** Good as it is, or with one to three things that are not. */
export function operationRequest(world: World, { shop, base }: Signing): OperationRequest {
  const { chance, now } = world;
  const { operation: name, place, fields } = goodRequest(world);
  const operation = operationNamed(name);
  const spoils = chance.happens(GOOD_SHARE) ? [] : someOf(chance, SPOILS);
  const times = (way: (typeof SPOILS)[number]) => spoils.filter((one) => one === way);
  const endpoint = spoils.includes('endpoint') ? chance.oneOf(OTHER_ENDPOINTS) : place.path;
  for (const _ of times('before')) spoil(chance, fields);
  const path = `${base}${operation.path}/${endpoint}`;
  const headers: Record<string, string | string[]> = { accept: MEDIA_TYPE, 'content-type': FORM };
  sign(operation.auth, { endpoint, fields, headers, path, shop, now });
  for (const _ of times('after')) spoil(chance, fields);
  for (const _ of times('headers')) spoilHeaders(chance, headers);
  const body = encode(fields as Fields) + (spoils.includes('tail') ? chance.oneOf(TAILS) : '');
  const method = spoils.includes('method') ? chance.oneOf(METHODS) : 'POST';
  return { label: name, operation: name, place, method, path: new URL(path).pathname, headers, body };
}

/** What is left as it is, so that there are orders for others to be about, and how the others are spoilt. */
const GOOD_SHARE = 0.35;
const SPOILS = ['before', 'before', 'before', 'before', 'after', 'headers', 'tail', 'endpoint', 'method'] as const;
const MOST_SPOILT = 3;

/** One to three of them, if there are any. */
export function someOf<T>(chance: Chance, list: readonly T[]): T[] {
  if (list.length === 0) return [];
  return Array.from({ length: 1 + chance.below(MOST_SPOILT) }, () => chance.oneOf(list));
}

function spoil(chance: Chance, fields: Record<string, string>): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  const name = chance.oneOf(names);
  const turn = chance.below(10);
  if (turn === 0) delete fields[name];
  else if (turn === 1) fields[name.replaceAll('_', '-').toUpperCase()] = fields[name] ?? '';
  else if (turn === 2) fields[hostileValue(chance, name)] = 'x';
  else fields[name] = hostileValue(chance, fields[name] ?? '');
}

const HEADERS = [
  'accept',
  'content-type',
  'authorization',
  'idempotency-key',
  'x-signature',
  'x-forwarded-for',
  'expect',
];

function spoilHeaders(chance: Chance, headers: Record<string, string | string[]>): void {
  const name = chance.oneOf(HEADERS);
  const before = headers[name];
  // Node itself refuses to send control characters and what is beyond Latin-1; the bytes are for those.
  const clean = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 4000);
  const turn = chance.below(4);
  if (turn === 0) delete headers[name];
  else if (turn === 1 && typeof before === 'string') headers[name] = [before, before];
  else headers[name] = clean(hostileValue(chance, typeof before === 'string' ? before : 'x'));
}

type ToSign = {
  readonly endpoint: string;
  readonly fields: Record<string, string>;
  readonly headers: Record<string, string | string[]>;
  readonly path: string;
  readonly shop: Shop;
  readonly now: number;
};

function sign(auth: Auth, to: ToSign): void {
  if (auth.scheme === 'open') {
    sign(auth.ifSigned, to);
    return;
  }
  if (auth.scheme === 'control') {
    to.fields.control = controlOf(auth, to);
    return;
  }
  const { fields, headers, path, shop, now } = to;
  const method = auth.method === 'either' ? 'HMAC-SHA1' : auth.method;
  const key = method === 'RSA-SHA256' ? shop.privateKey : shop.key;
  headers.authorization = oauthHeader(path, fields as Fields, { login: shop.login, key, method, now });
}

/** Names that some forms spell with dashes. */
const DASHED: Readonly<Record<string, string>> = {
  client_orderid: 'client-order-id',
  source_card_ref_id: 'source-card-ref-id',
  destination_card_ref_id: 'destination-card-ref-id',
};

function controlOf({ over }: ControlAuth, { endpoint, fields, shop }: ToSign): string {
  const values = over.map((name) => {
    if (name === 'endpointId') return endpoint.replace('group/', '');
    const value = fields[name] ?? fields[DASHED[name] ?? name] ?? '';
    return name === 'amount' ? minorUnits(value, fields.currency) : value;
  });
  return sha1(values.join('') + shop.key);
}

/** A key that no merchant has. */
export const STRANGERS_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
