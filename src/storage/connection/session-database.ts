// A transaction that looks like a database: stores made on it do all they do inside that one transaction.

import type { Database, Session } from '../database.ts';

export function sessionDatabase({ kind }: Pick<Database, 'kind'>, session: Session): Database {
  return {
    kind,
    query: (statement, values) => session.query(statement, values),
    flight: (steps) => session.flight(steps),
    transaction: (work) => work(session),
    script: () => Promise.reject(new Error('a script is a transaction of its own')),
    close: async () => {},
  };
}
