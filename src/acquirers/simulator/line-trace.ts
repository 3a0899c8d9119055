// The latest messages to and from the simulated bank, as they may be shown. Every payment of a sandbox passes here, so
// little is kept of each, never a whole card number or a code, and it becomes text only when somebody looks.

import type { Clock } from '../../domain/clock.ts';
import { writeAmount } from '../../domain/money/money.ts';
import type { Answer, InquiryAnswer, Instruction, ReversalAnswer, TraceLine } from '../acquirer.ts';
import type { Subject } from './booking.ts';
import type { TargetDigits } from './digits.ts';
import { subjectOf } from './judgement.ts';

const MAX_MESSAGES = 1_000;

type Heard = Answer | InquiryAnswer | ReversalAnswer;

type Said =
  | { readonly at: number; readonly subject: Subject }
  | { readonly at: number; readonly asked: 'inquiry' | 'reversal'; readonly reference: string }
  | { readonly at: number; readonly heard: Heard; readonly reference: string; readonly since: number };

export class LineTrace {
  readonly #clock: Clock;
  readonly #said: Said[] = [];
  /** Where the next one goes once all places are taken. */
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes an instruction and what comes back, which is handed on at once. Answers never fail. */
  instructed<A extends Heard>(instruction: Instruction, answer: Promise<A>): Promise<A> {
    const at = this.#clock.now();
    this.#keep({ at, subject: subjectOf(instruction) });
    return this.#heard(instruction.reference, at, answer);
  }

  asked<A extends Heard>(asked: 'inquiry' | 'reversal', reference: string, answer: Promise<A>): Promise<A> {
    const at = this.#clock.now();
    this.#keep({ at, asked, reference });
    return this.#heard(reference, at, answer);
  }

  /** Oldest first. */
  lines(): readonly TraceLine[] {
    return [...this.#said.slice(this.#next), ...this.#said.slice(0, this.#next)].map(lineOf);
  }

  #heard<A extends Heard>(reference: string, since: number, answer: Promise<A>): Promise<A> {
    void answer.then((heard) => this.#keep({ at: this.#clock.now(), heard, reference, since }));
    return answer;
  }

  #keep(said: Said): void {
    if (this.#said.length < MAX_MESSAGES) return void this.#said.push(said);
    this.#said[this.#next] = said;
    this.#next = (this.#next + 1) % MAX_MESSAGES;
  }
}

function lineOf(said: Said): TraceLine {
  const { at } = said;
  if ('subject' in said) return { at, direction: 'out', text: writtenSubject(said.subject) };
  if ('asked' in said) return { at, direction: 'out', text: `${said.asked} reference=${said.reference}` };
  const { heard, reference, since } = said;
  return { at, direction: 'in', text: `${writtenAnswer(heard)} reference=${reference} after ${at - since} ms` };
}

function writtenSubject({ kind, reference, original, amount, card, to, eci }: Subject): string {
  return [
    `${kind} reference=${reference}`,
    original === undefined ? '' : `original=${original}`,
    kind === 'eligibility' ? '' : `amount=${writeAmount(amount, 'major')} ${amount.currency}`,
    card ? `card=${ends(card)}` : '',
    to ? `to=${ends(to)}` : '',
    eci === undefined ? '' : `eci=${eci}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const ends = (digits: TargetDigits) =>
  'accountEnd' in digits ? `...${digits.accountEnd}` : `${digits.firstSix}...${digits.lastFour}`;

function writtenAnswer(heard: Heard): string {
  if (heard.word === 'approved') return `approved code=${heard.approvalCode} rrn=${heard.rrn}`;
  if (heard.word === 'declined') return `declined code=${heard.code} rrn=${heard.rrn ?? '-'}`;
  return 'reason' in heard ? `${heard.word}: ${heard.reason};` : heard.word;
}
