// PGlite's file layer on a real folder, with the fsync it leaves out: files and directories are flushed to disk when
// PostgreSQL asks for it. What was flushed is counted, so that the start can prove the hook is really called.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

export type FsyncFault = 'absent' | 'fails-once-open';

export type FsyncWatch = { count: number; open: boolean; readonly fault: FsyncFault | undefined };

/** EIO in the numbering of wasi, which emscripten uses. */
const WASI_EIO = 29;

type Stream = { nfd?: number; node: unknown };
type NodeLayer = { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string };
type Module = {
  NODEFS?: NodeLayer;
  FS: { filesystems?: { NODEFS?: NodeLayer }; ErrnoError: new (errno: number) => Error };
};

export class DurableNodeFS extends NodeFS {
  readonly #watch: FsyncWatch;

  constructor(folder: string, watch: FsyncWatch) {
    super(folder);
    this.#watch = watch;
  }

  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    // The emulator gives its module, and has no types.
    const addFsync = (module: unknown) => this.#addFsync(module as Module);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }

  #addFsync(module: Module): void {
    const watch = this.#watch;
    if (watch.fault === 'absent') return;
    // The layer's place has moved between versions of PGlite.
    for (const layer of [module.NODEFS, module.FS.filesystems?.NODEFS]) {
      if (layer === undefined) continue;
      layer.stream_ops.fsync = (stream) => {
        try {
          if (watch.open && watch.fault === 'fails-once-open') throw new Error('as a broken disk would');
          flush(stream, layer);
        } catch {
          throw new module.FS.ErrnoError(WASI_EIO);
        }
        watch.count += 1;
        return 0;
      };
    }
  }
}

function flush(stream: Stream, layer: NodeLayer): void {
  const file = stream.nfd ?? openSync(layer.realPath(stream.node), 'r');
  try {
    fsyncSync(file);
  } finally {
    if (file !== stream.nfd) closeSync(file);
  }
}
