// A call as it is printed: what was sent, card numbers and secrets masked, and what was answered.

import { maskCardNumber, normaliseCardNumber } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { canonicalName, isSecretName } from '../../operations/form.ts';
import type { Operation } from '../../operations/operation.ts';
import type { HeardReply, SentFields, SignedCall } from './signed-call.ts';

/** The names of `filled` fields are marked: nobody gave them. */
export function shownCall(operation: Operation, call: SignedCall, filled: ReadonlySet<string>): string {
  const lines = Object.entries(maskedFields(operation, call)).map(
    ([name, value]) => [name, filled.has(name) ? `${value}   (filled in)` : value] as const,
  );
  const header = call.headers.authorization === undefined ? [] : [['Authorization', 'OAuth …'] as const];
  return [`POST ${call.url}`, ...columns([...header, ...lines])].join('\n');
}

export function shownReply({ status, reply }: HeardReply): string {
  const lines = Object.entries(reply).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return [`HTTP ${status}`, ...columns(lines)].join('\n');
}

/** Nobody knows what is in a field that the operation does not have, so its value is not shown. */
export function maskedFields({ request }: Operation, { fields }: SignedCall): SentFields {
  const known = new Map(Object.values(request.fields).map((field) => [canonicalName(field.wire), field.exposure]));
  const masked = Object.entries(fields).map(([name, value]) => {
    if (name === 'control') return [name, value];
    const exposure = known.get(canonicalName(name));
    if (exposure === 'card-number') return [name, maskCardNumber(normaliseCardNumber(value))];
    const isShown = exposure === 'plain' && !isSecretName(canonicalName(name));
    return [name, isShown ? maskCardNumbers(value) : '***'];
  });
  return Object.fromEntries(masked);
}

function columns(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`.trimEnd());
}
