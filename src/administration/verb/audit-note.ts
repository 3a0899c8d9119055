// What the audit chain tells about a deed: of what was given and answered only what its verb says may be told, so that
// no key or number can get in by being forgotten.

import type { AuditNote } from '../../domain/audit.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { AnswerShape } from './answers.ts';
import { type AuditSubject, type Given, SUBJECTS, type Telling } from './inputs.ts';
import type { AnyVerb } from './verb.ts';

const MAX_TEXT = 200;
const MAX_LISTED = 100;

type Fact = { readonly name: string; readonly value: unknown; readonly subject: AuditSubject | undefined };

/** Without an answer it is told before, or of a deed that shows what nobody keeps. */
export function auditNote(verb: AnyVerb, given: Given, who: string, answer?: unknown): AuditNote {
  const facts = [...givenFacts(verb, given), ...answerFacts(verb.answer, answer)];
  const subjects = SUBJECTS.flatMap((word) => facts.filter(({ subject }) => subject === word).slice(-1));
  const [first] = subjects;
  return {
    who,
    action: verb.name,
    subject: first === undefined ? 'gateway' : `${first.subject} ${first.value}`,
    details: JSON.stringify(Object.fromEntries(facts.map(({ name, value }) => [name, value]))),
  };
}

/** What an answer is about, as the audit chain would name it: `key control-2`, `merchant shop`. */
export function subjectsIn(shape: AnswerShape<unknown>, answer: unknown): readonly string[] {
  const named = answerFacts(shape, answer).filter(({ subject }) => subject !== undefined);
  return [...new Set(named.map(({ subject, value }) => `${subject} ${value}`))];
}

function givenFacts({ given: inputs }: AnyVerb, given: Given): Fact[] {
  return Object.entries(inputs).flatMap(([name, { told }]) => factOf(name, given[name], told));
}

/** Also of the objects that the answer is made of; what stands in the answer itself counts more. */
function answerFacts({ members = {} }: AnswerShape<unknown>, answer: unknown, depth = 1): Fact[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const own = Object.entries(members).flatMap(([name, { told }]) => factOf(name, Reflect.get(answer, name), told));
  if (depth === 0) return own;
  const inner = Object.entries(members).flatMap(([name, shape]) =>
    answerFacts(shape, Reflect.get(answer, name), depth - 1),
  );
  return [...inner, ...own];
}

function factOf(name: string, value: unknown, told: Telling | undefined): Fact[] {
  if (told === undefined || !isPlain(value)) return [];
  return [{ name, value: shortened(value), subject: told === true ? undefined : told }];
}

function isPlain(value: unknown): boolean {
  const isScalar = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one);
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_LISTED).map(shortened);
  return typeof value === 'string' ? maskCardNumbers(value).slice(0, MAX_TEXT) : value;
}
