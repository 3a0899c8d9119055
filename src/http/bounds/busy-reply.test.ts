import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../domain/clock.ts';
import { httpServer, listen, sendReply, TLS_ONLY } from '../http-server.ts';
import { BusyReply } from './busy-reply.ts';

const SERIAL_NUMBER = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const changing = (reply: string) => reply.replace(SERIAL_NUMBER, 'number').replace(/Date: .*/, 'Date: now');

it('is what the server itself would send, byte by byte', async () => {
  const busy = new BusyReply(systemClock);
  const server = httpServer((request, response) => {
    const reply = () => sendReply(response, { status: busy.status, headers: busy.headers, body: busy.body() });
    request.once('end', reply).resume();
  });
  const { port, cut } = await listen(server, {});
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [sent] = await once(socket.setEncoding('latin1'), 'data');
  expect(changing(busy.whole(false))).toBe(changing(sent));
  expect(sent).toMatch(/\r\nRetry-After: 1\r\n/);
  await cut();
});

it('has a serial number for each, the time, and the word that only TLS will do where it is spoken', () => {
  const busy = new BusyReply(systemClock);
  const [first, second] = [busy.whole(false), busy.whole(false)];
  expect(SERIAL_NUMBER.exec(first)?.[0]).not.toBe(SERIAL_NUMBER.exec(second)?.[0]);
  const date = Date.parse(/Date: (.*)/.exec(first)?.[1] ?? '');
  expect(Math.abs(date - Date.now())).toBeLessThan(5_000);
  const [[name, value] = []] = Object.entries(TLS_ONLY);
  expect(busy.whole(true)).toContain(`\r\n${name}: ${value}\r\n`);
  expect(first).not.toContain(name);
});
