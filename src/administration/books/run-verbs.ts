// Verification, reconciliation and the check of the audit chain as runs of this node: begun by one request, looked at
// by others, and stopped. The audit chain tells who began one and how it ended.

import { id, word } from '../../domain/input-kinds.ts';
import { readSettlementLines } from '../../domain/money/settlement-file.ts';
import { bankOf, businessDay } from '../bank.ts';
import type { Parts, VerbParts } from '../parts.ts';
import { aList, aMoment, aNumber, anObject, aText, aWord, orNull, type RawAnswer } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { counted } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { readInstructions } from './reconcile.ts';
import {
  RUN_KINDS,
  RUN_STATES,
  type Run,
  type RunFinding,
  type RunKind,
  type RunResult,
  type RunWatch,
} from './runs.ts';
import { auditHeadKind, verifyPart } from './verify.ts';
import {
  compareWithBooks,
  compareWithCleared,
  lookAgain,
  notTooMany,
  type Reconciled,
} from './whole-reconciliation.ts';
import {
  checkedText,
  FROM_AUDIT,
  unreplayedText,
  type Verified,
  verdictOf,
  verifyWhole,
} from './whole-verification.ts';

const runView = anObject({
  runId: aNumber(),
  kind: aWord(RUN_KINDS),
  who: aText('Who began it.'),
  state: aWord(RUN_STATES, 'bad: something differs. failed: it came to no end.'),
  startedAt: aMoment(),
  endedAt: orNull(aMoment()),
  progress: anObject({
    doing: aText(),
    done: orNull(aNumber()),
    total: orNull(aNumber('Where it is known.')),
    unit: orNull(aText()),
  }),
  says: orNull(aText('What came of it, in a sentence.')),
  findings: aList(
    anObject({
      kind: aWord(['violation', 'waiting', 'difference', 'made']),
      place: aText(),
      cause: aText(),
      ours: orNull(aText()),
      theirs: orNull(aText()),
      orderId: orNull(aNumber()),
    }),
    'Of many the first.',
  ),
  found: aNumber('How many there are.'),
});

/** What a run can be about, besides orders that a sandbox makes. */
const CHECKS = ['verify', 'reconcile', 'settlement', 'audit'] as const;

export const verifyInBackground = defineVerb({
  name: 'verifyInBackground',
  summary: 'begin to verify or reconcile in the background of this node',
  role: 'operator',
  // It changes nothing, so that an auditor may; that somebody looked at everything is worth an entry.
  conduct: 'cards',
  given: {
    kind: mustGive(word(CHECKS), 'what is looked at', { told: true }),
    auditHead: mayGive(auditHeadKind, 'of verify and audit: a head of the audit chain that was kept elsewhere'),
    date: mayGive(businessDay, 'of settlement: the business day whose cleared payments are compared', { told: true }),
  },
  answer: runView,
  run: async ({ kind, auditHead, date }, parts) => {
    if (kind === 'settlement' && date === undefined)
      throw new InvalidInput('date is missing: a business day is needed');
    const ask = async (from: string | undefined) =>
      verifyPart.answer.write(await verifyPart.run({ from, auditHead }, parts));
    const works: Record<(typeof CHECKS)[number], (watch: RunWatch) => Promise<RunResult>> = {
      verify: async (watch) => verifiedResult(await verifyWhole(ask, watch)),
      audit: async (watch) => chainResult(await verifyWhole(ask, watch, FROM_AUDIT), parts),
      reconcile: (watch) => reconcile(parts, watch),
      settlement: (watch) => reconcile(parts, watch, date),
    };
    return rawOf(beginOf(parts, kind, works[kind]));
  },
});

export const listRuns = defineReading({
  name: 'listRuns',
  summary: 'list what this node verifies, reconciles or makes, and what came of it, the newest first',
  given: { kind: mayGive(word(RUN_KINDS), 'only those of this kind') },
  answer: aList(runView),
  run: async ({ kind }, parts) => runsOf(parts).list(kind).map(rawOf),
});

export const showRun = defineReading({
  name: 'showRun',
  summary: 'show how far a run of this node is, and what came of it',
  given: { runId: mustGive(id, 'the run') },
  answer: runView,
  run: async ({ runId }, parts) => rawOf(runsOf(parts).find(runId)),
});

export const stopRun = defineVerb({
  name: 'stopRun',
  summary: 'stop a run of this node; nothing is known then',
  role: 'operator',
  conduct: 'outside',
  given: { runId: mustGive(id, 'the run', { told: true }) },
  answer: runView,
  run: async ({ runId }, parts) => rawOf(runsOf(parts).stop(runId)),
});

/** Begins a run, and lets the audit chain know how it ends. */
export function beginOf(parts: VerbParts, kind: RunKind, work: (watch: RunWatch) => Promise<RunResult>): Run {
  const { audit, asker, clock, who = 'the gateway' } = parts;
  const tell = async ({ state, found, says }: Run) => {
    const details = JSON.stringify({ kind, state, found, says });
    await audit.append({ who, action: 'endRun', subject: 'gateway', details }, clock.now());
  };
  return runsOf(parts).begin({ kind, who: asker ?? who, work, tell });
}

function runsOf({ runs }: Parts<'runs'>) {
  if (runs) return runs;
  throw new InvalidInput('no gateway runs here that could do it in the background');
}

export function rawOf({ progress, ...run }: Run): RawAnswer<typeof runView> {
  const { doing, done, total, unit } = progress;
  return { ...run, endedAt: run.endedAt, says: run.says, progress: { doing, done, total, unit } };
}

function verifiedResult(verified: Verified): RunResult {
  const { ok, violations, waiting, moreWaiting } = verified;
  return {
    isGood: ok,
    says: [
      `${verdictOf(verified)}: ${checkedText(verified)} looked at.${moreWords(moreWaiting)}`,
      ...[unreplayedText(verified) ?? []].flat().map((text) => `${text}.`),
    ].join(' '),
    findings: [...violations, ...waiting].map((one) => ({ ...one, orderId: orderIn(one.place) })),
  };
}

const moreWords = (count: number) => (count === 0 ? '' : ` ${count.toLocaleString('en')} more wait for a person.`);

async function chainResult(verified: Verified, { audit }: VerbParts): Promise<RunResult> {
  const { ok, isWhole, checked, violations } = verified;
  const count = checked['audit entries'] ?? 0;
  const { seq, hash } = await audit.head();
  const says = ok
    ? `The chain holds from entry 1 to entry ${count}. Its head is now ${seq}:${hash}; hold it against what was sent elsewhere.`
    : `The chain does not hold: ${counted(violations.length, 'finding')} among ${count} entries${isWhole ? '' : '; the rest was not looked at'}.`;
  return { isGood: ok, says, findings: violations };
}

/** With the bank's whole books, or with what was cleared for a day. */
async function reconcile(parts: VerbParts, watch: RunWatch, date?: string): Promise<RunResult> {
  const read = async (from: string | undefined) =>
    readInstructions.answer.write(await readInstructions.run({ from, terminal: undefined }, parts));
  const bank = bankOf(parts);
  const look = async () => {
    if (date === undefined) return compareWithBooks({ read, watch }, notTooMany(bank.books()));
    const lines: string[] = [];
    for await (const line of notTooMany(bank.settlement(date))) lines.push(line);
    return compareWithCleared({ read, watch }, readSettlementLines(lines.join('\n')));
  };
  return reconciledResult(await lookAgain(look, (ms) => parts.clock.sleep(ms, watch.signal)));
}

function reconciledResult({ agree, compared: { here, bank, withoutLine }, differences }: Reconciled): RunResult {
  const verdict = agree ? 'Nothing differs' : counted(differences.length, 'difference');
  const without =
    withoutLine === 0 ? '' : ` ${withoutLine.toLocaleString('en')} of ours have no line there and need none.`;
  return {
    isGood: agree,
    says: `${verdict}: ${counted(here, 'instruction')} here compared with ${counted(bank, 'line')} of the bank.${without}`,
    findings: differences.map(
      ({ reference, cause, ours, theirs }): RunFinding => ({
        kind: 'difference',
        place: reference,
        cause,
        ours: ours ?? undefined,
        theirs: theirs ?? undefined,
        orderId: orderIn(`order ${reference.split('-')[0]}`),
      }),
    ),
  };
}

/** Places begin with `order 17`, and references with the order's id. */
function orderIn(place: string): number | undefined {
  const [, orderId] = /^order (\d{1,15})\b/.exec(place) ?? [];
  return orderId === undefined ? undefined : Number(orderId);
}
