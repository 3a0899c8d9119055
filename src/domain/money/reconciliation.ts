// Compares our transactions with the bank's account of them, line by line: its journal of all instructions, or what its
// settlement files say was cleared. Every difference has a cause; without differences both sides agree.

import { grouped } from '../grouped.ts';
import { isFinal, type Stage } from '../order/stages.ts';
import type { TransactionType } from '../order/transaction-types.ts';
import { isCurrency } from './currency.ts';
import { writeAmount } from './money.ts';

/** One instruction to the bank, as we have it: a transaction, or one leg of it. */
export type OurInstruction = {
  readonly reference: string;
  readonly type: TransactionType;
  readonly stage: Stage;
  /** Which leg this is, which one the transaction is at, and how many there are. */
  readonly leg: number;
  readonly atLeg: number;
  readonly legs: number;
  readonly minor: bigint;
  readonly currency: string;
  /** Whether the bank itself surely declined it: not a person, and not a payer who was not authenticated. */
  readonly declinedByBank: boolean;
  /** Whether a void took it back before it was cleared. */
  readonly voided: boolean;
  /** When it was booked that the bank returned it after it had approved it; the bank did so at that time or before. */
  readonly returnedAt: number | undefined;
  /** Whether a person booked that, who may have found it in a file of the bank's from days before. */
  readonly returnedByHand: boolean;
  /** What the ledger booked between us and the bank for it: negative when the bank owes us. */
  readonly booked: bigint;
  readonly createdAt: number;
  readonly changedAt: number;
};

export type BankOutcome = 'approved' | 'declined' | 'held' | 'reversed';

/** A line of the bank's journal. */
export type BankJournalLine = {
  readonly reference: string;
  readonly kind: string;
  readonly outcome: BankOutcome;
  readonly minor: bigint;
  readonly currency: string;
};

/** A line of a settlement file. A `reversal` takes back what an earlier line of the same reference moved. */
export type ClearedLine = Omit<BankJournalLine, 'outcome'> & { readonly clearedAt: number };

export type Cause =
  | 'missing at the bank'
  | 'missing here'
  | 'other amount'
  | 'other currency'
  | 'other kind'
  | 'other outcome'
  | 'other booking'
  | 'still open here'
  | 'doubled';

export type Difference = {
  readonly reference: string;
  readonly cause: Cause;
  /** What each side says; null when it says nothing. */
  readonly ours: string | null;
  readonly theirs: string | null;
};

/** The bank's names for our instructions, where they differ. */
const KINDS: Partial<Record<TransactionType, string>> = {
  reversal: 'refund',
  'account-verification': 'verification',
  'pan-eligibility': 'eligibility',
  payout: 'push',
};

function kindOf({ type, leg, legs }: OurInstruction): string {
  if (type === 'transfer') return leg < legs ? 'pull' : 'push';
  return KINDS[type] ?? type;
}

const MOVES_MONEY = new Set(['sale', 'capture', 'refund', 'pull', 'push']);

/** The sign of what our ledger books: negative when the bank then owes us. Other kinds move nothing between us. */
const BOOKED_AS: Readonly<Record<string, 1n | -1n>> = {
  sale: -1n,
  capture: -1n,
  pull: -1n,
  void: 1n,
  refund: 1n,
  push: 1n,
};

/** What the bank may say of an instruction, given how it stands here. */
function outcomesOf(ours: OurInstruction): readonly (BankOutcome | 'none')[] {
  const { stage, leg, atLeg, declinedByBank, returnedAt } = ours;
  switch (stage) {
    case 'approved':
      return [returnedAt === undefined ? 'approved' : 'reversed'];
    case 'declined':
      // In a transfer whose second leg was declined, the first leg was taken back and the second never made.
      if (leg > 1) return ['declined', 'none', 'reversed'];
      return declinedByBank ? ['declined', 'reversed'] : ['declined', 'reversed', 'none'];
    case 'passed-on':
      return declinedByBank ? ['declined', 'reversed'] : ['reversed', 'declined', 'none'];
    case 'error':
      return ['reversed', 'declined', 'none'];
    case 'expired':
    case 'filtered':
    case 'waiting':
      return ['none'];
    default:
      return leg < atLeg ? ['approved'] : ['none'];
  }
}

/** Compares the bank's journal with ours. The bank's lines are kept in memory; ours may come one by one. */
export class JournalComparison {
  readonly #theirs: Map<string, BankJournalLine[]>;

  constructor(lines: Iterable<BankJournalLine>) {
    this.#theirs = grouped(lines, ({ reference }) => reference);
  }

  /** Whether the bank has a line that was not compared yet. */
  has(reference: string): boolean {
    return this.#theirs.has(reference);
  }

  compare(ours: OurInstruction): Difference[] {
    const lines = takenFrom(this.#theirs, ours);
    const [line] = lines;
    const tell = teller(ours);
    const allowed = outcomesOf(ours);
    if (!line) return allowed.includes('none') ? [] : [tell('missing at the bank', ours.stage, null)];
    const found: Difference[] = lines.length > 1 ? [tell('doubled', 'once', `${lines.length} times`)] : [];
    if (!allowed.includes(line.outcome)) {
      found.push(tell(isFinal(ours.stage) ? 'other outcome' : 'still open here', ours.stage, line.outcome));
      return [...found, ...moneyDifferences(ours, line)];
    }
    const moved = line.outcome === 'approved' ? line.minor : 0n;
    return [...found, ...moneyDifferences(ours, line), ...bookingDifferences(ours, moved)];
  }

  /** The lines that only the bank has, once all of ours were compared. */
  rest(): Difference[] {
    return [...this.#theirs.values()].flatMap((lines) => lines.map(missingHere));
  }
}

/** The lines of an instruction, which are compared once. */
function takenFrom<Line>(lines: Map<string, Line[]>, { reference }: OurInstruction): Line[] {
  const taken = lines.get(reference) ?? [];
  lines.delete(reference);
  return taken;
}

function teller({ reference }: OurInstruction) {
  return (cause: Cause, ours: string, theirs: string | null): Difference => ({ reference, cause, ours, theirs });
}

function moneyDifferences(ours: OurInstruction, line: Omit<BankJournalLine, 'outcome'>): Difference[] {
  const { minor, currency } = ours;
  const tell = teller(ours);
  const kind = kindOf(ours);
  const found: Difference[] = kind === line.kind ? [] : [tell('other kind', kind, line.kind)];
  // A question about a card has no amount.
  if (kind === 'eligibility') return found;
  const [here, there] = [figure(minor, currency), figure(line.minor, line.currency)];
  if (minor !== line.minor) found.push(tell('other amount', here, there));
  if (currency !== line.currency) found.push(tell('other currency', currency, line.currency));
  return found;
}

/** The ledger must have booked what the bank says it moved. */
function bookingDifferences(ours: OurInstruction, moved: bigint): Difference[] {
  const { booked, minor, currency } = ours;
  const expected = (BOOKED_AS[kindOf(ours)] ?? 0n) * moved;
  // A difference of the amounts is reported already.
  if (booked === expected || (moved !== 0n && moved !== minor)) return [];
  return [teller(ours)('other booking', `booked ${figure(booked, currency)}`, `moved ${figure(expected, currency)}`)];
}

function missingHere({ reference, kind, minor, currency }: Omit<BankJournalLine, 'outcome'>): Difference {
  return { reference, cause: 'missing here', ours: null, theirs: `${kind} ${figure(minor, currency)}` };
}

/** An amount for people. The bank may name a currency we do not know. */
function figure(minor: bigint, currency: string): string {
  if (!isCurrency(currency)) return `${minor} minor units of ${currency}`;
  const size = { minor: minor < 0n ? -minor : minor, currency };
  return `${minor < 0n ? '-' : ''}${writeAmount(size, 'major')} ${currency}`;
}

/** The time settlement files cover: what was made after `since` and ended before `until` must be in them. */
export type ClearedPeriod = { readonly since: number; readonly until: number };

const REVERSAL = 'reversal';

/** Compares settlement files with our instructions. */
export class SettlementComparison {
  readonly #moved: Map<string, ClearedLine[]>;
  readonly #reversed: Map<string, ClearedLine[]>;
  readonly #period: ClearedPeriod | undefined;

  constructor(given: Iterable<ClearedLine>, period: ClearedPeriod | undefined) {
    const lines = [...given];
    this.#period = period;
    this.#moved = grouped(
      lines.filter(({ kind }) => kind !== REVERSAL),
      ({ reference }) => reference,
    );
    this.#reversed = grouped(
      lines.filter(({ kind }) => kind === REVERSAL),
      ({ reference }) => reference,
    );
  }

  /** Whether the files have a line that was not compared yet. */
  has(reference: string): boolean {
    return this.#moved.has(reference) || this.#reversed.has(reference);
  }

  compare(ours: OurInstruction): Difference[] {
    const [moved, reversed] = [takenFrom(this.#moved, ours), takenFrom(this.#reversed, ours)];
    const tell = teller(ours);
    const found: Difference[] = [];
    const [line] = moved;
    const [takenBack] = reversed;
    const stands = movesMoney(ours);
    if (!line && !takenBack) {
      const missing = this.#missing(ours, stands);
      return missing === undefined ? [] : [tell('missing at the bank', missing, null)];
    }
    if (moved.length > 1) found.push(tell('doubled', 'once', `cleared ${moved.length} times`));
    if (reversed.length > 1) found.push(tell('doubled', 'once', `taken back ${reversed.length} times`));
    // For the bank an instruction stands when its money moved and was not taken back.
    const standsThere = line !== undefined && takenBack === undefined;
    // What was returned after the files is in a later one.
    if (stands !== standsThere && !(standsThere && this.#isLater(ours.returnedAt))) {
      const cause = isFinal(ours.stage) ? 'other outcome' : 'still open here';
      found.push(tell(cause, standingOf(ours), standsThere ? 'cleared' : 'taken back'));
    }
    if (stands && standsThere) found.push(...bookingDifferences(ours, line.minor));
    if (line) found.push(...moneyDifferences(ours, line));
    if (takenBack) found.push(...moneyDifferences(ours, { ...takenBack, kind: kindOf(ours) }));
    return found;
  }

  rest(): Difference[] {
    return [...this.#moved.values(), ...this.#reversed.values()].flatMap((lines) => lines.map(missingHere));
  }

  /** What the files must say of an instruction that they do not have, as it stands here. */
  #missing(ours: OurInstruction, stands: boolean): string | undefined {
    const { stage, createdAt, changedAt, returnedAt, returnedByHand } = ours;
    if (!this.#period) return undefined;
    const { since, until } = this.#period;
    const wasMade = createdAt > since && changedAt <= until;
    if (returnedAt === undefined || returnedAt > until) {
      return wasMade && (stands || returnedAt !== undefined) ? stage : undefined;
    }
    // What was cleared before these files and returned within them is taken back in them. What came back before it was
    // cleared is in no file at all. What a person booked may be in an earlier file: somebody else looks at that once.
    const wasCleared = changedAt <= since;
    if (!wasCleared || returnedAt <= since) return undefined;
    return returnedByHand ? 'returned, as a person booked' : 'returned';
  }

  #isLater(returnedAt: number | undefined): boolean {
    return returnedAt !== undefined && (this.#period === undefined || returnedAt > this.#period.until);
  }
}

function standingOf({ stage, voided, returnedAt }: OurInstruction): string {
  if (voided) return 'voided';
  return returnedAt === undefined ? stage : 'returned';
}

/** Whether an instruction moved money that stayed moved. */
function movesMoney(ours: OurInstruction): boolean {
  const { stage, leg, atLeg, voided, returnedAt } = ours;
  if (!MOVES_MONEY.has(kindOf(ours)) || voided || returnedAt !== undefined) return false;
  return stage === 'approved' || (!isFinal(stage) && leg < atLeg);
}
