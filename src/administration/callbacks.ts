// Callbacks, as an operator sees them: a list, one with every try, and the way to send it once more.

import { type CallbackTarget, callbackId, readCallbackId } from '../domain/order/callbacks.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { Callback, CallbackAttempt, CallbackState } from '../storage/orders/callbacks.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, idOf, needed, shown, textOf, Unfit, wordOf } from './given.ts';
import { loginOf, merchantIdsOf } from './merchants.ts';
import { written, writtenIfAny } from './verb/moments.ts';

const STATES = ['waiting', 'delivered', 'failed'] as const satisfies CallbackState[];

/** Rows of a list, tries shown with one, and failed ones sent again at once. */
const LIST_LIMIT = 100;
const SHOWN_ATTEMPTS = 100;
const REPLAY_LIMIT = 10_000;

const LONGEST_ID = 40;

export type CallbackView = {
  readonly callbackId: string;
  readonly login: string;
  readonly orderId: number;
  /** Which transaction of the order it is about. */
  readonly transaction: number;
  readonly target: CallbackTarget;
  /** Host and port. */
  readonly destination: string;
  readonly state: CallbackState;
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
};

export type AttemptView = {
  readonly at: string;
  readonly address: string | null;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly fault: string | null;
  readonly answer: string | null;
};

/** The latest try first. */
export type WholeCallbackView = CallbackView & { readonly log: readonly AttemptView[] };

export function callbackVerbs(parts: AdministrationParts) {
  const { callbacks, clock, configuration } = parts;
  return {
    /** The newest orders first: of the merchant `login` or of all, of one order, in one `state`, of orders before one. */
    async listCallbacks(given: Given): Promise<CallbackView[]> {
      const all = await configuration.read();
      const query = {
        merchantIds: merchantIdsOf(given, all),
        orderId: idOf(given, 'orderId'),
        state: wordOf(given, 'state', STATES),
        before: idOf(given, 'before'),
        limit: LIST_LIMIT,
      };
      return (await callbacks.list(query)).map((callback) => viewOf(callback, all));
    },

    async showCallback(given: Given): Promise<WholeCallbackView> {
      const all = await configuration.read();
      const callback = await callbackOf(parts, given, all);
      const log = await callbacks.attempts(callback, SHOWN_ATTEMPTS);
      return { ...viewOf(callback, all), log: log.map(attemptView) };
    },

    /** Sends it now, whatever became of it, and repeats it as if it were new. */
    async replayCallback(given: Given): Promise<CallbackView> {
      const all = await configuration.read();
      const callback = await callbackOf(parts, given, all);
      await callbacks.replay(callback, clock.now());
      return viewOf(await callbackOf(parts, given, all), all);
    },

    /** All that were given up, of the merchant `login` or of all; answers how many. */
    async replayFailedCallbacks(given: Given): Promise<{ replayed: number }> {
      const merchantIds = merchantIdsOf(given, await configuration.read());
      let replayed = 0;
      while (replayed < REPLAY_LIMIT) {
        const failed = await callbacks.list({ merchantIds, state: 'failed', limit: LIST_LIMIT });
        for (const callback of failed) await callbacks.replay(callback, clock.now());
        replayed += failed.length;
        if (failed.length < LIST_LIMIT) break;
      }
      return { replayed };
    },
  };
}

/** Order ids are unique among all merchants, so nobody has to say whose it is. */
async function callbackOf({ callbacks }: AdministrationParts, given: Given, all: Configuration): Promise<Callback> {
  const text = needed(textOf(given, 'callbackId', LONGEST_ID), 'callbackId', 'the id of a callback');
  const name = readCallbackId(text);
  if (!name) throw new Unfit(`callbackId: an id such as 1234567-1-server is needed, not ${shown(text)}`);
  const ofOrder = await callbacks.list({
    merchantIds: merchantIdsOf({}, all),
    orderId: name.orderId,
    limit: REPLAY_LIMIT,
  });
  const found = ofOrder.find(({ seq, target }) => seq === name.seq && target === name.target);
  if (found) return found;
  throw new Unfit(`there is no callback ${text}; "tender callback list" shows the newest`);
}

function viewOf(callback: Callback, all: Configuration): CallbackView {
  const { merchantId, orderId, seq, target, destination, state, attempts, dueAt } = callback;
  return {
    callbackId: callbackId(callback),
    login: loginOf(merchantId, all),
    orderId,
    transaction: seq,
    target,
    destination,
    state,
    attempts,
    dueAt: writtenIfAny(dueAt),
    createdAt: written(callback.createdAt),
    changedAt: written(callback.changedAt),
  };
}

export function attemptView({ at, address, status, milliseconds, fault, answer }: CallbackAttempt): AttemptView {
  return {
    at: written(at),
    address: address ?? null,
    status: status ?? null,
    milliseconds,
    fault: fault ?? null,
    answer: answer ?? null,
  };
}
