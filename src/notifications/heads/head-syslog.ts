// Heads of the audit chain as messages of syslog (RFC 5424): in a datagram, or on a stream with their length in front
// (RFC 6587).

import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { headText, type SentHead } from '../../domain/audit-heads.ts';

type Syslog =
  | { readonly by: 'udp' | 'tcp'; readonly host: string; readonly port: number }
  | { readonly by: 'unix'; readonly path: string };

/** Facility 10, "security and authorisation", severity 5, "notice". */
const PRIORITY = 10 * 8 + 5;

const ANSWER_LIMIT_MS = 10_000;

export function syslogOf(to: Syslog) {
  const send = to.by === 'udp' ? byDatagram : byStream;
  return {
    name:
      to.by === 'unix'
        ? `syslog+unix:${to.path}`
        : `${to.by === 'udp' ? 'syslog' : 'syslog+tcp'}://${to.host}:${to.port}`,
    send: (head: SentHead) => send(to, syslogMessage(head)),
  };
}

export function syslogMessage(head: SentHead): string {
  const host = hostname().replaceAll(/[^!-~]/g, '') || '-';
  return `<${PRIORITY}>1 ${new Date(head.at).toISOString()} ${host} tender ${process.pid} audit-head - head ${headText(head)}`;
}

function byDatagram(to: Syslog, message: string): Promise<void> {
  if (to.by === 'unix') throw new Error('a datagram needs a host');
  const { host, port } = to;
  return new Promise((resolve, reject) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const done = (error?: Error | null) => {
      socket.close();
      if (error) reject(error);
      else resolve();
    };
    socket.once('error', done);
    socket.send(message, port, host, done);
  });
}

function byStream(to: Syslog, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(to.by === 'unix' ? { path: to.path } : { host: to.host, port: to.port });
    // Of the whole, not of a pause: a receiver that sends a byte now and then must not keep us for ever.
    const limit = setTimeout(() => socket.destroy(new Error('no answer')), ANSWER_LIMIT_MS);
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    socket.once('connect', () => socket.end(`${Buffer.byteLength(message)} ${message}`));
    socket.resume();
  });
}
