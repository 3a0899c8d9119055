// A line between a connector and its counterpart that misbehaves as it is told. It passes bytes on and knows of the
// messages only where an answer ends, so one line serves every protocol over TCP.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../scripts/free-port.mjs';
import type { Mishap } from './connector-subject.ts';

export type LineOptions = {
  /** Where the counterpart listens on this machine. */
  readonly to: number;
  /** How many bytes the first answer has; undefined while it is not whole. */
  readonly answerLength: (bytes: Buffer) => number | undefined;
  /** What is sent in the place of answers, in turn. */
  readonly garbage: readonly (string | Buffer)[];
  /** Requests to which nothing happens: where one instruction takes several, those that move no money. */
  readonly spares?: (request: Buffer) => boolean;
};

type Connection = { readonly near: Socket; readonly far: Socket; frozen: boolean };

export class MisbehavingLine {
  readonly #options: LineOptions;
  readonly #connections = new Set<Connection>();
  #server: Server;
  #port = 0;
  #mishap: Mishap | undefined;
  #late: (() => void)[] = [];
  #garbled = 0;

  private constructor(options: LineOptions) {
    this.#options = options;
    this.#server = this.#newServer();
  }

  static async open(options: LineOptions): Promise<MisbehavingLine> {
    const line = new MisbehavingLine(options);
    await line.#listen();
    return line;
  }

  /** Where connectors reach the counterpart. */
  get port(): number {
    return this.#port;
  }

  async misbehave(mishap?: Mishap): Promise<void> {
    const before = this.#mishap;
    this.#mishap = mishap;
    if (mishap === 'frozen') for (const connection of this.#connections) freeze(connection);
    if (mishap === 'away') await this.#stop();
    else if (before === 'away') await this.#listen();
    // The last first: whoever takes answers in the order of the questions takes the wrong ones.
    for (const answer of this.#late.splice(0).reverse()) answer();
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  #newServer(): Server {
    return createServer({ noDelay: true }, (near) => this.#carry(near));
  }

  async #listen(): Promise<void> {
    this.#server = this.#newServer();
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async #stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const { near, far } of this.#connections) {
      near.destroy();
      far.destroy();
    }
    await closed;
  }

  #carry(near: Socket): void {
    const far = connect({ port: this.#options.to, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { near, far, frozen: false };
    this.#connections.add(connection);
    near.on('error', () => {});
    far.on('error', () => {});
    near.on('close', () => {
      this.#connections.delete(connection);
      far.destroy();
    });
    far.on('close', () => {
      if (!connection.frozen) near.destroy();
    });
    const { answerLength, spares = () => false } = this.#options;
    let isSpared = false;
    near.on('data', (bytes) => {
      isSpared = spares(bytes);
      if (isSpared || this.#mishap !== 'lost') far.write(bytes);
    });
    let pending = Buffer.alloc(0);
    far.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      for (let length = answerLength(pending); length; length = answerLength(pending)) {
        const answer = pending.subarray(0, length);
        pending = pending.subarray(length);
        if (isSpared) near.write(answer);
        else this.#answer(near, answer);
      }
    });
    if (this.#mishap === 'frozen') freeze(connection);
  }

  #answer(near: Socket, answer: Buffer): void {
    const { garbage } = this.#options;
    switch (this.#mishap) {
      case 'lost':
      case 'unanswered':
        return;
      case 'late':
        this.#late.push(() => near.write(answer));
        return;
      case 'doubled':
        near.write(Buffer.concat([answer, answer]));
        return;
      case 'garbage':
        near.write(garbage[this.#garbled++ % garbage.length] ?? '');
        return;
      case 'cut':
        near.write(answer.subarray(0, Math.floor(answer.length / 2)), () => near.destroy());
        return;
      default:
        near.write(answer);
    }
  }
}

function freeze(connection: Connection): void {
  connection.frozen = true;
  connection.near.removeAllListeners('data');
  connection.near.pause();
}

const HEAD_END = '\r\n\r\n';

/** Where an answer over HTTP ends, which tells its length before it or chunk by chunk. */
export function httpAnswerLength(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const fields = bytes.subarray(0, head).toString('latin1');
  const body = head + HEAD_END.length;
  if (/^transfer-encoding: *chunked$/im.test(fields)) return chunksEnd(bytes, body);
  const [, length = '0'] = /^content-length: *(\d+)$/im.exec(fields) ?? [];
  return bytes.length >= body + Number(length) ? body + Number(length) : undefined;
}

/** A chunk is its length in hexadecimal digits, its bytes, and an end of line after each; the last has no bytes. */
function chunksEnd(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + length + 2;
    if (at > bytes.length) return undefined;
    if (length === 0) return at;
  }
}

/** Where a line ends. */
export function lineLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\n');
  return end < 0 ? undefined : end + 1;
}
