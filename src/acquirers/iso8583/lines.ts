// All connections of a connector, and the requests under way on them. An answer finds its request by what it answers,
// trace number, transmission time and terminal; whatever finds none is late, doubled or not ours, and changes nothing.

import type { Clock } from '../../domain/clock.ts';
import type { LineFault } from '../acquirer.ts';
import { answeringType, FIELD, type IsoMessage, MessageFault } from './dialect.ts';
import { HostLine, type LineOptions } from './line.ts';
import { matchKey } from './messages.ts';
import type { HostSession } from './session.ts';

/** How a request ended. `unsent` is certain: no byte of it was handed to a connection, and none will be. */
export type Asked =
  | { readonly word: 'answered'; readonly answer: IsoMessage; readonly repeated: boolean }
  | { readonly word: 'unsent'; readonly reason: string }
  | { readonly word: 'lost'; readonly reason: string; readonly fault: LineFault };

/** A request that finds no connection waits so long for one. */
const CONNECTION_WAIT_MS = 5_000;
const MAX_UNDER_WAY = 10_000;
/** How often a message with a repeat is sent within the time for an answer. */
const SENDINGS = 3;

const unsent = (reason: string): Asked => ({ word: 'unsent', reason });

export class HostLines {
  readonly #options: LineOptions;
  readonly #clock: Clock;
  readonly #lines: readonly HostLine[];
  readonly #underWay = new Map<string, (answer: IsoMessage) => void>();
  readonly #waiting = new Set<() => void>();
  readonly #closing = new AbortController();
  #turn = 0;

  constructor(options: LineOptions, connections: number) {
    this.#options = options;
    this.#clock = options.clock;
    const open = () =>
      new HostLine(
        options,
        (message) => this.#take(message),
        () => this.#wake(),
      );
    this.#lines = Array.from({ length: connections }, open);
  }

  async ask(message: IsoMessage, repeat?: string): Promise<Asked> {
    if (this.#closing.signal.aborted) return unsent('the connector is closed');
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
    this.#closing.abort();
    this.#wake();
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  async #exchange(
    messages: readonly IsoMessage[],
    bytes: readonly Buffer[],
    answered: Promise<IsoMessage>,
  ): Promise<Asked> {
    const { answerMs } = this.#options;
    const begun = this.#clock.now();
    const session = await this.#freeSession(Math.min(CONNECTION_WAIT_MS, answerMs));
    if (this.#closing.signal.aborted) return unsent('the connector is closed');
    if (session === undefined || !session.write(messages[0]!, bytes[0]!)) return unsent(this.#lines[0]!.state);
    const waitedMs = Math.max(0, this.#clock.now() - begun);
    const leftMs = Math.max(0, answerMs - waitedMs);
    const isRepeated = messages.length > 1;
    const turns = isRepeated ? SENDINGS : 1;
    let repeated = false;
    for (let turn = 1; turn <= turns; turn++) {
      // A message that may be repeated outlives its connection.
      const broken = isRepeated ? this.#closed() : session.ended;
      const outcome = await this.#within(leftMs / turns, answered, broken);
      if (outcome === undefined && turn < turns) {
        const next = this.#nextFree();
        if (next?.write(messages[1]!, bytes[1]!)) repeated = true;
        continue;
      }
      if (outcome === undefined) return { word: 'lost', reason: `no answer within ${answerMs} ms`, fault: 'silent' };
      if (typeof outcome !== 'string') return { word: 'answered', answer: outcome, repeated };
      return { word: 'lost', reason: `the connection ended before the answer: ${outcome}`, fault: 'unreachable' };
    }
    return { word: 'lost', reason: `no answer within ${answerMs} ms`, fault: 'silent' };
  }

  /** The answer, or why none will come, or undefined when the time is up. */
  async #within(ms: number, answered: Promise<IsoMessage>, broken: Promise<string>) {
    const done = new AbortController();
    const outcome = await Promise.race([answered, broken, this.#clock.sleep(ms, done.signal)]);
    done.abort();
    return outcome ?? undefined;
  }

  #closed(): Promise<string> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      const tell = () => resolve('the connector is closed');
      if (signal.aborted) tell();
      else signal.addEventListener('abort', tell, { once: true });
    });
  }

  async #freeSession(waitMs: number): Promise<HostSession | undefined> {
    const free = this.#nextFree();
    if (free !== undefined) return free;
    const done = new AbortController();
    const late = this.#clock.sleep(waitMs, done.signal).then(() => true);
    // More than one request may wait: each looks for itself which connection it gets.
    for (let isLate = false; !isLate && !this.#closing.signal.aborted; ) {
      let wake = () => {};
      const up = new Promise<boolean>((resolve) => {
        wake = () => resolve(false);
        this.#waiting.add(wake);
      });
      isLate = await Promise.race([up, late]);
      this.#waiting.delete(wake);
      const found = this.#nextFree();
      if (found !== undefined) {
        done.abort();
        return found;
      }
    }
    done.abort();
    return undefined;
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
