// All connections of a connector, and the requests under way on them. An answer finds its request by what it answers,
// trace number, transmission time and terminal; whatever finds none is late, doubled or not ours, and changes nothing.

import type { LineFault } from '../acquirer.ts';
import { answeringType, FIELD, type IsoMessage, MessageFault } from './dialect.ts';
import { HostLine, type LineOptions } from './line.ts';
import { matchKey } from './messages.ts';
import type { HostSession } from './session.ts';
import { ConnectionEnd, waitFor } from './waiting.ts';

/** How a request ended. `unsent` is certain: no byte of it was handed to a connection, and none will be. */
export type Asked =
  | { readonly word: 'answered'; readonly answer: IsoMessage; readonly repeated: boolean }
  | { readonly word: 'unsent'; readonly reason: string; readonly fault?: 'unreachable' }
  | { readonly word: 'lost'; readonly reason: string; readonly fault: LineFault };

/** A request that finds no connection waits so long for one. */
const CONNECTION_WAIT_MS = 5_000;
const MAX_UNDER_WAY = 10_000;
/** How often a message with a repeat is sent within the time for an answer. */
const SENDINGS = 3;

const CLOSED = 'the connector is closed';

const unsent = (reason: string) => ({ word: 'unsent', reason }) as const;
const lost = (reason: string, fault: LineFault) => ({ word: 'lost', reason, fault }) as const;

export class HostLines {
  readonly #options: LineOptions;
  readonly #lines: readonly HostLine[];
  readonly #underWay = new Map<string, (answer: IsoMessage) => void>();
  readonly #waiting = new Set<() => void>();
  readonly #closing = new ConnectionEnd();
  #turn = 0;

  constructor(options: LineOptions, connections: number) {
    this.#options = options;
    const open = () =>
      new HostLine(
        options,
        (message) => this.#take(message),
        () => this.#wake(),
      );
    this.#lines = Array.from({ length: connections }, open);
  }

  async ask(message: IsoMessage, repeat?: string): Promise<Asked> {
    if (this.#closing.isOver) return unsent(CLOSED);
    const messages = [message, ...(repeat === undefined ? [] : [{ ...message, mti: repeat }])];
    let bytes: Buffer[];
    try {
      bytes = messages.map((one) => this.#options.wire.bytesOf(one));
    } catch (error) {
      if (error instanceof MessageFault) return unsent(error.message);
      throw error;
    }
    const key = matchKey(answeringType(message.mti), message.fields);
    if (this.#underWay.has(key)) return unsent('a request with the same trace number and time is under way');
    if (this.#underWay.size >= MAX_UNDER_WAY) return unsent(`${MAX_UNDER_WAY} requests are under way`);
    const answered = new Promise<IsoMessage>((resolve) => this.#underWay.set(key, resolve));
    try {
      return await this.#exchange(messages, bytes, answered);
    } finally {
      this.#underWay.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#closing.tell(CLOSED);
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  async #exchange(
    messages: readonly IsoMessage[],
    bytes: readonly Buffer[],
    answered: Promise<IsoMessage>,
  ): Promise<Asked> {
    const { answerMs, clock } = this.#options;
    const begun = clock.now();
    const session = await this.#freeSession(Math.min(CONNECTION_WAIT_MS, answerMs));
    if (this.#closing.isOver) return unsent(CLOSED);
    // A process that was stopped meanwhile may have lost the order to another node.
    if (clock.now() - begun >= answerMs) return unsent('a connection came too late');
    if (!session?.write(messages[0]!, bytes[0]!)) return { ...unsent(this.#lines[0]!.state), fault: 'unreachable' };
    const leftMs = Math.max(0, answerMs - Math.max(0, clock.now() - begun));
    const isRepeated = messages.length > 1;
    const sendings = isRepeated ? SENDINGS : 1;
    // A message that may be repeated outlives its connection.
    const over = isRepeated ? this.#closing.on : session.onEnd;
    let repeated = false;
    for (let sending = 1; sending <= sendings; sending++) {
      const outcome = await waitFor(answered, { clock, ms: leftMs / sendings, over });
      if (typeof outcome === 'string') return lost(`the connection ended before the answer: ${outcome}`, 'unreachable');
      if (outcome !== undefined) return { word: 'answered', answer: outcome, repeated };
      if (sending < sendings && this.#nextFree()?.write(messages[1]!, bytes[1]!)) repeated = true;
    }
    return lost(`no answer within ${answerMs} ms`, 'silent');
  }

  async #freeSession(waitMs: number): Promise<HostSession | undefined> {
    const { clock } = this.#options;
    const until = clock.now() + waitMs;
    // Many requests may wait: each looks for itself whether it gets a connection.
    for (;;) {
      const free = this.#nextFree();
      const leftMs = until - clock.now();
      if (free !== undefined || leftMs <= 0 || leftMs > waitMs || this.#closing.isOver) return free;
      let wake = () => {};
      const up = new Promise<true>((resolve) => {
        wake = () => resolve(true);
        this.#waiting.add(wake);
      });
      const woken = await waitFor(up, { clock, ms: leftMs, over: this.#closing.on });
      this.#waiting.delete(wake);
      if (woken === undefined) return this.#nextFree();
    }
  }

  /** The connections take turns. */
  #nextFree(): HostSession | undefined {
    for (let tried = 0; tried < this.#lines.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#lines.length;
      const free = this.#lines[this.#turn]!.free;
      if (free !== undefined) return free;
    }
    return undefined;
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #take(message: IsoMessage): void {
    const { dialect } = this.#options.wire;
    if (dialect.waits.includes((message.fields[FIELD.code] ?? '').trim())) return;
    this.#underWay.get(matchKey(message.mti.slice(0, 3), message.fields))?.(message);
  }
}
