// Listeners take callbacks in the place of the addresses that orders name, in sandboxes only: a command that runs
// beside a shop asks for them, tells the shop, and says what it answered. So the gateway need not reach the shop. A
// listener that does not ask for a while is gone, and callbacks go where they went before.

import { randomUUID } from 'node:crypto';
import {
  type HandedAnswer,
  type HandedCallback,
  LISTENS_MS,
  type ListenedTo,
  type ListenerAsking,
  type ListenerDesk,
} from '../domain/order/handed-callbacks.ts';
import type { Call, Called } from './client.ts';
import type { CallsMerchants } from './deliveries.ts';

/** How long a callback that was handed over waits for the shop's answer, as long as a shop has that is called. */
const ANSWER_MS = 10_000;
const MAX_LISTENERS = 20;
/** How many callbacks one question is answered with. */
const MAX_HANDED = 50;

/** How many listeners a callback waits for before it goes where its order says. */
const MAX_WAITED_FOR = 2;

type Waiting = { readonly call: Call; readonly end: (called: Called | 'not-taken') => void };

type Listener = ListenedTo & {
  heardAt: number;
  readonly waiting: Map<string, Waiting>;
  readonly handed: Map<string, Waiting>;
};

const VIA = 'tender listen';

export class CallbackListeners implements ListenerDesk {
  readonly #listeners = new Map<string, Listener>();
  /** How many calls more about an order, by its merchant's id for it, are answered with nothing. */
  readonly #heldBack = new Map<string, number>();

  open(to: ListenedTo): string | undefined {
    this.#forgetGone();
    if (this.#listeners.size >= MAX_LISTENERS) return undefined;
    const listenerId = randomUUID();
    this.#listeners.set(listenerId, { ...to, heardAt: performance.now(), waiting: new Map(), handed: new Map() });
    return listenerId;
  }

  ask({ listenerId, listens }: ListenerAsking, answers: readonly HandedAnswer[]): HandedCallback[] | undefined {
    this.#forgetGone();
    const listener = this.#listeners.get(listenerId);
    if (!listener || listener.listens !== listens) return undefined;
    listener.heardAt = performance.now();
    for (const { handedId, ...answer } of answers) listener.handed.get(handedId)?.end(calledOf(answer));
    return [...listener.waiting].slice(0, MAX_HANDED).map(([handedId, waiting]) => {
      listener.waiting.delete(handedId);
      listener.handed.set(handedId, waiting);
      const { url, headers, about } = waiting.call;
      return { handedId, callbackId: about.callbackId, url: url.href, headers };
    });
  }

  close(listenerId: string): void {
    const listener = this.#listeners.get(listenerId);
    this.#listeners.delete(listenerId);
    if (!listener) return;
    for (const { end } of listener.waiting.values()) end('not-taken');
    // Whether the shop has got it, nobody knows.
    for (const { end } of listener.handed.values()) end(silence('the listener went away'));
  }

  holdBack(clientOrderId: string, calls: number): void {
    this.#heldBack.set(clientOrderId, calls);
  }

  /** Calls merchants through a listener where there is one. */
  before(client: CallsMerchants): CallsMerchants {
    return {
      longestMs: client.longestMs + MAX_WAITED_FOR * LISTENS_MS,
      get: async (call) => {
        if (this.#isHeldBack(call)) return silence('it was held back by a story');
        const waitedFor = new Set<Listener>();
        for (let times = 0; times < MAX_WAITED_FOR; times++) {
          const called = await this.#hand(call, waitedFor);
          if (called !== 'not-taken') return called;
        }
        return client.get(call);
      },
    };
  }

  #isHeldBack({ about: { clientOrderId } }: Call): boolean {
    const calls = this.#heldBack.get(clientOrderId);
    if (calls === undefined) return false;
    if (calls <= 1) this.#heldBack.delete(clientOrderId);
    else this.#heldBack.set(clientOrderId, calls - 1);
    return true;
  }

  /** To the newest listener that it has not waited for yet. */
  async #hand(call: Call, waitedFor: Set<Listener>): Promise<Called | 'not-taken'> {
    this.#forgetGone();
    const listener = [...this.#listeners.values()].findLast((one) => listensTo(one, call) && !waitedFor.has(one));
    if (!listener) return 'not-taken';
    waitedFor.add(listener);
    const handedId = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<Called | 'not-taken'>((end) => {
      listener.waiting.set(handedId, { call, end });
      const late = () => end(listener.waiting.has(handedId) ? 'not-taken' : silence('it did not answer in time'));
      timer = setTimeout(() => {
        if (listener.waiting.has(handedId)) return late();
        timer = setTimeout(late, ANSWER_MS);
      }, LISTENS_MS);
    });
    const called = await ended;
    clearTimeout(timer);
    listener.waiting.delete(handedId);
    listener.handed.delete(handedId);
    return called;
  }

  #forgetGone(): void {
    const before = performance.now() - LISTENS_MS;
    for (const [listenerId, { heardAt }] of this.#listeners) if (heardAt < before) this.close(listenerId);
  }
}

function listensTo({ merchantId, endpointIds }: Listener, { about }: Call): boolean {
  return (
    (merchantId === undefined || merchantId === about.merchantId) &&
    (endpointIds === undefined || endpointIds.includes(about.endpointId))
  );
}

/** Nothing but the status comes from the shop, which is on somebody's own machine. */
function calledOf({ status, fault }: Omit<HandedAnswer, 'handedId'>): Called {
  if (status === undefined) return silence(fault ?? 'the listener reached nobody');
  return { address: VIA, status, answer: undefined, fault: undefined };
}

function silence(fault: string): Called {
  return { address: VIA, status: undefined, answer: undefined, fault };
}
