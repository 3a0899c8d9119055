// Requests to the administrators' door: every verb with values it takes, by a token of each role or the cookie of
// somebody who is signed in, and the forms of the account page.

import { verbs } from '../../src/administration/index.ts';
import type { AnyVerb } from '../../src/administration/verb/verb.ts';
import { may, PERSON_ROLES, type PersonRole } from '../../src/domain/people/roles.ts';
import { encode, FORM } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';
import type { Chance } from './chance.ts';
import type { World } from './good-requests.ts';
import { hostileValue } from './hostile-values.ts';
import { type FuzzRequest, someOf } from './requests.ts';

/** Somebody of a role, with a token, and with a browser in which they are signed in. */
export type Official = {
  readonly role: PersonRole;
  readonly token: string;
  readonly cookie: string;
  readonly mark: string;
};

export type VerbRequest = FuzzRequest & { readonly isAllowed: boolean };

/** The merchant that is changed, so that the one who pays keeps what it has. */
export const FUZZED = 'fuzzed';
export const FUZZED_ENDPOINT = 9_001;
const A_YEAR_MS = 365 * 24 * 3_600_000;

/** Makes the people of every role and the merchant that administrators change. */
export async function hireOfficials(at: { adminUrl: string; dataFolder: string }): Promise<Official[]> {
  const { url, token: local } = await localNote(at.dataFolder);
  await askBy(url, local, 'addMerchant', { login: FUZZED });
  await askBy(url, local, 'addEndpoint', { login: FUZZED, currency: 'USD', endpointId: FUZZED_ENDPOINT });
  const officials: Official[] = [];
  for (const role of PERSON_ROLES) {
    await hire(at, role, role);
    const until = new Date(Date.now() + A_YEAR_MS / 2).toISOString();
    const { body, text } = await askBy(url, local, 'addToken', { name: role, label: 'fuzz', until, role });
    if (body?.answer?.token === undefined) throw new Error(`${role} has no token: ${text}`);
    const browser = new PersonBrowser(() => at.adminUrl);
    await browser.signIn(role, PASSWORD);
    const [cookie = '', mark] = [browser.cookie, await browser.mark()];
    officials.push({ role, token: body.answer.token, cookie, mark });
  }
  return officials;
}

/**
 * Not sent: what takes long, fills the disk, or would change the bank and the keys that the others pay with. Those have
 * scenarios of their own.
 */
const LEFT_OUT = new Set([
  ...['copyDatabase', 'writeHeap', 'setBankFaults', 'clearBank', 'rotateDataKey', 'rotateKeyEncryptionKey'],
  ...['retireKeyEncryptionKey', 'rotateLinksKey', 'rotateLookupKey', 'rotateRecordKey', 'signRecords'],
  ...['setNetwork', 'removeNetwork', 'testNetwork', 'testTerminal', 'useBins', 'addTerminal', 'setTerminal'],
  ...['setNetworkFaults', 'moveClock', 'makeOrders', 'verifyInBackground', 'listenToCallbacks', 'triggerStory'],
  'returnPayout',
  // These show the key of the demo merchant, on purpose.
  ...['showTrial', 'tryRequest'],
]);

const SENT = (verbs as readonly AnyVerb[]).filter(({ name }) => !LEFT_OUT.has(name));

/** Blocks for everybody would stop the payers. */
const NEVER_GIVEN = new Set(['everywhere']);

function goodValue(verb: string, name: string, { chance, known, now }: World): unknown {
  const order = known.orders.sale[0];
  const values: Readonly<Record<string, () => unknown>> = {
    login: () => (verb === 'addMerchant' ? `m${chance.seed()}` : FUZZED),
    endpointId: () => (verb === 'addEndpoint' ? undefined : FUZZED_ENDPOINT),
    groupId: () => undefined,
    endpointIds: () => [FUZZED_ENDPOINT],
    currency: () => (verb === 'setEndpoint' ? undefined : 'USD'),
    kind: () => ({ addKey: 'control', setLimit: 'email', removeLimit: 'email' })[verb] ?? 'email',
    value: () => `payer${chance.below(20)}@example.com`,
    window: () => chance.oneOf(['1h', '24h']),
    count: () => 5,
    amount: () => undefined,
    name: () => nameOf(verb, chance),
    role: () => undefined,
    brand: () => 'VISA',
    orderId: () => (verb === 'showOrder' && order ? Number(order.orderId) : undefined),
    cardReference: () => undefined,
    recurringPaymentId: () => Number(known.recurring[0] ?? 1),
    serialNumber: () => '00000000-0000-4000-8000-000000000000',
    date: () => new Date(now).toISOString().slice(0, 10),
    at: () => new Date(now + A_YEAR_MS).toISOString(),
    until: () => new Date(now + A_YEAR_MS / 2).toISOString(),
    validFrom: () => new Date(now).toISOString(),
    validUntil: () => new Date(now + A_YEAR_MS).toISOString(),
    after: () => undefined,
    before: () => undefined,
    from: () => undefined,
    note: () => 'a note',
    label: () => 'a label',
    enabled: () => true,
    legacyReplies: () => chance.happens(0.5),
    strictSigning: () => chance.happens(0.5),
    demandAmounts: () => chance.happens(0.5),
    threeDSecure: () => chance.oneOf(['none', 'optional']),
    accent: () => '#2347c5',
    intro: () => 'Thank you',
    language: () => 'de',
    callbackId: () => '1',
    allowedAddresses: () => ['203.0.113.0/24'],
    frameAncestors: () => ['https://shop.example'],
    formAddresses: () => ['https://shop.example/'],
    descriptor: () => 'FUZZED',
  };
  return values[name]?.();
}

function nameOf(verb: string, chance: Chance): string | undefined {
  if (/Person|Sessions|Token/.test(verb)) return chance.oneOf(PERSON_ROLES);
  if (/Terminal/.test(verb)) return 'simulated';
  if (/Connector/.test(verb)) return 'simulated';
  return 'A name';
}

export function verbRequest(world: World, officials: readonly Official[], adminUrl: string): VerbRequest {
  const { chance } = world;
  const verb = chance.oneOf(SENT);
  const allowed = officials.filter(({ role }) => may(role, verb));
  const official = chance.oneOf(allowed.length > 0 && chance.happens(0.8) ? allowed : officials);
  const given: Record<string, unknown> = {};
  for (const [name, { required }] of Object.entries(verb.given)) {
    const value =
      NEVER_GIVEN.has(name) || !(required || chance.happens(0.4)) ? undefined : goodValue(verb.name, name, world);
    if (value !== undefined) given[name] = value;
  }
  if (chance.happens(0.4)) for (const name of someOf(chance, Object.keys(verb.given))) spoilGiven(chance, given, name);
  const by = chance.happens(0.8)
    ? { authorization: `Bearer ${official.token}` }
    : { cookie: official.cookie, origin: adminUrl, 'tender-page': '1' };
  const isAllowed = may(official.role, verb) && !(verb.inPerson && 'authorization' in by);
  const headers = { 'content-type': 'application/json', ...by };
  return {
    label: verb.name,
    isAllowed,
    method: 'POST',
    path: `/admin/api/${verb.name}`,
    headers,
    body: JSON.stringify(given),
  };
}

function spoilGiven(chance: Chance, given: Record<string, unknown>, name: string | undefined): void {
  if (name === undefined || NEVER_GIVEN.has(name)) return;
  const before = given[name];
  const text = hostileValue(chance, typeof before === 'string' ? before : JSON.stringify(before ?? ''));
  // Nobody pays through merchant "Demo".
  const hostile = text === 'demo' ? 'Demo' : text;
  given[name] = chance.oneOf<unknown>([hostile, hostile, hostile, Number(text), [hostile], { a: hostile }, null, true]);
}

const ACCOUNT_FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app/begin': {},
  'app/confirm': { code: '000000' },
  'passkeys/remove': { passkey: 'x' },
  'tokens/add': { label: 'a label', days: '30', role: 'viewer' },
  'tokens/revoke': { token: 'x' },
  password: { chosen: 'x', current: 'x' },
};

/** People's pages, opened and filled in by somebody who is signed in; sometimes by a stranger. */
export function accountRequest({ chance }: World, officials: readonly Official[], adminUrl: string): FuzzRequest {
  const { cookie, mark } = chance.oneOf(officials);
  const own = { origin: adminUrl, ...(chance.happens(0.9) ? { cookie } : {}) };
  if (chance.happens(0.3)) {
    const path = chance.oneOf(['/account', '/account', '/', '/sign-in', '/first-sign-in', '/admin/api/openapi.json']);
    return { label: 'account', method: 'GET', path, headers: own, body: '' };
  }
  if (chance.happens(0.15)) {
    const path = chance.oneOf(['/account/passkeys/options', '/account/passkeys/add', '/sign-in/passkey']);
    const body = JSON.stringify({ mark, answer: chance.happens(0.5) ? hostileValue(chance, '{}') : { id: 'x' } });
    return { label: 'account', method: 'POST', path, headers: { ...own, 'content-type': 'application/json' }, body };
  }
  const action = chance.oneOf(Object.keys(ACCOUNT_FORMS));
  const fields: Record<string, string> = { mark, ...ACCOUNT_FORMS[action] };
  if (chance.happens(0.5)) {
    for (const name of someOf(chance, Object.keys(fields))) fields[name] = hostileValue(chance, fields[name] ?? '');
  }
  const headers = { ...own, 'content-type': FORM };
  return { label: 'account', method: 'POST', path: `/account/${action}`, headers, body: encode(fields) };
}
