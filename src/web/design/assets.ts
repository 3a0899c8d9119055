// The stylesheet, the script and the merchants' colours and logos: the hosted pages load nothing else. Each name holds
// a digest of the content, so browsers may keep the files for ever.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { textOn } from '../../domain/merchant/colours.ts';
import { darkAccent, type Look } from '../../domain/merchant/look.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** This policy keeps files that are opened by themselves from doing anything. */
const INERT = "default-src 'none'; sandbox";

export type Asset = { readonly type: string; readonly body: Buffer };

/** The name that each file is served by, under what pages call it, and the files by these names. */
export type ServedFiles<Paths> = { readonly [Name in keyof Paths]: string } & {
  readonly files: ReadonlyMap<string, Asset>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `paths` are below `root`, the folder of the package, where built scripts are in dist/. */
export async function readServedFiles<const Paths extends Readonly<Record<string, string>>>(
  root: string,
  paths: Paths,
): Promise<ServedFiles<Paths>> {
  const files = new Map<string, Asset>();
  const names: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) {
    const body = await readFile(join(root, path));
    const { name: stem, ext } = parse(path);
    const served = `${stem}-${assetDigest(body)}${ext}`;
    names[name] = served;
    files.set(served, { type: TYPES[ext] ?? 'application/octet-stream', body });
  }
  return { ...(names as { readonly [Name in keyof Paths]: string }), files };
}

const PAYERS_FILES = {
  stylesheet: 'src/web/design/pages.css',
  script: 'dist/pages.js',
  icon: 'src/web/design/icon.svg',
} as const;

export type Assets = ServedFiles<typeof PAYERS_FILES>;

export const readAssets = (root: string): Promise<Assets> => readServedFiles(root, PAYERS_FILES);

export function assetDigest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** A merchant's colours as a stylesheet of its own: inline styles are not allowed on the pages. */
export function lookStylesheet(look: Look): string {
  const { accent, accentDark, background } = look;
  const light = [
    accent && `--accent: ${accent}; --on-accent: ${textOn(accent)};`,
    background && `--background: ${background};`,
  ].filter((one) => one !== undefined);
  const dark = accent || accentDark ? darkAccent(look) : undefined;
  const rules = [light.length > 0 ? `:root { ${light.join(' ')} }` : undefined];
  const night = [
    dark && `--accent: ${dark}; --on-accent: ${textOn(dark)};`,
    background && '--background: #11141b;',
  ].filter((one) => one !== undefined);
  if (night.length > 0) rules.push(`@media (prefers-color-scheme: dark) { :root { ${night.join(' ')} } }`);
  return rules.filter((one) => one !== undefined).join('\n');
}

/** The name of an endpoint's own stylesheet; undefined when it has no colours of its own. */
export function lookStylesheetName(endpointId: number, look: Look): string | undefined {
  const text = lookStylesheet(look);
  return text === '' ? undefined : `look-${endpointId}-${assetDigest(text)}.css`;
}

export function logoName(endpointId: number, { logo }: Look): string | undefined {
  return logo && `logo-${endpointId}-${logo.digest}`;
}

export type AssetParts = {
  readonly assets: Assets;
  look(endpointId: number): Look;
  logo(endpointId: number, digest: string): Promise<{ type: string; bytes: Buffer } | undefined>;
};

export function assetRoute(parts: AssetParts): WebRoute {
  return { prefix: '/assets/', handle: (request) => answer(parts, request) };
}

async function answer(parts: AssetParts, { method, rest }: WebRequest): Promise<WebReply> {
  const asset = method === 'GET' ? await find(parts, rest) : undefined;
  if (!asset) return { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'Not found' };
  const headers = { 'Content-Type': asset.type, 'Cache-Control': FOR_EVER, 'Content-Security-Policy': INERT };
  return { status: 200, headers, body: asset.body };
}

async function find({ assets, look, logo }: AssetParts, name: string): Promise<Asset | undefined> {
  const file = assets.files.get(name);
  if (file) return file;
  const [, kind, id = '', digest = ''] = /^(look|logo)-(\d{1,15})-([0-9a-f]{16})(?:\.css)?$/.exec(name) ?? [];
  const endpointId = Number(id);
  if (kind === 'logo') {
    const found = await logo(endpointId, digest);
    return found && { type: found.type, body: found.bytes };
  }
  if (kind !== 'look' || lookStylesheetName(endpointId, look(endpointId)) !== name) return undefined;
  return { type: 'text/css; charset=utf-8', body: Buffer.from(lookStylesheet(look(endpointId))) };
}
