// A verb of administration is a value: what it is called, who may use it, what it takes, what it does and what it
// answers. The interface with its OpenAPI document, the commands, the checks of what is given and the audit chain are
// functions of the list in ../index.ts.

import type { VerbRole } from '../../domain/people/roles.ts';
import type { VerbParts } from '../parts.ts';
import type { AnswerShape } from './answers.ts';
import type { Given, Inputs, InputValues } from './inputs.ts';

/**
 * What a verb does to the world, and so what the audit chain tells of it. `read`: nothing to tell. `cards`: it shows
 * something of cards. `outside`: it changes what no transaction covers. `change`: it changes the database, in one
 * transaction. `begun`: it goes on with what the same caller began by an `outside` verb, of which the chain tells.
 */
export type Conduct = 'read' | 'cards' | 'outside' | 'change' | 'begun';

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

/** `Raw` is what it gives for its answer `A` to be written from. */
export type Verb<Name extends string, I extends Inputs, A, Raw> = {
  /** What the door and the audit chain call it. */
  readonly name: Name;
  /** What it does, as a phrase: `list all merchants`. */
  readonly summary: string;
  /** The least that somebody must be to use it. */
  readonly role: VerbRole;
  readonly conduct: Conduct;
  /** Whether it makes people or ways to sign in, which nobody may do with a token. */
  readonly inPerson?: boolean;
  /**
   * Whether people of a merchant may use it: `own` finds for them only what is their merchant's. Whatever it reaches is
   * narrowed in ../asking/merchant-scope.ts.
   */
  readonly merchants?: 'own';
  /** Whether only the local command line may use it, because it writes what nobody else could read or remove. */
  readonly localOnly?: boolean;
  /** How far it moves the clock: what it answered is known to who asks again after that. */
  endsAfterMs?(given: InputValues<I>, now: number): number;
  /** Whether it waits for somebody outside and writes nothing that changes read: changes do not wait for it then. */
  readonly waitsOutside?: boolean;
  readonly given: I;
  readonly answer: AnswerShape<A, Raw>;
  /** The words of its command: `merchant add`. Without them a command written by hand uses the verb. */
  readonly command?: string | undefined;
  readonly example?: string | undefined;
  /** Whether the command asks for at least one option. */
  readonly mustChange?: boolean;
  readonly further?: readonly FurtherCommand<NoInfer<A>>[];
  /** The answer for a person. */
  show?(answer: NoInfer<A>, given: Given): string;
  /** A method, so that a list may hold verbs of every form. */
  run(given: InputValues<I>, parts: VerbParts): Promise<NoInfer<Raw>>;
};

/** A verb whose form is not known here. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds verbs of every form
export type AnyVerb = Verb<string, Inputs, any, any>;

export function defineVerb<const Name extends string, I extends Inputs, A, Raw>(
  verb: Verb<Name, I, A, Raw>,
): Verb<Name, I, A, Raw> {
  return verb;
}

/** A verb that only looks, at what every viewer may see. */
export function defineReading<const Name extends string, I extends Inputs, A, Raw>(
  verb: Omit<Verb<Name, I, A, Raw>, 'role' | 'conduct'>,
): Verb<Name, I, A, Raw> {
  return { ...verb, role: 'viewer', conduct: 'read' };
}
