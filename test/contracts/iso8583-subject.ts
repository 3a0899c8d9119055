// The ISO 8583 connector with a host that keeps books by trace numbers, for the contract of every connector.

import { iso8583 } from '../../src/acquirers/iso8583/iso8583.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Asked, ConnectorSubject } from './connector-subject.ts';
import type { HostMessage } from './iso8583-codecs.ts';
import { answerTo, approvalOf, declineOf, ScriptedHost } from './iso8583-host.ts';
import { MisbehavingLine } from './misbehaving-line.ts';

const MAC_KEY = '0123456789ABCDEFFEDCBA9876543210';
const NO_FUNDS = '51';
const NO_ORIGINAL = '25';
const LENGTH_BYTES = 2;

type Entry = { readonly answer: HostMessage; readonly times: number; readonly minor: bigint; takenBack: boolean };

/** What a host remembers of the messages about money, by the number of each. */
class HostBooks {
  readonly declined = new Set<string>();
  readonly #entries = new Map<string, Entry>();
  readonly #barred = new Set<string>();

  answer(message: HostMessage): HostMessage {
    const number = message['11'] ?? '';
    if (message['0']?.startsWith('042')) return this.#takeBack(message);
    if (this.#barred.has(number)) return declineOf(message, NO_ORIGINAL);
    const entry = this.#entries.get(number) ?? this.#book(message, this.declined.has(number));
    this.#entries.set(number, entry);
    return entry.answer;
  }

  booked({ around }: Asked) {
    const { times, minor, takenBack } = this.#entries.get(numberOf({ around })) ?? NOTHING;
    return { times, net: takenBack ? 0n : minor };
  }

  #book(message: HostMessage, isDeclined: boolean): Entry {
    if (isDeclined) return { ...NOTHING, answer: declineOf(message, NO_FUNDS) };
    // The first of the replacement amounts is what stands of the original.
    const left = BigInt(message['95']?.slice(0, 12) ?? 0);
    return { answer: approvalOf(message), times: 1, minor: BigInt(message['4'] ?? 0) - left, takenBack: false };
  }

  #takeBack(message: HostMessage): HostMessage {
    const number = message['90']?.slice(4, 10) ?? '';
    const entry = this.#entries.get(number);
    if (!entry) this.#barred.add(number);
    if (!entry?.times) return answerTo(message, { 39: NO_ORIGINAL });
    entry.takenBack = true;
    return answerTo(message, { 39: '00' });
  }
}

const NOTHING: Entry = { answer: {}, times: 0, minor: 0n, takenBack: true };

const numberOf = ({ around }: Pick<Asked, 'around'>) => String(around.trace.number).padStart(6, '0');

function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined;
  const whole = LENGTH_BYTES + bytes.readUInt16BE();
  return bytes.length < whole ? undefined : whole;
}

export const iso8583Subject: ConnectorSubject = {
  name: 'to a host that speaks ISO 8583',
  connector: iso8583,
  cvv: '987',
  keys: [MAC_KEY],
  open: async () => {
    const books = new HostBooks();
    const mac = { algorithm: 'x9.19', key: MAC_KEY } as const;
    const host = await new ScriptedHost({ mac }).open();
    host.script = ({ message, say }) => say(books.answer(message));
    const line = await MisbehavingLine.open({
      to: host.port,
      answerLength: frameLength,
      garbage: [host.framed(Buffer.from('hello')), host.framed(Buffer.from(`0210${'F'.repeat(32)}`)), Buffer.alloc(2)],
    });
    return {
      connect: ({ clock, answerMs }) => {
        const wire = { dialect: 'iso87-ascii', frame: 'bytes-2', connections: 2, tls: 'none', signOn: true } as const;
        const settings = { host: '127.0.0.1', port: line.port, ...wire, echoSeconds: 1, answerMs };
        const keys = { mac: mac.algorithm, macKey: new Secret(MAC_KEY) };
        const surroundings = { clock, terminal: 'host', noticeUrl: 'http://localhost/bank/host' };
        return iso8583.open({ ...settings, ...keys } as never, surroundings);
      },
      declining: (asked) => {
        books.declined.add(numberOf(asked));
        return asked;
      },
      misbehave: (mishap) => line.misbehave(mishap),
      booked: async (asked) => books.booked(asked),
      close: async () => {
        await line.close();
        await host.close();
      },
    };
  },
};
