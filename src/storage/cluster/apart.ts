// The `Database` port over a server of a cluster. A step that cannot be one task of one server says how it is done
// apart: with several statements in one transaction. Several statements are always a transaction that is begun and
// ended by name there: what Citus makes of a pipeline without one is not relied on.

import type { Answers, Database, Session, Step } from '../database.ts';

const READS = /^\s*select\b/i;

const isRead = ({ statement, apart }: Step<unknown>) => apart === undefined && READS.test(statement.text);

export function clusterDatabase(database: Database): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction((session) => work(clusterSession(session)));
  return {
    ...database,
    isCluster: true,
    transaction,
    flight: (steps) => {
      const isOne = steps.length === 1 && steps[0]?.apart === undefined;
      if (isOne || steps.every(isRead)) return database.flight(steps);
      return transaction((session) => session.flight(steps));
    },
  };
}

/** Steps that lie between two that are done apart still travel together. */
function clusterSession(one: Session): Session {
  const session: Session = { ...one, isCluster: true };
  const flight = async <const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<Answers<Steps>> => {
    const answers: unknown[][] = [];
    let together: Step<unknown>[] = [];
    const fly = async () => {
      if (together.length > 0) answers.push(...(await session.flight(together)));
      together = [];
    };
    for (const step of steps) {
      if (step.apart === undefined) {
        together.push(step);
        continue;
      }
      await fly();
      answers.push(await step.apart(session));
    }
    await fly();
    // Each step reads its own rows, so the answers are of the types of the steps.
    return answers as Answers<Steps>;
  };
  return { ...session, flight };
}
