// The steps of a payment as spans of one trace: the request, the commits and the bank's answers that follow from it,
// and the callbacks of its order. It names operations, ids and outcomes, and nothing that was sent.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type TraceContext, writeTraceparent } from '../domain/trace-context.ts';
import type { Span, SpanValue } from './span-export.ts';

/** How many orders are remembered by their trace, for callbacks that come later; on this node only. */
const MOST_ORDERS = 20_000;

type Added = { add(span: Span): void };

export type SpanEnd = {
  readonly name: string;
  readonly milliseconds: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>;
};

export class Tracing {
  readonly #spans: Added;
  readonly #now: () => number;
  readonly #current = new AsyncLocalStorage<TraceContext>();
  readonly #orders = new Map<string, TraceContext>();

  constructor(spans: Added, now: () => number = Date.now) {
    this.#spans = spans;
    this.#now = now;
  }

  /** Does the work of a request within its own step, and ends the step with what `ended` tells of it. */
  async request<T>(
    caller: TraceContext | undefined,
    work: () => Promise<T>,
    ended: (worked: T) => SpanEnd,
  ): Promise<T> {
    const own = stepOf(caller);
    const worked = await this.#current.run(own, work);
    const end = ended(worked);
    const order = end.attributes['tender.order_id'];
    if (typeof order === 'string') this.#remember(order, own);
    if (own.isSampled) this.#end(own, caller?.spanId, 'server', end);
    return worked;
  }

  /** A call that ended just now, made in the course of a request. One that belongs to no request is left out. */
  called(end: SpanEnd): void {
    const parent = this.#current.getStore();
    if (parent?.isSampled) this.#end(stepOf(parent), parent.spanId, 'client', end);
  }

  /** A write that a request waits for, or that follows from it: the step lasts until it is committed. */
  committing<T>(write: Promise<T>): Promise<T> {
    if (!this.#current.getStore()?.isSampled) return write;
    const began = performance.now();
    const end = (isError: boolean) => () =>
      this.called({
        name: 'database commit',
        milliseconds: performance.now() - began,
        isError,
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'COMMIT' },
      });
    write.then(end(false), end(true));
    return write;
  }

  /** A call that belongs to an order. `work` gets the header to send. */
  async callFor<T>(
    order: string | null,
    work: (traceparent: string | undefined) => Promise<T>,
    ended: (worked: T, milliseconds: number) => SpanEnd,
  ): Promise<T> {
    const parent = order === null ? undefined : this.#orders.get(order);
    if (!parent) return work(undefined);
    const own = stepOf(parent);
    const began = performance.now();
    const worked = await work(writeTraceparent(own));
    if (own.isSampled) this.#end(own, parent.spanId, 'client', ended(worked, performance.now() - began));
    return worked;
  }

  #end(own: TraceContext, parentId: string | undefined, kind: Span['kind'], end: SpanEnd): void {
    const { name, milliseconds, isError, attributes } = end;
    const endedMs = this.#now();
    const { traceId, spanId } = own;
    this.#spans.add({
      traceId,
      spanId,
      parentId,
      name,
      kind,
      beganMs: endedMs - milliseconds,
      endedMs,
      isError,
      attributes,
    });
  }

  /** The first request of an order gives its trace; those that only ask for it later do not. */
  #remember(order: string, context: TraceContext): void {
    if (this.#orders.has(order)) return;
    this.#orders.set(order, context);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > MOST_ORDERS && oldest !== undefined) this.#orders.delete(oldest);
  }
}

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** A step below the caller's, or the first of a new trace. */
function stepOf(caller: TraceContext | undefined): TraceContext {
  const spanId = randomBytes(SPAN_BYTES).toString('hex');
  if (caller) return { ...caller, spanId };
  return { traceId: randomBytes(TRACE_BYTES).toString('hex'), spanId, isSampled: true };
}
