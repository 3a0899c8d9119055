// The banks as nodes reach them: the real connector and real banks with their books in memory, and between them
// messages that take time, are lost or come late. It watches that nobody sends a reference again without having asked
// about it, and that no reference is sent to two banks.

import type { Answer, InquiryAnswer, Instruction, ReversalAnswer } from '../../src/acquirers/acquirer.ts';
import { type Bank, openBank } from '../../src/acquirers/simulator/bank.ts';
import { type BankLine, ConnectionRefused } from '../../src/acquirers/simulator/bank-line.ts';
import type { BookEntry } from '../../src/acquirers/simulator/book-entry.ts';
import { type SimulatorLine, simulator } from '../../src/acquirers/simulator/simulator.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Disturbances } from './disturbances.ts';
import { TERMINALS } from './house.ts';
import type { Process, Scheduler } from './scheduler.ts';

const SHORTEST_WAY_MS = 5;
const LONGEST_WAY_MS = 150;

type Sent = { readonly order: number; readonly by: string; readonly to: string };

export class BankWatch {
  readonly #banks: ReadonlyMap<string, Bank>;
  readonly #scheduler: Scheduler;
  readonly #disturbances: Disturbances;
  /** What the bank said of each reference last: the truth, whoever heard it. */
  readonly stands = new Map<string, 'approved' | 'declined' | 'reversed' | 'barred'>();
  readonly complaints: string[] = [];
  /** Tells why an instruction should not have been sent, if it should not. */
  breachOf: (instruction: Instruction) => string | undefined = () => undefined;
  readonly #sent = new Map<string, Sent>();
  /** When a process last began to ask about a reference that then was not found. */
  readonly #asked = new Map<string, number>();
  #count = 0;

  static async open(scheduler: Scheduler, disturbances: Disturbances): Promise<BankWatch> {
    const clock: Clock = { now: () => scheduler.now, sleep: () => Promise.reject(new Error('the bank never sleeps')) };
    const banks = new Map<string, Bank>();
    for (const name of TERMINALS) banks.set(name, await openBank({ clock, books: 'memory', cutOff: 'never' }));
    return new BankWatch(banks, scheduler, disturbances);
  }

  private constructor(banks: ReadonlyMap<string, Bank>, scheduler: Scheduler, disturbances: Disturbances) {
    this.#banks = banks;
    this.#scheduler = scheduler;
    this.#disturbances = disturbances;
  }

  async *entries(): AsyncGenerator<BookEntry> {
    for (const bank of this.#banks.values()) yield* bank.entries();
  }

  /** Whether anybody ever sent it. */
  hasSent(reference: string): boolean {
    return this.#sent.has(reference);
  }

  acquirerFor(process: Process, terminal: string): SimulatorLine {
    const acquirer = simulator({
      line: this.#lineOf(process, this.#banks.get(terminal) as Bank),
      clock: this.#scheduler.clockOf(process),
    });
    return {
      ...acquirer,
      send: (instruction) => {
        this.#watchSend(instruction.reference, process.name, terminal);
        const breach = this.breachOf(instruction);
        if (breach) this.complaints.push(breach);
        return acquirer.send(instruction);
      },
      inquire: async (reference) => {
        const began = ++this.#count;
        const answer = await acquirer.inquire(reference);
        if (answer.word === 'not-found') this.#asked.set(`${process.name} ${reference}`, began);
        return answer;
      },
    };
  }

  #watchSend(reference: string, by: string, to: string): void {
    const earlier = this.#sent.get(reference);
    if (earlier && earlier.to !== to) this.complaints.push(`${reference} was sent to ${earlier.to} and to ${to}`);
    const asked = this.#asked.get(`${by} ${reference}`) ?? 0;
    if (earlier && asked < earlier.order) {
      this.complaints.push(`${by} sent ${reference} again without asking, after ${earlier.by} had sent it`);
    }
    this.#sent.set(reference, { order: ++this.#count, by, to });
  }

  #lineOf(process: Process, bank: Bank): BankLine {
    return {
      instruct: ({ ...instruction }) =>
        this.#carry(
          process,
          `${instruction.kind} ${instruction.reference}`,
          () => bank.instruct(instruction),
          (answer) => this.#learn(instruction.reference, answer),
        ),
      inquire: (reference) =>
        this.#carry(
          process,
          `inquiry ${reference}`,
          () => bank.inquire(reference),
          (answer) => this.#learn(reference, answer),
        ),
      reverse: (reference) =>
        this.#carry(
          process,
          `reversal ${reference}`,
          () => bank.reverse(reference),
          (answer) => this.#learnReversal(reference, answer),
        ),
      close: async () => {},
    };
  }

  #learn(reference: string, { word }: Answer | InquiryAnswer): void {
    if (this.stands.get(reference) === 'reversed' || this.stands.get(reference) === 'barred') return;
    if (word === 'approved' || word === 'declined') this.stands.set(reference, word);
  }

  #learnReversal(reference: string, { word }: ReversalAnswer): void {
    if (word === 'reversed') this.stands.set(reference, 'reversed');
    if (word === 'not-found' && !this.stands.has(reference)) this.stands.set(reference, 'barred');
  }

  #carry<T extends { word: string }>(
    process: Process,
    label: string,
    work: () => Promise<T>,
    learn: (answer: T) => void,
  ): Promise<T> {
    const scheduler = this.#scheduler;
    const { end, requestDelayMs, answerDelayMs } = this.#disturbances.ofBankMessage();
    const way = () => scheduler.between(SHORTEST_WAY_MS, LONGEST_WAY_MS);
    return new Promise((resolve, reject) => {
      const deliver = (answer: T) => {
        learn(answer);
        scheduler.say(`bank to ${label}: ${answer.word}`);
        if (end === 'answer-lost') return;
        scheduler.after(way() + answerDelayMs, process, `hears ${answer.word} to ${label}`, () => resolve(answer));
      };
      const arrive = () => {
        if (end === 'refused') {
          scheduler.after(way(), process, `is refused ${label}`, () => reject(new ConnectionRefused('refused')));
        } else if (end !== 'request-lost') work().then(deliver, reject);
      };
      scheduler.after(way() + requestDelayMs, undefined, `${process.name} to bank: ${label} (${end})`, arrive);
    });
  }
}
