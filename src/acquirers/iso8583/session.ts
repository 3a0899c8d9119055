// One connection to the host, from the moment it stands to its end. It signs on, shows that it is there, answers the
// host's own network messages, and hands all other messages on.

import type { Socket } from 'node:net';
import type { Clock } from '../../domain/clock.ts';
import { isAccepted, shownCode } from './answers.ts';
import { lineReason } from './dial.ts';
import { answeringType, FIELD, type IsoMessage, MessageFault } from './dialect.ts';
import { matchKey, networkMessage } from './messages.ts';
import { ConnectionEnd, waitFor } from './waiting.ts';
import type { Wire } from './wire.ts';

export type SessionOptions = {
  readonly socket: Socket;
  readonly host: string;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly answerMs: number;
  /** Whether a message that cannot be read ends a question of ours. It does not where money may follow. */
  readonly isImpatient?: boolean;
  /** Gets every message that is about money. */
  readonly onMessage: (message: IsoMessage) => void;
};

export type NetworkOutcome = { readonly works: true } | { readonly works: false; readonly reason: string };

/** A host that does not read gets no more than this. */
const MAX_UNREAD_BYTES = 1024 * 1024;

const NETWORK_CLASS = '8';
const REQUEST_FUNCTIONS = '02';

/** Numbers network messages. They are asked about by nobody later, so they need not follow from what is stored. */
let networkMessages = 0;

export class HostSession {
  readonly #ending = new ConnectionEnd();
  /** Tells the reason when the connection has ended. */
  readonly onEnd = this.#ending.on;
  readonly #options: SessionOptions;
  readonly #questions = new Map<string, (answer: IsoMessage) => void>();
  #isSignedOff = false;
  #received = 0;
  #onFault: (reason: string) => void = () => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    const { socket, host, wire } = options;
    const frames = wire.frameReader();
    socket.on('data', (chunk) => this.#take(frames.push.bind(frames), chunk));
    socket.on('error', (error) => this.#ending.tell(lineReason(error, { host })));
    socket.on('end', () => this.end('the host closed the connection'));
    socket.on('close', () => this.#ending.tell('the host closed the connection'));
  }

  /** Whether a request may be written now. */
  get isFree(): boolean {
    const { socket } = this.#options;
    return socket.writable && !this.#isSignedOff && socket.writableLength < MAX_UNREAD_BYTES;
  }

  /** How many chunks have come: it stands still while the host is silent. */
  get received(): number {
    return this.#received;
  }

  /** False when for certain nothing was handed to the connection. */
  write(message: IsoMessage, bytes: Buffer): boolean {
    const { socket, wire } = this.#options;
    if (!socket.writable) return false;
    wire.noteSent(message);
    socket.write(bytes);
    return true;
  }

  end(reason: string): void {
    this.#ending.tell(reason);
    this.#options.socket.destroy();
  }

  signOn(): Promise<NetworkOutcome> {
    return this.#ask(this.#options.wire.dialect.network.signOn);
  }

  echo(): Promise<NetworkOutcome> {
    return this.#ask(this.#options.wire.dialect.network.echo);
  }

  async #ask(what: string): Promise<NetworkOutcome> {
    const { clock, wire, answerMs, isImpatient = false } = this.#options;
    networkMessages += 1;
    const message = networkMessage(wire.dialect, what, { number: networkMessages, at: clock.now() });
    const key = matchKey(answeringType(message.mti), message.fields);
    const answered = new Promise<IsoMessage | string>((resolve) => {
      this.#questions.set(key, resolve);
      if (isImpatient) this.#onFault = resolve;
    });
    if (!this.write(message, wire.bytesOf(message))) return { works: false, reason: 'the connection has ended' };
    const outcome = await waitFor(answered, { clock, ms: answerMs, over: this.onEnd });
    this.#questions.delete(key);
    if (outcome === undefined) return { works: false, reason: `no answer within ${answerMs} ms` };
    if (typeof outcome === 'string') return { works: false, reason: outcome };
    if (isAccepted(wire.dialect, outcome)) return { works: true };
    return { works: false, reason: `the host answered with code ${shownCode(wire.dialect, outcome)}` };
  }

  #take(cut: (chunk: Buffer) => Buffer[], chunk: Buffer): void {
    this.#received += 1;
    try {
      for (const frame of cut(chunk)) this.#receive(frame);
    } catch (error) {
      this.end(error instanceof MessageFault ? error.message : 'the stream cannot be read');
    }
  }

  #receive(frame: Buffer): void {
    const message = this.#read(frame);
    if (message === undefined) return;
    const { mti, fields } = message;
    if (mti.charAt(1) !== NETWORK_CLASS) this.#options.onMessage(message);
    else if (REQUEST_FUNCTIONS.includes(mti.charAt(2))) this.#reply(message);
    else this.#questions.get(matchKey(mti.slice(0, 3), fields))?.(message);
  }

  /** What cannot be read changes nothing. */
  #read(frame: Buffer): IsoMessage | undefined {
    try {
      return this.#options.wire.read(frame);
    } catch (error) {
      this.#onFault(error instanceof MessageFault ? error.message : 'the message cannot be read');
      return undefined;
    }
  }

  /** Answers the host's own network message with its own fields. */
  #reply({ mti, fields }: IsoMessage): void {
    const { socket, wire } = this.#options;
    if (socket.writableLength >= MAX_UNREAD_BYTES) this.end('the host asks and does not read the answers');
    const { network } = wire.dialect;
    const asks = fields[network.field] ?? '';
    const isKnown = [network.signOn, network.signOff, network.echo].includes(asks);
    if (asks === network.signOff) this.#isSignedOff = true;
    if (asks === network.signOn) this.#isSignedOff = false;
    const code = isKnown ? network.accepted : network.refused;
    const reply = { mti: answeringType(mti) + mti.charAt(3), fields: { ...fields, [FIELD.code]: code } };
    try {
      this.write(reply, wire.bytesOf(reply));
    } catch {
      // Its fields were readable but cannot be written back as they are; the host will ask again.
    }
  }
}
