import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { isLoopback, localCaller } from './local-token.ts';

const TOKEN = 'a'.repeat(64);

const asked = (headers: Record<string, string>, from = '127.0.0.1', to = '127.0.0.1') =>
  ({
    headers: { host: '127.0.0.1:9080', authorization: `Bearer ${TOKEN}`, ...headers },
    socket: { remoteAddress: from, localAddress: to },
  }) as unknown as IncomingMessage;

it.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['10.0.0.5', false],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.evil.example', false],
  ['', false],
])('%s is this machine: %s', (host, isSo) => {
  expect(isLoopback(host)).toBe(isSo);
});

it('the local command line is named after the user of the machine, with what it says as a note', () => {
  expect(localCaller(asked({}), TOKEN)).toMatch(/^local [^\s(]+$/);
  expect(localCaller(asked({ 'tender-caller': 'ann%40desk%0A' }), TOKEN)).toMatch(/^local \S+ \(says: ann@desk\)$/);
});

it.each([
  ['another token', asked({ authorization: `Bearer ${'b'.repeat(64)}` })],
  ['no token', asked({ authorization: '' })],
  ['another machine', asked({}, '10.0.0.9')],
  ['another address of this machine', asked({}, '10.0.0.5', '10.0.0.5')],
  ['a name of somebody else', asked({ host: 'evil.example' })],
  ['a proxy', asked({ 'x-forwarded-for': '127.0.0.1' })],
  ['a proxy of the new kind', asked({ forwarded: 'for=127.0.0.1' })],
])('%s is not local', (_, request) => {
  expect(localCaller(request, TOKEN)).toBeUndefined();
});
