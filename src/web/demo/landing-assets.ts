// The stylesheet and the script that only the landing page of a sandbox has: payers' pages load neither.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Asset, assetDigest } from '../design/assets.ts';

export type LandingAssets = {
  readonly ownStylesheet: string;
  readonly ownScript: string;
  readonly ownFiles: ReadonlyMap<string, Asset>;
};

/** `root` is the folder of the package, where the built script is in dist/. */
export async function readLandingAssets(root: string): Promise<LandingAssets> {
  const stylesheet = await readFile(join(root, 'src/web/design/landing.css'));
  const script = await readFile(join(root, 'dist/landing.js'));
  const ownStylesheet = `landing-${assetDigest(stylesheet)}.css`;
  const ownScript = `landing-${assetDigest(script)}.js`;
  return {
    ownStylesheet,
    ownScript,
    ownFiles: new Map([
      [ownStylesheet, { type: 'text/css; charset=utf-8', body: stylesheet }],
      [ownScript, { type: 'text/javascript; charset=utf-8', body: script }],
    ]),
  };
}
