// The line to Stripe: forms out, JSON back, over HTTPS. A call never throws. It says what came back, or why nothing did
// and whether the request can have left at all. All calls of one conversation share one time limit.

import type { Clock } from '../../domain/clock.ts';
import type { Secret } from '../../domain/secret.ts';
import type { LineFault, TraceLine } from '../acquirer.ts';
import { ExchangeTrace } from './exchange-trace.ts';
import { type FormFields, writeForm } from './form-fields.ts';
import { parseStripeObject, type StripeObject } from './stripe-object.ts';

/** The version of the interface that this connector was written for; without it the account's own would answer. */
export const STRIPE_VERSION = '2026-08-26.dahlia';

const MAX_ANSWER_BYTES = 1024 * 1024;

export type StripeCall = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields?: FormFields;
  /** Stripe carries out one request for a key, and answers every repetition with the first answer. */
  readonly key?: string;
};

export type StripeReply = {
  readonly heard: true;
  readonly status: number;
  readonly body: StripeObject;
  /** Whether this is the answer to an earlier request with the same key. */
  readonly replayed: boolean;
};

/** `left`: whether the request may have reached Stripe. */
export type StripeSilence = {
  readonly heard: false;
  readonly left: boolean;
  readonly fault: LineFault;
  readonly reason: string;
};

export type StripeHeard = StripeReply | StripeSilence;

/** Asks Stripe within a conversation. */
export type Talk = (call: StripeCall) => Promise<StripeHeard>;

export type StripeLineOptions = {
  readonly baseUrl: string;
  readonly secretKey: Secret<string>;
  readonly answerMs: number;
  readonly clock: Clock;
};

export class StripeLine {
  readonly #options: StripeLineOptions;
  readonly #trace: ExchangeTrace;
  readonly #conversations = new Set<AbortController>();
  #closed = false;

  constructor(options: StripeLineOptions) {
    this.#options = options;
    this.#trace = new ExchangeTrace(options.clock);
  }

  /** Everything `work` asks together may take as long as one answer. */
  async converse<T>(work: (talk: Talk) => Promise<T>): Promise<T> {
    const over = new AbortController();
    this.#conversations.add(over);
    const { clock, answerMs } = this.#options;
    void clock.sleep(answerMs, over.signal).then(() => over.abort());
    try {
      return await work((call) => this.#ask(call, over.signal));
    } finally {
      this.#conversations.delete(over);
      over.abort();
    }
  }

  traced(): readonly TraceLine[] {
    return this.#trace.lines();
  }

  close(): void {
    this.#closed = true;
    for (const conversation of this.#conversations) conversation.abort();
  }

  async #ask(call: StripeCall, signal: AbortSignal): Promise<StripeHeard> {
    if (this.#closed || signal.aborted) return this.#silence({ left: false, fault: 'silent', reason: this.#late() });
    this.#trace.asked(call.method, call.path, call.fields ?? {});
    try {
      const response = await fetch(this.#urlOf(call), this.#requestOf(call, signal));
      return await this.#read(response);
    } catch (error) {
      if (signal.aborted) return this.#silence({ left: true, fault: 'silent', reason: this.#late() });
      return this.#silence(brokenLine(error));
    }
  }

  #urlOf({ method, path, fields }: StripeCall): string {
    const query = method === 'GET' && fields ? `?${writeForm(fields)}` : '';
    return `${this.#options.baseUrl}${path}${query}`;
  }

  #requestOf({ method, fields, key }: StripeCall, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#options.secretKey.reveal()}`,
      'stripe-version': STRIPE_VERSION,
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    if (method === 'GET') return { method, headers, signal, redirect: 'manual' };
    headers['content-type'] = 'application/x-www-form-urlencoded';
    return { method, headers, body: writeForm(fields ?? {}), signal, redirect: 'manual' };
  }

  async #read(response: Response): Promise<StripeHeard> {
    const { status, headers } = response;
    const requestId = headers.get('request-id') ?? undefined;
    const body = parseStripeObject(await boundedText(response));
    this.#trace.answered(status, body, requestId);
    if (body) return { heard: true, status, body, replayed: headers.get('idempotent-replayed') === 'true' };
    return { heard: false, left: true, fault: 'unreadable', reason: `Stripe answered ${status} with no JSON object` };
  }

  #silence(silence: Omit<StripeSilence, 'heard'>): StripeSilence {
    this.#trace.failed(silence.reason);
    return { heard: false, ...silence };
  }

  #late(): string {
    return this.#closed ? 'the connector is closed' : `Stripe gave no answer within ${this.#options.answerMs} ms`;
  }
}

class AnswerTooLong extends Error {}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLong(`Stripe's answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function brokenLine(error: unknown): Omit<StripeSilence, 'heard'> {
  if (error instanceof AnswerTooLong) return { left: true, fault: 'unreadable', reason: error.message };
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const left = !isBeforeSending(cause);
  const reason = left ? 'the line to Stripe broke' : 'Stripe cannot be reached';
  return { left, fault: 'unreachable', reason: `${reason} (${codeOf(cause)})` };
}

/** Calls of the system that come before the first byte of a request. */
const BEFORE_SENDING: ReadonlySet<string> = new Set(['getaddrinfo', 'connect']);

/** Certificates are checked before anything is sent, too. */
const BAD_CERTIFICATE = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

function isBeforeSending(cause: unknown): boolean {
  // A name with several addresses fails with one error for each.
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isBeforeSending);
  if (cause instanceof Error && 'syscall' in cause && BEFORE_SENDING.has(String(cause.syscall))) return true;
  const code = codeOf(cause);
  return code === 'UND_ERR_CONNECT_TIMEOUT' || BAD_CERTIFICATE.test(code);
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
}
