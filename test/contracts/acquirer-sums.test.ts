// The sums of the simulated bank under random instructions, one after the other and all at once. What it may approve is
// worked out here from its books alone, in another way than the bank does it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FollowUpInstruction, Instruction } from '../../src/acquirers/acquirer.ts';
import type { BookEntry } from '../../src/acquirers/index.ts';
import { charge, followUp, HOLD_MS, StoppedClock, type Subject, type Variant, variants } from './acquirer-banks.ts';

const HELD = 1_000n;
const MOST_STEPS = 25;

type Step =
  | { readonly do: FollowUpInstruction['kind']; readonly target: number; readonly minor: bigint; readonly odd: boolean }
  | { readonly do: 'reverse'; readonly target: number }
  | { readonly do: 'clear' }
  | { readonly do: 'wait' };

const target = fc.nat({ max: MOST_STEPS });
const minor = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 300n }) },
  { weight: 4, arbitrary: fc.constantFrom(200n, 250n, 400n, 500n) },
  { weight: 2, arbitrary: fc.constant(217n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, HELD, HELD + 1n) },
);
/** Once in a while a step names what it cannot go on with, or voids a part. */
const odd = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 9);
const kinds = fc.constantFrom('capture', 'capture', 'capture', 'refund', 'refund', 'refund', 'cancel', 'void');
const stepsTo = (most: number) =>
  fc.array(
    fc.oneof(
      { weight: 10, arbitrary: fc.record({ do: kinds, target, minor, odd }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse'), target }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('clear', 'wait', 'wait', 'wait') }) },
    ) as fc.Arbitrary<Step>,
    { minLength: 1, maxLength: most },
  );
const root = fc.constantFrom('sale', 'preauth', 'preauth', 'preauth');

const FOLLOWS: Readonly<Record<FollowUpInstruction['kind'], readonly Instruction['kind'][]>> = {
  capture: ['preauth'],
  cancel: ['preauth'],
  void: ['sale', 'capture'],
  refund: ['sale', 'capture', 'preauth'],
};

const sum = (entries: readonly BookEntry[]) => entries.reduce((total, { amount }) => total + amount.minor, 0n);

/** What the books say of one family: the first entry and all that goes on with its money. */
function familyIn(entries: readonly BookEntry[]) {
  const live = entries.filter(({ outcome }) => outcome === 'approved' || outcome === 'held');
  const of = (kind: BookEntry['kind'], original?: string) =>
    live.filter((entry) => entry.kind === kind && (original === undefined || entry.original === original));
  const moved = [...of('sale'), ...of('capture')];
  return { root: entries[0]!, live, of, moved };
}

function expectSoundSums(entries: readonly BookEntry[]): void {
  const { root, live, of, moved } = familyIn(entries);
  if (root.outcome === 'reversed') expect(live).toEqual([]);
  if (root.kind === 'preauth') expect(sum(of('capture')) + sum(of('cancel'))).toBeLessThanOrEqual(root.amount.minor);
  expect(sum(of('refund'))).toBeLessThanOrEqual(sum(moved) - sum(of('void')));
  for (const entry of live) expect(entry.amount.minor).toBeGreaterThan(0n);
  for (const entry of moved) {
    const voids = of('void', entry.reference);
    const refunds = of('refund', entry.reference);
    expect(voids.length).toBeLessThanOrEqual(refunds.length > 0 ? 0 : 1);
    expect(sum(voids) === 0n || sum(voids) === entry.amount.minor).toBe(true);
    expect(sum(refunds)).toBeLessThanOrEqual(entry.amount.minor);
    if (voids.length > 0) expect(entry.clearedAt).toBeUndefined();
  }
  for (const entry of live) {
    if (entry.original === undefined) continue;
    expect(live.map(({ reference }) => reference)).toContain(entry.original);
  }
}

/** What the bank should say to a follow-up, as the books stood before it. */
function expectedAnswer({ kind, original, amount }: FollowUpInstruction, entries: readonly BookEntry[]): string {
  const { root, of, moved } = familyIn(entries);
  const named = entries.find(({ reference }) => reference === original);
  const fine = amount.minor % 1000n === 217n ? 'unknown' : 'approved';
  if (!named) return '914';
  if (!FOLLOWS[kind].includes(named.kind) || named.outcome !== 'approved') return '902';
  const certain = moved.filter(({ outcome }) => outcome === 'approved');
  const refundable = sum(certain) - sum(of('void')) - sum(of('refund'));
  if (kind === 'void') {
    const untouched = of('void', original).length === 0 && of('refund', original).length === 0;
    const possible = untouched && named.clearedAt === undefined && refundable >= amount.minor;
    return possible && amount.minor === named.amount.minor ? fine : '902';
  }
  const own = named.amount.minor - sum(of('refund', original)) - sum(of('void', original));
  const most = {
    capture: root.amount.minor - sum(of('capture')) - sum(of('cancel')),
    cancel: root.amount.minor - sum(of('capture')) - sum(of('cancel')),
    refund: named.kind !== 'preauth' && own < refundable ? own : refundable,
  };
  return amount.minor > 0n && amount.minor <= most[kind] ? fine : '110';
}

/** What the bank should say to a reversal, as the books stood before it. */
function expectedReversal(reference: string, entries: readonly BookEntry[]): string {
  const { live, of, moved } = familyIn(entries);
  const named = entries.find((entry) => entry.reference === reference);
  if (!named || named.outcome === 'declined') return 'not-found';
  if (named.outcome === 'reversed') return 'reversed';
  if (live.some(({ original }) => original === reference)) return 'unknown';
  const rest = moved.filter((entry) => entry.outcome === 'approved' && entry.reference !== reference);
  const needed = named.kind === 'capture' && sum(rest) - sum(of('void')) < sum(of('refund'));
  return needed ? 'unknown' : 'reversed';
}

/** A bank of its own with one approved sale or preauth, which can be closed and opened again. */
async function withFamily(
  { variant, kind }: { variant: Variant; kind: 'sale' | 'preauth' },
  work: (family: Family) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-bank-'));
  const clock = new StoppedClock();
  const family = new Family(variant, clock, folder, await variant.open(clock, folder));
  try {
    const first = charge(kind, { minor: HELD });
    family.instructions.push(first);
    expect(await family.subject.acquirer.send(first)).toMatchObject({ word: 'approved' });
    await work(family);
  } finally {
    await family.subject.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class Family {
  readonly instructions: Instruction[] = [];
  readonly clock: StoppedClock;
  readonly #variant: Variant;
  readonly #folder: string;
  subject: Subject;

  constructor(variant: Variant, clock: StoppedClock, folder: string, subject: Subject) {
    this.#variant = variant;
    this.clock = clock;
    this.#folder = folder;
    this.subject = subject;
  }

  /** The instruction a step means, made from what came before it. */
  plan(step: Extract<Step, { minor: bigint }>): FollowUpInstruction {
    const named = this.named(step);
    const whole = step.do === 'void' && !step.odd && named.kind !== 'eligibility';
    const instruction = followUp(step.do, named, whole ? named.amount.minor : step.minor);
    this.instructions.push(instruction);
    return instruction;
  }

  named(step: Extract<Step, { target: number }>): Instruction {
    const fitting = this.instructions.filter(
      ({ kind }) => step.do === 'reverse' || step.odd || FOLLOWS[step.do].includes(kind),
    );
    const candidates = fitting.length > 0 ? fitting : this.instructions;
    return candidates[step.target % candidates.length]!;
  }

  async restart(): Promise<void> {
    if (!this.#variant.keepsBooks) return;
    await this.subject.close();
    this.subject = await this.#variant.open(this.clock, this.#folder);
  }
}

async function takeStep(family: Family, step: Step): Promise<void> {
  const { subject, clock } = family;
  if (step.do === 'wait') return clock.advance(HOLD_MS);
  if (step.do === 'clear') return void (await subject.clear());
  const before = await subject.books();
  if (step.do === 'reverse') {
    const { reference } = family.named(step);
    expect((await subject.acquirer.reverse(reference)).word).toBe(expectedReversal(reference, before));
    const after = await subject.books();
    const others = (entries: readonly BookEntry[]) => entries.filter((entry) => entry.reference !== reference);
    expect(others(after)).toEqual(others(before));
    return;
  }
  const instruction = family.plan(step);
  const answer = await subject.acquirer.send(instruction);
  expect(answer.word === 'declined' ? answer.code : answer.word).toBe(expectedAnswer(instruction, before));
}

/** The books and what follows from them are the same when they are read again from the disk. */
async function expectSameAfterRestart(family: Family): Promise<void> {
  const before = await family.subject.books();
  await family.restart();
  expect(await family.subject.books()).toEqual(before);
  // What the bank only remembers, and does not show, must be the same as well.
  for (const kind of ['capture', 'refund'] as const) {
    for (const minor of [HELD, 300n, 100n, 20n, 1n]) {
      await takeStep(family, { do: kind, target: 0, minor, odd: false });
    }
  }
  expectSoundSums(await family.subject.books());
}

describe.each(variants)('the sums of the simulated bank $name', (variant) => {
  const numRuns = variant.keepsBooks ? 12 : 250;
  it('are right after every one of many instructions', async () => {
    await fc.assert(
      fc.asyncProperty(root, stepsTo(MOST_STEPS), (kind, steps) =>
        withFamily({ variant, kind }, async (family) => {
          for (const step of steps) {
            await takeStep(family, step);
            expectSoundSums(await family.subject.books());
          }
          await expectSameAfterRestart(family);
        }),
      ),
      { numRuns },
    );
  });

  it('are right when everything comes at once', async () => {
    await fc.assert(
      fc.asyncProperty(root, stepsTo(4), stepsTo(MOST_STEPS), (kind, first, steps) =>
        withFamily({ variant, kind }, async (family) => {
          for (const step of first) await takeStep(family, step);
          const { subject } = family;
          const calls = steps.map((step) => {
            if (step.do === 'wait') return () => family.clock.advance(1);
            if (step.do === 'clear') return () => subject.clear();
            if (step.do === 'reverse') {
              const { reference } = family.named(step);
              return () => subject.acquirer.reverse(reference);
            }
            const instruction = family.plan(step);
            return () => Promise.all([subject.acquirer.send(instruction), subject.acquirer.send(instruction)]);
          });
          await Promise.all(calls.map((call) => call()));
          const entries = await subject.books();
          expect(new Set(entries.map(({ reference }) => reference)).size).toBe(entries.length);
          expectSoundSums(entries);
          await family.clock.advance(HOLD_MS);
          await expectSameAfterRestart(family);
        }),
      ),
      { numRuns },
    );
  });
});
