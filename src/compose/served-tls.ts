// The TLS of a gateway's own servers: read before they listen, followed while they run.

import type { Server as SecureServer } from 'node:https';
import type { ServesTls } from '../http/http-server.ts';
import { endOf, followTls, readTls, type TlsFiles } from '../http/tls.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { PartOptions } from './part-options.ts';
import type { Settings } from './settings.ts';

type Port = 'interface' | 'administrators';

export function tlsFilesOf(settings: Settings, port: Port): TlsFiles | undefined {
  const { tlsCertificate, tlsKey, tlsClientCa, adminTlsCertificate, adminTlsKey } = settings;
  const [certificate, key] = port === 'interface' ? [tlsCertificate, tlsKey] : [adminTlsCertificate, adminTlsKey];
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate, key, clientCa: port === 'interface' ? tlsClientCa : undefined };
}

/** Serves under the certificate in the files, and under the next one as soon as it is there. */
export async function servedTls(
  { settings, clock, log, opened }: PartOptions,
  port: Port,
  metrics: Metrics,
): Promise<ServesTls | undefined> {
  const files = tlsFilesOf(settings, port);
  if (!files) return undefined;
  const first = await readTls(files, clock.now());
  let endsAt = endOf(first);
  const stopping = new AbortController();
  opened.push(async () => stopping.abort());
  metrics.gauge(
    port === 'interface' ? 'tender_certificate_seconds_left' : 'tender_admin_certificate_seconds_left',
    'How long the certificate that is served is good for.',
    () => Math.round((endsAt - clock.now()) / 1000),
    'min',
  );
  return {
    first,
    serves: (server: SecureServer) => {
      server.once('close', () => stopping.abort());
      void followTls(
        server,
        {
          files,
          first,
          clock,
          changed: (tls) => {
            endsAt = endOf(tls);
            log.info('a new certificate is served', { detail: files.certificate });
          },
          failed: (error) => log.error('the certificate cannot be used; the last good one stays', { error }),
        },
        stopping.signal,
      );
    },
  };
}
