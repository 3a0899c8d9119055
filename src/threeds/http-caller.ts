// Calls to other servers of 3-D Secure, with bounds on connections, time and the length of answers. A call never
// throws; one that could not be finished says whether it reached the other side.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../domain/clock.ts';

export type HttpCallerOptions = {
  readonly clock: Clock;
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

export class HttpCaller {
  readonly #clock: Clock;
  readonly #connectTimeoutMs: number;
  readonly #answerTimeoutMs: number;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor({ clock, connectTimeoutMs, answerTimeoutMs }: HttpCallerOptions) {
    this.#clock = clock;
    this.#answerTimeoutMs = answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
    this.#connectTimeoutMs = Math.min(connectTimeoutMs ?? CONNECT_TIMEOUT_MS, this.#answerTimeoutMs);
    const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) };
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
    const answer = await Promise.race([this.#send(call, ending.signal, onReached).catch(noAnswer), limit()]);
    ending.abort();
    return answer;
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
