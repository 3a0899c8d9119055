// The stylesheets, the script and the icon of people's pages. The script is another one than payers get.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Asset, assetDigest } from '../design/assets.ts';
import type { PeopleAssets } from './layout.ts';

/** `root` is the folder of the package, where the built script is in dist/; `more` files are served beside them. */
export async function readPeopleAssets(
  root: string,
  more: ReadonlyMap<string, Asset> = new Map(),
): Promise<PeopleAssets> {
  const read = async (path: string, type: string): Promise<Asset> => ({ type, body: await readFile(join(root, path)) });
  const stylesheet = await read('src/web/design/pages.css', 'text/css; charset=utf-8');
  const ownStylesheet = await read('src/web/design/people.css', 'text/css; charset=utf-8');
  const script = await read('dist/people.js', 'text/javascript; charset=utf-8');
  const icon = await read('src/web/design/icon.svg', 'image/svg+xml');
  const names = {
    stylesheet: `pages-${assetDigest(stylesheet.body)}.css`,
    ownStylesheet: `people-${assetDigest(ownStylesheet.body)}.css`,
    script: `people-${assetDigest(script.body)}.js`,
    icon: `icon-${assetDigest(icon.body)}.svg`,
  };
  return {
    ...names,
    files: new Map([
      [names.stylesheet, stylesheet],
      [names.ownStylesheet, ownStylesheet],
      [names.script, script],
      [names.icon, icon],
      ...more,
    ]),
  };
}
