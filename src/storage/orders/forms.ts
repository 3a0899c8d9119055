// How many unsigned forms were asked for, and how many cards entered on them, by endpoint and address range, in the
// present minute.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

export type FormStore = {
  /** Counts an unsigned form that is asked for, and tells how many there were in this minute. */
  countRequest(endpointId: number, block: string, now: number): Promise<number>;
};

const MINUTE_MS = 60_000;

const requests = table('form_requests', ['endpointId', 'address', 'minute'], {
  endpointId: column.id('endpoint_id'),
  address: column.text('address'),
  minute: column.moment('minute'),
  asked: column.int('asked'),
});

const countRequest = statement('forms-count-request', requests.pick('asked'))`
    ${requests.insert()}
    on conflict (${requests.key.names()}) do update set asked = form_requests.asked + 1
    returning ${COLUMNS}`;

const forgetRequests = statement('forms-forget-requests')`
  delete from form_requests where endpoint_id = $1 and minute < $2`;

export function formStore(database: Database): FormStore {
  return {
    async countRequest(endpointId, address, now) {
      const minute = now - (now % MINUTE_MS);
      const [row] = await database.query(countRequest, requests.values({ endpointId, address, minute, asked: 1 }));
      const asked = row?.asked ?? 1;
      // The first of a minute clears away the minutes before.
      if (asked === 1) await database.query(forgetRequests, [endpointId, new Date(minute)]);
      return asked;
    },
  };
}
