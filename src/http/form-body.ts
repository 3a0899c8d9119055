// The body of a request: strict form encoding, valid UTF-8, every name once, whatever its spelling.

import { isUtf8 } from 'node:buffer';
import { type Fault, fault } from '../domain/errors.ts';
import { canonicalName, type Parameters } from '../operations/form.ts';
import type { Pair } from '../signing/oauth1.ts';

/** The most parameters one request may carry, known or not. */
const MAX_PARAMETERS = 400;

const MAX_SHOWN = 64;

export type FormBody = {
  /** Values trimmed of white space around them, by canonical name; empty ones are left out. */
  readonly parameters: Parameters;
  /** Values exactly as sent, by canonical name: what signatures may cover. */
  readonly raw: ReadonlyMap<string, string>;
  /** Every name and value as sent, unknown, empty and doubly spelled ones too: what OAuth signatures cover. */
  readonly sent: readonly Pair[];
  readonly faults: readonly Fault[];
};

// Tab and line breaks may stand in free text; its fields decide.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** The same in a body as sent: only then is every value looked at. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MAY_HOLD_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|%[01]|%7[fF]|%[cC]2/;

export function readFormBody(body: Buffer): FormBody {
  const parameters = new Map<string, string>();
  const raw = new Map<string, string>();
  const sent: Pair[] = [];
  const faults: Fault[] = [];
  const unreadable = (hint: string) => ({ parameters, raw, sent, faults: [fault('text-not-utf8', { hint })] });
  if (!isUtf8(body)) return unreadable('it holds bytes that are not UTF-8');
  const text = body.toString('utf8');
  if (text === '') return { parameters, raw, sent, faults };
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) return unreadable(`at most ${MAX_PARAMETERS} parameters are taken`);
  const mayHoldControls = MAY_HOLD_CONTROLS.test(text);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const spelling = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (spelling === undefined || value === undefined)
      return unreadable('a percent sign is not followed by a valid code');
    sent.push([spelling, value]);
    const name = canonicalName(spelling);
    const earlier = raw.get(name);
    if (earlier !== undefined) {
      const fits = sent.slice(0, -1).filter(([other]) => canonicalName(other) === name);
      if (fits.some(([other]) => other === spelling)) {
        faults.push(fault('parameter-repeated', { field: shown(spelling) }));
      } else if (earlier !== value) {
        const hint = `it was also sent as ${shown(fits[0]?.[0] ?? '')} with another value`;
        faults.push(fault('parameter-contradicts', { field: shown(spelling), hint }));
      }
      continue;
    }
    if (mayHoldControls && (CONTROL_CHARACTERS.test(value) || CONTROL_CHARACTERS.test(spelling))) {
      const field = CONTROL_CHARACTERS.test(spelling) ? 'name' : shown(spelling);
      faults.push(fault('parameter-malformed', { field, hint: 'control characters are not allowed' }));
    }
    raw.set(name, value);
    const trimmed = value.trim();
    if (trimmed !== '') parameters.set(name, trimmed);
  }
  return { parameters, raw, sent, faults };
}

/** Names come from outside: told back, but not at any length. */
function shown(spelling: string): string {
  return spelling.length > MAX_SHOWN ? `${spelling.slice(0, MAX_SHOWN)}…` : spelling;
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
