// The way from one node to the database and back. Every call takes time on both ways and may suffer what the plan says:
// never written, written without anybody hearing of it, or slow. What a node that died had sent arrives all the same.

import type { AuthenticationStore } from '../../src/storage/authentications.ts';
import type { CardAttemptStore } from '../../src/storage/cards/card-attempts.ts';
import { ConnectionLost } from '../../src/storage/database.ts';
import type { IdCounter } from '../../src/storage/id-counter.ts';
import type { AnsweredRequestStore } from '../../src/storage/orders/answered-requests.ts';
import type { CallbackStore } from '../../src/storage/orders/callbacks.ts';
import type { FormStore } from '../../src/storage/orders/forms.ts';
import type { RecurringStore } from '../../src/storage/recurring.ts';
import type { NonceStore } from '../../src/storage/requests/oauth-nonces.ts';
import type { ScreeningStore } from '../../src/storage/screening.ts';
import type { CardReferenceStore, ControlMemory, OrderStore } from '../../src/storage/store.ts';
import type { TerminalStateStore } from '../../src/storage/terminal-states.ts';
import type { Disturbances } from './disturbances.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Poll, Process, Scheduler } from './scheduler.ts';

const LONGEST_WAY_MS = 4;

export type Stores = {
  readonly orders: OrderStore;
  readonly callbacks: CallbackStore;
  readonly recurring: RecurringStore;
  readonly screening: ScreeningStore;
  readonly forms: FormStore;
  readonly authentications: AuthenticationStore;
  readonly nonces: NonceStore;
  readonly answered: AnsweredRequestStore;
  readonly controls: ControlMemory;
  readonly ids: IdCounter;
  readonly cardReferences: CardReferenceStore;
  readonly cardAttempts: CardAttemptStore;
  readonly terminalStates: TerminalStateStore;
};

export type StorageLineParts = {
  readonly database: MemoryDatabase;
  readonly disturbances: Disturbances;
  readonly scheduler: Scheduler;
  readonly process: Process;
  /** The looks for due work, which want to know whether they found any. */
  readonly polls: Readonly<Record<'orders' | 'callbacks' | 'recurring' | 'authentications' | 'terminals', Poll>>;
};

const notSimulated = (): never => {
  throw new Error('not part of the simulation');
};

export function storesOf(parts: StorageLineParts): Stores {
  const { database, polls } = parts;
  const { orders, callbacks, recurring, screening, authentications } = database;
  const read = <T>(label: string, work: () => T) => call(parts, { label, isCommit: false, work });
  const write = <T>(label: string, work: () => T) => call(parts, { label, isCommit: true, work });
  const claim = async <T>(poll: Poll, label: string, work: () => T[]): Promise<T[]> => {
    const claimed = await write(label, work);
    poll.found(claimed.length);
    return claimed;
  };
  return {
    orders: {
      commit: (batch) => write(`commit ${batch.starts.length}+${batch.changes.length}`, () => orders.commit(batch)),
      commitAlone: (conditional) => write('commit alone', () => orders.commitAlone(conditional)),
      load: (keys) => read('load', () => orders.load(keys)),
      findExisting: (query) => read('find existing', () => orders.findExisting(query)),
      hasRecurringPayment: (...id) => read('find recurring', () => orders.hasRecurringPayment(...id)),
      claimDue: (wanted) => claim(polls.orders, 'claim', () => orders.claimDue(wanted)),
      dueNow: (transaction, now) => write('due now', () => orders.dueNow(transaction, now)),
      giveBack: (claimed, dueAt) => write('give back', () => orders.giveBack(claimed, dueAt)),
      releaseLeases: (now) => write('release leases', () => orders.releaseLeases(now)),
      loadCards: (transaction) => read('load cards', () => orders.loadCards(transaction)),
      findByIdempotencyKey: (merchantId, key) => read('find key', () => orders.findByIdempotencyKey(merchantId, key)),
      findConfirmation: ({ orderId }) =>
        read('find confirmation', () => orders.confirmations.get(orderId)?.requestSerial),
      findOrderView: (query) => read('view', () => orders.findOrderView(query)),
      findOrderViews: (keys) => read('views', () => orders.findOrderViews(keys)),
      forgetExpired: (now) => write('forget', () => orders.forgetExpired(now)),
    },
    callbacks: {
      claimDue: (wanted) => claim(polls.callbacks, 'claim callbacks', () => callbacks.claimDue(wanted)),
      settle: (settled) => write(`settle ${settled.length}`, () => callbacks.settle(settled)),
      releaseLeases: (now) => write('release callbacks', () => callbacks.releaseLeases(now)),
      backlog: notSimulated,
      search: notSimulated,
      attempts: notSimulated,
      replay: notSimulated,
    },
    recurring: {
      create: (payment) => write('create recurring', () => recurring.create(payment)),
      findByClientOrderId: (merchantId, id) =>
        read('find recurring', () => recurring.findByClientOrderId(merchantId, id)),
      find: (key) => read('find recurring', () => recurring.find(key)),
      keyOf: notSimulated,
      claimDue: (wanted) => claim(polls.recurring, 'claim recurring', () => recurring.claimDue(wanted)),
      claim: (key, wanted) => write('claim one', () => recurring.claim(key, wanted)),
      release: (key, leaseUntil) => write('release one', () => recurring.release(key, leaseUntil)),
      save: (payment, at) => write('save recurring', () => recurring.save(payment, at)),
      advance: (payment, at) => write('advance recurring', () => recurring.advance(payment, at)),
      charges: (key) => read('charges', () => recurring.charges(key)),
      recentCharges: notSimulated,
      list: notSimulated,
    },
    screening: { forget: (now, limit) => write('forget marks', () => screening.forget(now, limit)) },
    forms: { countRequest: notSimulated },
    authentications: {
      begin: (begun) => write('begin authentication', () => authentications.begin(begun)),
      find: (key) => read('find authentication', () => authentications.find(key)),
      findByTransaction: (id) => read('find authentication', () => authentications.findByTransaction(id)),
      save: (saved) => write('save authentication', () => authentications.save(saved)),
      claimDue: (wanted) =>
        claim(polls.authentications, 'claim authentications', () => authentications.claimDue(wanted)),
      findUnbegun: (before, limit) => read('find unbegun', () => authentications.findUnbegun(before, limit)),
      releaseLeases: (now) => write('release authentications', () => authentications.releaseLeases(now)),
      findOutcome: (key) => read('find outcome', () => authentications.findOutcome(key)),
      transcript: notSimulated,
    },
    nonces: { take: (nonces) => write('take nonces', () => database.takeNonces(nonces)), forget: async () => 0 },
    answered: {
      add: (requests) => write('add answered', () => database.addAnswered(requests)),
      findOriginal: ({ orderId }, serial) => read('find answered', () => database.findOriginal(orderId, serial)),
    },
    controls: { remember: (readings) => write('remember', () => database.rememberReadings(readings)) },
    ids: {
      take: (count, atLeast) => write('take ids', () => database.takeIds(count, atLeast)),
      read: notSimulated,
      giveBack: notSimulated,
      moveForward: notSimulated,
    },
    cardReferences: {
      find: (merchantId, reference) => read('find card', () => database.findCard(merchantId, reference)),
      ofCard: notSimulated,
      ensure: notSimulated,
      list: notSimulated,
      remove: notSimulated,
    },
    cardAttempts: { find: async () => ({ attempts: [], declineCodes: [] }) },
    terminalStates: {
      read: async () => {
        const states = await read('read terminals', () => database.terminalStates());
        polls.terminals.found(states.filter(({ isOpen }) => isOpen).length);
        return states;
      },
      write: (state) => write('write terminal', () => database.writeTerminalState(state)),
      claim: (state, now, until) => write('try terminal', () => database.claimTerminal(state, now, until)),
    },
  };
}

function call<T>(
  { scheduler, process, disturbances }: StorageLineParts,
  { label, isCommit, work }: { label: string; isCommit: boolean; work: () => T },
): Promise<T> {
  const { fault, ms } = disturbances.ofStorageCall(isCommit);
  const way = () => scheduler.between(0, LONGEST_WAY_MS);
  return new Promise((resolve, reject) => {
    // A lost connection may be noticed late.
    const answer = (told: () => void) => scheduler.after(way() + ms, process, `${label} answered`, told);
    const arrive = () => {
      if (fault === 'not-written') return answer(() => reject(new ConnectionLost('before the commit')));
      try {
        const outcome = work();
        const isLost = fault === 'acknowledgement-lost';
        return answer(() => (isLost ? reject(new ConnectionLost('after the commit')) : resolve(outcome)));
      } catch (error) {
        return answer(() => reject(error));
      }
    };
    const name = `${process.name} ${label}${fault === undefined ? '' : ` (${fault})`}`;
    scheduler.after(way() + (fault === 'slow' ? ms : 0), undefined, name, arrive, { from: process });
  });
}
