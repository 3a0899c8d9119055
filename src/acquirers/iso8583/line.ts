// A lasting connection to the host: connected, signed on, shown to be alive when nothing happens, and connected anew
// with growing gaps when it ends.

import type { Clock } from '../../domain/clock.ts';
import { dial, type HostAddress } from './dial.ts';
import type { IsoMessage } from './dialect.ts';
import { HostSession } from './session.ts';
import { waitFor } from './waiting.ts';
import type { Wire } from './wire.ts';

export type LineOptions = {
  readonly address: HostAddress;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly answerMs: number;
  readonly signOn: boolean;
  /** 0 for never. */
  readonly echoMs: number;
};

const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 60_000;

export class HostLine {
  readonly #options: LineOptions;
  readonly #onMessage: (message: IsoMessage) => void;
  readonly #onUp: () => void;
  readonly #closing = new AbortController();
  readonly #over: Promise<void>;
  #session: HostSession | undefined;
  #state = 'the connection is not up yet';

  constructor(options: LineOptions, onMessage: (message: IsoMessage) => void, onUp: () => void) {
    this.#options = options;
    this.#onMessage = onMessage;
    this.#onUp = onUp;
    this.#over = this.#run();
  }

  /** The connection, when a request may be written to it. */
  get free(): HostSession | undefined {
    return this.#session?.isFree ? this.#session : undefined;
  }

  /** Why there is none. */
  get state(): string {
    return this.#session === undefined ? this.#state : 'the host takes no requests on this connection';
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.end('the connector is closed');
    await this.#over;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let gapMs = FIRST_GAP_MS;
    while (!signal.aborted) {
      const wasUp = await this.#live();
      if (signal.aborted) return;
      if (wasUp) gapMs = FIRST_GAP_MS;
      await this.#options.clock.sleep(gapMs, signal);
      gapMs = Math.min(gapMs * 2, LONGEST_GAP_MS);
    }
  }

  /** One connection from its beginning to its end. Tells whether requests could be written to it. */
  async #live(): Promise<boolean> {
    const { address, clock, wire, answerMs, signOn } = this.#options;
    const { signal } = this.#closing;
    const dialled = await dial(address, clock, signal);
    if ('failed' in dialled) {
      this.#state = dialled.reason;
      return false;
    }
    const { socket } = dialled;
    const session = new HostSession({ socket, host: address.host, wire, clock, answerMs, onMessage: this.#onMessage });
    const stop = () => session.end('the connector is closed');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const signed = signOn ? await session.signOn() : { works: true as const };
    if (signed.works) {
      this.#session = session;
      this.#onUp();
      this.#state = await this.#stayAlive(session);
      this.#session = undefined;
    } else {
      this.#state = `sign on: ${signed.reason}`;
    }
    session.end(this.#state);
    signal.removeEventListener('abort', stop);
    return signed.works;
  }

  /** Waits for the end of the connection, and ends it when the host is silent although it is asked. */
  async #stayAlive(session: HostSession): Promise<string> {
    const { clock, echoMs } = this.#options;
    if (echoMs === 0) return new Promise((resolve) => void session.onEnd(resolve));
    for (;;) {
      const before = session.received;
      const never = new Promise<never>(() => {});
      const ended = await waitFor(never, { clock, ms: echoMs, over: session.onEnd });
      if (ended !== undefined) return ended;
      if (session.received !== before) continue;
      const echoed = await session.echo();
      if (!echoed.works) return `echo: ${echoed.reason}`;
    }
  }
}
