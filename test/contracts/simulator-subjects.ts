// The simulated bank as a counterpart, in this process and over HTTP. It decides by what is in an instruction; here it
// is told nothing else. Over HTTP its books are read without the connector's code, and a line of its own misbehaves.

import type { Acquirer, Instruction } from '../../src/acquirers/acquirer.ts';
import {
  type BookEntry,
  type Faults,
  openAcquirer,
  openBank,
  simulatedBank,
  startBank,
} from '../../src/acquirers/index.ts';
import { Secret } from '../../src/domain/secret.ts';
import { all, StoppedClock } from './acquirer-banks.ts';
import type { Asked, Booked, ConnectOptions, ConnectorSubject, Mishap } from './connector-subject.ts';
import { httpAnswerLength, MisbehavingLine } from './misbehaving-line.ts';

const SHARED = { connector: simulatedBank, cvv: '1234', keys: [] } as const;

/** What the bank's own faults can do of what goes wrong on a line. */
const FAULTS: Partial<Record<Mishap, Partial<Faults>>> = {
  lost: { loseRequestRate: 1 },
  unanswered: { loseAnswerRate: 1 },
  late: { answerDelayMs: 60_000 },
  doubled: { doubleRate: 1 },
  garbage: { garbleRate: 1 },
  away: { refuseRate: 1 },
};

export const simulatorInProcess: ConnectorSubject = {
  ...SHARED,
  name: 'to the simulated bank in this process',
  mishaps: Object.keys(FAULTS) as Mishap[],
  open: async () => {
    const bankClock = new StoppedClock();
    const bank = await openBank({ clock: bankClock, books: 'memory' });
    return {
      connect: ({ clock, answerMs }) => openAcquirer({ bank, sendTimeoutMs: answerMs, askTimeoutMs: answerMs }, clock),
      declining,
      misbehave: async (mishap) => {
        bank.faults.set(mishap ? (FAULTS[mishap] ?? {}) : {});
        await bankClock.advance(60_000);
      },
      booked: async ({ instruction }) => sumOf(await all(bank.entries()), instruction.reference),
      close: () => bank.close(),
    };
  },
};

const GARBAGE = ['', '{"word":"approv\ufffd\u0000', '[]', '{"word":"maybe"}', '{"word":"approved"}'];

export const simulatorOverHttp: ConnectorSubject = {
  ...SHARED,
  name: 'to the simulated bank over HTTP',
  open: async () => {
    const server = await startBank({ clock: new StoppedClock(), books: 'memory' });
    const garbage = GARBAGE.map(
      (text) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const line = await MisbehavingLine.open({
      to: Number(new URL(server.url).port),
      answerLength: httpAnswerLength,
      garbage: [...garbage, 'hello\n', 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n'],
    });
    return {
      connect: ({ clock, answerMs }: ConnectOptions): Acquirer => {
        const url = `http://127.0.0.1:${line.port}`;
        return openAcquirer({ url, sendTimeoutMs: answerMs, askTimeoutMs: answerMs }, clock);
      },
      declining,
      misbehave: (mishap) => line.misbehave(mishap),
      booked: async ({ instruction }) => {
        const lines = (await (await fetch(`${server.url}/v1/books`)).text()).split('\n').filter((text) => text !== '');
        const entries = lines.map((text) => JSON.parse(text)).map((entry) => ({ ...entry, amount: entry }));
        return sumOf(entries, instruction.reference);
      },
      close: async () => {
        await line.close();
        await server.close();
      },
    };
  },
};

type Booking = Pick<BookEntry, 'reference' | 'outcome'> & { readonly amount: { readonly minor: bigint | string } };

function sumOf(entries: readonly Booking[], reference: string): Booked {
  const carriedOut = entries.filter((entry) => entry.reference === reference && entry.outcome !== 'declined');
  const standing = carriedOut.filter(({ outcome }) => outcome !== 'reversed');
  return { times: carriedOut.length, net: standing.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n) };
}

const DECLINED_CVV = '116';
const DECLINED_MINOR = 5_116n;
const TOO_MUCH_MINOR = 999_999n;
const WRONG_CHECK_DIGIT = '4111111111111112';

function declining<I extends Instruction>(asked: Asked<I>): Asked<I> {
  return { ...asked, instruction: declined(asked.instruction) as I };
}

function declined(instruction: Instruction): Instruction {
  switch (instruction.kind) {
    case 'eligibility':
      return { ...instruction, receiving: { number: new Secret(WRONG_CHECK_DIGIT) } };
    case 'push':
      return { ...instruction, amount: { ...instruction.amount, minor: DECLINED_MINOR } };
    case 'capture':
    case 'cancel':
    case 'void':
    case 'refund':
      return { ...instruction, amount: { ...instruction.amount, minor: TOO_MUCH_MINOR } };
    default:
      return { ...instruction, card: { ...instruction.card, cvv: new Secret(DECLINED_CVV) } };
  }
}
