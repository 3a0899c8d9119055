// A card brand's directory server for tests: demands a client certificate, and passes on what it is asked to the
// simulated networks, which answer it.

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Issued, TestAuthority } from '../certificates.ts';

export type AskedDirectory = {
  /** The subject of the certificate that was shown. */
  readonly by: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message is looked at field by field
  readonly message: Record<string, any>;
};

export type TlsDirectoryOptions = {
  /** Whose certificates it takes. */
  readonly clients: TestAuthority;
  readonly shows: Issued;
  /** The simulated networks behind it. */
  readonly behind: () => string;
};

export class TlsDirectory {
  readonly asked: AskedDirectory[] = [];
  /** Held back until this resolves. */
  held: Promise<void> = Promise.resolve();
  connections = 0;
  readonly #server: Server;

  constructor({ clients, shows, behind }: TlsDirectoryOptions) {
    const tls = { ca: clients.certificate, cert: shows.certificate, key: shows.privateKey };
    this.#server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, async (request, response) => {
      const body = (await request.toArray()).join('');
      if (request.method !== 'POST') return response.writeHead(405).end();
      const by = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
      this.asked.push({ by: String(by), path: request.url ?? '', message: JSON.parse(body) });
      await this.held;
      const answer = await fetch(`${behind()}/emv-3ds`, { method: 'POST', body });
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    this.#server.on('secureConnection', () => {
      this.connections += 1;
    });
    this.#server.on('tlsClientError', () => {});
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ds/v2`;
  }

  /** The messages of a type, oldest first. */
  messages(type: string): AskedDirectory[] {
    return this.asked.filter(({ message }) => message.messageType === type);
  }

  openConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
