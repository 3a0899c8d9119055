// Why no connection could be had, in words for people.

import { DatabaseError } from '../database.ts';

const PLAIN_REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ENOENT: 'no such socket',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'no answer',
};

export function plainReason(error: Error & { code?: string }): string {
  return PLAIN_REASONS[error.code ?? ''] ?? error.message;
}

/** SQLSTATE 08001: no connection was made, so nothing was executed. */
export function unreachable(where: string, reason: string): DatabaseError {
  return new DatabaseError(`cannot reach ${where}: ${reason}`, { sqlState: '08001' });
}
