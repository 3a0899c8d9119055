// One explicit transaction on one client. BEGIN travels in front of the first statements, in the same flight: should
// it fail, PostgreSQL skips them, so nothing can run outside.

import { type Answers, type Database, DatabaseError, type Session, type Step } from '../database.ts';
import { type Client, fly, type PreparedStep } from '../wire/flight.ts';
import { statementError } from './database-error.ts';
import { runScript } from './run-script.ts';

const BEGIN: Step = { statement: { name: 'begin', text: 'BEGIN' }, values: [] };

export async function transact<T>(
  client: Client,
  prepare: (step: Step<unknown>) => PreparedStep,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let over = false;
  let begun: Promise<unknown> | undefined;

  const sent = async (steps: readonly Step<unknown>[]): Promise<unknown[][]> => {
    if (over) throw new Error(`the transaction is over: ${steps[0]?.statement.name} came too late`);
    if (steps.length === 0) return [];
    const prepared = steps.map(prepare);
    if (begun === undefined) {
      const first = fly(client, [prepare(BEGIN), ...prepared]);
      begun = first;
      return (await first).slice(1);
    }
    await begun;
    return fly(client, prepared);
  };

  // Each statement reads its own rows, so a flight's answers are of the types of its steps.
  const flight = <const Steps extends readonly Step<unknown>[]>(steps: Steps) => sent(steps) as Promise<Answers<Steps>>;

  const session: Session = {
    flight,
    query: async (statement, values = []) => (await flight([{ statement, values }]))[0],
    script: async (sql) => {
      if (over) throw new Error('the transaction is over: a script came too late');
      begun ??= fly(client, [prepare(BEGIN)]);
      await begun;
      await runScript(client, sql);
    },
  };

  try {
    const result = await work(session);
    over = true;
    if (begun !== undefined) await commit(client);
    return result;
  } catch (error) {
    over = true;
    if (begun !== undefined) await command(client, 'ROLLBACK').catch(() => {});
    throw error;
  }
}

async function commit(client: Client): Promise<void> {
  // PostgreSQL answers ROLLBACK when a statement had failed and `work` went on all the same.
  if ((await command(client, 'COMMIT')) === 'COMMIT') return;
  throw new DatabaseError('rolled back, because a statement in the transaction had failed', { sqlState: '25P02' });
}

async function command(client: Client, text: 'COMMIT' | 'ROLLBACK'): Promise<string> {
  try {
    return (await client.query(text)).command;
  } catch (error) {
    throw statementError(error);
  }
}

/** A transaction that looks like a database: stores made on it do all they do inside that one transaction. */
export function sessionDatabase({ kind }: Pick<Database, 'kind'>, session: Session): Database {
  return {
    kind,
    ...(session.isCluster && { isCluster: true }),
    query: (statement, values) => session.query(statement, values),
    flight: (steps) => session.flight(steps),
    transaction: (work) => work(session),
    script: (sql) => session.script(sql),
    close: async () => {},
  };
}
