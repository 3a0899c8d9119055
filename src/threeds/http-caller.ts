// Calls to other servers of 3-D Secure, with bounds on connections, time and the length of answers. A call never
// throws; one that could not be finished says whether it reached the other side.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../domain/clock.ts';

/** What both sides of a TLS connection show each other, in PEM. */
export type TlsIdentity = {
  /** The certificates that the other side's must be signed with; those the system trusts when left out. */
  readonly ca?: string | undefined;
  /** What we show, our own certificate first, and the private key of that one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

export type HttpCallerOptions = {
  readonly clock: Clock;
  readonly tls?: TlsIdentity | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly answerTimeoutMs?: number | undefined;
};

export type HttpCall = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly type?: string;
  readonly body?: string;
  /** The most characters that an answer may have. */
  readonly longest: number;
};

/** Any HTTP status counts as an answer: its body says whether it can be used. */
export type HttpAnswer =
  | { readonly outcome: 'answered'; readonly body: string }
  | { readonly outcome: 'no-answer'; readonly why: 'not-reached' | 'timed-out' };

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

/** What older versions promise has been broken. */
export const OLDEST_TLS = 'TLSv1.2';

export class HttpCaller {
  readonly #clock: Clock;
  readonly #connectTimeoutMs: number;
  readonly #answerTimeoutMs: number;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };
  #underWay = 0;
  #isRetired = false;

  constructor({ clock, tls, connectTimeoutMs, answerTimeoutMs }: HttpCallerOptions) {
    this.#clock = clock;
    this.#answerTimeoutMs = answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
    this.#connectTimeoutMs = Math.min(connectTimeoutMs ?? CONNECT_TIMEOUT_MS, this.#answerTimeoutMs);
    const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    const secure = { ...pool, ...tls, minVersion: OLDEST_TLS } as const;
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(secure) };
  }

  async call(call: HttpCall): Promise<HttpAnswer> {
    const ending = new AbortController();
    let reached = false;
    const onReached = () => {
      reached = true;
    };
    // After a connection something may have been sent, and the other side may have acted on it.
    const noAnswer = (): HttpAnswer => ({ outcome: 'no-answer', why: reached ? 'timed-out' : 'not-reached' });
    const limit = async () => {
      await this.#clock.sleep(this.#connectTimeoutMs, ending.signal);
      if (reached) await this.#clock.sleep(this.#answerTimeoutMs - this.#connectTimeoutMs, ending.signal);
      return noAnswer();
    };
    this.#underWay += 1;
    const answer = await Promise.race([this.#send(call, ending.signal, onReached).catch(noAnswer), limit()]);
    ending.abort();
    this.#underWay -= 1;
    if (this.#isRetired) this.retire();
    return answer;
  }

  /** Closes when the calls under way are over. */
  retire(): void {
    this.#isRetired = true;
    if (this.#underWay === 0) this.close();
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #send({ method, url, type, body, longest }: HttpCall, signal: AbortSignal, onReached: () => void) {
    return new Promise<HttpAnswer>((resolve, reject) => {
      const headers =
        body === undefined || type === undefined
          ? {}
          : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
      const secure = url.protocol === 'https:';
      const agent = this.#agents[secure ? 'https:' : 'http:'];
      const call = (secure ? httpsRequest : httpRequest)(url, { method, headers, agent, signal });
      call.on('error', reject);
      call.on('socket', (socket) => {
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', onReached);
        else onReached();
      });
      call.on('response', (response) => {
        readBody(response, longest).then((text) => resolve({ outcome: 'answered', body: text }), reject);
      });
      call.end(body);
    });
  }
}

/** A body that is too long is cut, so it can no longer be read as a message. */
async function readBody(response: IncomingMessage, longest: number): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longest) break;
  }
  return text;
}
