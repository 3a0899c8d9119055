import { expect, it } from 'vitest';
import { plainHead } from './plain-head.ts';

const headOf = (...lines: string[]) => [...lines, '', ''].join('\r\n');
const read = (text: string) => plainHead(Buffer.from(text, 'latin1'));

const SALE = 'POST /paynet/api/v2/sale/101 HTTP/1.1';
const HOST = 'Host: x';
const FIVE = 'Content-Length: 5';

it.each<[lines: string[], headers: number, length: number]>([
  [[SALE, 'Host: x', FIVE], 2, 5],
  [[SALE, FIVE, 'HOST:x'], 2, 5],
  [[SALE, 'content-length:\t12 ', 'Accept: */*', 'host: x', 'X-Empty:'], 4, 12],
  [[SALE, 'Host: x', 'Content-Length: 0'], 2, 0],
  [[SALE, 'Host: x', 'Connection: Keep-Alive', FIVE, 'Keep-Alive: timeout=5'], 4, 5],
  [[SALE, 'Host: x', 'Proxy-Connection: keep-alive', FIVE], 3, 5],
  // It is a value, and no header.
  [[SALE, 'X-Note: Transfer-Encoding: chunked', 'Host: x', FIVE], 3, 5],
])('reads %j', (lines, headers, length) => {
  const head = headOf(...lines);
  const read = { path: '/paynet/api/v2/sale/101', headers, size: head.length + length };
  expect(plainHead(Buffer.from(head))).toEqual(read);
  expect(plainHead(Buffer.from(`${head}hello and more`))).toEqual(read);
});

it.each<[why: string, text: string]>([
  ['it is not whole', `${SALE}\r\nHost: x\r\n${FIVE}\r\n`],
  ['it has no end within bounds', headOf(SALE, HOST, `X: ${'x'.repeat(5_000)}`, FIVE)],
  ['it is another method', headOf('GET /paynet/api/v2/sale/101 HTTP/1.1', HOST, FIVE)],
  ['it is another version', headOf('POST /paynet/api/v2/sale/101 HTTP/1.0', HOST, FIVE)],
  ['it names a whole URL', headOf('POST http://x/paynet/api/v2/sale/101 HTTP/1.1', HOST, FIVE)],
  ['something is before it', `\r\n${headOf(SALE, HOST, FIVE)}`],
  ['it has two spaces', headOf('POST  /paynet/api/v2/sale/101 HTTP/1.1', HOST, FIVE)],
  ['its path has a space', headOf('POST /paynet/api /101 HTTP/1.1', HOST, FIVE)],
  ['a line is no header', headOf(SALE, HOST, 'Accept', FIVE)],
  ['a name has a space', headOf(SALE, HOST, 'Content-Length : 5')],
  ['a line goes on', headOf(SALE, HOST, FIVE, ' 6')],
  ['a line ends with a bare line feed', headOf(SALE, HOST, `Z: x\nX: y`, FIVE)],
  ['a line has a bare carriage return', headOf(SALE, HOST, `Z: x\rX: y`, FIVE)],
  ['a value has a letter beyond ASCII', headOf(SALE, HOST, 'X: \u00e4', FIVE)],
  ['a value has a NUL', headOf(SALE, HOST, 'X: \0', FIVE)],
  ['it has no length', headOf(SALE, HOST)],
  ['it has two lengths', headOf(SALE, HOST, FIVE, 'Content-Length: 6')],
  ['it has the same length twice', headOf(SALE, HOST, FIVE, 'X: y', 'content-length: 5')],
  ['its length is a list', headOf(SALE, HOST, 'Content-Length: 5, 5')],
  ['its length has a sign', headOf(SALE, HOST, 'Content-Length: +5')],
  ['its length is hexadecimal', headOf(SALE, HOST, 'Content-Length: 0x5')],
  ['its length is empty', headOf(SALE, HOST, 'Content-Length:')],
  ['its length is very long', headOf(SALE, HOST, 'Content-Length: 1234567')],
  ['a length of another kind comes first', headOf(SALE, HOST, 'Content-Length: -1', FIVE)],
  ['it comes in chunks', headOf(SALE, HOST, FIVE, 'Transfer-Encoding: chunked')],
  ['it comes in chunks of small letters', headOf(SALE, HOST, 'transfer-encoding: chunked', FIVE)],
  ['it waits to be asked for its body', headOf(SALE, HOST, FIVE, 'Expect: 100-continue')],
  ['it wants another protocol', headOf(SALE, HOST, FIVE, 'Upgrade: h2c')],
  ['it is the last of its connection', headOf(SALE, HOST, FIVE, 'Connection: close')],
  ['it may be the last of its connection to a proxy', headOf(SALE, HOST, FIVE, 'Proxy-Connection: close')],
  ['it has no host', headOf(SALE, FIVE)],
  ['it has two hosts', headOf(SALE, HOST, FIVE, 'host: y')],
  ['it may be the last of its connection', headOf(SALE, HOST, FIVE, 'Connection: keep-alive, close')],
])('leaves it to the parser when %s', (_, text) => {
  expect(read(text)).toBeUndefined();
});
