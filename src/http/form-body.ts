// The body of a request: strict form encoding, valid UTF-8, every name once, whatever its spelling.

import { isAscii, isUtf8 } from 'node:buffer';
import { type Fault, fault } from '../domain/errors.ts';
import { percentDecoded, shortened } from '../domain/text.ts';
import { canonicalName, type Parameters } from '../operations/form.ts';
import type { Pair } from '../signing/oauth1.ts';

/** The most parameters one request may carry, known or not. */
const MAX_PARAMETERS = 400;
const TOO_MANY = `at most ${MAX_PARAMETERS} parameters are taken`;
const BAD_CODE = 'a percent sign is not followed by a valid code';

const MAX_SHOWN = 64;
/** Nobody reads more faults, and replies and their lines in the journal stay small. */
const MAX_FAULTS = 50;

export class FormBody {
  /** Values trimmed of white space around them, by canonical name; empty ones are left out. */
  readonly parameters: Parameters;
  /** Values exactly as sent, by canonical name: what signatures may cover. */
  readonly raw: ReadonlyMap<string, string>;
  readonly faults: readonly Fault[];
  readonly #text: string;

  constructor(text: string, { parameters, raw, faults }: Pick<FormBody, 'parameters' | 'raw' | 'faults'>) {
    this.parameters = parameters;
    this.raw = raw;
    this.faults = faults;
    this.#text = text;
  }

  /** Every name and value as sent, unknown, empty and doubly spelled ones too: what OAuth signatures cover. */
  get sent(): readonly Pair[] {
    return pairsOf(this.#text);
  }
}

// Tabs and line breaks are left out: each field decides whether it takes them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** The same characters in an encoded body: only when one may be there is every value checked. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MAY_HOLD_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|%[01]|%7[fF]|%[cC]2/;

export function readFormBody(body: Buffer): FormBody {
  const raw = new Map<string, string>();
  const faults: Fault[] = [];
  if (!isUtf8(body)) return unreadForm(fault('text-not-utf8', { hint: 'it holds bytes that are not UTF-8' }));
  const text = body.toString(isAscii(body) ? 'latin1' : 'utf8');
  const mayHoldControls = MAY_HOLD_CONTROLS.test(text);
  let isTrimmed = true;
  let spellings: Map<string, Set<string>> | undefined;
  let count = 0;
  for (let start = 0, end: number; start <= text.length; start = end + 1) {
    end = placeOf('&', text, start);
    count += 1;
    if (count > MAX_PARAMETERS) return unreadForm(fault('body-too-large', { hint: TOO_MANY }));
    if (end === start) continue;
    const equals = Math.min(placeOf('=', text, start), end);
    const spelling = decode(text.slice(start, equals));
    const value = decode(text.slice(equals + 1, end));
    if (spelling === undefined || value === undefined) return unreadForm(fault('text-not-utf8', { hint: BAD_CODE }));
    const name = canonicalName(spelling);
    const earlier = raw.get(name);
    if (earlier !== undefined) {
      // Made once, and only for bodies that repeat a name: a long body must not be read again for each repetition.
      spellings ??= spellingsOf(pairsOf(text.slice(0, start)));
      const known = spellings.get(name) ?? new Set<string>();
      spellings.set(name, known);
      if (known.has(spelling)) {
        faults.push(fault('parameter-repeated', { field: shown(spelling) }));
      } else if (earlier.trim() !== value.trim()) {
        const hint = `it was also sent as ${shown([...known][0] ?? '')} with another value`;
        faults.push(fault('parameter-contradicts', { field: shown(spelling), hint }));
      }
      known.add(spelling);
      if (faults.length > MAX_FAULTS) break;
      continue;
    }
    spellings?.set(name, new Set([spelling]));
    if (mayHoldControls && (CONTROL_CHARACTERS.test(value) || CONTROL_CHARACTERS.test(spelling))) {
      const field = CONTROL_CHARACTERS.test(spelling) ? 'name' : shown(spelling);
      faults.push(fault('parameter-malformed', { field, hint: 'control characters are not allowed' }));
    }
    raw.set(name, value);
    if (value === '' || value.trim() !== value) isTrimmed = false;
  }
  return new FormBody(text, { parameters: isTrimmed ? raw : trimmed(raw), raw, faults });
}

/** A body of which nothing was read. */
export function unreadForm(why: Fault): FormBody {
  const nothing = new Map<string, string>();
  return new FormBody('', { parameters: nothing, raw: nothing, faults: [why] });
}

/** The end of the text when the character is not found. */
function placeOf(character: string, text: string, from: number): number {
  const place = text.indexOf(character, from);
  return place < 0 ? text.length : place;
}

function trimmed(raw: ReadonlyMap<string, string>): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of raw) if (value.trim() !== '') parameters.set(name, value.trim());
  return parameters;
}

/** The spellings of each canonical name. */
function spellingsOf(pairs: readonly Pair[]): Map<string, Set<string>> {
  const spellings = new Map<string, Set<string>>();
  for (const [spelling] of pairs) {
    const name = canonicalName(spelling);
    const known = spellings.get(name);
    if (known) known.add(spelling);
    else spellings.set(name, new Set([spelling]));
  }
  return spellings;
}

/** The text must be known to be well-formed. */
function pairsOf(text: string): Pair[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [spelling, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decode(spelling) as string, decode(value) as string];
    });
}

function shown(spelling: string): string {
  return shortened(spelling, MAX_SHOWN);
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? percentDecoded(spaced) : spaced;
}
