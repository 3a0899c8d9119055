// What `pg` takes for a socket: each write goes to the embedded database as one message. Corked writes go together,
// so a whole flight crosses to the worker once.

import { Duplex } from 'node:stream';
import type { Asker, PgliteLink } from './pglite-link.ts';

const TERMINATE = 'X'.charCodeAt(0);

type Chunk = { readonly chunk: Buffer };
type Done = (error?: Error | null) => void;

export class PgliteStream extends Duplex {
  readonly #link: PgliteLink;
  readonly #asker: Asker = {
    answered: (bytes) => {
      this.#unanswered -= 1;
      if (!this.destroyed && bytes.length > 0) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
    broken: (error) => {
      this.#unanswered = 0;
      this.destroy(error);
    },
  };

  #unanswered = 0;

  // What a socket has besides, and a worker has no use for.
  readonly setNoDelay = () => this;
  readonly setKeepAlive = () => this;
  readonly ref = () => this;
  readonly unref = () => this;

  constructor(link: PgliteLink) {
    super({ decodeStrings: true, autoDestroy: true });
    this.#link = link;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.#send([{ chunk }], chunk.length);
    done();
  }

  override _writev(chunks: Chunk[], done: Done): void {
    let size = 0;
    for (const { chunk } of chunks) size += chunk.length;
    this.#send(chunks, size);
    done();
  }

  override _final(done: Done): void {
    this.push(null);
    done();
  }

  /** `pg` gives a connection up only after waiting long for an answer; no other statement would get one either. */
  override _destroy(error: Error | null, done: Done): void {
    if (this.#unanswered > 0) this.#link.abort('the embedded database did not answer in time');
    done(error);
  }

  // The bytes are copied into memory of their own: `pg` cuts its messages out of Node's shared buffer pool.
  #send(chunks: readonly Chunk[], size: number): void {
    if (chunks[0]!.chunk[0] === TERMINATE) return;
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (const { chunk } of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    this.#unanswered += 1;
    this.#link.send(bytes, this.#asker);
  }
}
