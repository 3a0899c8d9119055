// The addresses of a gateway: the public one, perhaps of a proxy, and its own without a proxy. The port is known only
// when the gateway listens.

import type { Settings } from './settings.ts';

type Listening = Pick<Settings, 'host' | 'port' | 'baseUrl'>;

export class Addresses {
  #listening: Listening;
  #base: string;

  constructor(listening: Listening) {
    this.#listening = listening;
    this.#base = publicBaseUrl(listening);
  }

  listensOn(port: number): void {
    this.#listening = { ...this.#listening, port };
    this.#base = publicBaseUrl(this.#listening);
  }

  /** The public address of the interface. */
  get base(): string {
    return this.#base;
  }

  /** The path part of the public address. */
  get basePath(): string {
    return new URL(this.#base).pathname.replace(/\/$/, '');
  }

  /** Where health, metrics and the OpenAPI document are, without a proxy. */
  get local(): string {
    return localUrlOf(this.#listening);
  }

  /** Where this process itself reaches the interface. */
  get localBase(): string {
    return this.local + this.basePath;
  }
}

function publicBaseUrl(listening: Listening): string {
  return (listening.baseUrl ?? `${localUrlOf(listening)}/paynet`).replace(/\/$/, '');
}

function localUrlOf({ host, port }: Listening): string {
  const reachable = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
