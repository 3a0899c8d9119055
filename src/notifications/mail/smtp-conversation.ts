// Lines to a mail server and its replies, one at a time, each within a bound of time and of length.

import type { Socket } from 'node:net';

export type SmtpReply = { readonly code: number; readonly lines: readonly string[] };

/** Why there is no reply. */
export class Unanswered extends Error {}

const LONGEST_REPLY = 16_384;
const MOST_LINES = 100;

export class SmtpConversation {
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #heard = '';
  #lines: string[] = [];
  #ready: SmtpReply[] = [];
  #fault: Unanswered | undefined;
  #wake: () => void = () => {};
  #isReleased = false;

  private constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket;
    this.#timeoutMs = timeoutMs;
    socket.on('data', this.#take);
    socket.on('error', this.#failed);
    socket.on('close', this.#closed);
  }

  static async open(socket: Socket, when: 'connect' | 'secureConnect', timeoutMs: number): Promise<SmtpConversation> {
    const conversation = new SmtpConversation(socket, timeoutMs);
    let isOpen = false;
    socket.once(when, () => {
      isOpen = true;
      conversation.#wake();
    });
    await conversation.#until(() => isOpen);
    return conversation;
  }

  readonly #take = (bytes: Buffer): void => {
    this.#heard += bytes.toString('latin1');
    const lines = this.#heard.split('\r\n');
    this.#heard = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
    if (this.#heard.length > LONGEST_REPLY || this.#lines.length > MOST_LINES) this.#end('the server says too much');
    this.#wake();
  };

  #takeLine(line: string): void {
    const [, code, mark, text = ''] = /^(\d{3})([ -])?(.*)$/.exec(line) ?? [];
    if (code === undefined) this.#end('the server says what is no reply');
    this.#lines.push(text);
    if (mark === '-' || code === undefined) return;
    this.#ready.push({ code: Number(code), lines: this.#lines });
    this.#lines = [];
  }

  readonly #failed = (error: Error): void => {
    this.#end(`the connection failed: ${'code' in error ? error.code : error.name}`);
  };

  readonly #closed = (): void => {
    this.#end('the server hung up');
  };

  #end(fault: string): void {
    this.#fault ??= new Unanswered(fault);
    this.#socket.destroy();
    this.#wake();
  }

  /** Waits until it is so, the conversation fails or the time is over. */
  async #until(isSo: () => boolean): Promise<void> {
    const timer = setTimeout(() => this.#end('the server did not answer in time'), this.#timeoutMs);
    while (!isSo()) {
      if (this.#fault) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    if (!isSo()) throw this.#fault ?? new Unanswered('the conversation ended');
  }

  async hear(): Promise<SmtpReply> {
    await this.#until(() => this.#ready.length > 0);
    return this.#ready.shift() as SmtpReply;
  }

  /** `line` has no end of its own; what is more than one line is a message. */
  async ask(line: string): Promise<SmtpReply> {
    this.say(line);
    return this.hear();
  }

  say(line: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${line}\r\n`);
  }

  /** The socket, for TLS over it. What was said in clear before must not be taken for what is said under TLS. */
  release(): Socket {
    if (this.#heard !== '' || this.#ready.length > 0 || this.#lines.length > 0) {
      this.#end('the server spoke before TLS began');
      throw this.#fault;
    }
    this.#socket.off('data', this.#take).off('error', this.#failed).off('close', this.#closed);
    this.#isReleased = true;
    // What fails from here on is told by the socket around it.
    return this.#socket.on('error', () => {});
  }

  end(): void {
    // A socket below TLS is closed by the one above it only.
    if (this.#isReleased) return;
    // The last words still go out; what comes back is of no interest.
    this.#socket.off('close', this.#closed).end();
    this.#socket.setTimeout(this.#timeoutMs, () => this.#socket.destroy());
  }
}
