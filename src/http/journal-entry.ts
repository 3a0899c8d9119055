// What the journal keeps of a request: the parameters its operation knows, masked as their fields demand, the names of
// all others, and the reply.

import { maskCardNumber, normaliseCardNumber, SHORTEST_CARD_NUMBER } from '../domain/card/card.ts';
import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import { shortened } from '../domain/text.ts';
import { canonicalName, type Exposure, isSecretName, type Parameters } from '../operations/form.ts';
import type { Operation } from '../operations/operation.ts';
import type { ExplainedSignature, SignedPart } from '../signing/explained-control.ts';
import type { JournalLine } from '../storage/requests/journal.ts';
import type { Outcome } from './pipe.ts';

/** Longer values are cut: the journal is for finding out what happened, not for keeping texts. */
const MAX_VALUE = 512;
/** Of fields the operation does not know only some names are kept: anybody can send them. */
const MAX_UNKNOWN = 20;
const MAX_NAME = 64;

type Bounds = { readonly value: number; readonly unknown: number; readonly name: number; readonly bytes: number };

const USUAL: Bounds = { value: MAX_VALUE, unknown: MAX_UNKNOWN, name: MAX_NAME, bytes: Number.POSITIVE_INFINITY };

/** Strangers may send what they like as often as they like: of their requests a few hundred bytes are kept. */
const STRANGERS: Bounds = { value: 40, unknown: 3, name: 24, bytes: 240 };
const MAX_MESSAGE = 120;
/** Of a value that was signed, in a sandbox, where wrong signatures are explained. */
const MAX_SIGNED = 160;
/** Of a signature that came, and of what is wrong with it. */
const MAX_CAME = 400;
/** An OAuth signature covers all fields of a request. */
const MAX_PARTS = 60;
/** With whatever stands between its digits. */
const LONGEST_NUMBER = 64;

/** How a known field is written: the text before its value, and how much of its value is shown. */
type Known = { readonly opening: string; readonly exposure: Exposure };

/** The known fields by canonical name, made once per operation. */
const knownFields = new WeakMap<Operation, ReadonlyMap<string, Known>>();

export type Journaled = {
  readonly serialNumber: string;
  readonly at: number;
  readonly operation: Operation | undefined;
  readonly pathId: string | undefined;
  readonly outcome: Outcome;
  /** The reply as JSON. */
  readonly written: string;
  readonly milliseconds: number;
};

export function journalLine(journaled: Journaled): JournalLine {
  const { serialNumber, at, operation, pathId, outcome, milliseconds } = journaled;
  const orderId = outcome.reply['paynet-order-id'];
  return {
    serialNumber,
    at,
    operation: operation?.name,
    pathId: pathId && maskCardNumbers(pathId.slice(0, 20)),
    merchantId: outcome.merchantId,
    orderId: typeof orderId === 'string' ? Number(orderId) : undefined,
    httpStatus: outcome.status,
    errorCode: outcome.errorCode,
    request: maskedRequest(operation, outcome.parameters),
    reply: maskedReply(journaled),
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  };
}

/** The short line about a request whose sender is not known; `from` is the address range it came from. */
export function strangerLine(journaled: Journaled, from: string): JournalLine {
  const { operation, outcome } = journaled;
  const { type, 'error-code': code, 'error-message': message } = outcome.reply;
  const explained = outcome.explain?.();
  const signing = explained && maskedExplanation(explained, operation);
  const reply = JSON.stringify({ type, 'error-code': code, 'error-message': cut(message), from, signing });
  return {
    ...journalLine({ ...journaled, outcome: { ...outcome, parameters: undefined }, written: '{}' }),
    merchantId: undefined,
    orderId: undefined,
    request: maskedRequest(operation, outcome.parameters, STRANGERS),
    reply: maskCardNumbers(storable(reply)),
  };
}

/** Each value is masked before it stands beside others: together they may be a longer number. */
function maskedExplanation(explained: ExplainedSignature, operation: Operation | undefined): ExplainedSignature {
  const { scheme, expected, came, instead } = explained;
  const shown = scheme === 'oauth' ? oauthValue(operation) : controlValue;
  const parts = (all: readonly SignedPart[]) =>
    all.slice(0, MAX_PARTS).map((part) => ({ name: shortened(part.name, MAX_NAME), value: shown(part) }));
  return {
    scheme,
    expected: parts(expected),
    came: maskedText(came, MAX_CAME),
    instead: instead && { ...instead, parts: parts(instead.parts), mistake: maskedText(instead.mistake, MAX_CAME) },
  };
}

function maskedText(text: string, most: number): string {
  return shortened(maskCardNumbers(text.slice(0, most + LONGEST_NUMBER)), most);
}

function controlValue({ name, value }: SignedPart): string {
  return isSecretName(canonicalName(name)) ? '***' : maskedText(value, MAX_SIGNED);
}

/** What every base string begins with, and the OAuth parameters that a header may hold. */
const OPEN_PARTS = /^(?:verb|URL|oauth_(?:consumer_key|nonce|signature_method|timestamp|version))$/;

/** An OAuth signature covers every field, also unknown ones, which may be a security code sent to the wrong place. */
function oauthValue(operation: Operation | undefined) {
  const fields = operation && fieldsOf(operation);
  return ({ name, value }: SignedPart): string => {
    if (OPEN_PARTS.test(name)) return maskedText(value, MAX_SIGNED);
    return maskCardNumbers(masked(value, fields?.get(canonicalName(name))?.exposure, STRANGERS.value));
  };
}

function cut(message: unknown): unknown {
  return typeof message === 'string' ? shortened(maskCardNumbers(message), MAX_MESSAGE) : undefined;
}

function maskedRequest(operation: Operation | undefined, parameters: Parameters | undefined, bounds = USUAL): string {
  if (!parameters || !operation) return '{}';
  const fields = fieldsOf(operation);
  // Written member by member: an object with names from outside would have a shape of its own for every client.
  let text = '';
  let unknown = 0;
  for (const [name, value] of parameters) {
    const known = fields.get(name);
    if (!known && ++unknown > bounds.unknown) continue;
    const opening = known?.opening ?? openingOf(cleared(escaped(shortened(name, bounds.name))));
    const member = opening + cleared(escaped(masked(value, known?.exposure, bounds.value)));
    if (bounds !== USUAL && Buffer.byteLength(text + member) > bounds.bytes) break;
    text += member;
  }
  return text === '' ? '{}' : `{${text.slice(VALUE_END.length)}"}`;
}

/** A name or a value as it may stand between quotes, which no number goes beyond. */
function cleared(text: string): string {
  const kept = storable(text);
  return kept.length < SHORTEST_CARD_NUMBER ? kept : maskCardNumbers(kept);
}

/** Written before each further member, it ends the value of the one before. */
const VALUE_END = '",';

function openingOf(name: string): string {
  return `${VALUE_END}"${name}":"`;
}

const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;

function escaped(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? text : JSON.stringify(text).slice(1, -1);
}

/** A field the operation does not know may be a security code sent to the wrong place. */
function masked(value: string, exposure: Exposure | undefined, most: number): string {
  if (exposure === undefined || exposure === 'hidden') return '***';
  if (exposure === 'card-number') return maskCardNumber(normaliseCardNumber(value).slice(0, 19));
  // Masked before it is cut: the first digits of a card number do not look like one.
  return value.length <= most ? value : shortened(maskCardNumbers(value.slice(0, most + LONGEST_NUMBER)), most);
}

/** Ids of our own must stay readable, even if one looks like a card number. */
const OWN_IDS: ReadonlySet<string> = new Set(['serial-number', 'paynet-order-id']);

/** Replies repeat what the merchant sent: its id, addresses of mail, telephone numbers. */
function maskedReply({ outcome: { reply }, written }: Journaled): string {
  // The expected string repeats all values that were sent, also those of fields we do not know.
  const isExplained = 'expected-string' in reply;
  if (!isExplained && !holdsNumber(reply)) return storable(written);
  const masked = (name: string, value: unknown) => {
    if (name === 'expected-string') return '***';
    return typeof value === 'string' && !OWN_IDS.has(name) ? maskCardNumbers(value) : value;
  };
  return storable(JSON.stringify(reply, masked));
}

/** Whether anything of it would be masked; most values are too short, which costs nothing to find out. */
function holdsNumber(reply: Readonly<Record<string, unknown>>): boolean {
  for (const name in reply) {
    const value = reply[name];
    if (Array.isArray(value)) {
      if (value.some(holdsNumber)) return true;
    } else if (typeof value === 'string' && value.length >= SHORTEST_CARD_NUMBER && !OWN_IDS.has(name)) {
      if (maskCardNumbers(value) !== value) return true;
    }
  }
  return false;
}

// A pair of backslashes is looked at first, so that what follows it is not taken for an escape.
const ESCAPES = /\\\\|\\u[0-9a-f]{4}/g;

/**
 * JSON that PostgreSQL can take apart and whose digits are those of the values: the only characters written as `\uXXXX`
 * are control characters and halves of surrogate pairs, which cutting can leave.
 */
function storable(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPES, (match) => (match === '\\\\' ? match : '\ufffd')) : text;
}

function fieldsOf(operation: Operation): ReadonlyMap<string, Known> {
  const known = knownFields.get(operation);
  if (known) return known;
  const made = new Map(
    operation.request.named.map(({ name, field }) => [
      name,
      { opening: openingOf(escaped(name)), exposure: field.exposure },
    ]),
  );
  knownFields.set(operation, made);
  return made;
}
