import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../order/stages.ts';
import {
  type BankJournalLine,
  type BankOutcome,
  type Cause,
  type ClearedLine,
  type Difference,
  JournalComparison,
  type OurInstruction,
  SettlementComparison,
} from './reconciliation.ts';
import { readSettlementLines } from './settlement-file.ts';

const DAY = 24 * 60 * 60 * 1000;
const CUT_OFF = Date.UTC(2027, 0, 31, 23);
const PERIOD = { since: CUT_OFF - DAY, until: CUT_OFF };

const sale: OurInstruction = {
  reference: '77-1',
  type: 'sale',
  stage: 'approved',
  leg: 1,
  atLeg: 1,
  legs: 1,
  minor: 1042n,
  currency: 'USD',
  declinedByBank: false,
  voided: false,
  returnedAt: undefined,
  returnedByHand: false,
  booked: -1042n,
  createdAt: CUT_OFF - 2 * 60 * 60 * 1000,
  changedAt: CUT_OFF - 60 * 60 * 1000,
};
const journal: BankJournalLine = {
  reference: '77-1',
  kind: 'sale',
  outcome: 'approved',
  minor: 1042n,
  currency: 'USD',
};
const cleared: ClearedLine = { reference: '77-1', kind: 'sale', minor: 1042n, currency: 'USD', clearedAt: CUT_OFF };

const first: Partial<OurInstruction> = { type: 'transfer', legs: 2, leg: 1 };
const second: Partial<OurInstruction> = { type: 'transfer', legs: 2, leg: 2, reference: '77-1-2' };

function inBooks(ours: readonly OurInstruction[], theirs: readonly BankJournalLine[]): Difference[] {
  const comparison = new JournalComparison(theirs);
  return [...ours.flatMap((one) => comparison.compare(one)), ...comparison.rest()];
}

function inFiles(ours: readonly OurInstruction[], theirs: readonly ClearedLine[]): Difference[] {
  const comparison = new SettlementComparison(theirs, PERIOD);
  return [...ours.flatMap((one) => comparison.compare(one)), ...comparison.rest()];
}

const causes = (differences: readonly Difference[]) => differences.map(({ cause }) => cause);

const HOUR_MS = 60 * 60 * 1000;
const returnedPayout: Partial<OurInstruction> = {
  type: 'payout',
  returnedAt: CUT_OFF - HOUR_MS / 2,
  booked: 0n,
};
const returnedLater: Partial<OurInstruction> = { ...returnedPayout, returnedAt: CUT_OFF + 1 };
/** It was cleared before the files that are compared. */
const paidBefore = { createdAt: PERIOD.since - 2, changedAt: PERIOD.since };

describe("the bank's journal against ours", () => {
  it.each<[string, Partial<OurInstruction>, Partial<BankJournalLine> | 'none', Cause[]]>([
    ['both say the same', {}, {}, []],
    ['the bank never heard of it', {}, 'none', ['missing at the bank']],
    ['the bank declined it', {}, { outcome: 'declined' }, ['other outcome']],
    ['the bank took it back', {}, { outcome: 'reversed' }, ['other outcome']],
    ['the bank is in doubt about it', {}, { outcome: 'held' }, ['other outcome']],
    ['another amount', {}, { minor: 1043n }, ['other amount']],
    ['another currency', {}, { currency: 'EUR' }, ['other currency']],
    ['another kind', {}, { kind: 'capture' }, ['other kind']],
    ['not in the ledger', { booked: 0n }, {}, ['other booking']],
    ['in the ledger the wrong way round', { booked: 1042n }, {}, ['other booking']],
    ['declined by both', { stage: 'declined', declinedByBank: true, booked: 0n }, { outcome: 'declined' }, []],
    ['declined and booked', { stage: 'declined', declinedByBank: true }, { outcome: 'declined' }, ['other booking']],
    ['declined here alone', { stage: 'declined', declinedByBank: true, booked: 0n }, {}, ['other outcome']],
    [
      'declined by a bank that knows nothing',
      { stage: 'declined', declinedByBank: true, booked: 0n },
      'none',
      ['missing at the bank'],
    ],
    ['declined by a person', { stage: 'declined', booked: 0n }, 'none', []],
    ['taken back by both', { stage: 'error', booked: 0n }, { outcome: 'reversed' }, []],
    ['taken back before it arrived', { stage: 'error', booked: 0n }, 'none', []],
    ['taken back here alone', { stage: 'error', booked: 0n }, {}, ['other outcome']],
    ['on its way', { stage: 'sending', booked: 0n }, 'none', []],
    ['approved there, asked about here', { stage: 'asking', booked: 0n }, {}, ['still open here']],
    ['waiting for a person', { stage: 'stuck', booked: 0n }, {}, ['still open here']],
    ['filtered', { stage: 'filtered', booked: 0n }, 'none', []],
    ['filtered and paid all the same', { stage: 'filtered', booked: 0n }, {}, ['other outcome']],
    ['a return', { type: 'reversal', booked: 1042n }, { kind: 'refund' }, []],
    ['a payout', { type: 'payout', booked: 1042n }, { kind: 'push' }, []],
    ['a payout that came back', returnedPayout, { kind: 'push', outcome: 'reversed' }, []],
    ['a payout that came back here alone', returnedPayout, { kind: 'push' }, ['other outcome']],
    [
      'a payout that came back, and is not booked back',
      { ...returnedPayout, booked: 1042n },
      { kind: 'push', outcome: 'reversed' },
      ['other booking'],
    ],
    ['a hold', { type: 'preauth', booked: 0n }, { kind: 'preauth' }, []],
    [
      'a question about a card',
      { type: 'pan-eligibility', minor: 0n, booked: 0n, currency: 'USD' },
      { kind: 'eligibility', minor: 0n, currency: 'XXX' },
      [],
    ],
    ['money taken, not yet sent on', { ...first, stage: 'sending', atLeg: 2 }, { kind: 'pull' }, []],
    ['money sent on that was never taken', { ...first, stage: 'sending', atLeg: 2 }, 'none', ['missing at the bank']],
    ['the second leg, never made', { ...second, stage: 'declined', booked: 0n }, 'none', []],
    ['the second leg', { ...second, booked: 1042n }, { kind: 'push', reference: '77-1-2' }, []],
  ])('%s', (_, ours, theirs, expected) => {
    const lines = theirs === 'none' ? [] : [{ ...journal, ...theirs }];
    expect(causes(inBooks([{ ...sale, ...ours }], lines))).toEqual(expected);
  });

  it('a line twice, and a line of nobody', () => {
    expect(inBooks([sale], [journal, journal])).toEqual([
      { reference: '77-1', cause: 'doubled', ours: 'once', theirs: '2 times' },
    ]);
    expect(inBooks([], [journal])).toEqual([
      { reference: '77-1', cause: 'missing here', ours: null, theirs: 'sale 10.42 USD' },
    ]);
  });
});

describe('settlement files against ours', () => {
  const reversal: ClearedLine = { ...cleared, kind: 'reversal' };
  const pushed: ClearedLine = { ...cleared, kind: 'push' };
  it.each<[string, Partial<OurInstruction>, ClearedLine[], Cause[]]>([
    ['both say the same', {}, [cleared], []],
    ['not cleared though it should be', {}, [], ['missing at the bank']],
    ['ended at the cut-off, and not cleared', { changedAt: CUT_OFF }, [], ['missing at the bank']],
    ['made after the cut-off', { changedAt: CUT_OFF + 1 }, [], []],
    ['cleared the day before', { createdAt: PERIOD.since - 1 }, [], []],
    ['voided, and so never cleared', { voided: true }, [], []],
    ['voided here and cleared there', { voided: true }, [cleared], ['other outcome']],
    ['declined here and cleared there', { stage: 'declined', booked: 0n }, [cleared], ['other outcome']],
    ['open here and cleared there', { stage: 'asking', booked: 0n }, [cleared], ['still open here']],
    ['cleared and taken back, as we have it', { stage: 'error', booked: 0n }, [cleared, reversal], []],
    ['taken back of an earlier day, as we have it', { stage: 'error', booked: 0n }, [reversal], []],
    ['cleared and taken back, approved here', {}, [cleared, reversal], ['other outcome']],
    ['a payout, cleared and taken back, as we have it', returnedPayout, [pushed, reversal], []],
    ['a payout that came back after the files', returnedLater, [pushed], []],
    ['a payout that came back at the cut-off', { ...returnedPayout, returnedAt: CUT_OFF }, [pushed], ['other outcome']],
    ['a payout that came back before the cut-off and still stands there', returnedPayout, [pushed], ['other outcome']],
    ['a payout that came back before it was cleared', returnedPayout, [], []],
    ['a payout that came back after the files and is not in them', returnedLater, [], ['missing at the bank']],
    ['a payout that is taken back there before we heard of it', returnedLater, [pushed, reversal], []],
    ['a payout of an earlier file, taken back in these', { ...returnedPayout, ...paidBefore }, [reversal], []],
    ['the same, not taken back in these', { ...returnedPayout, ...paidBefore }, [], ['missing at the bank']],
    [
      'the same, booked by a person',
      { ...returnedPayout, ...paidBefore, returnedByHand: true },
      [],
      ['missing at the bank'],
    ],
    ['the same, returned before these', { ...returnedPayout, ...paidBefore, returnedAt: PERIOD.since }, [], []],
    ['the same, returned after these', { ...returnedLater, ...paidBefore }, [], []],
    ['a payout, taken back there alone', { type: 'payout', booked: 1042n }, [pushed, reversal], ['other outcome']],
    ['cleared twice', {}, [cleared, cleared], ['doubled']],
    ['another amount', {}, [{ ...cleared, minor: 1n }], ['other amount']],
    ['another currency', {}, [{ ...cleared, currency: 'EUR' }], ['other currency']],
    ['not in the ledger', { booked: 0n }, [cleared], ['other booking']],
    ['a hold is not cleared', { type: 'preauth', booked: 0n }, [], []],
  ])('%s', (_, ours, theirs, expected) => {
    expect(causes(inFiles([{ ...sale, ...ours }], theirs))).toEqual(expected);
  });

  it('a line of nobody', () => expect(causes(inFiles([], [cleared]))).toEqual(['missing here']));
});

describe('whatever one line is changed to', () => {
  const ENDS: [Stage, BankOutcome, bigint][] = [
    ['approved', 'approved', -1n],
    ['declined', 'declined', 0n],
    ['error', 'reversed', 0n],
  ];
  const world = fc.array(fc.record({ minor: fc.bigInt(1n, 1_000_000n), end: fc.constantFrom(...ENDS) }), {
    minLength: 1,
    maxLength: 30,
  });

  function sides(orders: readonly { minor: bigint; end: [Stage, BankOutcome, bigint] }[]) {
    const ours = orders.map(({ minor, end: [stage, , sign] }, index): OurInstruction => {
      const reference = `${index + 1}-1`;
      return { ...sale, reference, stage, minor, booked: sign * minor, declinedByBank: stage === 'declined' };
    });
    const theirs = orders.map(({ minor, end: [, outcome] }, index): BankJournalLine => {
      return { ...journal, reference: `${index + 1}-1`, minor, outcome };
    });
    return { ours, theirs };
  }

  const OTHER: Record<BankOutcome, BankOutcome> = {
    approved: 'declined',
    declined: 'approved',
    held: 'approved',
    reversed: 'approved',
  };

  /** How a line of the bank is spoiled, and the cause that must be reported. */
  const SPOILT: Record<string, [(line: BankJournalLine) => BankJournalLine[], Cause]> = {
    amount: [(line) => [{ ...line, minor: line.minor + 1n }], 'other amount'],
    currency: [(line) => [{ ...line, currency: 'EUR' }], 'other currency'],
    outcome: [(line) => [{ ...line, outcome: OTHER[line.outcome] }], 'other outcome'],
    doubled: [(line) => [line, line], 'doubled'],
    reference: [(line) => [{ ...line, reference: `9${line.reference}` }], 'missing here'],
  };

  it('it is found and named, and nothing else is', () => {
    fc.assert(
      fc.property(world, fc.nat(), fc.constantFrom(...Object.keys(SPOILT)), (orders, which, how) => {
        const { ours, theirs } = sides(orders);
        expect(inBooks(ours, theirs)).toEqual([]);
        const index = which % theirs.length;
        const [spoil, cause] = SPOILT[how] as [(line: BankJournalLine) => BankJournalLine[], Cause];
        const line = theirs[index] as BankJournalLine;
        const found = inBooks(ours, [...theirs.slice(0, index), ...spoil(line), ...theirs.slice(index + 1)]);
        expect(causes(found)).toContain(cause);
        const about = new Set([line.reference, `9${line.reference}`]);
        expect(found.every(({ reference }) => about.has(reference))).toBe(true);
      }),
    );
  });

  it('a line that is gone is missed, unless nothing moved', () => {
    fc.assert(
      fc.property(world, fc.nat(), (orders, which) => {
        const { ours, theirs } = sides(orders);
        const index = which % theirs.length;
        const found = inBooks(
          ours,
          theirs.filter((_, at) => at !== index),
        );
        expect(causes(found)).toEqual(ours[index]?.stage === 'error' ? [] : ['missing at the bank']);
      }),
    );
  });
});

describe('a settlement file', () => {
  const NAMES = 'reference,kind,original,amount,currency,cleared_at';
  const LINE = '77-1,sale,,1042,USD,2027-01-31T23:00:00.000Z';

  it('is read with either line end, and with quotation marks', () => {
    expect(readSettlementLines(`${NAMES}\r\n${LINE}\r\n`)).toEqual([cleared]);
    expect(readSettlementLines(`\uFEFF${NAMES}\n${LINE}`)).toEqual([cleared]);
    const quoted = readSettlementLines(`${NAMES}\n"7,""7-1",sale,"",1042,USD,2027-01-31T23:00:00.000Z\n`);
    expect(quoted).toMatchObject([{ reference: '7,"7-1' }]);
    expect(readSettlementLines('')).toEqual([]);
    expect(readSettlementLines(`${NAMES}\n`)).toEqual([]);
  });

  it.each([
    ['other names', `a,b\n${LINE}`, 'line 1: the names reference,kind'],
    ['a value short', `${NAMES}\n77-1,sale`, 'line 2: 6 values are needed, not 2'],
    ['an amount with a point', `${NAMES}\n${LINE.replace('1042', '10.42')}`, 'line 2: the amount must be'],
    ['no currency', `${NAMES}\n${LINE}\n${LINE.replace('USD', 'usd')}`, 'line 3: the currency must be'],
    ['no moment', `${NAMES}\n${LINE.replace('2027-', '')}`, 'line 2: cleared_at must be'],
    ['a mark left open', `${NAMES}\n"77-1`, 'a quotation mark is never closed'],
  ])('with %s is refused', (_, text, message) => expect(() => readSettlementLines(text)).toThrow(message));
});
