// Failed tries to sign in as rows. A try is counted before it is judged, in one transaction, so that many at once
// cannot all be the first.

import { afterFailedTry, type Failures, type LockOutRule, NO_FAILURES, waitMs } from '../../domain/people/lock-out.ts';
import { present } from '../../domain/present.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

/** A name or an address, and the rule it is held to. */
export type CountedKey = { readonly key: string; readonly rule: LockOutRule };

const failures = table('sign_in_failures', ['key'], {
  key: column.text('key'),
  count: column.int('count'),
  lastAt: column.moment('last_at'),
});

const statements = {
  begin: statement('failures-begin')`${failures.insert()} on conflict do nothing`,
  lock: statement('failures-lock', failures)`select ${COLUMNS} from sign_in_failures where key = $1 for update`,
  find: statement('failures-find', failures)`select ${COLUMNS} from sign_in_failures where key = $1`,
  set: statement('failures-set')`
    update sign_in_failures set ${failures.pick('count', 'lastAt').equal(2, ', ')} where key = $1`,
  remove: statement('failures-remove')`delete from sign_in_failures where key = $1 returning 1`,
  giveBack: statement('failures-give-back')`
    update sign_in_failures set count = greatest(0, count - 1) where key = $1`,
  forget: statement('failures-forget')`
    delete from sign_in_failures where ctid = any(array(
      select ctid from sign_in_failures where last_at < $1 order by last_at limit $2 for update skip locked))
    returning 1`,
};

/** How long to wait; 0 when the try is heard, and then `counts` says how many failures it would be for each key. */
export type CountedTry = { readonly waitMs: number; readonly counts: readonly number[] };

export type FailureStore = ReturnType<typeof failureStore>;

export function failureStore(database: Database) {
  return {
    /** Counts a try as failed under every key, unless one of them must wait. */
    count: (keys: readonly CountedKey[], now: number): Promise<CountedTry> =>
      database.transaction(async (session) => {
        const before: { readonly rule: CountedKey['rule']; readonly found: Failures }[] = [];
        // Everybody locks names before addresses, so that nobody waits in a circle.
        for (const { key, rule } of keys) {
          await session.query(statements.begin, failures.values({ key, ...NO_FAILURES }));
          const found = (await session.query(statements.lock, [key]))[0] ?? NO_FAILURES;
          before.push({ rule, found });
        }
        const wait = Math.max(0, ...before.map(({ rule, found }) => waitMs(found, now, rule)));
        if (wait > 0) return { waitMs: wait, counts: [] };
        const after = before.map(({ found }) => afterFailedTry(found, now));
        for (const [index, { key }] of keys.entries()) {
          const { count, lastAt } = present(after[index]);
          await session.query(statements.set, [key, count, new Date(lastAt)]);
        }
        return { waitMs: 0, counts: after.map(({ count }) => count) };
      }),
    find: async (key: string): Promise<Failures> => (await database.query(statements.find, [key]))[0] ?? NO_FAILURES,
    /** Forgets all of a key; false when there was nothing to forget. */
    clear: async (key: string) => (await database.query(statements.remove, [key])).length > 0,
    /** Takes one back that turned out to be none. */
    giveBack: async (key: string) => {
      await database.query(statements.giveBack, [key]);
    },
    forget: async (before: number, limit: number) =>
      (await database.query(statements.forget, [new Date(before), limit])).length,
  };
}
