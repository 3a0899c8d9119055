// A directory server that answers badly, over real HTTP: whatever comes back, or does not, is one of a few words.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { httpDirectory } from '../../src/threeds/http-directory.ts';
import { MAX_MESSAGE_CHARACTERS, UnwritableMessage, writeVERes } from '../../src/threeds/messages/index.ts';
import { areqOf } from '../threeds/requestor.ts';

let respond: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  // Told that its last answer could not be read; that has nothing to do with the next.
  if (body.startsWith('{"messageType":"Erro"')) response.end();
  else respond(request, response);
});
/** Waits as long as a busy machine takes to answer, or in vain and only for a moment. */
let directory: ReturnType<typeof httpDirectory>;
let hurried: ReturnType<typeof httpDirectory>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/networks`;
  directory = httpDirectory({ url, clock: systemClock, answerTimeoutMs: 120_000 });
  hurried = httpDirectory({ url, clock: systemClock, answerTimeoutMs: 300 });
});
afterAll(async () => {
  await directory.close();
  await hurried.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const authenticate = (asked = directory) =>
  asked.authenticate(areqOf({ url: 'http://127.0.0.1:9' }, '4444555566661111'));
const verify = () => directory.verifyEnrolment({ messageId: 'mine', pan: '4444555566661111', acqBIN: '1', merID: 'm' });
const GOOD_ANSWER = writeVERes({ messageId: 'mine', enrolled: 'N' });
const NO_ANSWER = { outcome: 'no-answer', why: 'timed-out', erro: { errorCode: '402' } };
const UNREADABLE = { outcome: 'unreadable', erro: { errorCode: '101' } };

it.each<[string, typeof respond, object]>([
  ['hangs up', (request) => request.destroy(), NO_ANSWER],
  ['hangs up in the middle', (_, response) => response.write('{"message', () => response.destroy()), NO_ANSWER],
  ['stops in the middle', (_, response) => response.write('{"message'), NO_ANSWER],
  ['answers nothing', (_, response) => response.end(), UNREADABLE],
  ['fails', (_, response) => response.writeHead(500).end('no'), UNREADABLE],
  ['says too much', (_, response) => response.end(`{"a":"${'x'.repeat(MAX_MESSAGE_CHARACTERS)}"}`), UNREADABLE],
  ['sends us on', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9' }).end(), UNREADABLE],
])('a directory that %s', async (_name, behaviour, expected) => {
  respond = behaviour;
  expect(await authenticate(expected === NO_ANSWER ? hurried : directory)).toMatchObject(expected);
});

it('one connection serves many calls', async () => {
  respond = (_, response) => response.end(GOOD_ANSWER);
  await verify();
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  for (let call = 0; call < 3; call += 1) expect(await verify()).toMatchObject({ outcome: 'answered' });
  expect(opened).toBe(0);
});

it('a message that would be refused does not leave', async () => {
  let asked = 0;
  respond = (_, response) => {
    asked += 1;
    response.end();
  };
  const areq = areqOf({ url: 'http://127.0.0.1:9' }, '4444555566661111', { mcc: undefined });
  await expect(async () => directory.authenticate(areq)).rejects.toThrow(UnwritableMessage);
  expect(asked).toBe(0);
});

it('takes the answer below its own address, and no answer to somebody else', async () => {
  const paths: (string | undefined)[] = [];
  let messageId = 'mine';
  respond = ({ url }, response) => {
    paths.push(url);
    response.end(writeVERes({ messageId, enrolled: 'N' }));
  };
  expect(await verify()).toEqual({ outcome: 'answered', message: { messageId: 'mine', enrolled: 'N' } });
  messageId = 'foreign';
  expect(await verify()).toMatchObject({ outcome: 'unreadable', why: expect.stringContaining('foreign') });
  expect(paths).toEqual(['/networks/3ds-1', '/networks/3ds-1']);
});

it('knows no signer whose key cannot be read, and asks again', async () => {
  let asked = 0;
  respond = (_, response) => {
    asked += 1;
    response.end('-----BEGIN PUBLIC KEY-----\nbm8=\n-----END PUBLIC KEY-----\n');
  };
  expect(await directory.signers()).toEqual([]);
  expect(await directory.signers()).toEqual([]);
  expect(asked).toBe(2);
});
