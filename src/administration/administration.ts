// Carries out the verbs of administration, behind the running gateway's own door and behind the command line alike:
// looks whether the caller may, reads what is given, does it in the way the verb's conduct demands, and tells the audit
// chain.

import type { AuditNote } from '../domain/audit.ts';
import { type AdminCaller, askerOf, callerText, denialOf, merchantOfCaller } from '../domain/people/caller.ts';
import { present } from '../domain/present.ts';
import { TamperedRecords } from '../domain/records.ts';
import { isUniqueViolation } from '../storage/database.ts';
import { Lanes } from './asking/lanes.ts';
import { narrowedTo } from './asking/merchant-scope.ts';
import {
  type AskedAgain,
  answeredBefore,
  beginRepeatable,
  endRepeatable,
  forgetRepeatable,
  keepAnswer,
} from './asking/repeats.ts';
import { verbs } from './index.ts';
import type { AdministrationStores, VerbParts } from './parts.ts';
import type { Answered } from './verb/answers.ts';
import { auditNote } from './verb/audit-note.ts';
import { type Given, readInputs } from './verb/inputs.ts';
import { InvalidInput, NotAllowed } from './verb/invalid-input.ts';
import type { AnyVerb, Conduct } from './verb/verb.ts';

export type AdministrationParts = VerbParts & {
  /** Does all of it in one transaction, or nothing. May do it again after a conflict. */
  inTransaction<T>(work: (stores: AdministrationStores) => Promise<T>): Promise<T>;
  /** Makes a running gateway use what was changed. */
  changed(): Promise<void>;
};

type Listed = (typeof verbs)[number];
export type VerbName = Listed['name'];
export type AnswerTo<V extends VerbName> = Answered<Extract<Listed, { name: V }>['answer']>;

export type Administration = {
  /**
   * Throws `InvalidInput` when something about what is given is wrong, and `NotAllowed` when the caller may not. A name
   * stands for the local command line. A change is done once for all requests with the same `repeatKey`.
   */
  ask<V extends VerbName>(
    verb: V,
    given: Given,
    by: string | AdminCaller,
    how?: { readonly repeatKey?: string | undefined },
  ): Promise<AnswerTo<V>>;
  has(verb: string): verb is VerbName;
  /** Why somebody may not use a verb, as a phrase; undefined when they may. */
  denial(verb: VerbName, by: AdminCaller): string | undefined;
};

/** How often a verb is begun again because another administrator was quicker with a number or a name. */
const MAX_TRIES = 5;

const byName: ReadonlyMap<string, AnyVerb> = new Map(verbs.map((verb) => [verb.name, verb]));

/** Changes do not wait for them. */
const LOOKS: ReadonlySet<Conduct> = new Set(['read', 'cards', 'begun']);

const verbNames: ReadonlySet<string> = new Set(byName.keys());

export function administration(parts: AdministrationParts): Administration {
  const lanes = new Lanes();
  return {
    has: (verb): verb is VerbName => byName.has(verb),
    denial: (name, by) => denialOf(by, present(byName.get(name))),
    ask: <V extends VerbName>(name: V, given: Given, by: string | AdminCaller, { repeatKey }: Asking = {}) => {
      const verb = present(byName.get(name));
      const caller: AdminCaller = typeof by === 'string' ? { kind: 'local', who: by } : by;
      const denial = denialOf(caller, verb);
      if (denial !== undefined) return Promise.reject(new NotAllowed(denial));
      const asker = askerOf(caller);
      const asked = { asker: asker ?? '', verb: name, given, shape: verb.answer };
      const again = repeatKey === undefined ? undefined : { ...asked, repeatKey };
      const deed = { verb, given, who: callerText(caller), asker, again, merchantId: merchantOfCaller(caller) };
      const isLook = LOOKS.has(verb.conduct) || verb.waitsOutside === true;
      const answer = lanes[isLook ? 'look' : 'change'](asker ?? '', () => untilFree(() => carryOut(parts, deed)));
      // The verb was found by its name, which its answer belongs to.
      return answer as Promise<AnswerTo<V>>;
    },
  };
}

type Asking = { readonly repeatKey?: string | undefined };

type Deed = {
  readonly verb: AnyVerb;
  readonly given: Given;
  /** For the audit chain. */
  readonly who: string;
  readonly asker: string | undefined;
  /** Where it may be asked for again. */
  readonly again: AskedAgain | undefined;
  /** The merchant whose people ask. */
  readonly merchantId: number | undefined;
};

function carryOut(parts: AdministrationParts, deed: Deed): Promise<unknown> {
  switch (deed.verb.conduct) {
    case 'read':
    case 'begun':
      return run(parts, deed).catch(asInvalid);
    case 'cards':
      return showAndTell(parts, deed);
    case 'outside':
      return tellAndAct(parts, deed);
    case 'change':
      return changeAndTell(parts, deed);
  }
}

async function showAndTell(parts: AdministrationParts, deed: Deed): Promise<unknown> {
  const answer = await run(parts, deed);
  await parts.audit.append(noteOf(deed, answer), parts.clock.now());
  return answer;
}

/** Told first: a deed nobody knows of is worse than an entry about one that failed. */
async function tellAndAct(parts: AdministrationParts, deed: Deed): Promise<unknown> {
  const { audit, clock } = parts;
  const { verb } = deed;
  const given = readInputs(verb.given, deed.given);
  const again = deed.again && { ...deed.again, endsAfterMs: verb.endsAfterMs?.(given, clock.now()) };
  const before = again && (await answeredBefore(again, parts));
  if (before) return before.answer;
  if (again) await beginRepeatable(again, parts);
  await audit.append(noteOf(deed), clock.now());
  const answer = await run(parts, deed).catch(async (error) => {
    // Of any other failure nobody knows how far it came.
    if (again && error instanceof InvalidInput) await forgetRepeatable(again, parts);
    await audit.append({ ...noteOf(deed), action: `${verb.name} failed` }, clock.now());
    throw error;
  });
  if (again) await endRepeatable(again, answer, parts);
  return answer;
}

/** The change and its entry are one transaction; a running gateway learns of it when it is over. */
async function changeAndTell(parts: AdministrationParts, deed: Deed): Promise<unknown> {
  const { again } = deed;
  let later: (() => void)[] = [];
  const answer = await parts.inTransaction(async (stores) => {
    // What a transaction that is begun again had in mind is forgotten.
    later = [];
    const afterwards = (work: () => void) => void later.push(work);
    const inside = { ...parts, ...stores, changed: async () => {}, afterwards };
    const before = again && (await answeredBefore(again, inside));
    if (before) return before.answer;
    const answer = await run(inside, deed).catch(asInvalid);
    await stores.audit.append(noteOf(deed, answer), parts.clock.now());
    if (again) await keepAnswer(again, answer, inside);
    return answer;
  });
  for (const work of later) work();
  await parts.changed();
  return answer;
}

/** What somebody else has written is settled first; the administrator is told what it is. */
function asInvalid(error: unknown): never {
  throw error instanceof TamperedRecords ? new InvalidInput(error.message) : error;
}

function noteOf({ verb, given, who }: Deed, answer?: unknown): AuditNote {
  return auditNote(verb, given, who, answer);
}

async function run(parts: AdministrationParts, { verb, given, asker, who, merchantId }: Deed): Promise<unknown> {
  const all: VerbParts = { ...parts, asker, who, verbNames };
  const reached = merchantId === undefined ? all : narrowedTo(merchantId, all);
  return verb.answer.write(await verb.run(readInputs(verb.given, given), reached));
}

/** Administrators on other nodes may take the same free number: begun again, the verb sees what they did. */
async function untilFree<T>(verb: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await verb();
    } catch (error) {
      if (!isUniqueViolation(error) || tries === MAX_TRIES) throw error;
    }
  }
}
