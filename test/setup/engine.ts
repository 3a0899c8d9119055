// The engine of the embedded database, compiled once for a process of tests. V8 lends what it compiled of a module to
// every thread that compiles the same bytes, as long as somebody keeps it: otherwise every database that is opened
// compiles again whatever its statements need, which takes a second of processor time.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The types of Node know only its namespace. */
type Compiler = { compile(bytes: Uint8Array): Promise<object> };

const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');

export const keptEngine = await compiler.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
