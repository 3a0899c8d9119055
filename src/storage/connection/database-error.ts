// Turns what `pg` throws into the port's two errors. Only the SQLSTATE, the constraint and PostgreSQL's primary
// message come through: `detail`, `where` and the statement can hold card data, so they end here.

import { ConnectionLost, DatabaseError } from '../database.ts';

/** Worth running again as a whole: serialization_failure and deadlock_detected. */
const REPEATABLE_STATES: ReadonlySet<string> = new Set(['40001', '40P01']);

/** admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout, idle_in_transaction_session_timeout. */
const LOST_STATES: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/**
 * A month was made while a row of it waited for the rest, where it was to lie: it finds its place the next time. What
 * breaks a check has this state as well, and the name of that check.
 */
const CHECK_VIOLATION = '23514';
const isMisplacedRow = ({ sqlState, constraint }: DatabaseError) =>
  sqlState === CHECK_VIOLATION && constraint === undefined;

type PgError = Error & { code?: string; constraint?: string; severity?: string };

/** The schema changed under a prepared statement, as when another node migrates. It is prepared anew next time. */
const STALE_STATEMENT = { sqlState: '0A000', message: 'cached plan must not change result type' };

export function isRepeatable(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.sqlState === undefined) return false;
  if (error.sqlState === STALE_STATEMENT.sqlState) return error.message === STALE_STATEMENT.message;
  return REPEATABLE_STATES.has(error.sqlState) || isMisplacedRow(error);
}

/** For statements that may have reached the server: whatever is not the server's own verdict is a lost connection. */
export function statementError(error: unknown): DatabaseError | ConnectionLost {
  if (error instanceof DatabaseError || error instanceof ConnectionLost) return error;
  // Members that are not there are undefined.
  const { message, code, constraint, severity } = error as PgError;
  if (severity === undefined || code === undefined) return new ConnectionLost(`database connection lost: ${message}`);
  if (LOST_STATES.has(code) || code.startsWith('08')) return new ConnectionLost(`database connection lost: ${message}`);
  return new DatabaseError(withoutValues(message, code), {
    sqlState: code,
    constraint: constraintOf(constraint, message),
  });
}

/**
 * On a cluster the constraint of a part of a table has the number of the part behind its name. What another server of
 * the cluster said comes without the name, but for its message.
 */
function constraintOf(constraint: string | undefined, message: string): string | undefined {
  const name = constraint ?? /\bconstraint "([^"]+)"/.exec(message)?.[1];
  return name?.replace(/_\d{6,}$/, '');
}

// Class 22 ("data exception") quotes the offending value in its primary message.
function withoutValues(message: string, sqlState: string): string {
  return sqlState.startsWith('22') ? message.replace(/"[^"]*"/gs, '"…"') : message;
}
