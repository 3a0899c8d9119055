// The only client that calls merchants. It looks the name up, checks every address behind it, and connects to exactly
// that address, so that no name can lead into the operator's own network. It follows no redirect, waits a bounded time
// and reads a bounded answer.

import { lookup, Resolver } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import {
  type CallbackPolicy,
  hostOf,
  isCallableFor,
  isListed,
  isLocalName,
  portOf,
  remedyOf,
  whyNotCallable,
} from '../domain/merchant/callback-url.ts';

/** How much of an answer is read and kept. */
const KEPT_BYTES = 2_048;

/** How many addresses of one name are tried. */
const MAX_ADDRESSES = 4;

export type Timeouts = {
  readonly connectMs: number;
  /** The limit from the lookup of the name to the head of the answer. */
  readonly totalMs: number;
  /** The limit for reading the kept part of the answer's body. */
  readonly bodyMs: number;
};

export const TIMEOUTS: Timeouts = { connectMs: 4_000, totalMs: 10_000, bodyMs: 2_000 };

/** Finds the IP addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type Call = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly policy: CallbackPolicy;
  readonly about: CalledAbout;
};

/** The order that a call tells of. */
export type CalledAbout = {
  readonly merchantId: number;
  readonly endpointId: number;
  readonly clientOrderId: string;
  readonly callbackId: string;
};

/** The address that was called and its answer; `fault` says why there is no answer. */
export type Called = {
  readonly address: string | undefined;
  readonly status: number | undefined;
  readonly answer: string | undefined;
  readonly fault: string | undefined;
};

/** Nobody was reached at this address; another address may work. */
class NotReached extends Error {}

export class CallbackClient {
  readonly #resolve: Resolve;
  readonly #resolveListed: Resolve;
  readonly #timeouts: Timeouts;

  constructor({ resolve, timeouts = TIMEOUTS }: { resolve?: Resolve; timeouts?: Timeouts } = {}) {
    this.#resolve = resolve ?? publicNames();
    this.#resolveListed = resolve ?? systemNames;
    this.#timeouts = timeouts;
  }

  get longestMs(): number {
    return this.#timeouts.totalMs + this.#timeouts.bodyMs;
  }

  async get(call: Omit<Call, 'about'>): Promise<Called> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeouts.totalMs);
    let address: string | undefined;
    try {
      for (address of await this.#addresses(call, deadline.signal)) {
        const response = await this.#reach(call, address, deadline.signal);
        if (!response) continue;
        clearTimeout(timer);
        const answer = await beginningOf(response, this.#timeouts.bodyMs);
        return { address, status: response.statusCode, answer, fault: undefined };
      }
      return { address, status: undefined, answer: undefined, fault: 'it could not be reached' };
    } catch (error) {
      const fault = deadline.signal.aborted ? 'it did not answer in time' : faultIn(error);
      return { address, status: undefined, answer: undefined, fault };
    } finally {
      clearTimeout(timer);
    }
  }

  async #addresses({ url, policy }: Pick<Call, 'url' | 'policy'>, deadline: AbortSignal): Promise<string[]> {
    const refused = whyNotCallable(url.href, policy);
    if (refused !== undefined) throw new Fault(`it may not be called: ${refused}`);
    const host = hostOf(url);
    const resolve = isListed(url, policy) ? this.#resolveListed : this.#resolve;
    const found = await within(deadline, lookUp(host, resolve));
    const callable = found.filter((address) => isCallableFor(url, address, policy));
    if (found.length > 0 && callable.length === 0) {
      throw new Fault(`it leads to a local or private address${remedyOf(policy)}`);
    }
    if (callable.length === 0) throw new Fault('its name leads nowhere');
    return callable.slice(0, MAX_ADDRESSES);
  }

  /** Undefined when nobody was reached at this address. */
  #reach(call: Omit<Call, 'about'>, address: string, deadline: AbortSignal): Promise<IncomingMessage | undefined> {
    return answerOf(call, address, { deadline, connectMs: this.#timeouts.connectMs }).catch((error) => {
      if (error instanceof NotReached && !deadline.aborted) return undefined;
      throw error;
    });
  }
}

/** An error whose message is our own, so that it can be shown. */
class Fault extends Error {}

function faultIn(error: unknown): string {
  if (error instanceof Fault) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined ? 'the connection broke' : `the connection broke: ${code}`;
}

function answerOf(
  { url, headers }: Pick<Call, 'url' | 'headers'>,
  address: string,
  { deadline, connectMs }: { deadline: AbortSignal; connectMs: number },
): Promise<IncomingMessage> {
  const host = hostOf(url);
  const options: RequestOptions & { servername?: string } = {
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, connection: 'close', ...headers },
    // Every callback has its own connection, so none is reused for an address that was not checked.
    agent: false,
    signal: deadline,
    // The certificate must be for the name, not for the address.
    ...(isIP(host) ? {} : { servername: host.replace(/\.$/, '') }),
  };
  return new Promise((resolve, reject) => {
    const call = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
    const isConnected = connected(call, connectMs);
    call.on('error', (error) => reject(isConnected() ? error : new NotReached('not reached', { cause: error })));
    call.on('response', resolve);
    // A connection that closes without an error was answered in another protocol than HTTP.
    call.on('close', () => reject(new Error('closed without an answer')));
    call.end();
  });
}

/** Ends a call that does not connect in time; the returned function tells whether it has connected. */
function connected(call: ClientRequest, connectMs: number): () => boolean {
  let isConnected = false;
  const timer = setTimeout(() => call.destroy(new Error('no connection in time')), connectMs);
  const stop = () => clearTimeout(timer);
  call.on('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
      stop();
    }),
  );
  call.once('close', stop);
  return () => isConnected;
}

/** The first part of the body, masked. The status was the answer already, so a body that breaks off changes nothing. */
function beginningOf(response: IncomingMessage, bodyMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (isWhole: boolean) => {
      clearTimeout(timer);
      response.destroy();
      resolve(keptOf(Buffer.concat(chunks).subarray(0, KEPT_BYTES), isWhole && length <= KEPT_BYTES));
    };
    const timer = setTimeout(stop, bodyMs, false);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > KEPT_BYTES) stop(false);
    });
    response.on('end', () => stop(true));
    response.on('error', () => stop(false));
    response.on('close', () => stop(false));
  });
}

/** A card number that was cut would not be recognised, so digits at a cut are left out. */
function keptOf(bytes: Buffer, isWhole: boolean): string {
  const text = bytes.toString('utf8').replaceAll('\0', '');
  return maskCardNumbers(isWhole ? text : text.replace(/[\d\W]+$/, ''));
}

function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Fault('its name was not found in time')), { once: true });
    work.then(resolve, reject);
  });
}

async function lookUp(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  return isLocalName(host) ? ['127.0.0.1', '::1'] : resolve(host);
}

/** Names that a sandbox lists are known to its machine alone: to its file of hosts, or with a domain that it adds. */
const systemNames: Resolve = async (host) => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/** Asks name servers directly: one slow name server could hold up all threads of the system's own lookup. */
function publicNames(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
