// Asks a gateway again and again, also through its restarts: says when it does not answer, and when it does again.

import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { type Administrator, type AskingValues, asRunningAdministrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';

const TRY_AGAIN_MS = 1_000;

export const paused = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The first time must succeed. Each time the gateway is found anew: after a restart it listens elsewhere. */
export class PersistentAsker {
  readonly #values: AskingValues;
  #wasThere = false;
  #isAway = false;

  constructor(values: AskingValues) {
    this.#values = values;
  }

  /** Undefined when nobody answered; then some time has passed. */
  async ask<T>(work: (administrator: Administrator) => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await asRunningAdministrator(this.#values, 'or name one with --at', work);
      if (this.#isAway) process.stderr.write('tender: the gateway answers again\n');
      this.#wasThere = true;
      this.#isAway = false;
      return answer;
    } catch (error) {
      if (!this.#wasThere || error instanceof InvalidInput || !(error instanceof Complaint)) throw error;
      if (!this.#isAway) process.stderr.write('tender: the gateway does not answer; waiting for it\n');
      this.#isAway = true;
      await paused(TRY_AGAIN_MS);
      return undefined;
    }
  }
}
