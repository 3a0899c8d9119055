// Authentications in memory, with the promises of the SQL: begun once, saved only over the version read, and claimed by
// one node. A claim counts as a change.

import type {
  AuthenticationKey,
  AuthenticationRecord,
  AuthenticationStep,
} from '../../src/domain/three-d-secure/authentication-record.ts';
import type {
  AuthenticationClaim,
  AuthenticationSave,
  FoundAuthentication,
} from '../../src/storage/authentications.ts';
import type { Sealed } from '../../src/storage/store.ts';
import type { MemoryOrders } from './memory-orders.ts';

type Row = AuthenticationRecord & { readonly isLeased: boolean; readonly proof: Sealed | undefined };

export class MemoryAuthentications {
  readonly rows = new Map<string, Row>();
  /** Those written since somebody last looked. */
  readonly touched = new Set<string>();
  readonly #orders: MemoryOrders;

  constructor(orders: MemoryOrders) {
    this.#orders = orders;
  }

  get nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.rows.values()) if (dueAt !== undefined && dueAt < next) next = dueAt;
    return next;
  }

  begin({ record, isLeased, proof }: AuthenticationSave): boolean {
    if (this.rows.has(nameOf(record))) return false;
    this.rows.set(nameOf(record), { ...record, isLeased, proof });
    return true;
  }

  find(key: AuthenticationKey): AuthenticationRecord | undefined {
    const row = this.rows.get(nameOf(key));
    return row && recordOf(row);
  }

  findByTransaction(transactionId: string): AuthenticationRecord | undefined {
    const row = [...this.rows.values()].find(({ step }) => transactionIdOf(step) === transactionId);
    return row && recordOf(row);
  }

  save({ record, isLeased, proof }: AuthenticationSave): boolean {
    const row = this.rows.get(nameOf(record));
    if (row?.version !== record.version - 1) return false;
    this.rows.set(nameOf(record), { ...record, isLeased, proof: proof ?? row.proof });
    this.touched.add(nameOf(record));
    return true;
  }

  claimDue({ now, leaseUntil, limit }: AuthenticationClaim): AuthenticationRecord[] {
    const due = [...this.rows.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= now);
    return due.slice(0, limit).map((row) => {
      const claimed = { ...row, dueAt: leaseUntil, isLeased: true, version: row.version + 1 };
      this.rows.set(nameOf(row), claimed);
      return recordOf(claimed);
    });
  }

  findUnbegun(before: number, limit: number): AuthenticationKey[] {
    return [...this.#orders.orders.values()]
      .flatMap(({ merchantId, orderId, transactions }) =>
        transactions
          .filter(({ stage, changedAt }) => stage === 'authenticating' && changedAt < before)
          .map(({ seq }) => ({ merchantId, orderId, seq })),
      )
      .filter((key) => !this.rows.has(nameOf(key)))
      .slice(0, limit);
  }

  releaseLeases(now: number): void {
    for (const [name, row] of this.rows) {
      if (row.isLeased && row.dueAt !== undefined && row.dueAt > now) this.rows.set(name, { ...row, dueAt: now });
    }
  }

  findOutcome(key: AuthenticationKey): FoundAuthentication | undefined {
    const row = this.rows.get(nameOf(key));
    return row?.step.name === 'over' ? { outcome: row.step.outcome, proof: row.proof } : undefined;
  }

  /** The last one of an order. */
  latest({ merchantId, orderId }: Omit<AuthenticationKey, 'seq'>): AuthenticationRecord | undefined {
    const own = [...this.rows.values()].filter((row) => row.merchantId === merchantId && row.orderId === orderId);
    const last = own.sort((one, other) => other.seq - one.seq)[0];
    return last && recordOf(last);
  }
}

function nameOf({ merchantId, orderId, seq }: AuthenticationKey): string {
  return `${merchantId} ${orderId}-${seq}`;
}

function recordOf({ isLeased: _, proof: __, ...record }: Row): AuthenticationRecord {
  return record;
}

/** Under which the networks may speak of it. */
function transactionIdOf(step: AuthenticationStep): string | undefined {
  if (step.name === 'browser' || step.name === 'requesting') return step.transactionId;
  if (step.name === 'challenge') return step.ids.threeDSServerTransID;
  return step.name === 'over' ? step.outcome.ids.threeDSServerTransID : undefined;
}
