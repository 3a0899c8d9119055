// Verbs that are still factories of methods.

import type { AuditNote } from '../domain/audit.ts';
import { maskCardNumbers } from '../domain/card/card.ts';
import { endpointSettings } from '../domain/merchant/endpoint-settings.ts';
import { lookSettings } from '../domain/merchant/look.ts';
import { merchantSettings } from '../domain/merchant/merchant-settings.ts';
import type { AdministrationParts } from './administration.ts';
import { endpointVerbs } from './endpoints.ts';
import { groupVerbs } from './groups.ts';
import { lookVerbs } from './looks.ts';
import { merchantVerbs } from './merchants.ts';
import type { Given } from './verb/inputs.ts';
import type { Conduct } from './verb/verb.ts';

export type OldVerbs = ReturnType<typeof oldVerbs>;

export function oldVerbs(parts: AdministrationParts) {
  return {
    ...merchantVerbs(parts),
    ...endpointVerbs(parts),
    ...groupVerbs(parts),
    ...lookVerbs(parts),
  };
}

const OUTSIDE = new Set([
  'copyDatabase',
  'rotateDataKey',
  'rotateKeyEncryptionKey',
  'clearBank',
  'setBankFaults',
  'approvePayout',
]);
const CARDS = new Set(['listCardReferences', 'showOrder', 'showRecurring', 'showRequest']);

export function conductOf(verb: string): Conduct {
  if (CARDS.has(verb)) return 'cards';
  if (OUTSIDE.has(verb)) return 'outside';
  // What is not known to change nothing is taken for a change.
  return /^(list|show|read|verify)[A-Z]/.test(verb) ? 'read' : 'change';
}

/** In this order the first of them that is known is what the deed was done to. */
const SUBJECTS = [
  ['orderId', 'order'],
  ['cardReference', 'card reference'],
  ['recurringPaymentId', 'recurring payment'],
  ['keyId', 'key'],
  ['groupId', 'group'],
  ['endpointId', 'endpoint'],
  ['login', 'merchant'],
] as const;

/** Names whose values may be kept. Keys, numbers and the like are not among them. */
const TOLD = new Set<string>([
  ...SUBJECTS.map(([name]) => name),
  ...[...merchantSettings, ...endpointSettings, ...lookSettings].map(({ name }) => name),
  ...['merchantId', 'currency', 'intro', 'help', 'language'],
  ...['endpointIds', 'kind', 'validFrom', 'validUntil', 'currentDataKeyId', 'kekId', 'date', 'lines', 'state', 'card'],
  ...['window', 'count', 'amount', 'per', 'bin', 'email', 'address', 'note', 'everywhere', 'cardOfOrder'],
  ...['value', 'seq', 'outcome', 'stage', 'before', 'clientOrderId', 'serialNumber'],
]);

/** A part of an answer that gives our names to what is the acquirer's. */
const ACQUIRERS_OWN = 'acquiring';

const MAX_TEXT = 200;
const MAX_LISTED = 100;

export function noteOf(verb: string, given: Given, answer: unknown, who: string): AuditNote {
  const facts = { ...toldOf(given), ...toldOf(answer) };
  const [name, word] = SUBJECTS.find(([one]) => facts[one] !== undefined) ?? [];
  const subject = name === undefined ? 'gateway' : `${word} ${facts[name]}`;
  return { who, action: verb, subject, details: JSON.stringify(facts) };
}

/** The values that may be told, also of what the answer is made of. */
function toldOf(value: unknown, depth = 1): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const told: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (TOLD.has(name) && isPlain(one)) told[name] = shortened(one);
    else if (depth > 0 && name !== ACQUIRERS_OWN) Object.assign(told, { ...toldOf(one, depth - 1), ...told });
  }
  return told;
}

function isPlain(value: unknown): boolean {
  const isScalar = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one);
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_LISTED).map(shortened);
  return typeof value === 'string' ? maskCardNumbers(value.slice(0, MAX_TEXT)) : value;
}
