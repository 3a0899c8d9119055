import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../domain/clock.ts';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { networkMessage } from './messages.ts';
import { HostSession } from './session.ts';
import { Wire } from './wire.ts';

/** A connection whose other side reads nothing. */
class UnreadSocket extends EventEmitter {
  writable = true;
  writableLength = 0;

  write(bytes: Buffer): boolean {
    this.writableLength += bytes.length;
    return false;
  }

  destroy(): void {
    this.writable = false;
  }
}

describe('a connection to a host', () => {
  it('ends when the host asks on and on and reads no answer', () => {
    const wire = new Wire({ dialect: ISO87_ASCII, style: { frame: 'bytes-2' }, mac: undefined, clock: systemClock });
    const socket = new UnreadSocket();
    const options = { host: 'host.example', wire, clock: systemClock, answerMs: 1_000, onMessage: () => {} };
    const session = new HostSession({ ...options, socket: socket as unknown as Socket });
    let reason = '';
    session.onEnd((why) => {
      reason = why;
    });
    const echo = wire.bytesOf(networkMessage(ISO87_ASCII, ISO87_ASCII.network.echo, { number: 1, at: 0 }));
    socket.emit('data', echo);
    expect([socket.writable, socket.writableLength > 0]).toEqual([true, true]);
    for (let asked = 0; asked < 20_000; asked++) socket.emit('data', echo);
    expect(socket.writable).toBe(false);
    expect(socket.writableLength).toBeLessThan(1024 * 1024 + 100);
    expect(reason).toBe('the host asks and does not read the answers');
  });
});
