// Requests that know the interface: every operation with all its fields, rightly signed, and then spoilt in a few
// places, before or after it was signed.

import { generateKeyPairSync } from 'node:crypto';
import { operations } from '../../src/operations/index.ts';
import type { AnyOperation, Auth, ControlAuth } from '../../src/operations/operation.ts';
import { encode, type Fields, FORM, MEDIA_TYPE, minorUnits, oauthHeader, sha1 } from '../harness.ts';
import type { Chance } from './chance.ts';
import { hostileValue } from './hostile-values.ts';

export type Shop = { readonly login: string; readonly key: string; readonly privateKey: string };

/** What a request is sent as. */
export type FuzzRequest = {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
};

const ENDPOINTS = ['101', '102', '103', '104', '105', '200', '201'];
const OTHER_ENDPOINTS = ['0', '-1', '999', '1e3', '101/', 'group', 'group/200', '%31%30%31', '9'.repeat(30), 'ab'];
const CARD = '4444555566661111';

/** A good value for every field that an operation may name; what is not here is a short text. */
function usualValue(wire: string, chance: Chance, known: Known): string {
  const order = chance.oneOf(known.orders);
  const usual: Readonly<Record<string, () => string>> = {
    login: () => 'demo',
    client_orderid: () => (chance.happens(0.5) ? `fuzz-${chance.seed()}` : order.clientOrderId),
    'client-order-id': () => order.clientOrderId,
    orderid: () => order.orderId,
    amount: () => chance.oneOf(['10.42', '1042', '0.01', '7', '100.00']),
    currency: () => chance.oneOf(['USD', 'USD', 'EUR', 'JPY']),
    email: () => 'ann@example.com',
    credit_card_number: () => CARD,
    'credit-card-number': () => CARD,
    destination_card_no: () => CARD,
    expire_month: () => '12',
    expire_year: () => '2031',
    cvv2: () => chance.oneOf(['123', '111', '217', '116', '321']),
    country: () => 'US',
    state: () => 'CA',
    ipaddress: () => '203.0.113.7',
    phone: () => '+12025550123',
    zip_code: () => '12345',
    cardrefid: () => chance.oneOf(known.cards),
    redirect_url: () => 'https://shop.example/back',
    server_callback_url: () => 'https://shop.example/callback',
    birthday: () => '19800131',
  };
  return usual[wire]?.() ?? (/card_ref/.test(wire) ? chance.oneOf(known.cards) : 'some text');
}

/** Orders and cards that there may be, learnt from earlier replies. */
export type Known = {
  readonly orders: { readonly orderId: string; readonly clientOrderId: string }[];
  readonly cards: string[];
};

export function operationRequest(chance: Chance, known: Known, shop: Shop, base: string, now: number): FuzzRequest {
  const operation: AnyOperation = chance.oneOf(operations as readonly AnyOperation[]);
  const endpoint = chance.happens(0.95) ? chance.oneOf(ENDPOINTS) : chance.oneOf(OTHER_ENDPOINTS);
  const fields: Record<string, string> = {};
  for (const { wire, required } of Object.values(operation.request.fields)) {
    if (required || chance.happens(0.3)) fields[wire] = usualValue(wire, chance, known);
  }
  // A third stays good, so that there are orders and cards for the others to be about.
  const spoils = chance.oneOf(['before', 'before', 'after', 'both', 'never', 'never'] as const);
  if (spoils === 'before' || spoils === 'both') spoil(chance, fields);
  const path = `${base}${operation.path}/${endpoint}`;
  const headers: Record<string, string | string[]> = { accept: MEDIA_TYPE, 'content-type': FORM };
  sign(operation.auth, { endpoint, fields, headers, path, shop, now });
  if (spoils === 'after' || spoils === 'both') spoil(chance, fields);
  if (spoils !== 'never' && chance.happens(0.2)) spoilHeaders(chance, headers);
  let body = encode(fields as Fields);
  if (chance.happens(0.05))
    body += chance.oneOf(['&', '&&', '=', '&=', '&a', '&%', '&login=x', '&amount=1&amount=2', ';']);
  const method = chance.happens(0.98) ? 'POST' : chance.oneOf(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']);
  return { label: operation.name, method, path: new URL(path).pathname, headers, body };
}

function spoil(chance: Chance, fields: Record<string, string>): void {
  const names = Object.keys(fields);
  for (let times = 1 + chance.below(3); times > 0 && names.length > 0; times--) {
    const name = chance.oneOf(names);
    const turn = chance.below(10);
    if (turn === 0) delete fields[name];
    else if (turn === 1) fields[name.replaceAll('_', '-').toUpperCase()] = fields[name] ?? '';
    else if (turn === 2) fields[hostileValue(chance, name)] = 'x';
    else fields[name] = hostileValue(chance, fields[name] ?? '');
  }
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

function controlOf({ over }: ControlAuth, { endpoint, fields, shop }: ToSign): string {
  const values = over.map((name) => {
    if (name === 'endpointId') return endpoint.replace('group/', '');
    const value = fields[name] ?? '';
    return name === 'amount' ? minorUnits(value, fields.currency) : value;
  });
  return sha1(values.join('') + shop.key);
}

/** A key that no merchant has. */
export const STRANGERS_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const PAGES = [
  '/pay/',
  '/view-receipt/101/',
  '/3ds/',
  '/3ds/method/',
  '/3ds/results',
  '/challenge/',
  '/bank/demo-bank',
  '/bank/x',
  '/assets/pages.css',
  '/assets/',
  '/demo',
  '/demo/buy',
  '/',
  '',
];
const ROOT_PAGES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/demo', '/favicon.ico', '/robots.txt', '/'];

/** What browsers, card networks and banks reach, and what they might make of its addresses. */
export function pageRequest(chance: Chance, known: Known, base: string): FuzzRequest {
  const basePath = new URL(base).pathname;
  const order = chance.oneOf(known.orders);
  const start = chance.happens(0.85) ? basePath + chance.oneOf(PAGES) : chance.oneOf(ROOT_PAGES);
  const tail = chance.happens(0.6) ? encodeURIComponent(hostileValue(chance, order.orderId)) : '';
  const query = chance.happens(0.3) ? `?${encode({ [hostileValue(chance, 'q')]: hostileValue(chance, 'x') })}` : '';
  const method = chance.oneOf(['GET', 'GET', 'POST', 'HEAD', 'DELETE']);
  const body = method === 'POST' ? encode({ creq: hostileValue(chance, 'x'), cres: hostileValue(chance, 'e30') }) : '';
  const type = chance.oneOf([FORM, 'application/json', 'text/plain', 'multipart/form-data; boundary=x']);
  return { label: 'page', method, path: start + tail + query, headers: { 'content-type': type }, body };
}
