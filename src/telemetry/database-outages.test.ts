import { expect, it } from 'vitest';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import { createLog } from './log.ts';
import { databaseOutages } from './outage-log.ts';

const lost = () => new ConnectionLost('database connection lost: read ECONNRESET');
const unreachable = () =>
  new DatabaseError('cannot reach the database at db:5432: connection refused', { sqlState: '08001' });
const full = () => new DatabaseError('could not extend file: No space left on device', { sqlState: '53100' });

function watched() {
  const clock = { at: 0, now: () => clock.at };
  const lines: string[] = [];
  const outages = databaseOutages(
    createLog((line) => lines.push(line), clock.now),
    clock,
  );
  return { ...outages, clock, told: () => lines.map((line) => JSON.parse(line)) };
}

it('tells a database that is away once, whoever notices, without stacks, and that it is back', () => {
  const { clock, log, told, worked } = watched();
  log.warn('looking for due work failed', { error: lost() });
  for (let round = 0; round < 20; round++) {
    clock.at += 500;
    log.warn('the configuration could not be read', { error: unreachable() });
    log.error('a request failed', { operation: 'sale', error: unreachable() });
  }
  worked();
  clock.at += 10_000;
  worked();
  const at = expect.any(String);
  expect(told()).toEqual([
    { at, level: 'error', message: 'the database does not answer', detail: lost().message },
    { at, level: 'info', message: 'the database answers again', count: 41, milliseconds: 10_000 },
  ]);
});

it('tells a full disk apart, which reads do not notice', () => {
  const { clock, log, told, worked } = watched();
  for (let sale = 0; sale < 4; sale++) {
    log.error('a request failed', { operation: 'sale', error: full() });
    clock.at += 15_000;
    worked();
  }
  expect(told()).toMatchObject([{ message: 'the disk of the database is full', detail: full().message }]);
  clock.at += 60_000;
  worked();
  expect(told().at(-1)).toMatchObject({ level: 'info', message: 'the disk of the database seems to have room again' });
});

it('finds the database behind another error', () => {
  const { log, told } = watched();
  log.error('a request failed', { error: new Error('the order could not be started', { cause: unreachable() }) });
  expect(told()).toMatchObject([{ message: 'the database does not answer', detail: unreachable().message }]);
});

it('leaves every other line as it is', () => {
  const { log, told } = watched();
  log.info('something');
  for (let time = 0; time < 2; time++) {
    log.warn('looking for due work failed', { error: new DatabaseError('no such column', { sqlState: '42703' }) });
    log.error('a request failed', { orderId: 7, error: new TypeError('x is undefined') });
  }
  expect(told().map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'info: something',
    'warn: looking for due work failed',
    'error: a request failed',
    'warn: looking for due work failed',
    'error: a request failed',
  ]);
  expect(told()[2]).toMatchObject({ orderId: 7, stack: expect.any(Array) });
});
