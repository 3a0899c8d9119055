// Serves the documentation that the build has written into dist/docs. All of it is read when the first page is asked
// for, so that a build meanwhile does not mix two versions; only files that were there then can be asked for.

import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { contentPolicy } from '../design/policy.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';

/** What "Try it" signs with; nothing where no demo merchant is. */
export type SandboxFacts = {
  readonly basePath: string;
  readonly login: string;
  readonly controlKey: string;
  readonly privateKey: string | undefined;
  readonly endpoints: readonly { readonly endpointId: number; readonly name: string; readonly currency: string }[];
};

export type DocumentationParts = {
  /** The folder of the package. */
  readonly root: string;
  facts(): Promise<SandboxFacts | undefined>;
  /** The address that examples call instead of the usual one: that of this sandbox. */
  origin(): string | undefined;
};

type Files = ReadonlyMap<string, Buffer>;

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Pictures carry their own styles, for light and dark; opened by themselves they may do nothing more. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
};
const PLAIN = 'text/plain; charset=utf-8';

const USUAL_ORIGIN = 'http://localhost:8080';
/** What people read and copy. */
const TEXTS = /^(?!assets\/).*\.(?:html|md|mjs|sh|ts|php|py|rb)$/;

export class Documentation {
  readonly #parts: DocumentationParts;
  #files: Promise<Files> | undefined;

  constructor(parts: DocumentationParts) {
    this.#parts = parts;
  }

  /** Everything at `/docs/`. */
  get route(): WebRoute {
    return { prefix: '/docs/', atRoot: true, handle: (request) => this.#answer(request) };
  }

  /** The list for language models, which is looked for at the address itself. */
  async languageModelText(): Promise<string> {
    return ((await this.#read()).get('llms.txt') ?? '').toString();
  }

  async #answer({ method, rest }: WebRequest): Promise<WebReply> {
    if (method !== 'GET') return { status: 405, headers: { Allow: 'GET, HEAD' }, body: '' };
    if (rest === 'sandbox.json') return this.#factsReply();
    const files = await this.#read();
    const name = nameOf(rest, files);
    if (name === undefined) return fileReply(404, '404.html', files.get('404.html') ?? Buffer.from('Not found'));
    return fileReply(200, name, this.#withOrigin(name, files.get(name) as Buffer));
  }

  /** Texts name the address of a sandbox as it is without options; this one may listen elsewhere. */
  #withOrigin(name: string, body: Buffer): Buffer {
    const origin = this.#parts.origin();
    if (origin === undefined || origin === USUAL_ORIGIN || !TEXTS.test(name)) return body;
    return Buffer.from(body.toString('utf8').replaceAll(USUAL_ORIGIN, origin));
  }

  async #factsReply(): Promise<WebReply> {
    const facts = (await this.#parts.facts()) ?? {};
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(facts) };
  }

  #read(): Promise<Files> {
    this.#files ??= readFiles(join(this.#parts.root, 'dist/docs')).catch((error) => {
      this.#files = undefined;
      throw error;
    });
    return this.#files;
  }
}

async function readFiles(folder: string): Promise<Files> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (path: string) =>
    [
      path
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      await readFile(path),
    ] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** Pages have no ending in their address; everything else is asked for by its name. */
function nameOf(rest: string, files: Files): string | undefined {
  const page = rest === '' ? 'index' : rest.replace(/\/$/, '');
  if (page !== '404' && files.has(`${page}.html`)) return `${page}.html`;
  return files.has(rest) && !rest.endsWith('.html') ? rest : undefined;
}

function fileReply(status: number, name: string, body: Buffer): WebReply {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const isPage = ending === 'html';
  const headers = {
    'Content-Type': TYPES[ending] ?? PLAIN,
    'Content-Security-Policy': isPage ? contentPolicy() : INERT,
    'Cache-Control': name.startsWith('assets/') ? FOR_EVER : 'no-cache',
    ...(isPage ? { 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'same-origin' } : {}),
  };
  return { status, headers, body };
}
