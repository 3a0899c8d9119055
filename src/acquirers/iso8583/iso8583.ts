// The connector to hosts that speak ISO 8583. It builds the message, sends it over a lasting connection, reads the
// answer and judges it. Hosts cannot be asked about a message, so what got no answer is taken back by a reversal
// advice, whose number, time and original follow from the trace: any node sends the same.

import { flag, formed, line, wholeNumber, word } from '../../domain/input-kinds.ts';
import type {
  Acquirer,
  Answer,
  Circumstances,
  Instruction,
  ReversalAnswer,
  SentInstruction,
  Unknown,
} from '../acquirer.ts';
import {
  type ConnectorSurroundings,
  defineConnector,
  LONGEST_ANSWER_MS,
  optionalSecretValue,
  optionalValue,
  requiredValue,
} from '../connector.ts';
import { judgeAnswer, judgeReversal } from './answers.ts';
import type { HostAddress } from './dial.ts';
import { type Dialect, type IsoMessage, MessageFault } from './dialect.ts';
import { FRAMES } from './frames.ts';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { ISO93_BINARY } from './iso93-binary.ts';
import type { LineOptions } from './line.ts';
import { HostLines } from './lines.ts';
import { MACS, macKeyFault } from './mac.ts';
import { messageFor, reversalOf } from './messages.ts';
import { hexKey, pemCertificates, pemKey } from './pem-kinds.ts';
import { tryHost } from './trial.ts';
import { Wire } from './wire.ts';

const DIALECTS = { 'iso87-ascii': ISO87_ASCII, 'iso93-binary': ISO93_BINARY } as const;

const KINDS = ['sale', 'preauth', 'verification', 'pull', 'push', 'capture', 'cancel', 'void', 'refund'] as const;

/** After so many answer limits no message of ours is on its way any more. */
const LATEST_MESSAGES = 10;

const unknown = (reason: string): Unknown => ({ word: 'unknown', reason });

export const iso8583 = defineConnector({
  name: 'iso8583',
  says: 'a host that speaks ISO 8583 over TCP or TLS',
  settings: {
    host: requiredValue(line(253), { says: 'the name or address of the host' }),
    port: requiredValue(wholeNumber(1, 65_535), { says: 'the port of the host' }),
    dialect: requiredValue(word(['iso87-ascii', 'iso93-binary']), {
      says: 'how messages are written',
      default: 'iso87-ascii' as const,
    }),
    frame: requiredValue(word(FRAMES), {
      says: 'how the length before a message is written',
      default: 'bytes-2' as const,
    }),
    tpdu: optionalValue(formed(/^[0-9a-fA-F]{10}$/, 'an address of 10 hexadecimal digits'), {
      says: 'the address before every message, where the host wants one',
    }),
    connections: requiredValue(wholeNumber(1, 8), {
      says: 'how many connections each worker of a node keeps',
      default: 1,
    }),
    tls: requiredValue(word(['none', 'tls']), { says: 'whether the connection is encrypted', default: 'tls' as const }),
    ca: optionalValue(pemCertificates, { says: 'the authority to trust, where it is not a public one' }),
    certificate: optionalValue(pemCertificates, { says: 'our certificate, where the host wants one' }),
    key: optionalSecretValue(pemKey, { says: 'the private key of our certificate' }),
    mac: requiredValue(word(MACS), { says: 'how messages are authenticated', default: 'none' as const }),
    macKey: optionalSecretValue(hexKey, { says: 'the key that authenticates messages' }),
    signOn: requiredValue(flag, { says: 'sign on when a connection begins', default: true }),
    echoSeconds: requiredValue(wholeNumber(0, 3600), {
      says: 'after how many idle seconds the host is asked whether it is there; 0 for never',
      default: 60,
    }),
    answerMs: requiredValue(wholeNumber(1000, LONGEST_ANSWER_MS), {
      says: 'how long an answer may take, in milliseconds',
      default: 30_000,
    }),
  },
  does: KINDS,
  partial: ['capture', 'cancel', 'refund'],
  inquiry: 'none',
  needsCard: true,
  open: (settings, { clock }) => openHost(settings, clock),
});

export type HostSettings = {
  readonly host: string;
  readonly port: number;
  readonly dialect: keyof typeof DIALECTS;
  readonly frame: (typeof FRAMES)[number];
  readonly tpdu: string | undefined;
  readonly connections: number;
  readonly tls: 'none' | 'tls';
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: { reveal(): string } | undefined;
  readonly mac: (typeof MACS)[number];
  readonly macKey: { reveal(): string } | undefined;
  readonly signOn: boolean;
  readonly echoSeconds: number;
  readonly answerMs: number;
};

function openHost(settings: HostSettings, clock: ConnectorSurroundings['clock']): Acquirer {
  const misfit = misfitOf(settings);
  return misfit === undefined ? openLines(settings, clock) : unusable(misfit);
}

/** What no single setting shows: settings that do not fit each other. */
function misfitOf({ certificate, key, tls, mac, macKey }: HostSettings): string | undefined {
  if ((certificate === undefined) !== (key === undefined)) return 'certificate and key are needed together';
  if (certificate !== undefined && tls === 'none') return 'a certificate needs tls';
  if (mac === 'none') return undefined;
  if (macKey === undefined) return `mac ${mac} needs a macKey`;
  return macKeyFault(mac, Buffer.from(macKey.reveal(), 'hex'));
}

function unusable(misfit: string): Acquirer {
  const reason = `the settings do not fit: ${misfit}`;
  return {
    send: async () => ({ word: 'unsent', reason }),
    inquire: async () => unknown(reason),
    reverse: async () => unknown(reason),
    test: async () => [{ what: 'settings', works: false, detail: misfit }],
    close: async () => {},
  };
}

function openLines(settings: HostSettings, clock: ConnectorSurroundings['clock']): Acquirer {
  const dialect = DIALECTS[settings.dialect];
  const options = lineOptions(settings, dialect, clock);
  const lines = new HostLines(options, settings.connections);

  async function send(instruction: Instruction, around: Circumstances): Promise<Answer> {
    if (instruction.kind === 'eligibility') return { word: 'unsent', reason: 'hosts cannot be asked that' };
    const sent = built(() => messageFor(dialect, instruction, around));
    if ('reason' in sent) return { word: 'unsent', reason: sent.reason };
    const { kind } = instruction;
    const asked = await lines.ask(sent, dialect.messages[kind].repeat);
    if (asked.word === 'unsent') return asked;
    if (asked.word === 'lost') return { word: 'unknown', reason: asked.reason, fault: asked.fault };
    const { trace, origin } = around;
    return judgeAnswer(dialect, { kind, sent, answer: asked.answer, repeated: asked.repeated, trace, origin });
  }

  async function reverse(sent: SentInstruction): Promise<ReversalAnswer> {
    const message = built(() => reversalOf(dialect, sent));
    if (message === undefined) {
      return unknown(`a ${sent.instruction.kind} cannot be taken back: the host may have carried it out`);
    }
    if ('reason' in message) return unknown(message.reason);
    const asked = await lines.ask(message);
    if (asked.word === 'answered') {
      const sentBefore = Math.max(sent.around.trace.at, sent.sentBefore ?? 0);
      const isOld = clock.now() - sentBefore >= LATEST_MESSAGES * settings.answerMs;
      return judgeReversal(dialect, asked.answer, sent.again && isOld);
    }
    const { reason, fault } = asked;
    return { word: 'unknown', reason, ...(fault !== undefined && { fault }) };
  }

  return {
    send: (instruction, around) => send(instruction, around).catch(faulty),
    inquire: async () => unknown('hosts of this kind cannot be asked about a message'),
    reverse: (_reference, sent) => reverse(sent).catch(faulty),
    test: () => tryHost(options).catch(() => [{ what: 'connect', works: false, detail: 'the trial failed' }]),
    traced: () => options.wire.trace.lines(),
    close: () => lines.close(),
  };
}

/** The message, or why it cannot be built. */
function built<T extends IsoMessage | undefined>(build: () => T): T | { readonly reason: string } {
  try {
    return build();
  } catch (error) {
    // Any other error may hold what it failed on, and that may be a card.
    return { reason: error instanceof MessageFault ? error.message : 'the message cannot be built' };
  }
}

/** The port never throws; a fault of our own leaves open whether something was sent. */
const faulty = (): Unknown => unknown('the connector failed');

function lineOptions(settings: HostSettings, dialect: Dialect, clock: ConnectorSurroundings['clock']): LineOptions {
  const { host, port, tls, ca, certificate, key, mac, macKey, frame, tpdu, answerMs, signOn } = settings;
  const address: HostAddress = {
    host,
    port,
    tls: tls === 'none' ? undefined : { ca, certificate, key: key?.reveal() },
  };
  const wire = new Wire({
    dialect,
    style: { frame, tpdu },
    mac: mac === 'none' ? undefined : { algorithm: mac, key: Buffer.from(macKey?.reveal() ?? '', 'hex') },
    clock,
  });
  return { address, wire, clock, answerMs, signOn, echoMs: settings.echoSeconds * 1000 };
}
