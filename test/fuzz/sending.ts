// How requests get to the gateway: as HTTP, on connections that are kept, and as bytes, each on a connection alone.

import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Chance } from './chance.ts';
import { spoiltBytes } from './hostile-values.ts';
import type { Answer } from './judgement.ts';
import type { FuzzRequest } from './requests.ts';

const PATIENCE_MS = 60_000;

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Rejects with `NoAnswer` when none came; with the system's error when the connection broke. */
export function sendRequest(
  origin: string,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(origin, { method, path, headers, agent }, async (response) => {
      try {
        let text = '';
        for await (const part of response.setEncoding('utf8')) text += part;
        const contentType = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, contentType, body: text });
      } catch (error) {
        reject(error);
      }
    });
    call.setTimeout(PATIENCE_MS, () => call.destroy(new NoAnswer(`no answer within ${PATIENCE_MS} ms`)));
    call.on('error', reject);
    call.end(method === 'GET' || method === 'HEAD' ? undefined : body);
  });
}

/** The bytes of a request, with lengths that fit. */
export function bytesOf({ method, path, headers, body }: FuzzRequest, host: string): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  const length = Buffer.byteLength(body);
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, ...lines, `content-length: ${length}`, '', ''];
  return Buffer.from(head.join('\r\n') + body);
}

const HOSTILE_HEADS = [
  'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n',
  'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n',
  'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\na',
  'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  'POST /paynet/api/v2/sale/101 HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /healthz HTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n',
  'GET http://[::1/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
  `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`,
];

/** Something that is hardly HTTP. */
export function spoiltRequest(chance: Chance, good: readonly Buffer[]): Buffer {
  if (chance.happens(0.15)) return Buffer.from(chance.oneOf(HOSTILE_HEADS), 'latin1');
  const one = chance.oneOf(good);
  const spoilt = spoiltBytes(chance, one);
  // Pipelined: the good one must be answered as if the other were not there, or not at all.
  return chance.happens(0.2) ? Buffer.concat([one, spoilt]) : spoilt;
}

/** Sends bytes in pieces and closes this side; resolves with all that came back once the other side has closed. */
export function sendBytes(port: number, chance: Chance, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new NoAnswer(`the connection was still open after ${PATIENCE_MS} ms without a byte`));
    });
    socket.on('data', (part) => {
      answer += part.toString('latin1');
    });
    // A connection that is reset while we still write has said enough.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    const middle = chance.below(bytes.length + 1);
    socket.write(bytes.subarray(0, middle));
    setImmediate(() => socket.end(bytes.subarray(middle)));
  });
}
