// How many connections a server keeps open: so many in all, and so many from one address range, /24 or /64, unless a
// known proxy made them. One too many from a range is closed at once. When all places are taken, a newcomer gets that
// of the connection that has been waiting longest without ever sending a whole request, else that of the stranger who
// has been idle longest; who was recognised by a right signature, and who waits for a reply, is never closed for
// another.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { BlockList, Socket } from 'node:net';
import { addressBlock } from '../../domain/address/address-blocks.ts';
import { isKnownProxy } from '../client-address.ts';

export type ConnectionBounds = {
  readonly all: number;
  readonly perBlock: number;
};

type Connection = {
  readonly name: string;
  readonly socket: Socket;
  readonly block: string | undefined;
  /** Requests that have come and are not answered yet. */
  asked: number;
  isRecognised: boolean;
};

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds;
  readonly #proxies: BlockList | undefined;
  /** By the client's address and port: a request may come on another socket than the one that was accepted, by TLS. */
  readonly #open = new Map<string, Connection>();
  readonly #perBlock = new Map<string, number>();
  /** Without a request so far, and idle ones of strangers; the longest waiting first. */
  readonly #silent = new Set<Connection>();
  readonly #idle = new Set<Connection>();
  /** Connections that were closed because there were too many: from their address range, or in all. */
  readonly closed = { perBlock: 0, all: 0 };

  constructor(bounds: ConnectionBounds, proxies?: BlockList) {
    this.#bounds = bounds;
    this.#proxies = proxies;
  }

  get open(): number {
    return this.#open.size;
  }

  watch(server: Server | SecureServer): void {
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(nameOf(request.socket));
      if (!connection) return;
      this.#begin(connection);
      response.once('close', () => this.#end(connection));
    });
  }

  /** A request on this connection was signed rightly. */
  recognise(socket: Socket): void {
    const connection = this.#open.get(nameOf(socket));
    if (connection) connection.isRecognised = true;
  }

  #accept(socket: Socket): void {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) return;
    const block = isKnownProxy(remoteAddress, this.#proxies) ? undefined : addressBlock(remoteAddress);
    const count = block === undefined ? 0 : (this.#perBlock.get(block) ?? 0);
    const bound = this.#boundReached(count);
    if (bound) {
      this.#close(socket, bound);
      return;
    }
    const connection = { name: nameOf(socket), socket, block, asked: 0, isRecognised: false };
    this.#open.set(connection.name, connection);
    this.#silent.add(connection);
    if (block !== undefined) this.#perBlock.set(block, count + 1);
    socket.once('close', () => this.#forget(connection));
  }

  #boundReached(ofBlock: number): keyof ConnectionLimits['closed'] | undefined {
    if (ofBlock >= this.#bounds.perBlock) return 'perBlock';
    return this.#open.size >= this.#bounds.all && !this.#makePlace() ? 'all' : undefined;
  }

  #close(socket: Socket, why: keyof ConnectionLimits['closed']): void {
    this.closed[why] += 1;
    socket.destroy();
  }

  /** Closes the connection that is missed least; false when none may be closed. */
  #makePlace(): boolean {
    const [longest] = this.#silent.size > 0 ? this.#silent : this.#idle;
    if (!longest) return false;
    this.#close(longest.socket, 'all');
    this.#forget(longest);
    return true;
  }

  #begin(connection: Connection): void {
    connection.asked += 1;
    this.#silent.delete(connection);
    this.#idle.delete(connection);
  }

  #end(connection: Connection): void {
    connection.asked -= 1;
    if (connection.asked === 0 && !connection.isRecognised && !connection.socket.destroyed) this.#idle.add(connection);
  }

  #forget(connection: Connection): void {
    const { name, block } = connection;
    if (this.#open.get(name) !== connection) return;
    this.#open.delete(name);
    this.#silent.delete(connection);
    this.#idle.delete(connection);
    if (block === undefined) return;
    const count = (this.#perBlock.get(block) ?? 1) - 1;
    if (count === 0) this.#perBlock.delete(block);
    else this.#perBlock.set(block, count);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
