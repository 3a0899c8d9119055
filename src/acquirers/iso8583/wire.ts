// The way between messages and a stream of bytes: packed, authenticated, framed, and noted in the trace.

import type { Clock } from '../../domain/clock.ts';
import { type Dialect, type IsoMessage, MessageFault } from './dialect.ts';
import { FrameReader, type FrameStyle, framed } from './frames.ts';
import { isMac, type MacAlgorithm, macOf } from './mac.ts';
import { HostTrace, maskedMessage } from './masked.ts';
import { packMessage } from './pack.ts';
import { unpackMessage } from './unpack.ts';

export type WireOptions = {
  readonly dialect: Dialect;
  readonly style: FrameStyle;
  readonly mac: { readonly algorithm: MacAlgorithm; readonly key: Buffer } | undefined;
  readonly clock: Clock;
};

export class Wire {
  readonly dialect: Dialect;
  readonly trace = new HostTrace();
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.dialect = options.dialect;
    this.#options = options;
  }

  /** The bytes of a message. It throws a `MessageFault` when the message does not fit the dialect. */
  bytesOf(message: IsoMessage): Buffer {
    const { dialect, style, mac } = this.#options;
    const code = mac && ((bytes: Buffer) => macOf(mac.algorithm, mac.key, bytes));
    return framed(style, packMessage(dialect, message, code));
  }

  noteSent(message: IsoMessage): void {
    this.#note('out', maskedMessage(this.dialect, message));
  }

  frameReader(): FrameReader {
    return new FrameReader(this.#options.style);
  }

  /** The message in a frame; a `MessageFault` when it cannot be read or is not authentic. */
  read(frame: Buffer): IsoMessage {
    try {
      const message = this.#authentic(frame);
      this.#note('in', maskedMessage(this.dialect, message));
      return message;
    } catch (error) {
      const says = error instanceof MessageFault ? error.message : 'it cannot be read';
      this.#note('in', `${frame.length} bytes that are no message: ${says}`);
      throw error;
    }
  }

  #authentic(frame: Buffer): IsoMessage {
    const { dialect, mac } = this.#options;
    const { message, mac: given } = unpackMessage(dialect, frame);
    if (mac === undefined) return message;
    if (given === undefined) throw new MessageFault("the host's message carries no MAC");
    if (isMac(mac.algorithm, mac.key, given.over, given.code)) return message;
    throw new MessageFault("the MAC of the host's message is wrong: the MAC key is not the host's");
  }

  #note(direction: 'in' | 'out', text: string): void {
    this.trace.add({ at: this.#options.clock.now(), direction, text });
  }
}
