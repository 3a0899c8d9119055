import type { BuildOptions } from 'esbuild';

export function clientBuild(root: string): BuildOptions & { readonly metafile: true };
