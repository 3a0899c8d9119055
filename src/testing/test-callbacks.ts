// Somebody who takes callbacks in a test: a server that answers 200, verifies each and keeps it.

import { type ToldVerdict, verifyCallback } from '../client/index.ts';
import { httpServer, type Listening, listen, sendReply } from '../http/http-server.ts';

export type ReceivedCallback = {
  readonly params: Readonly<Record<string, string>>;
  /** Whether both signatures fit, and why not. */
  readonly verdict: ToldVerdict;
};

export type CallbacksAsked = {
  /** Only those about this order. */
  readonly client_orderid?: string;
  /** How many to wait for; one unless given. */
  readonly count?: number;
  /** How long to wait; ten seconds unless given. */
  readonly withinMs?: number;
};

const WITHIN_MS = 10_000;

export class TestCallbacks {
  readonly #received: ReceivedCallback[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #listening: Listening;

  private constructor(listening: Listening) {
    this.#listening = listening;
  }

  static async open(controlKey: string, now: () => number): Promise<TestCallbacks> {
    let take = (_: ReceivedCallback) => {};
    const server = httpServer((request, response) => {
      const { url = '', headers } = request;
      const verdict = verifyCallback(url, controlKey, { headers, now });
      take({ params: verdict.params, verdict });
      sendReply(response, { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'OK' });
    });
    const callbacks = new TestCallbacks(await listen(server, {}));
    take = (one) => callbacks.#take(one);
    return callbacks;
  }

  get url(): string {
    return `${this.#listening.url}/callback`;
  }

  /** All that came, once there are as many as asked for; throws when they do not come in time. */
  async received(asked: CallbacksAsked = {}): Promise<readonly ReceivedCallback[]> {
    const { count = 1, withinMs = WITHIN_MS } = asked;
    const until = Date.now() + withinMs;
    for (;;) {
      const found = this.#received.filter(({ params }) => isAsked(params, asked));
      if (found.length >= count) return found;
      const leftMs = until - Date.now();
      if (leftMs <= 0) throw new Error(`${found.length} of ${count} callbacks came within ${withinMs} ms`);
      await this.#next(leftMs);
    }
  }

  close(): Promise<void> {
    return this.#listening.cut();
  }

  #take(one: ReceivedCallback): void {
    this.#received.push(one);
    for (const wake of [...this.#waiting]) wake();
  }

  #next(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, limitMs);
      this.#waiting.add(wake);
    });
  }
}

function isAsked(params: ReceivedCallback['params'], { client_orderid }: CallbacksAsked): boolean {
  return client_orderid === undefined || params.client_orderid === client_orderid;
}
