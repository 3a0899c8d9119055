// What imported.mjs offers, for the tests that are typed.

import type { Plugin } from 'esbuild';

export function withImported<Module, Result>(
  path: string,
  use: (module: Module) => Promise<Result>,
  plugins?: Plugin[],
): Promise<Result>;
