// The payment page as it is really served: its headers, and whether all that it loads is what this package has. The
// page of a link that does not exist is asked for, because it has the headers and the files of every other.

import { createHash } from 'node:crypto';
import { get as getPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import type { AnswerTo } from '../../administration/administration.ts';
import { Complaint } from '../complaint.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;
const NO_LINK = '/pay/evidence';

/** What a page of ours sets, and browsers act on. */
const HEADERS = [
  'strict-transport-security',
  'content-security-policy',
  'x-frame-options',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'cache-control',
] as const;

/** Without these a page must not be served. */
const NEEDED = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cache-control'];

type PageAssets = AnswerTo<'showInstallation'>['pageAssets'];

export type ServedPage = {
  readonly headers: Readonly<Record<string, string>>;
  /** By path: whether it is served as the package has it. */
  readonly isSame: ReadonlyMap<string, boolean>;
  readonly findings: readonly string[];
};

/** A certificate is judged where the page is looked at from outside; this machine is asked by its own name. */
export async function lookAtPage(
  { base, isLocal }: { readonly base: string; readonly isLocal: boolean },
  assets: PageAssets,
): Promise<ServedPage> {
  const ask = (address: string) => get(address, !isLocal);
  const page = await ask(`${base}${NO_LINK}`);
  const headers = securityHeaders(page.headers);
  const isSame = new Map<string, boolean>();
  for (const { path, integrity } of assets) {
    const { status, body } = await ask(`${base}${path}`);
    isSame.set(path, status === 200 && integrityOf(body) === integrity);
  }
  const findings = [
    ...NEEDED.filter((name) => headers[name] === undefined).map((name) => `the page has no header ${name}`),
    ...unlisted(page.body.toString('utf8'), assets).map((one) => `the page loads ${one}, which is not ours`),
    ...[...isSame].filter(([, same]) => !same).map(([path]) => `${path} is served otherwise than the package has it`),
  ];
  return { headers, isSame, findings };
}

function securityHeaders(sent: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(HEADERS.flatMap((name) => (sent[name] === undefined ? [] : [[name, String(sent[name])]])));
}

/** What a page loads by elements, and what is written into it, beyond what is listed. */
export function unlisted(html: string, assets: readonly { readonly path: string }[]): string[] {
  const tags = [...html.matchAll(/<(script|link|img|iframe|object|embed|style)\b([^>]*)>/gi)];
  const loaded = tags.map(([, tag = '', rest = '']) => ({
    tag,
    from: /\s(?:src|href|data)="([^"]*)"/i.exec(rest)?.[1],
  }));
  return loaded
    .filter(({ from }) => !assets.some(({ path }) => from?.endsWith(path) && from.startsWith('/')))
    .map(({ tag, from }) => from ?? `a ${tag} within it`);
}

function integrityOf(body: Buffer): string {
  return `sha384-${createHash('sha384').update(body).digest('base64')}`;
}

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

function get(address: string, rejectUnauthorized: boolean): Promise<Answer> {
  const options = { timeout: TIMEOUT_MS, rejectUnauthorized, agent: false as const };
  return new Promise<Answer>((resolve, reject) => {
    const taken = (response: IncomingMessage) =>
      void bodyOf(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    const request = address.startsWith('https:')
      ? getSecure(address, options, taken)
      : getPlain(address, options, taken);
    request.on('error', reject).on('timeout', () => request.destroy(new Error('it does not answer')));
  }).catch((cause) => {
    throw new Complaint(`the payment page at ${address} cannot be looked at: ${cause.message}`, { cause });
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
