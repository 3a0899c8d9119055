// What an installation runs with, as it is told to who has to judge it. Settings are told by an allow-list: a setting
// whose text may hold a secret is told without it.

import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { InstallationOffice, PageAsset, ServedCertificate } from '../administration/parts.ts';
import type { Look } from '../domain/merchant/look.ts';
import { TLS_ONLY } from '../http/http-server.ts';
import { PAGE_HEADERS } from '../http/server.ts';
import { databasePlace } from '../storage/connection/database-place.ts';
import { PACKAGE_ROOT, PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import type { Database } from '../storage/database.ts';
import { lookStore } from '../storage/looks.ts';
import { page, pageContext } from '../web/checkout/layout.ts';
import {
  type Asset,
  type Assets,
  logoName,
  lookStylesheet,
  lookStylesheetName,
  readAssets,
} from '../web/design/assets.ts';
import { tlsFilesOf } from './served-tls.ts';
import {
  attemptsKeptMsOf,
  connectionBoundsOf,
  keptMsOf,
  networkLimitsOf,
  type Settings,
  servesDocs,
  strangerLimitOf,
  strangersKeptMsOf,
} from './settings.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** `addresses` are those of a running gateway. */
export function installationOffice(
  settings: Settings,
  database: Database,
  addresses?: { readonly base: string; readonly localBase: string },
): InstallationOffice {
  return {
    look: async (looks) => {
      const assets = await readAssets(PACKAGE_ROOT);
      return {
        version: PACKAGE_VERSION,
        node: process.version,
        mode: settings.mode,
        publicAddress: addresses?.base,
        localAddress: addresses?.localBase,
        settings: toldOf(settings),
        certificates: await certificatesOf(settings),
        pageHeaders: headersOf(settings, assets),
        pageAssets: [...ownAssets(assets), ...(await merchantsAssets(looks, lookStore(database).logo))],
      };
    },
  };
}

function toldOf(settings: Settings): { name: string; value: string | undefined }[] {
  const { all, perBlock } = connectionBoundsOf(settings);
  const told: Readonly<Record<string, string | number | undefined>> = {
    mode: settings.mode,
    workers: settings.workers,
    host: settings.host,
    port: settings.port,
    baseUrl: settings.baseUrl,
    adminHost: settings.adminHost,
    adminPort: settings.adminPort,
    adminUrl: settings.adminUrl,
    trustedProxies: settings.trustedProxies?.join(', '),
    callbackHosts: settings.callbackHosts?.join(', '),
    tlsCertificate: settings.tlsCertificate,
    tlsClientCa: settings.tlsClientCa,
    adminTlsCertificate: settings.adminTlsCertificate,
    database: databasePlace(settings.databaseUrl),
    readDatabase: settings.databaseReadUrl === undefined ? undefined : databasePlace(settings.databaseReadUrl),
    keyFile: settings.keyFile,
    // Its arguments may hold a PIN.
    keyCommand: settings.keyCommand?.trim().split(/\s+/)[0],
    wrapWith: settings.wrapWith,
    codeKeyFolder: settings.codeKeyFolder,
    resultsSubject: settings.resultsSubject?.join('; '),
    auditHeads: settings.auditHeads?.map(withoutSecrets).join(', '),
    docs: servesDocs(settings) ? 'on' : 'off',
    networkLimits: networkLimitsOf(settings),
    keepRequests: daysIn(keptMsOf(settings)),
    keepStrangers: daysIn(strangersKeptMsOf(settings)),
    keepCallbackAttempts: daysIn(attemptsKeptMsOf(settings)),
    requestLog: settings.requestLog ? 'on' : 'off',
    otlpUrl: settings.otlpUrl === undefined ? undefined : withoutSecrets(settings.otlpUrl),
    strangerLimit: strangerLimitOf(settings) ?? 'off',
    maxConnections: all,
    maxConnectionsPerAddress: perBlock,
  };
  return Object.entries(told).map(([name, value]) => ({ name, value: value?.toString() }));
}

function daysIn(ms: number | undefined): string {
  return ms === undefined ? 'forever' : `${ms / DAY_MS} days`;
}

/** An address on the web may hold a password, or a token behind its question mark. */
function withoutSecrets(place: string): string {
  if (!/^https?:/.test(place) || !URL.canParse(place)) return place;
  const { origin, pathname } = new URL(place);
  return `${origin}${pathname}`;
}

async function certificatesOf(settings: Settings): Promise<ServedCertificate[]> {
  const found: ServedCertificate[] = [];
  for (const servedAt of ['interface', 'administrators'] as const) {
    const files = tlsFilesOf(settings, servedAt);
    if (!files) continue;
    const own = new X509Certificate(await readFile(files.certificate));
    found.push({
      servedAt,
      subject: own.subject,
      issuer: own.issuer,
      validFrom: Date.parse(own.validFrom),
      validUntil: Date.parse(own.validTo),
      fingerprint: own.fingerprint256,
    });
  }
  return found;
}

/** Where an endpoint allows frames, `frame-ancestors` names who may, and there is no X-Frame-Options. */
function headersOf({ tlsCertificate }: Settings, assets: Assets): Readonly<Record<string, string>> {
  const context = pageContext({ language: 'en', assets, basePath: '', path: undefined });
  const { headers } = page(context, { title: '', body: '' });
  return { ...(tlsCertificate === undefined ? {} : TLS_ONLY), ...PAGE_HEADERS, ...headers };
}

function ownAssets({ script, stylesheet, icon, files }: Assets): PageAsset[] {
  const of = (name: string) => files.get(name) as Asset;
  return [
    told('script', script, of(script), 'checks what the payer types, and waits for the outcome; the only script'),
    told('stylesheet', stylesheet, of(stylesheet), 'how the pages look'),
    told('image', icon, of(icon), 'the icon of the page in the browser'),
  ];
}

async function merchantsAssets(
  looks: ReadonlyMap<number, Look>,
  logo: (endpointId: number, digest: string) => Promise<{ type: string; bytes: Buffer } | undefined>,
): Promise<PageAsset[]> {
  const found: PageAsset[] = [];
  for (const [endpointId, look] of looks) {
    const colours = lookStylesheetName(endpointId, look);
    const body = Buffer.from(lookStylesheet(look));
    if (colours !== undefined) {
      const asset = { type: 'text/css; charset=utf-8', body };
      found.push({ ...told('stylesheet', colours, asset, "the merchant's colours"), endpointId });
    }
    const name = logoName(endpointId, look);
    const picture = look.logo && (await logo(endpointId, look.logo.digest));
    if (name === undefined || !picture) continue;
    const asset = { type: picture.type, body: picture.bytes };
    found.push({ ...told('image', name, asset, "the merchant's logo"), endpointId });
  }
  return found;
}

function told(kind: PageAsset['kind'], name: string, { type, body }: Asset, reason: string): PageAsset {
  const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`;
  return { path: `/assets/${name}`, kind, type, bytes: body.length, integrity, reason };
}
