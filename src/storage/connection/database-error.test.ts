import { describe, expect, it } from 'vitest';
import { ConnectionLost } from '../database.ts';
import { isRepeatable, statementError } from './database-error.ts';

const fromServer = (code: string, message = 'went wrong', more = {}) =>
  Object.assign(new Error(message), { code, severity: 'ERROR', detail: 'Key (pan)=(4111)', ...more });

describe('what the driver throws', () => {
  it.each(['57P01', '57P02', '57P03', '08006', '08P01'])('%s is a lost connection', (code) => {
    expect(statementError(fromServer(code))).toBeInstanceOf(ConnectionLost);
  });

  it.each([
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
  ])('%s is a lost connection', (error) => {
    expect(statementError(error)).toBeInstanceOf(ConnectionLost);
  });

  it('is a refusal with state and constraint, without what may hold values', () => {
    const error = statementError(fromServer('23505', 'duplicate key', { constraint: 'order_key' }));
    expect({ ...error, message: error.message }).toEqual({
      name: 'DatabaseError',
      message: 'duplicate key',
      sqlState: '23505',
      constraint: 'order_key',
    });
    const ofPart = {
      message: 'duplicate key value violates unique constraint "order_key_102109"',
      constraint: 'order_key',
    };
    expect(statementError(fromServer('23505', ofPart.message))).toMatchObject(ofPart);
    const malformed = statementError(fromServer('22P02', 'invalid input syntax for type integer: "41\n11"'));
    expect(malformed.message).toBe('invalid input syntax for type integer: "…"');
  });

  it.each([
    ['40001', 'could not serialize', true],
    ['40P01', 'deadlock detected', true],
    ['0A000', 'cached plan must not change result type', true],
    ['0A000', 'not implemented', false],
    ['23505', 'duplicate key', false],
    ['23514', 'new row for relation "order_events_rest" violates partition constraint', true],
    ['23514', 'no partition of relation "order_events" found for row', true],
    ['23514', 'new row for relation "orders_1" violates check constraint "order_shard"', false],
  ])('%s "%s" may be repeated: %s', (sqlState, message, repeatable) => {
    expect(isRepeatable(statementError(fromServer(sqlState, message)))).toBe(repeatable);
  });
});
