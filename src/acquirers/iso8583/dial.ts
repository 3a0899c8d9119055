// Connects to a host, plainly or with TLS, and says in plain words why it cannot.

import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Clock } from '../../domain/clock.ts';

export type HostAddress = {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsMaterial | undefined;
};

export type TlsMaterial = {
  /** Trusted instead of the authorities that Node trusts. */
  readonly ca?: string | undefined;
  /** Shown to the host, with its key. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
};

export type Dialled = { readonly socket: Socket } | { readonly failed: 'connect' | 'tls'; readonly reason: string };

const DIAL_LIMIT_MS = 10_000;

/** A socket below TLS, or one that was destroyed, may tell of an error that nobody else listens to. */
const ignored = () => {};

export async function dial(address: HostAddress, clock: Clock, signal: AbortSignal): Promise<Dialled> {
  const { host, port, tls } = address;
  const plain = connectPlain({ host, port, noDelay: true, keepAlive: true });
  plain.on('error', ignored);
  const refused = await opened(plain, 'connect', clock, signal);
  if (refused !== undefined) return { failed: 'connect', reason: lineReason(refused, address) };
  if (tls === undefined) return { socket: plain };
  // The key is checked against the certificate here, so a wrong pair throws.
  try {
    const { ca, certificate: cert, key } = tls;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secure = connectSecurely({ socket: plain, host, ...name, ca, cert, key });
    const distrusted = await opened(secure, 'secureConnect', clock, signal);
    return distrusted === undefined ? { socket: secure } : { failed: 'tls', reason: lineReason(distrusted, address) };
  } catch (error) {
    plain.destroy();
    return { failed: 'tls', reason: lineReason(error, address) };
  }
}

/** Waits for the event, and tells what came instead of it. Then the socket is destroyed. */
async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  clock: Clock,
  signal: AbortSignal,
): Promise<unknown> {
  const done = new AbortController();
  const stop = () => done.abort();
  signal.addEventListener('abort', stop, { once: true });
  const happened = new Promise<unknown>((resolve) => {
    socket.once(event, () => resolve(undefined));
    socket.once('error', resolve);
    socket.once('close', () => resolve(new Error('the host closed the connection')));
  });
  const late = clock.sleep(DIAL_LIMIT_MS, done.signal).then(() => new Error(`no answer within ${DIAL_LIMIT_MS} ms`));
  const fault = signal.aborted ? new Error('the connector is closed') : await Promise.race([happened, late]);
  stop();
  signal.removeEventListener('abort', stop);
  if (fault !== undefined) {
    socket.on('error', ignored);
    socket.destroy();
  }
  return fault;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the host refuses connections at this port',
  ECONNRESET: 'the host broke the connection',
  EPIPE: 'the host broke the connection',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  CERT_HAS_EXPIRED: "the host's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the host's certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "the host's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the host's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "the host's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the host's certificate is not trusted",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the host does not speak TLS at this port',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the host wants a certificate of ours',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'the host does not trust our certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the host ended the TLS handshake; it may want a certificate of ours',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the key does not belong to the certificate',
};

export function lineReason(error: unknown, { host }: Pick<HostAddress, 'host'>): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host name ${host} is unknown`;
  return REASONS[code] ?? (error instanceof Error ? error.message : 'the connection failed');
}
