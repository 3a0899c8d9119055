// The embedded database's own thread: PGlite speaking PostgreSQL's protocol by messages. Bytes in are answered by
// bytes out, one message each. A commit is on disk (fsync) before its answer leaves, or this thread does not start.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { DurableNodeFS, type FsyncWatch } from './pglite-fsync.ts';
import type { WorkerAnswer, WorkerStart } from './pglite-link.ts';

/** wasm knows no signals: what is not `siglongjmp` to the main loop (PGlite's status 100) has broken the engine. */
const LONGJMP_STATUS = 100;
const SHARED_BUFFERS = '16MB';
const MAX_WAL = '128MB';
const MIN_WAL = '48MB';
/** Everybody waits while a table is analysed: a tenth of the usual sample takes a quarter of the time. */
const STATISTICS_TARGET = 10;

const BASE_PARAMETERS = ['--single', '-O', '-j'];
const SETTINGS = [
  'search_path=public',
  'exit_on_error=false',
  'log_checkpoints=false',
  'max_worker_processes=0',
  'max_parallel_workers=0',
  'max_parallel_workers_per_gather=0',
  'max_parallel_maintenance_workers=0',
  'io_method=sync',
  'wal_sync_method=fsync',
  `default_statistics_target=${STATISTICS_TARGET}`,
  `shared_buffers=${SHARED_BUFFERS}`,
  `max_wal_size=${MAX_WAL}`,
  `min_wal_size=${MIN_WAL}`,
];

const port = parentPort!;
// Our own thread was started with it.
const start = workerData as WorkerStart;
const fsyncs: FsyncWatch = { count: 0, open: false, fault: start.fsyncFault };

/** A virgin cluster read from the template folder into memory, before PGlite looks whether it must run initdb. */
class TemplateMemoryFS extends MemoryFS {
  readonly #template: string;

  constructor(template: string) {
    super();
    this.#template = template;
  }

  override async initialSyncFs(): Promise<void> {
    this.#copy(this.#template, PGlite.paths.PGDATA);
  }

  #copy(from: string, to: string): void {
    const { FS } = this.pg!.Module;
    if (!FS.analyzePath(to).exists) FS.mkdirTree(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const source = join(from, entry.name);
      const target = `${to}/${entry.name}`;
      if (entry.isDirectory()) this.#copy(source, target);
      else FS.writeFile(target, readFileSync(source));
    }
  }
}

function fileSystem() {
  if (start.cluster !== undefined) return new DurableNodeFS(start.cluster, fsyncs);
  if (start.template !== undefined) return new TemplateMemoryFS(start.template);
  return new MemoryFS();
}

function startParameters(): string[] {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return start.cluster === undefined ? [...BASE_PARAMETERS, '-F', ...settings] : [...BASE_PARAMETERS, ...settings];
}

async function open(): Promise<PGlite> {
  const engine = await PGlite.create({ fs: fileSystem(), startParams: startParameters() });
  diesWhenBroken(engine);
  if (start.cluster !== undefined) await proveFsync(engine);
  fsyncs.open = true;
  return engine;
}

/** PGlite swallows whatever its main loop throws. After a PANIC or a wasm trap nothing it answers can be believed. */
function diesWhenBroken(engine: PGlite): void {
  const module = engine.Module as unknown as { _PostgresMainLoopOnce(): void };
  const once = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if ((error as { status?: number }).status !== LONGJMP_STATUS) process.exit(1);
      throw error;
    }
  };
}

async function proveFsync(engine: PGlite): Promise<void> {
  const before = fsyncs.count;
  // The smallest thing that writes to the log in a transaction, so that its commit must be flushed.
  await engine.exec("SELECT pg_logical_emit_message(true, 'tender', '')");
  if (fsyncs.count === before)
    throw new Error('the embedded database did not flush a commit to disk (fsync): refusing to open it');
}

function answerTo(engine: PGlite, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // A part is a window on wasm memory: it is copied into memory that can be given away.
  const onRawData = (part: Uint8Array) => parts.push(new Uint8Array(part));
  // It runs to the end before it returns its promise, which only reports a failure.
  engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData }).catch(() => process.exit(1));
  return parts.length === 1 ? parts[0]! : joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

const tell = (answer: WorkerAnswer) => port.postMessage(answer);

try {
  const engine = await open();
  const shutDown = () =>
    engine.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  port.on('message', (message: Uint8Array | 'close') => {
    if (message === 'close') return void shutDown();
    const answer = answerTo(engine, message);
    port.postMessage(answer, [answer.buffer]);
  });
  tell({ state: 'ready' });
} catch (error) {
  tell({ state: 'failed', reason: error instanceof Error ? error.message : 'unknown' });
}
