// Notices of banks that were acted on: whoever writes one first has it, on every node.

import type { Database } from './database.ts';
import { column, statement, table } from './tables/index.ts';

/** A notice by the bank's own name for it. */
export type BankNotice = { readonly terminal: string; readonly noticeId: string; readonly receivedAt: number };

export type BankNoticeStore = {
  /** Whether the notice is new. */
  take(notice: BankNotice): Promise<boolean>;
  /** Removes at most `limit` notices received before the time, and tells how many. */
  forget(before: number, limit: number): Promise<number>;
};

const notices = table('bank_notices', ['terminal', 'noticeId'], {
  terminal: column.text('terminal'),
  noticeId: column.text('notice_id'),
  receivedAt: column.moment('received_at'),
});

const take = statement('bank-notices-take')`${notices.insert()} on conflict do nothing returning 1`;

const forget = statement('bank-notices-forget')`
    delete from bank_notices where ctid = any(array(
      select ctid from bank_notices where received_at < $1 order by received_at limit $2 for update skip locked))
    returning 1`;

export function bankNoticeStore(database: Database): BankNoticeStore {
  return {
    take: async (notice) => (await database.query(take, notices.values(notice))).length > 0,
    forget: async (before, limit) => (await database.query(forget, [new Date(before), limit])).length,
  };
}
