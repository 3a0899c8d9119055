// Sends the head of the audit chain elsewhere: when it has moved, at once, and each minute, so that silence tells, too.
// A place that fails gets the head of the moment when it works again: it commits to all entries in between. No place
// waits for another: whoever holds up one of them keeps nothing from the others.

import type { AuditHead } from '../../domain/audit.ts';
import type { Clock } from '../../domain/clock.ts';
import type { HeadPlace } from './head-place.ts';

const LOOK_EVERY_MS = 1_000;
const TELL_EVERY_MS = 60_000;

export type AuditHeadsParts = {
  readonly clock: Clock;
  readonly places: readonly HeadPlace[];
  readonly head: () => Promise<AuditHead>;
  readonly sent: (place: string) => void;
  readonly failed: (place: string, error: unknown) => void;
};

type Last = { seq: number; hash: string; at: number };

export class AuditHeads {
  readonly #parts: AuditHeadsParts;
  readonly #last = new Map<HeadPlace, Last>();
  readonly #sending = new Map<HeadPlace, Promise<void>>();

  constructor(parts: AuditHeadsParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    if (this.#parts.places.length === 0) return;
    while (!signal.aborted) {
      await this.#begin().catch(onError);
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
    }
    await Promise.all(this.#sending.values());
    // What was changed in the last second.
    await this.look().catch(onError);
  }

  /** Sends the head to every place that does not have it, or has not heard for a minute. */
  async look(): Promise<void> {
    await this.#begin();
    await Promise.all(this.#sending.values());
  }

  async #begin(): Promise<void> {
    const { clock, places, head } = this.#parts;
    const { seq, hash } = await head();
    const now = { seq, hash, at: clock.now() };
    const idle = places.filter((place) => !this.#sending.has(place));
    for (const place of idle.filter((one) => isDue(this.#last.get(one), now))) {
      this.#sending.set(
        place,
        this.#send(place, now).finally(() => this.#sending.delete(place)),
      );
    }
  }

  async #send(place: HeadPlace, head: Last): Promise<void> {
    const { sent, failed } = this.#parts;
    try {
      await place.send(head);
      this.#last.set(place, head);
      sent(place.name);
    } catch (error) {
      failed(place.name, error);
    }
  }
}

function isDue(last: Last | undefined, now: Last): boolean {
  return last?.hash !== now.hash || now.at - last.at >= TELL_EVERY_MS;
}
