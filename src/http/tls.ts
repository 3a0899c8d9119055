// TLS in the gateway's own servers: the certificate and its key come from files, which are looked at again from time to
// time, so that a renewed certificate is used without a restart. What cannot be used is told, and the last good one
// stays.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock } from '../domain/clock.ts';

export type TlsFiles = {
  /** The server's certificate, followed by those between it and its authority, in PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Clients are asked for certificates of these authorities; nobody is asked unless given. */
  readonly clientCa?: string | undefined;
};

/** What a server is made with. */
export type Tls = {
  readonly context: SecureContextOptions;
  readonly asksClients: boolean;
};

export class UnusableCertificate extends Error {
  override readonly name = 'UnusableCertificate';
}

const OLDEST_PROTOCOL = 'TLSv1.2';
const LOOK_EVERY_MS = 10_000;

/** Reads the files and tries whether they go together. */
export async function readTls(files: TlsFiles, now: number): Promise<Tls> {
  const [cert, key, ca] = await Promise.all([
    readPem(files.certificate, 'certificate'),
    readPem(files.key, 'key'),
    files.clientCa === undefined ? undefined : readPem(files.clientCa, 'certificates of authorities'),
  ]);
  const context: SecureContextOptions = { cert, key, minVersion: OLDEST_PROTOCOL, ...(ca ? { ca } : {}) };
  mustFit(files, context, now);
  return { context, asksClients: ca !== undefined };
}

function mustFit(files: TlsFiles, { cert, key, ca }: SecureContextOptions, now: number): void {
  const own = certificateIn(cert as string, files.certificate);
  if (ca) certificateIn(ca as string, files.clientCa as string);
  const fits = (() => {
    try {
      return own.checkPrivateKey(createPrivateKey(key as string));
    } catch (cause) {
      throw new UnusableCertificate(`${files.key} holds no private key that can be used without a passphrase`, {
        cause,
      });
    }
  })();
  if (!fits) throw new UnusableCertificate(`the key in ${files.key} does not belong to ${files.certificate}`);
  if (Date.parse(own.validTo) <= now) {
    throw new UnusableCertificate(`the certificate in ${files.certificate} ended at ${own.validTo}`);
  }
  createSecureContext({ cert, key, ca });
}

function certificateIn(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new UnusableCertificate(`${path} holds no certificate in PEM`, { cause });
  }
}

async function readPem(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UnusableCertificate(`the ${what} in ${path} cannot be read: ${code}`, { cause });
  }
}

/** When the certificate that is served ends. */
export function endOf({ context }: Tls): number {
  return Date.parse(new X509Certificate(context.cert as string).validTo);
}

type Followed = {
  readonly files: TlsFiles;
  readonly first: Tls;
  readonly clock: Clock;
  readonly changed: (tls: Tls) => void;
  /** Told once of each fault, until the files can be used again. */
  readonly failed: (error: Error) => void;
};

/** Serves new connections under whatever good certificate is in the files; open ones stay as they are. */
export async function followTls(server: Server, followed: Followed, stopping: AbortSignal): Promise<void> {
  const { files, clock, changed, failed } = followed;
  let served = textOf(followed.first);
  let complaint = '';
  while (!stopping.aborted) {
    await clock.sleep(LOOK_EVERY_MS, stopping).catch(() => {});
    if (stopping.aborted) return;
    try {
      const tls = await readTls(files, clock.now());
      complaint = '';
      if (textOf(tls) === served) continue;
      server.setSecureContext(tls.context);
      served = textOf(tls);
      changed(tls);
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) failed(error as Error);
      complaint = message;
    }
  }
}

function textOf({ context: { cert, key, ca } }: Tls): string {
  return [cert, key, ca].join('\n');
}
