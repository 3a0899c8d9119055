// The merchant's side of the interface. A request whose answer was lost is sent again as the same request, under the
// same client_orderid and Idempotency-Key, so that nothing is done twice.

import { randomUUID } from 'node:crypto';
import type { CalledOperation, CallOptions } from './called-operation.ts';
import { ClientOperations, type ClientReplies, type ClientRequests, OPERATIONS } from './operations.ts';
import { pause } from './pause.ts';
import { postForm } from './post-form.ts';
import { type ClientSigner, type ReadyRequest, signedRequest } from './signed-request.ts';
import { errorIn, ownError, TenderError } from './tender-error.ts';
import { type OrderAsked, untilEnd, type WaitOptions } from './wait-for-end.ts';

export type TenderClientOptions = {
  /** Where merchants post to, such as `http://localhost:8080/paynet`. */
  readonly baseUrl: string;
  /** The endpoint that orders run on; `group/200` for an endpoint group. */
  readonly endpoint: number | string;
  readonly login: string;
  /** Signs controls, OAuth by HMAC-SHA1 and strict signatures. */
  readonly controlKey?: string | undefined;
  /** Signs OAuth by RSA-SHA256, which the operations of version 4 demand; in PEM. */
  readonly privateKey?: string | undefined;
  /** How amounts are written: `major` means `10.42`, as unless given, and `minor` means `1042`. */
  readonly amounts?: 'major' | 'minor' | undefined;
  /** Sends the header X-Signature, which an endpoint may demand. */
  readonly strict?: boolean | undefined;
  /** The address that OAuth signatures name, where it is not the one that is called. */
  readonly publicUrl?: string | undefined;
  /** How long one attempt may take; 30 seconds unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent at most when its answer is lost; 4 times unless given. */
  readonly attempts?: number | undefined;
  /** Sends requests; the global `fetch` unless given. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The time, in milliseconds since 1970; that of this machine unless given. */
  readonly now?: (() => number) | undefined;
};

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;
/** What the gateway asks for with Retry-After. */
const BUSY_PAUSE_MS = 1_000;

type Answer = { readonly httpStatus: number; readonly reply: Readonly<Record<string, unknown>> };

/** What is the same in every attempt. */
type Call = {
  readonly name: keyof ClientRequests;
  readonly operation: CalledOperation;
  readonly request: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
};

export class TenderClient extends ClientOperations {
  readonly #options: TenderClientOptions;
  readonly #signer: ClientSigner;

  constructor(options: TenderClientOptions) {
    super();
    const { baseUrl, endpoint, login, controlKey, privateKey, publicUrl = baseUrl } = options;
    this.#options = { ...options, baseUrl: baseUrl.replace(/\/$/, '') };
    this.#signer = {
      ...{ publicUrl, login, controlKey, privateKey, endpoint: String(endpoint) },
      isStrict: options.strict ?? false,
      notation: options.amounts ?? 'major',
    };
  }

  /**
   * Asks STATUS until the order has ended. Throws `payer-needed` when the payer has to act first, unless `payer` takes
   * care of that, and `not-ended` after `limitMs`.
   *
   * @example
   * const end = await client.waitForEnd({ client_orderid: 'inv-1001' });
   * if (end.status === 'approved') ship();
   */
  waitForEnd(order: OrderAsked, options: WaitOptions = {}): Promise<ClientReplies['status']> {
    return untilEnd(() => this.#statusOf(order, options), order, options);
  }

  protected override async call<Name extends keyof ClientRequests>(
    name: Name,
    request: ClientRequests[Name],
    options: CallOptions = {},
  ): Promise<ClientReplies[Name]> {
    const operation: CalledOperation = OPERATIONS[name];
    const { idempotencyKey = operation.repeats === 'by-key' ? randomUUID() : undefined, signal } = options;
    const call = { name, operation, request, key: idempotencyKey, signal };
    return (await this.#untilAnswered(call)) as ClientReplies[Name];
  }

  async #untilAnswered(call: Call): Promise<unknown> {
    const { attempts = ATTEMPTS } = this.#options;
    let open: TenderError | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        return replyOf(await this.#send(call));
      } catch (error) {
        if (call.signal?.aborted || !(error instanceof TenderError)) throw error;
        const isBusy = error.code === OVERLOADED;
        // Whatever was sent before and not answered may still have been carried out.
        if (error.outcome === 'unknown') open = error;
        if (attempt >= attempts) throw isBusy ? (open ?? error) : error;
        if (error.outcome !== 'unknown' && !isBusy) throw error;
        if (!isBusy && (await this.#isKnownByStatus(call, error))) continue;
        const shortestMs = isBusy ? BUSY_PAUSE_MS : FIRST_PAUSE_MS * 2 ** (attempt - 1) * 0.5;
        await pause(shortestMs * (1 + 2 * Math.random()), call.signal);
      }
    }
  }

  /**
   * After a failure of the service STATUS is asked before the next attempt. An order that it finds may be an older one
   * of the same id, so it is not taken for this one: the same request, sent again, gets this order or a refusal.
   */
  async #isKnownByStatus({ operation, request, signal }: Call, { httpStatus, code }: TenderError): Promise<boolean> {
    if (httpStatus !== 500 || code !== '500' || !operation.toldByStatus) return false;
    const client_orderid = String(request.client_orderid ?? request['client-order-id'] ?? '');
    return this.#statusOf({ client_orderid }, { ...(signal && { signal }), once: true }).then(
      () => true,
      () => false,
    );
  }

  /** A merchant may have one of the keys only. */
  async #statusOf(
    order: OrderAsked,
    { signal, once }: { readonly signal?: AbortSignal; readonly once?: boolean },
  ): Promise<ClientReplies['status']> {
    const name = this.#options.controlKey === undefined ? 'statusV4' : 'status';
    const { client_orderid, orderid, 'by-request-sn': serial } = order;
    const request = { client_orderid, orderid, 'by-request-sn': serial };
    const call: Call = { name, operation: OPERATIONS[name], request, key: undefined, signal };
    return (once ? replyOf(await this.#send(call)) : await this.#untilAnswered(call)) as ClientReplies['status'];
  }

  async #send({ operation, request, key, signal }: Call): Promise<Answer> {
    const { now = Date.now, timeoutMs = TIMEOUT_MS } = this.#options;
    const signed = signedRequest(operation, request, this.#signer, { now: now(), nonce: randomUUID() });
    const limit = AbortSignal.timeout(timeoutMs);
    return this.#post(signed, key, signal ? AbortSignal.any([signal, limit]) : limit, operation.name);
  }

  async #post({ path, body, headers }: ReadyRequest, key: string | undefined, signal: AbortSignal, name: string) {
    const { baseUrl, fetch: send } = this.#options;
    const known = key === undefined ? headers : { ...headers, 'idempotency-key': key };
    const { status, text } = await postForm(baseUrl + path, { body, headers: known, signal }, send).catch((cause) => {
      throw ownError('no-answer', `${name} was sent to ${baseUrl} and not answered`, { outcome: 'unknown', cause });
    });
    return { httpStatus: status, reply: readReply(text, status, name) };
  }
}

function replyOf({ httpStatus, reply }: Answer): unknown {
  if (httpStatus === 200 && reply.type !== 'validation-error' && reply.type !== 'error') return reply;
  throw errorIn(reply, httpStatus);
}

const REQUEST_TIMEOUT = 408;

/** The gateway has more to do than it can: nothing came of the request, and a moment later it is taken. */
const OVERLOADED = '92';

function readReply(text: string, httpStatus: number, name: string): Answer['reply'] {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null) return read as Answer['reply'];
  } catch {
    // It is no reply of the gateway.
  }
  // What a proxy says of success or of its own patience tells nothing of what the gateway did.
  const isLost = httpStatus < 300 || httpStatus === REQUEST_TIMEOUT || httpStatus >= 500;
  throw ownError('unreadable-answer', `${name} was answered with ${httpStatus} and no reply of the interface`, {
    ...{ outcome: isLost ? 'unknown' : 'refused', httpStatus },
  });
}
