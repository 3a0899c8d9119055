// Removes records by age: the readings of controls that no key signs any more, those of strict signatures, tries to
// call merchants, counts of unsigned forms, and what became of receipts by e-mail.

import { FIRST_SHARD, forgetByShard, type ListShards } from './claims.ts';
import type { Database } from './database.ts';
import { statement } from './tables/index.ts';

/** Each removes no more than the limit and returns how many. */
export type OldRecordStore = {
  /** Readings of these merchants' controls from before these moments. */
  forgetReadings(before: ReadonlyMap<number, number>, limit: number): Promise<number>;
  /** Readings of strict signatures, which say themselves when they were made. */
  forgetStrictReadings(merchantIds: readonly number[], before: number, limit: number): Promise<number>;
  forgetCallbackAttempts(before: number, limit: number): Promise<number>;
  forgetFormRequests(before: number, limit: number): Promise<number>;
  forgetReceiptMails(before: number, limit: number): Promise<number>;
};

// The digest of a control has 20 bytes; that of a strict signature is its text.
const forgetReadings = statement('old-records-readings')`
    delete from control_readings where shard = $4 and ctid = any(array(
      select c.ctid from unnest($1::bigint[], $2::timestamptz[]) as k(merchant_id, before)
      join control_readings c on c.shard = $4 and c.merchant_id = k.merchant_id and c.at < k.before
      where octet_length(c.digest) = 20 limit $3 for update of c skip locked))
    returning 1`;

const forgetStrictReadings = statement('old-records-strict-readings')`
    delete from control_readings where shard = $4 and ctid = any(array(
      select c.ctid from unnest($1::bigint[]) as k(merchant_id)
      join control_readings c on c.shard = $4 and c.merchant_id = k.merchant_id and c.at < $2
      where octet_length(c.digest) > 20 limit $3 for update of c skip locked))
    returning 1`;

// Rows of several months may have the same place, each in its own partition.
const forgetCallbackAttempts = statement('old-records-callback-attempts')`
    with old as materialized (
      select tableoid as part, ctid as place from callback_attempts
      where shard = $3 and at < $1 order by at limit $2 for update skip locked
    )
    delete from callback_attempts
    where shard = $3 and at < $1 and ctid = any(array(select place from old))
      and (tableoid, ctid) in (select part, place from old)
    returning 1`;

const forgetFormRequests = statement('old-records-form-requests')`
    delete from form_requests where ctid = any(array(
      select ctid from form_requests where minute < $1 order by minute limit $2 for update skip locked))
    returning 1`;

const forgetReceiptMails = statement('old-records-receipt-mails')`
    delete from receipt_mails where shard = $3 and ctid = any(array(
      select ctid from receipt_mails where shard = $3 and changed_at < $1 and due_at is null order by changed_at limit $2
      for update skip locked))
    returning 1`;

export function oldRecordStore(database: Database, shards: ListShards = FIRST_SHARD): OldRecordStore {
  const ofEach = (limit: number, forget: (shard: number, most: number) => Promise<readonly unknown[]>) =>
    forgetByShard(shards, limit, forget);
  return {
    forgetReadings(before, limit) {
      const given = [[...before.keys()], [...before.values()].map((moment) => new Date(moment))];
      return ofEach(limit, (shard, most) => database.query(forgetReadings, [...given, most, shard]));
    },
    forgetStrictReadings: (merchantIds, before, limit) =>
      ofEach(limit, (shard, most) =>
        database.query(forgetStrictReadings, [merchantIds, new Date(before), most, shard]),
      ),
    forgetCallbackAttempts: (before, limit) =>
      ofEach(limit, (shard, most) => database.query(forgetCallbackAttempts, [new Date(before), most, shard])),
    forgetFormRequests: async (before, limit) =>
      (await database.query(forgetFormRequests, [new Date(before), limit])).length,
    forgetReceiptMails: (before, limit) =>
      ofEach(limit, (shard, most) => database.query(forgetReceiptMails, [new Date(before), most, shard])),
  };
}
