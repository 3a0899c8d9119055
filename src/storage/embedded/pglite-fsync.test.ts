import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { DurableNodeFS, type FsyncWatch } from './pglite-fsync.ts';

class ErrnoError extends Error {
  readonly errno: number;

  constructor(errno: number) {
    super();
    this.errno = errno;
  }
}

it('a file that cannot be flushed fails PostgreSQL’s fsync, and is not counted', async () => {
  const watch: FsyncWatch = { count: 0, open: false, fault: undefined };
  const { emscriptenOpts } = await new DurableNodeFS(tmpdir(), watch).init({} as PGlite, {});
  const layer: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } = { stream_ops: {} };
  const addFsync = emscriptenOpts.preRun?.at(-1) as unknown as (module: unknown) => void;
  addFsync({ NODEFS: layer, FS: { ErrnoError } });
  const fsync = (nfd: number) => layer.stream_ops.fsync?.({ nfd });

  const nfd = openSync(tmpdir(), 'r');
  expect(fsync(nfd)).toBe(0);
  closeSync(nfd);
  expect(() => fsync(nfd)).toThrow(expect.objectContaining({ errno: 29 }));
  expect(watch.count).toBe(1);
});
