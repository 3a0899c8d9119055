// How many unsigned forms were asked for, by endpoint and address, in the present minute.

import type { Database, Statement } from '../database.ts';

export type FormStore = {
  /** Counts an unsigned form that is asked for, and tells how many there were in this minute. */
  countRequest(endpointId: number, address: string, now: number): Promise<number>;
};

const MINUTE_MS = 60_000;

const countRequest: Statement = {
  name: 'forms-count-request',
  text: `
    insert into form_requests (endpoint_id, address, minute, asked) values ($1, $2, $3, 1)
    on conflict (endpoint_id, address, minute) do update set asked = form_requests.asked + 1
    returning asked`,
};

const forgetRequests: Statement = {
  name: 'forms-forget-requests',
  text: `delete from form_requests where endpoint_id = $1 and minute < $2`,
};

export function formStore(database: Database): FormStore {
  return {
    async countRequest(endpointId, address, now) {
      const minute = new Date(now - (now % MINUTE_MS));
      const [row] = await database.query(countRequest, [endpointId, address, minute]);
      const asked = Number(row?.asked);
      // The first of a minute clears away the minutes before.
      if (asked === 1) await database.query(forgetRequests, [endpointId, minute]);
      return asked;
    },
  };
}
