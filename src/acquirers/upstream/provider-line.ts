// The line to a provider: one request, one reply, over connections that are kept open. It tells apart a request that
// never left this machine, which nobody can have carried out, from one whose fate is not known.

import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LineFault } from '../acquirer.ts';

const MAX_CONNECTIONS = 256;
const MAX_REPLY_BYTES = 64 * 1024;

export type LineReply =
  | { readonly end: 'reply'; readonly status: number; readonly text: string }
  /** Nothing of the request left this machine. */
  | { readonly end: 'unsent'; readonly reason: string }
  | { readonly end: 'lost'; readonly reason: string; readonly fault: LineFault };

export type Posted = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export class ProviderLine {
  readonly #agent: PlainAgent;
  readonly #isSecure: boolean;

  constructor(baseUrl: string) {
    this.#isSecure = baseUrl.startsWith('https:');
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agent = this.#isSecure ? new SecureAgent(options) : new PlainAgent(options);
  }

  /** Ends when `signal` is aborted, whatever has arrived by then. It never rejects. */
  post({ url, headers, body }: Posted, signal: AbortSignal): Promise<LineReply> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve({ end: 'unsent', reason: 'there was no time left to send it' });
      let mayBeSent = false;
      let isAnswered = false;
      const length = String(Buffer.byteLength(body));
      const options = { method: 'POST', agent: this.#agent, headers: { ...headers, 'content-length': length }, signal };
      const call = this.#isSecure ? secureRequest(url, options) : plainRequest(url, options);
      const lost = (reason: string, fault: LineFault) => resolve({ end: 'lost', reason, fault });
      const failed = (error: NodeJS.ErrnoException) => {
        if (!mayBeSent) return resolve({ end: 'unsent', reason: whyNotConnected(error, signal) });
        if (signal.aborted) return lost('the provider gave no answer in time', 'silent');
        lost(`the connection to the provider broke (${error.code ?? 'no code'})`, 'unreachable');
      };
      // Nothing is written to a connection before it is open, and encrypted where it shall be.
      call.on('socket', (socket) => {
        if (call.reusedSocket) mayBeSent = true;
        else socket.once(this.#isSecure ? 'secureConnect' : 'connect', () => (mayBeSent = true));
      });
      call.on('error', failed);
      call.on('response', (response) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MAX_REPLY_BYTES) chunks.push(chunk);
          else {
            lost('the answer of the provider is too long', 'unreadable');
            response.destroy();
          }
        });
        response.on('error', failed);
        response.on('end', () =>
          resolve({ end: 'reply', status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('close', () => lost('the provider ended its answer in the middle', 'unreadable'));
      });
      call.on('close', () => {
        if (!isAnswered) lost('the provider closed the connection without an answer', 'unreachable');
      });
      call.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function whyNotConnected({ code, message }: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (signal.aborted) return 'the provider could not be connected to in time';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return "the name of the provider's host leads nowhere";
  if (code === 'ECONNREFUSED') return 'the provider refuses connections';
  return `there is no connection to the provider (${code ?? message})`;
}
