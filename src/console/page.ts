// A page of the console is a value: where it is, what its reader must be allowed to do, what it shows and what its
// forms do. Everything it knows and does it asks for by verbs, as the person who reads it: so roles, the narrower reach
// of merchants' people and the audit chain hold here as everywhere.

import type { AnswerTo, VerbName } from '../administration/administration.ts';
import type { Given } from '../administration/verb/inputs.ts';
import type { Person } from '../domain/people/person.ts';
import type { Piece } from '../web/design/html.ts';
import type { WebReply } from '../web/route.ts';

/** The parts of the menu, in their order. */
export const SECTIONS = ['Today', 'Payments', 'Set-up', 'Books', 'Sandbox', 'People'] as const;
export type Section = (typeof SECTIONS)[number];

export type FormValues = Readonly<Record<string, string>>;

/** One look at a page, by somebody who is signed in. */
export type Visit = {
  readonly person: Person;
  readonly mode: 'sandbox' | 'production';
  readonly now: number;
  /** What the path of the page names: `orders/:orderId` has an `orderId`. */
  readonly params: FormValues;
  readonly query: URLSearchParams;
  /** What was sent with the form that brought its reader here; a page fills its fields with it when it was refused. */
  readonly given: FormValues;
  /** The form that was refused, by the word behind the page's path. */
  readonly refusedForm: string | undefined;
  /** What every form of the page holds; `formOf` of pieces/forms.ts writes it. */
  readonly mark: string;
  /** Asks as this person; throws `InvalidInput` and `NotAllowed`. Of a form sent twice a change is done once. */
  ask<V extends VerbName>(verb: V, given?: Given): Promise<AnswerTo<V>>;
  /** Asks as whoever this person is by now: for files, which may outlast their reader's role. */
  askAnew<V extends VerbName>(verb: V, given?: Given): Promise<AnswerTo<V>>;
  /** Whether this person may use a verb at all: what they may not is not offered. */
  may(verb: VerbName): boolean;
};

export type Shown = {
  readonly title: string;
  /** Pages above this one: address and name. */
  readonly above?: readonly (readonly [path: string, name: string])[];
  readonly body: Piece;
  readonly status?: number;
};

/** What a form leads to: `to` another page by a redirect, with a word of what was done, or a page of its own. */
export type Done = { readonly to: string; readonly said?: string } | Shown | WebReply;

export type ConsolePage = {
  /** Below /console/: `orders/:orderId`. The empty path is the first page. */
  readonly path: string;
  /** The verb without which there is nothing to see here. */
  readonly needs: VerbName;
  /** Where the menu has it; pages without are reached from others. */
  readonly menu?: {
    readonly section: Section;
    readonly name: string;
    /** For a merchant's own people, where the name would promise them others. */
    readonly ownName?: string;
  };
  readonly sandboxOnly?: boolean;
  /** Whether it makes ends of whole card numbers in its address by itself. */
  readonly cutsCards?: boolean;
  /** What was done, by the word that `Done` said: these texts alone are shown, whatever an address says. */
  readonly sayings?: FormValues;
  show(visit: Visit): Promise<Shown | WebReply>;
  /** By the last word of their address: `orders/17/return`. */
  readonly forms?: Readonly<Record<string, (visit: Visit) => Promise<Done>>>;
  /** What scripts of the page ask for, as JSON: `orders/17/callbacks.json`. */
  readonly data?: Readonly<Record<string, (visit: Visit) => Promise<object>>>;
};

export function definePage(page: ConsolePage): ConsolePage {
  return page;
}
