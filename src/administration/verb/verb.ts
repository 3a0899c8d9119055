// A verb of administration is a value: what it is called, who may use it, what it takes, what it does and what it
// answers. The local door with its OpenAPI document, the commands, the checks of what is given and the audit chain are
// functions of the list in ../index.ts.

import type { PartName, Parts, VerbParts } from '../parts.ts';
import type { AnswerShape } from './answers.ts';
import type { Given, Inputs, InputValues } from './inputs.ts';

/**
 * What a verb does to the world, and so what the audit chain tells of it. `read`: nothing to tell. `cards`: it shows
 * something of cards. `outside`: it changes what no transaction covers. `change`: it changes the database, in one
 * transaction.
 */
export type Conduct = 'read' | 'cards' | 'outside' | 'change';

/** The least that somebody must be to use a verb. */
export type Role = 'viewer' | 'operator' | 'administrator';

/** Another command for the same verb, with some of its inputs given already. */
export type FurtherCommand<A> = {
  readonly words: string;
  readonly summary: string;
  readonly example?: string;
  /** The inputs it asks for. */
  readonly takes: readonly string[];
  readonly gives: Given;
  readonly show: (answer: A, given: Given) => string;
};

export type Verb<Name extends string, I extends Inputs, A, P extends PartName> = {
  /** What the door and the audit chain call it. */
  readonly name: Name;
  /** What it does, as a phrase: `list all merchants`. */
  readonly summary: string;
  readonly role: Role;
  readonly conduct: Conduct;
  readonly given: I;
  readonly answer: AnswerShape<A>;
  /** The parts it needs: it gets no others. */
  readonly needs: readonly P[];
  /** The words of its command: `merchant add`. Without them a command written by hand uses the verb. */
  readonly command?: string | undefined;
  readonly example?: string | undefined;
  /** Whether the command asks for at least one option. */
  readonly mustChange?: boolean;
  readonly further?: readonly FurtherCommand<NoInfer<A>>[];
  /** The answer for a person. */
  show?(answer: NoInfer<A>, given: Given): string;
  /** A method, so that a list may hold verbs of every form. */
  run(given: InputValues<I>, parts: Parts<P>): Promise<NoInfer<A>>;
};

/** A verb whose form is not known here. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds verbs of every form
export type AnyVerb = Verb<string, Inputs, any, any>;

export function defineVerb<const Name extends string, I extends Inputs, A, const P extends PartName>(
  verb: Verb<Name, I, A, P>,
): Verb<Name, I, A, P> {
  return verb;
}

/** Runs a verb with those of the parts it needs. */
export function runVerb(verb: AnyVerb, given: Given, parts: VerbParts): Promise<unknown> {
  const needed = Object.fromEntries(verb.needs.map((name: PartName) => [name, parts[name]]));
  return verb.run(given, needed);
}
