// Callbacks, as an operator sees them: a list, one with every try, and the way to send it once more.

import { id, line, word } from '../domain/input-kinds.ts';
import { callbackId, readCallbackId } from '../domain/order/callbacks.ts';
import { writeMark } from '../domain/search/mark.ts';
import { timeFaults } from '../domain/search/order-search.ts';
import { shown } from '../domain/text.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { Callback, CallbackPlace } from '../storage/orders/callbacks.ts';
import { loginOf, merchantIdsOf, merchantLogin, onlyMerchant } from './lookups.ts';
import { timeFilters } from './orders/order-filters.ts';
import type { Parts } from './parts.ts';
import {
  type Answered,
  aList,
  aMeasure,
  aMoment,
  aNumber,
  anObject,
  aText,
  aWord,
  orNull,
  told,
} from './verb/answers.ts';
import { mayGive, mustGive } from './verb/inputs.ts';
import { InvalidInput } from './verb/invalid-input.ts';
import { aPageOf, pageInputs, pageRowsOf, placeAfter, USUAL_PAGE } from './verb/pages.ts';
import { minute, properties, textTable } from './verb/table.ts';
import { defineReading, defineVerb } from './verb/verb.ts';

const STATES = ['waiting', 'delivered', 'failed'] as const;

const ANY = { orderId: undefined, state: undefined, from: undefined, to: undefined } as const;
const FAILED = { ...ANY, state: 'failed' } as const;

/** Failed ones read at once, tries shown with one, and failed ones sent again at once. */
const LIST_LIMIT = 100;
const SHOWN_ATTEMPTS = 100;
const REPLAY_LIMIT = 10_000;

const LONGEST_ID = 40;
/** How much of an answer one line shows. */
const SHOWN_ANSWER = 60;

const callbackView = anObject({
  callbackId: aText(),
  login: told(aText(), 'merchant'),
  orderId: told(aNumber(), 'order'),
  transaction: aNumber('Which transaction of the order it is about.'),
  target: aWord(['server', 'notify']),
  destination: aText('Host and port.'),
  state: told(aWord(STATES)),
  attempts: aNumber(),
  dueAt: orNull(aMoment()),
  createdAt: aMoment(),
  changedAt: aMoment(),
});

export const attempt = anObject({
  at: aMoment(),
  address: orNull(aText()),
  status: orNull(aNumber('Of HTTP.')),
  milliseconds: aMeasure(),
  fault: orNull(aText()),
  answer: orNull(aText()),
});

const wholeCallbackView = anObject({ ...callbackView.members, log: aList(attempt, 'The latest try first.') });

export const listCallbacks = defineReading({
  name: 'listCallbacks',
  summary: 'find callbacks, the newest first',
  merchants: 'own',
  given: {
    login: onlyMerchant,
    orderId: mayGive(id, 'only those of this order', { as: '--order <id>' }),
    state: mayGive(word(STATES), 'only those in this state', { as: '--state <state>' }),
    ...timeFilters,
    ...pageInputs,
  },
  answer: aPageOf(callbackView),
  run: async ({ login, orderId, state, from, to, after, limit = USUAL_PAGE }, { callbacks, configuration }) => {
    const search = { orderId, state, from, to };
    const faults = timeFaults(search);
    if (faults.length > 0) throw new InvalidInput(...faults);
    const all = await configuration.read();
    const sought = { login, search };
    const [createdAt, ofOrder, seq, target] = placeAfter(sought, after, ['number', 'number', 'number', 'string']) ?? [];
    // `placeAfter` has read a mark of these kinds.
    const place = createdAt === undefined ? undefined : ({ createdAt, orderId: ofOrder, seq, target } as CallbackPlace);
    const merchantIds = merchantIdsOf(login, all);
    const { found, next } = await callbacks.search({ merchantIds, search, after: place, limit });
    return {
      found: found.map((callback) => viewOf(callback, all)),
      next: next && writeMark(sought, [next.createdAt, next.orderId, next.seq, next.target]),
    };
  },
  show: pageRowsOf(
    {
      ID: (one) => one.callbackId,
      MERCHANT: (one) => one.login,
      DESTINATION: (one) => one.destination,
      STATE: (one) => one.state,
      TRIES: (one) => one.attempts,
      DUE: (one) => minute(one.dueAt),
    },
    'There are no such callbacks.',
  ),
});

const whichCallback = {
  callbackId: mustGive(line(LONGEST_ID), 'its id, as lists and the header webhook-id give it', {
    as: '<id>',
    what: 'the id of a callback',
  }),
};

export const showCallback = defineReading({
  name: 'showCallback',
  command: 'callback show',
  summary: 'show everything about a callback, with every try',
  merchants: 'own',
  example: 'tender callback show 1234567-1-server',
  given: whichCallback,
  answer: wholeCallbackView,
  run: async ({ callbackId }, { callbacks, configuration }) => {
    const all = await configuration.read();
    const callback = await findCallback(callbackId, { callbacks }, all);
    const log = await callbacks.attempts(callback, SHOWN_ATTEMPTS);
    return { ...viewOf(callback, all), log };
  },
  show: whole,
});

export const replayCallback = defineVerb({
  name: 'replayCallback',
  summary: 'send a callback now, whatever became of it, and repeat it as if it were new',
  merchants: 'own',
  role: 'operator',
  conduct: 'change',
  given: whichCallback,
  answer: callbackView,
  run: async ({ callbackId }, { callbacks, clock, configuration }) => {
    const all = await configuration.read();
    await callbacks.replay(await findCallback(callbackId, { callbacks }, all), clock.now());
    return viewOf(await findCallback(callbackId, { callbacks }, all), all);
  },
  show: ({ callbackId, destination }) => `Callback ${callbackId} is due now at ${destination}.`,
});

export const replayFailedCallbacks = defineVerb({
  name: 'replayFailedCallbacks',
  summary: 'send all callbacks once more that were given up, of a merchant or of all',
  merchants: 'own',
  role: 'operator',
  conduct: 'change',
  given: { login: mayGive(merchantLogin, 'only those of this merchant', { told: 'merchant' }) },
  answer: anObject({ replayed: aNumber('How many.') }),
  run: async ({ login }, { callbacks, clock, configuration }) => {
    const merchantIds = merchantIdsOf(login, await configuration.read());
    let replayed = 0;
    while (replayed < REPLAY_LIMIT) {
      const { found: failed } = await callbacks.search({ merchantIds, search: FAILED, limit: LIST_LIMIT });
      for (const callback of failed) await callbacks.replay(callback, clock.now());
      replayed += failed.length;
      if (failed.length < LIST_LIMIT) break;
    }
    return { replayed };
  },
  show: ({ replayed }) => {
    if (replayed === 0) return 'No callback was given up.';
    return replayed === 1 ? '1 callback is due now.' : `${replayed} callbacks are due now.`;
  },
});

/** Order ids are unique among all merchants, so nobody has to say whose it is. */
async function findCallback(text: string, { callbacks }: Parts<'callbacks'>, all: Configuration): Promise<Callback> {
  const name = readCallbackId(text);
  if (!name) throw new InvalidInput(`callbackId: an id such as 1234567-1-server is needed, not ${shown(text)}`);
  const merchantIds = merchantIdsOf(undefined, all);
  const search = { ...ANY, orderId: name.orderId };
  const { found: ofOrder } = await callbacks.search({ merchantIds, search, limit: REPLAY_LIMIT });
  const found = ofOrder.find(({ seq, target }) => seq === name.seq && target === name.target);
  if (found) return found;
  throw new InvalidInput(`there is no callback ${text}; "tender callback list" shows the newest`);
}

function viewOf(callback: Callback, all: Configuration) {
  const { merchantId, seq: transaction } = callback;
  return { ...callback, callbackId: callbackId(callback), login: loginOf(merchantId, all), transaction };
}

function whole(callback: Answered<typeof wholeCallbackView>): string {
  const facts = properties([
    ['Callback', callback.callbackId],
    ['Merchant', callback.login],
    ['Order', String(callback.orderId)],
    ['Transaction', String(callback.transaction)],
    ['Goes to', callback.target === 'server' ? 'server_callback_url' : 'notify_url'],
    ['Destination', callback.destination],
    ['State', callback.state],
    ['Due', minute(callback.dueAt)],
    ['Made', minute(callback.createdAt)],
  ]);
  if (callback.log.length === 0) return `${facts}\n\nIt was not tried yet.`;
  const rows = callback.log.map((one) => [one.at, one.address ?? '-', `${one.milliseconds} ms`, heard(one)]);
  return `${facts}\n\n${textTable(['TRIED', 'ADDRESS', 'TOOK', 'HEARD'], rows)}`;
}

/** What a try to call a merchant brought, on one line. */
export function heard({ status, fault, answer }: Answered<typeof attempt>): string {
  if (status === null) return fault ?? '-';
  const text = (answer ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return `${status} ${text.length > SHOWN_ANSWER ? `${text.slice(0, SHOWN_ANSWER)}…` : text}`.trim();
}
