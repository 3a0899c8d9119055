// The console's stylesheet and script, which are served beside those of people's pages.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Asset, assetDigest } from '../web/design/assets.ts';
import type { PeopleAssets } from '../web/people/layout.ts';

type OwnAssets = { readonly consoleStylesheet: string; readonly consoleScript: string };

export type ConsoleAssets = PeopleAssets & OwnAssets;

/** `root` is the folder of the package, where the built script is in dist/. */
export async function readConsoleAssets(root: string): Promise<OwnAssets & { files: ReadonlyMap<string, Asset> }> {
  const stylesheet = await readFile(join(root, 'src/web/design/console.css'));
  const script = await readFile(join(root, 'dist/console.js'));
  const consoleStylesheet = `console-${assetDigest(stylesheet)}.css`;
  const consoleScript = `console-${assetDigest(script)}.js`;
  return {
    consoleStylesheet,
    consoleScript,
    files: new Map([
      [consoleStylesheet, { type: 'text/css; charset=utf-8', body: stylesheet }],
      [consoleScript, { type: 'text/javascript; charset=utf-8', body: script }],
    ]),
  };
}
