// Requests to the console: its pages with addresses and searches of every kind, and its forms with values of every
// kind, by somebody of each role who is signed in.

import type { ConsolePage } from '../../src/console/page.ts';
import { allPages } from '../../src/console/pages.ts';
import { wellFormed } from '../../src/domain/text.ts';
import { encode, FORM } from '../harness.ts';
import type { World } from './good-requests.ts';
import { hostileValue } from './hostile-values.ts';
import type { FuzzRequest } from './requests.ts';
import { FUZZED, FUZZED_ENDPOINT, type Official } from './verbs.ts';

/** It shows the key of the demo merchant, on purpose. */
const LOOKED_AT = allPages.filter(({ path }) => path !== 'try');

/** Not sent: what changes banks, networks and people that the others need, or takes long. */
const SENT = LOOKED_AT.filter(
  ({ path, forms }) => forms && !/^(sandbox|books|terminals|connectors|networks|people|lists|audit)/.test(path),
);

/** Names that searches and forms of the pages have. */
const FIELDS = [
  ...['login', 'orderId', 'clientOrderId', 'rrn', 'approvalCode', 'card', 'email', 'address', 'amount', 'from', 'to'],
  ...['currency', 'status', 'reason', 'operation', 'endpointId', 'terminal', 'within', 'after', 'limit', 'said'],
  ...['httpStatus', 'errorCode', 'refused', 'state', 'range', 'who', 'verb', 'what', 'text', 'name', 'query', 'kind'],
  ...['repeat', 'seq', 'outcome', 'deedId', 'callbackId', 'keyId', 'route', 'accent', 'language', 'cardReference'],
];

function paramOf(name: string, { chance, known }: World): string {
  const good: Readonly<Record<string, string | undefined>> = {
    login: FUZZED,
    endpointId: String(FUZZED_ENDPOINT),
    orderId: known.orders.sale[0]?.orderId,
    recurringPaymentId: known.recurring[0],
  };
  const value = (chance.happens(0.6) ? good[name] : undefined) ?? hostileValue(chance, 'x');
  // Nobody pays through merchant "Demo".
  return value === 'demo' ? 'Demo' : value;
}

function addressOf({ path }: ConsolePage, world: World): string {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return part;
    return encodeURIComponent(wellFormed(paramOf(part.slice(1), world)));
  });
  return `/console/${parts.join('/')}`;
}

function someFields({ chance, known }: World): Record<string, string> {
  const names = Array.from({ length: chance.below(5) }, () => chance.oneOf(FIELDS));
  const goodText = (name: string) => {
    if (name === 'login') return FUZZED;
    if (name === 'orderId') return known.orders.sale[0]?.orderId ?? '1';
    return chance.happens(0.3) ? chance.oneOf(['1111', 'USD', '10.42', '2027-01-31', 'approved', '24h', '1']) : '';
  };
  return Object.fromEntries(names.map((name) => [name, goodText(name) || hostileValue(chance, '1')]));
}

export function consoleRequest(world: World, officials: readonly Official[], adminUrl: string): FuzzRequest {
  const { chance } = world;
  const { cookie, mark } = chance.oneOf(officials);
  const own = { origin: adminUrl, cookie };
  if (chance.happens(0.6)) {
    const path = `${addressOf(chance.oneOf(LOOKED_AT), world)}?${encode(someFields(world))}`;
    return { label: 'console', method: 'GET', path, headers: own, body: '' };
  }
  const page = chance.oneOf(SENT);
  const path = `${addressOf(page, world)}/${chance.oneOf(Object.keys(page.forms ?? {}))}`;
  const fields = { ...someFields(world), ...(chance.happens(0.95) ? { mark } : {}) };
  return { label: 'console', method: 'POST', path, headers: { ...own, 'content-type': FORM }, body: encode(fields) };
}
