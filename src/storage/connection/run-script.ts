// Plain SQL on one client, without the hurry of statements in the life of an order.

import type { Client } from '../wire/flight.ts';
import { statementError } from './database-error.ts';

const SCRIPT_TIMEOUT_MS = 3_600_000;

/** Migrations and maintenance may take longer than a statement in the life of an order. */
export async function runScript(client: Client, sql: string): Promise<void> {
  // Whatever is sent behind a script waits for it, and its own time runs from when it is sent.
  const unhurried = (text: string) => {
    const query = { text, query_timeout: SCRIPT_TIMEOUT_MS };
    return client.query(query);
  };
  const answers = [unhurried('SET statement_timeout = 0'), unhurried(sql), unhurried('RESET statement_timeout')];
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') throw statementError(answer.reason);
  }
}
