// Who is served when: changes one after another, because a verb that changes something reads it first; looks at once,
// but only so many that payments keep their connections, and of one person so few that others are served beside them.

import { AskedTooMuch } from '../verb/invalid-input.ts';

const LOOKS_AT_ONCE = 6;
const LOOKS_OF_ONE = 2;
/** Of one person, looks and changes together, also those that wait. */
const MAX_UNDER_WAY = 100;

type Waiting = { readonly asker: string; start(): void };

export class Lanes {
  #lastChange: Promise<unknown> = Promise.resolve();
  #waiting: Waiting[] = [];
  #looking: string[] = [];
  readonly #underWay = new Map<string, number>();

  change<T>(asker: string, work: () => Promise<T>): Promise<T> {
    return this.#counted(asker, () => {
      const done = this.#lastChange.then(work);
      this.#lastChange = done.catch(() => {});
      return done;
    });
  }

  look<T>(asker: string, work: () => Promise<T>): Promise<T> {
    return this.#counted(asker, async () => {
      await new Promise<void>((start) => {
        this.#waiting.push({ asker, start });
        this.#startNext();
      });
      try {
        return await work();
      } finally {
        this.#looking.splice(this.#looking.indexOf(asker), 1);
        this.#startNext();
      }
    });
  }

  async #counted<T>(asker: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(asker) ?? 0;
    if (before >= MAX_UNDER_WAY) {
      throw new AskedTooMuch(`${MAX_UNDER_WAY} of your requests are under way; wait for their answers`);
    }
    this.#underWay.set(asker, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(asker) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(asker);
      else this.#underWay.set(asker, left);
    }
  }

  /** Whoever came first of those who may. */
  #startNext(): void {
    const isFree = ({ asker }: Waiting) => this.#looking.filter((one) => one === asker).length < LOOKS_OF_ONE;
    while (this.#looking.length < LOOKS_AT_ONCE) {
      const next = this.#waiting.findIndex(isFree);
      if (next === -1) return;
      const [started] = this.#waiting.splice(next, 1) as [Waiting];
      this.#looking.push(started.asker);
      started.start();
    }
  }
}
