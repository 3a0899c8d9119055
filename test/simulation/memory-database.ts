// The one database all nodes share: orders, callbacks and the registers that keep things single. Every method is one
// transaction.

import type { IdRange } from '../../src/domain/ids/id-blocks.ts';
import type { AnsweredRequest } from '../../src/storage/orders/answered-requests.ts';
import type { Nonce } from '../../src/storage/requests/oauth-nonces.ts';
import type { StoredCard } from '../../src/storage/store.ts';
import type { TerminalState } from '../../src/storage/terminal-states.ts';
import { MemoryAuthentications } from './memory-authentications.ts';
import { MemoryCallbacks } from './memory-callbacks.ts';
import { MemoryOrders } from './memory-orders.ts';
import { MemoryRecurring } from './memory-recurring.ts';

export class MemoryDatabase {
  readonly orders = new MemoryOrders();
  readonly callbacks = new MemoryCallbacks();
  readonly recurring = new MemoryRecurring(this.orders);
  readonly screening = this.orders.marks;
  readonly authentications = new MemoryAuthentications(this.orders);
  readonly #nonces = new Set<string>();
  readonly #answered = new Map<string, string>();
  readonly #readings = new Map<string, Buffer>();
  readonly #terminals = new Map<string, { readonly state: TerminalState; readonly triedUntil: number }>();
  #nextId = 1;

  constructor() {
    this.orders.authenticationOf = (key) => this.authentications.latest(key);
    this.orders.hasRecurringPayment = (...id) => this.recurring.findByClientOrderId(...id) !== undefined;
    this.orders.onDue = (due) => this.callbacks.insertDue(due);
  }

  nextDueAt(): number {
    return Math.min(
      this.orders.nextDueAt,
      this.callbacks.nextDueAt,
      this.recurring.nextDueAt,
      this.authentications.nextDueAt,
    );
  }

  takeNonces(nonces: readonly Nonce[]): boolean[] {
    return nonces.map(({ merchantId, saidAt, nonce }) => {
      const mark = `${merchantId} ${saidAt} ${nonce}`;
      const isFree = !this.#nonces.has(mark);
      this.#nonces.add(mark);
      return isFree;
    });
  }

  addAnswered(requests: readonly AnsweredRequest[]): void {
    for (const { orderId, requestSerial, originalSerial } of requests) {
      this.#answered.set(`${orderId} ${requestSerial}`, originalSerial);
    }
  }

  findOriginal(orderId: number, requestSerial: string): string | undefined {
    return this.#answered.get(`${orderId} ${requestSerial}`);
  }

  rememberReadings(readings: readonly { merchantId: number; digest: Buffer; reading: Buffer }[]): Buffer[] {
    return readings.map(({ merchantId, digest, reading }) => {
      const mark = `${merchantId} ${digest.toString('hex')}`;
      const first = this.#readings.get(mark) ?? reading;
      this.#readings.set(mark, first);
      return first;
    });
  }

  takeIds(count: number, atLeast = 1): IdRange {
    const from = Math.max(this.#nextId, atLeast);
    this.#nextId = from + count;
    return { from, until: this.#nextId };
  }

  terminalStates(): TerminalState[] {
    return [...this.#terminals.values()].map(({ state }) => state);
  }

  writeTerminalState(state: TerminalState): boolean {
    if ((this.#terminals.get(state.terminal)?.state.version ?? 0) !== state.version - 1) return false;
    this.#terminals.set(state.terminal, { state, triedUntil: Number.NEGATIVE_INFINITY });
    return true;
  }

  claimTerminal({ terminal, version }: TerminalState, now: number, until: number): boolean {
    const kept = this.#terminals.get(terminal);
    if (kept?.state.version !== version || !kept.state.isOpen || kept.triedUntil > now) return false;
    this.#terminals.set(terminal, { ...kept, triedUntil: until });
    return true;
  }

  findCard(merchantId: number, reference: number): StoredCard | undefined {
    return this.orders.cards.get(`${merchantId} ${reference}`);
  }
}
