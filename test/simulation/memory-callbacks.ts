// Callbacks in memory, with the promises of the SQL: due once, claimed by one node, and settled by whoever holds the
// claim; only that it was taken may be said late.

import type { DueCallback } from '../../src/domain/order/callbacks.ts';
import type { Callback, CallbackClaim, ClaimedCallback, SettledCallback } from '../../src/storage/orders/callbacks.ts';

type Row = Callback & { readonly leaseOwner: string | undefined };

export class MemoryCallbacks {
  readonly rows = new Map<string, Row>();

  get nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.rows.values()) if (dueAt !== undefined && dueAt < next) next = dueAt;
    return next;
  }

  insertDue(due: readonly DueCallback[]): void {
    for (const { order, seq, target, destination, at } of due) {
      const name = nameOf({ orderId: order.orderId, seq, target });
      if (this.rows.has(name)) continue;
      const times = { scheduledAt: at, dueAt: at, createdAt: at, changedAt: at };
      const key = { merchantId: order.merchantId, orderId: order.orderId, seq, target };
      this.rows.set(name, {
        ...key,
        ...times,
        destination,
        state: 'waiting',
        attempts: 0,
        tries: 0,
        leaseOwner: undefined,
      });
    }
  }

  claimDue({ now, leaseUntil, leaseOwner, limit, room, rooms }: CallbackClaim): ClaimedCallback[] {
    const taken = new Map<string, number>();
    const claimed: ClaimedCallback[] = [];
    for (const [name, row] of [...this.rows].sort(byDueTime)) {
      const { destination, dueAt } = row;
      const count = taken.get(destination) ?? 0;
      if (dueAt === undefined || dueAt > now || count >= (rooms.get(destination) ?? room)) continue;
      if (claimed.length === limit) break;
      taken.set(destination, count + 1);
      const claim = { ...row, dueAt: leaseUntil, leaseOwner };
      this.rows.set(name, claim);
      claimed.push({ ...claim, leaseUntil });
    }
    return claimed;
  }

  settle(settled: readonly SettledCallback[]): void {
    for (const { callback, state, dueAt, attempt, at } of settled) {
      const name = nameOf(callback);
      const row = this.rows.get(name);
      const isHolder = row?.leaseOwner === callback.leaseOwner && row.dueAt === callback.leaseUntil;
      if (row?.state !== 'waiting' || !(state === 'delivered' || isHolder)) continue;
      const count = attempt ? 1 : 0;
      const sums = { attempts: row.attempts + count, tries: row.tries + count };
      this.rows.set(name, { ...row, ...sums, state, dueAt, changedAt: at, leaseOwner: undefined });
    }
  }

  releaseLeases(now: number): void {
    for (const [name, row] of this.rows) {
      if (row.dueAt === undefined || row.dueAt <= now || row.leaseOwner === undefined) continue;
      this.rows.set(name, { ...row, dueAt: now, leaseOwner: undefined });
    }
  }
}

function byDueTime([, one]: [string, Row], [, other]: [string, Row]): number {
  return (one.dueAt ?? 0) - (other.dueAt ?? 0);
}

function nameOf({ orderId, seq, target }: Pick<Callback, 'orderId' | 'seq' | 'target'>): string {
  return `${orderId}-${seq}-${target}`;
}
