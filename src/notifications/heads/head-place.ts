// Where heads of the audit chain are sent, so that whoever rules the database does not rule them: a file, a syslog
// server or an address on the web.

import type { SentHead } from '../../domain/audit-heads.ts';
import type { Secret } from '../../domain/secret.ts';
import { fileOfHeads } from './head-file.ts';
import { syslogOf } from './head-syslog.ts';
import { webhookOf } from './head-webhook.ts';
import { InvalidPlace } from './invalid-place.ts';

export type HeadPlace = {
  /** As it was given, without anything secret. */
  readonly name: string;
  /** Rejects when it did not get there. */
  send(head: SentHead): Promise<void>;
};

export const HEAD_PLACES =
  'file:/path, syslog://host:514, syslog+tcp://host:601, syslog+unix:/path or https://host/path';

/** `key` signs what is sent over the web. */
export function headPlaceOf(given: string, key: Secret<string> | undefined): HeadPlace {
  const colon = given.indexOf(':');
  const [scheme, rest] = [given.slice(0, colon), given.slice(colon + 1)];
  switch (scheme) {
    case 'file':
      return fileOfHeads(pathIn(given, rest));
    case 'syslog':
      return syslogOf({ by: 'udp', ...hostIn(given, rest, 514) });
    case 'syslog+tcp':
      return syslogOf({ by: 'tcp', ...hostIn(given, rest, 601) });
    case 'syslog+unix':
      return syslogOf({ by: 'unix', path: pathIn(given, rest) });
    case 'https':
    case 'http':
      return webhookOf(given, key);
    default:
      throw new InvalidPlace(`heads of the audit chain go to ${HEAD_PLACES}`);
  }
}

function pathIn(given: string, rest: string): string {
  const path = rest.replace(/^\/\/(?=\/)/, '');
  if (!path.startsWith('/')) throw new InvalidPlace(`${given}: an absolute path is needed`);
  return path;
}

function hostIn(given: string, rest: string, usualPort: number): { host: string; port: number } {
  const url = URL.canParse(`tcp:${rest}`) ? new URL(`tcp:${rest}`) : undefined;
  if (!url?.hostname) throw new InvalidPlace(`${given}: a host is needed`);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? usualPort : Number(url.port) };
}
