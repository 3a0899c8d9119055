// The body of a request: strict form encoding, valid UTF-8, every name once, whatever its spelling.

import { isUtf8 } from 'node:buffer';
import { type Fault, fault } from '../domain/errors.ts';
import { canonicalName, type Parameters } from '../operations/form.ts';
import type { Pair } from '../signing/oauth1.ts';

/** The most parameters one request may carry, known or not. */
const MAX_PARAMETERS = 400;

const MAX_SHOWN = 64;

type Read = {
  /** Values exactly as sent, by canonical name: what signatures may cover. */
  readonly raw: ReadonlyMap<string, string>;
  /** Values trimmed of white space around them, by canonical name; empty ones are left out. */
  readonly parameters: Parameters;
  readonly faults: readonly Fault[];
  readonly pairs: readonly string[];
};

export class FormBody {
  readonly raw: Read['raw'];
  readonly parameters: Read['parameters'];
  readonly faults: Read['faults'];
  readonly #pairs: Read['pairs'];

  constructor({ raw, parameters, faults, pairs }: Read) {
    this.raw = raw;
    this.parameters = parameters;
    this.faults = faults;
    this.#pairs = pairs;
  }

  /** Every name and value as sent, unknown, empty and doubly spelled ones too: what OAuth signatures cover. */
  get sent(): readonly Pair[] {
    return pairsOf(this.#pairs);
  }
}

// Tab and line breaks may stand in free text; its fields decide.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** The same in a body as sent: only then is every value looked at. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MAY_HOLD_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|%[01]|%7[fF]|%[cC]2/;

export function readFormBody(body: Buffer): FormBody {
  const raw = new Map<string, string>();
  const faults: Fault[] = [];
  if (!isUtf8(body)) return unreadable('it holds bytes that are not UTF-8');
  const text = body.toString('utf8');
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) return unreadable(`at most ${MAX_PARAMETERS} parameters are taken`);
  const mayHoldControls = MAY_HOLD_CONTROLS.test(text);
  let isTrimmed = true;
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as string;
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const spelling = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (spelling === undefined || value === undefined)
      return unreadable('a percent sign is not followed by a valid code');
    const name = canonicalName(spelling);
    const earlier = raw.get(name);
    if (earlier !== undefined) {
      const fits = pairsOf(pairs.slice(0, index)).filter(([other]) => canonicalName(other) === name);
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
    if (value === '' || value.trim() !== value) isTrimmed = false;
  }
  return new FormBody({ raw, parameters: isTrimmed ? raw : trimmed(raw), faults, pairs });
}

function unreadable(hint: string): FormBody {
  const nothing = new Map<string, string>();
  return new FormBody({ raw: nothing, parameters: nothing, faults: [fault('text-not-utf8', { hint })], pairs: [] });
}

function trimmed(raw: ReadonlyMap<string, string>): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of raw) if (value.trim() !== '') parameters.set(name, value.trim());
  return parameters;
}

/** Of pairs that are known to be readable. */
function pairsOf(pairs: readonly string[]): Pair[] {
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [spelling, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decode(spelling) as string, decode(value) as string];
    });
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
