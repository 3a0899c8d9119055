// Requests that are due and the connections that carry them. A request is due when the schedule says so, whether or not
// a connection is free, and its latency is counted from that moment: a server that stops for a second is charged with
// the waiting of everybody who would have come in that second. A generator that sends the next request only after the
// last answer would have counted one slow request and left out the others ("coordinated omission").
import { Histogram } from './histogram.mjs';

export class DueRequests {
  #next;
  #untilMs;
  #patienceMs;
  /** What is due and waits for a connection, the longest waiting first. */
  #waiting = [];
  #begun = 0;
  #nextAt;
  latencies = new Histogram();
  /** By what became of them; `abandoned` ones found no connection before their client's patience ended. */
  outcomes = { answered: 0, shed: 0, refused: 0, failed: 0, abandoned: 0 };
  due = 0;
  underWay = 0;

  /** `next` is a schedule (arrivals.mjs), used up to `untilMs`. */
  constructor({ next, untilMs, patienceMs = Number.POSITIVE_INFINITY }) {
    this.#next = next;
    this.#untilMs = untilMs;
    this.#patienceMs = patienceMs;
    this.#nextAt = next();
  }

  /** When the next request is due; undefined when the schedule is over. */
  get nextAt() {
    return this.#nextAt < this.#untilMs ? this.#nextAt : undefined;
  }

  get waiting() {
    return this.#waiting.length - this.#begun;
  }

  get isOver() {
    return this.nextAt === undefined && this.waiting === 0 && this.underWay === 0;
  }

  /** Makes due what is due by now, and lets those go whose clients have gone. */
  advance(now) {
    while (this.nextAt !== undefined && this.#nextAt <= now) {
      this.#waiting.push(this.#nextAt);
      this.due += 1;
      this.#nextAt = this.#next();
    }
    while (this.waiting > 0 && now - this.#waiting[this.#begun] > this.#patienceMs) {
      this.#begun += 1;
      this.outcomes.abandoned += 1;
    }
    if (this.#begun > 4096) {
      this.#waiting = this.#waiting.slice(this.#begun);
      this.#begun = 0;
    }
  }

  /** The moment the longest waiting request was due, for a free connection to carry it; undefined when none waits. */
  take() {
    if (this.waiting === 0) return undefined;
    this.underWay += 1;
    return this.#waiting[this.#begun++];
  }

  /** A request that was taken ended. Only whoever was answered counts for latency: a refusal must not look quick. */
  end(dueAt, outcome, now) {
    this.underWay -= 1;
    this.outcomes[outcome] += 1;
    if (outcome === 'answered') this.latencies.add((now - dueAt) * 1000);
  }
}
