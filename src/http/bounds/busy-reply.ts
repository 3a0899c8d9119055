// The answer to a request that there is no time for. It is the same for all but for its serial number and the time, so
// that it is put together once.

import type { Clock } from '../../domain/clock.ts';
import { fault } from '../../domain/errors.ts';
import { validationError } from '../../operations/error-replies.ts';
import { MEDIA_TYPE } from '../../operations/response.ts';
import { newSerialNumber } from '../../processing/node/serial-numbers.ts';
import { KEEP_ALIVE_MS, TLS_ONLY } from '../http-server.ts';

/** Overload passes as soon as fewer come; whoever waits for longer only comes back to an idle gateway. */
const WAIT_SECONDS = 1;

const HEADERS = {
  'Content-Type': MEDIA_TYPE,
  'Cache-Control': 'no-store',
  'Retry-After': String(WAIT_SECONDS),
};

const SECOND = 1000;

/** What Node writes last. */
const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / SECOND}\r\n`;

export class BusyReply {
  readonly #clock: Clock;
  readonly #before: string;
  readonly #after: string;
  readonly #heads: { readonly plain: string; readonly secure: string };
  #date = { second: 0, text: '' };

  readonly status = 400;
  readonly headers = HEADERS;

  constructor(clock: Clock) {
    this.#clock = clock;
    const serialNumber = newSerialNumber(clock.now());
    const body = JSON.stringify(validationError(serialNumber, [fault('overloaded', { hint: String(WAIT_SECONDS) })]));
    const [before = '', after = ''] = body.split(serialNumber);
    this.#before = before;
    this.#after = after;
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    this.#heads = {
      plain: headOf(this.status, { ...HEADERS, ...length }),
      secure: headOf(this.status, { ...HEADERS, ...TLS_ONLY, ...length }),
    };
  }

  body(): string {
    return this.#before + newSerialNumber(this.#clock.now()) + this.#after;
  }

  /** All of it, as Node's server would write it on a connection that is kept. */
  whole(isSecure: boolean): string {
    const head = isSecure ? this.#heads.secure : this.#heads.plain;
    return `${head}Date: ${this.#now()}\r\n${KEPT}\r\n${this.body()}`;
  }

  #now(): string {
    const second = Math.floor(Date.now() / SECOND);
    if (second !== this.#date.second) this.#date = { second, text: new Date(second * SECOND).toUTCString() };
    return this.#date.text;
  }
}

function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}`;
}
