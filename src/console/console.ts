// The console, below /console of the administrators' address, for whoever has signed in there. A form is taken with the
// mark of its session only; what a verb refuses is told on the page the form stands on, with what was typed.

import { randomUUID } from 'node:crypto';
import type { Administration, VerbName } from '../administration/administration.ts';
import type { Given } from '../administration/verb/inputs.ts';
import {
  AskedTooMuch,
  InvalidInput,
  NotAllowed,
  OtherThanBefore,
  OutOfReach,
} from '../administration/verb/invalid-input.ts';
import type { Clock } from '../domain/clock.ts';
import type { SignedInPages } from '../web/people/account-forms.ts';
import { formFields, json } from '../web/people/form-bodies.ts';
import { seeOther, type WebReply, type WebRequest } from '../web/route.ts';
import { type PageFound, pageAt, pageWith } from './addresses.ts';
import { type ConsoleAssets, consoleReply, type Frame } from './frame.ts';
import type { ConsolePage, Done, FormValues, Shown, Visit } from './page.ts';
import { allPages } from './pages.ts';
import { endsInQuery, holdsCard, SEARCH_WORD, searchedQuery } from './searches.ts';

export type ConsoleParts = {
  readonly administration: Administration;
  readonly assets: ConsoleAssets;
  readonly clock: Clock;
  readonly mode: 'sandbox' | 'production';
  /** Where the documentation is; undefined where none is served. */
  readonly documentation: string | undefined;
};

type SignedIn = Parameters<SignedInPages>[0];

const LONGEST_REPEAT = 40;

export function consolePages(parts: ConsoleParts): SignedInPages {
  return (signedIn, request) => new Reader(parts, signedIn, request).answer();
}

/** One request of somebody who is signed in. */
class Reader {
  readonly #parts: ConsoleParts;
  readonly #signedIn: SignedIn;
  readonly #request: WebRequest;
  readonly #given: FormValues;
  readonly #pages: readonly ConsolePage[];
  #changes = 0;

  constructor(parts: ConsoleParts, signedIn: SignedIn, request: WebRequest) {
    this.#parts = parts;
    this.#signedIn = signedIn;
    this.#request = request;
    this.#given = request.method === 'POST' ? formFields(request) : {};
    this.#pages = allPages.filter(({ sandboxOnly }) => parts.mode === 'sandbox' || !sandboxOnly);
  }

  async answer(): Promise<WebReply> {
    const { method, rest } = this.#request;
    if (this.#signedIn.session.reach !== 'whole') return seeOther('/account');
    const path = rest.replace(/^console\/?/, '');
    if (method === 'POST') return this.#post(path);
    const data = path.endsWith('.json') ? pageWith(this.#pages, path, 'data') : undefined;
    if (data) return this.#data(data);
    const found = pageAt(this.#pages, path);
    return found ? this.#get(found) : this.#frame(NOT_THERE);
  }

  /** A search changes nothing, so it needs no mark: it leads to the address of what it finds. */
  #searched(path: string): WebReply | undefined {
    const parts = path.split('/');
    if (parts.pop() !== SEARCH_WORD) return undefined;
    const at = parts.join('/');
    if (!pageAt(this.#pages, at)) return undefined;
    return seeOther(addressOf(at, searchedQuery(this.#given)));
  }

  async #get(found: PageFound): Promise<WebReply> {
    const { query, rest } = this.#request;
    try {
      this.#mustBeAllowed(found.page);
      if (!found.page.cutsCards && holdsCard(query)) {
        return seeOther(addressOf(rest.replace(/^console\/?/, ''), endsInQuery(query)));
      }
      return this.#reply(await found.page.show(this.#visit(found)), found);
    } catch (error) {
      return this.#frame(refusalPage(error), found);
    }
  }

  async #data(found: PageFound): Promise<WebReply> {
    try {
      this.#mustBeAllowed(found.page);
      return json(200, (await found.page.data?.[found.word ?? '']?.(this.#visit(found))) ?? {});
    } catch (error) {
      const { status = 200, title } = refusalPage(error);
      return json(status, { error: error instanceof Error ? error.message : title });
    }
  }

  async #post(path: string): Promise<WebReply> {
    const searched = this.#searched(path);
    if (searched) return searched;
    const found = pageWith(this.#pages, path, 'forms');
    if (!found) return this.#frame(NOT_THERE);
    if (this.#given.mark !== this.#signedIn.mark) return this.#frame(TOO_OLD, found);
    try {
      this.#mustBeAllowed(found.page);
      const done = await found.page.forms?.[found.word ?? '']?.(this.#visit(found));
      return done ? this.#done(done, found) : this.#frame(NOT_THERE);
    } catch (error) {
      return this.#refused(error, found);
    }
  }

  /** The page again, with what was wrong on top and what was typed in its fields. */
  async #refused(error: unknown, found: PageFound): Promise<WebReply> {
    if (!isRefusal(error)) throw error;
    const status = statusOf(error);
    const trouble = error instanceof InvalidInput && error.faults.length > 1 ? error.faults : [error.message];
    const refusedForm = found.word;
    try {
      const shown = await found.page.show({ ...this.#visit(found), refusedForm });
      return 'headers' in shown ? shown : this.#frame({ ...shown, status }, found, { trouble });
    } catch (again) {
      return this.#frame(refusalPage(again), found);
    }
  }

  #done(done: Done, found: PageFound): WebReply {
    if (!('to' in done)) return this.#reply(done, found);
    const to = new URL(done.to, 'http://console');
    if (done.said !== undefined) to.searchParams.set('said', done.said);
    return seeOther(`${to.pathname}${to.search}${to.hash}`);
  }

  #reply(shown: Shown | WebReply, found: PageFound): WebReply {
    if ('headers' in shown) return shown;
    const said = this.#request.query.get('said') ?? '';
    const sayings = found.page.sayings ?? {};
    return this.#frame(shown, found, Object.hasOwn(sayings, said) ? { saying: sayings[said] } : {});
  }

  #frame(shown: Shown, found?: PageFound, told: Pick<Frame, 'trouble' | 'saying'> = {}): WebReply {
    const { assets, mode, documentation } = this.#parts;
    const { session, mark } = this.#signedIn;
    const menu = this.#pages.filter(({ needs }) => this.#may(needs));
    return consoleReply(assets, {
      shown,
      mode,
      documentation,
      person: session.person,
      mark,
      menu,
      current: found?.page,
      ...told,
    });
  }

  #mustBeAllowed({ needs }: ConsolePage, session = this.#signedIn.session): void {
    const denial = this.#parts.administration.denial(needs, session);
    if (denial !== undefined) throw new NotAllowed(denial);
  }

  /** The session as it is now, of somebody who may still see the page. */
  async #again(page: ConsolePage) {
    const session = await this.#signedIn.again();
    if (session?.reach !== 'whole') throw new NotAllowed('you are not signed in any more');
    this.#mustBeAllowed(page, session);
    return session;
  }

  #may(verb: VerbName): boolean {
    return this.#parts.administration.denial(verb, this.#signedIn.session) === undefined;
  }

  #visit({ params, page }: PageFound): Visit {
    const { administration, clock, mode } = this.#parts;
    const { session, mark } = this.#signedIn;
    const isForm = this.#request.method === 'POST';
    return {
      person: session.person,
      mode,
      now: clock.now(),
      params,
      query: this.#request.query,
      given: this.#given,
      refusedForm: undefined,
      mark,
      ask: (verb, given: Given = {}) =>
        administration.ask(verb, given, session, { repeatKey: isForm ? this.#repeatKey() : undefined }),
      askAnew: async (verb, given: Given = {}) => administration.ask(verb, given, await this.#again(page)),
      may: (verb) => this.#may(verb),
    };
  }

  /** A form that is sent again, as it was, asks for the same verbs in the same order. */
  #repeatKey(): string {
    const { repeat = '' } = this.#given;
    const key = /^[\w-]+$/.test(repeat) ? repeat.slice(0, LONGEST_REPEAT) : randomUUID();
    this.#changes += 1;
    return `form-${key}-${this.#changes}`;
  }
}

function addressOf(path: string, query: URLSearchParams): string {
  const at = path === '' ? '/console' : `/console/${path}`;
  return query.size === 0 ? at : `${at}?${query.toString()}`;
}

const REFUSALS = [
  [InvalidInput, 422],
  [NotAllowed, 403],
  [OtherThanBefore, 409],
  [AskedTooMuch, 429],
  [OutOfReach, 503],
] as const;

const isRefusal = (error: unknown): error is Error => REFUSALS.some(([kind]) => error instanceof kind);

const statusOf = (error: Error) => REFUSALS.find(([kind]) => error instanceof kind)?.[1] ?? 500;

const NOT_THERE: Shown = {
  title: 'There is nothing here',
  status: 404,
  body: 'Look at the menu for what there is.',
};

const TOO_OLD: Shown = {
  title: 'This form is too old',
  status: 403,
  body: 'Nothing was done. Go back, load the page again, and send it once more.',
};

function refusalPage(error: unknown): Shown {
  if (!isRefusal(error)) throw error;
  const title = error instanceof NotAllowed ? 'This is not for you' : 'This cannot be shown';
  return { title, status: statusOf(error), body: error.message };
}
