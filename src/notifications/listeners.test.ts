import { describe, expect, it, vi } from 'vitest';
import { type HandedAnswer, LISTENS_MS } from '../domain/order/handed-callbacks.ts';
import type { Call } from './client.ts';
import { CallbackListeners } from './listeners.ts';

const DIRECT = { address: '203.0.113.9', status: 200, answer: 'direct', fault: undefined };
const call = (about: Partial<Call['about']> = {}): Call => ({
  url: new URL('http://shop.example/paid?status=approved'),
  headers: { 'webhook-id': '7-1-server' },
  policy: { loopback: true },
  about: { merchantId: 1, endpointId: 101, clientOrderId: 'inv-1', callbackId: '7-1-server', ...about },
});

function bench() {
  const listeners = new CallbackListeners();
  const direct: Call[] = [];
  const get = async (one: Call) => {
    direct.push(one);
    return DIRECT;
  };
  const client = listeners.before({ longestMs: 12_000, get });
  return { listeners, client, direct };
}

describe('a callback', () => {
  it('goes where its order says while nobody listens to its endpoint', async () => {
    const { listeners, client, direct } = bench();
    listeners.open({ endpointIds: [102] });
    listeners.open({ merchantId: 2 });
    expect(await client.get(call())).toBe(DIRECT);
    expect(direct).toHaveLength(1);
  });

  it('is handed to who listens, as it is, and counts by what the shop answered', async () => {
    const { listeners, client, direct } = bench();
    const listenerId = listeners.open({ endpointIds: [101] }) ?? '';
    const called = client.get(call());
    const [handed] = listeners.ask({ listenerId }, []) ?? [];
    expect(handed).toMatchObject({ callbackId: '7-1-server', url: 'http://shop.example/paid?status=approved' });
    expect(listeners.ask({ listenerId }, [{ handedId: handed?.handedId ?? '', status: 503 }])).toEqual([]);
    expect(await called).toEqual({ address: 'tender listen', status: 503, answer: undefined, fault: undefined });
    expect(direct).toEqual([]);
  });

  it('goes on as before when its listener ends before it was handed over, and is tried again when after', async () => {
    const { listeners, client } = bench();
    const listenerId = listeners.open({}) ?? '';
    const first = client.get(call());
    listeners.ask({ listenerId }, []);
    const second = client.get(call());
    listeners.close(listenerId);
    expect(await first).toMatchObject({ status: undefined, fault: 'the listener went away' });
    expect(await second).toBe(DIRECT);
    expect(listeners.ask({ listenerId }, [])).toBeUndefined();
  });

  it('goes on as before when its listener stops to ask', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { listeners, client } = bench();
      listeners.open({});
      const called = client.get(call());
      vi.advanceTimersByTime(LISTENS_MS + 1);
      expect(await called).toBe(DIRECT);
      expect(await client.get(call())).toBe(DIRECT);
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes to who listens beside it when its listener stops to ask', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { listeners, client, direct } = bench();
      const living = listeners.open({}) ?? '';
      const asks = () => listeners.ask({ listenerId: living }, []) ?? [];
      listeners.open({});
      const called = client.get(call());
      vi.advanceTimersByTime(LISTENS_MS / 2);
      expect(asks()).toEqual([]);
      await vi.advanceTimersByTimeAsync(LISTENS_MS / 2 + 1);
      const [{ handedId = '' } = {}] = asks();
      listeners.ask({ listenerId: living }, [{ handedId, status: 200 }]);
      expect(await called).toMatchObject({ address: 'tender listen', status: 200 });
      expect(direct).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that is held back is answered by nobody so many times', async () => {
    const { listeners, client } = bench();
    listeners.holdBack('inv-1', 2);
    const faults = [await client.get(call()), await client.get(call()), await client.get(call())].map(
      (one) => one.fault,
    );
    expect(faults).toEqual(['it was held back by a story', 'it was held back by a story', undefined]);
    expect(await client.get(call({ clientOrderId: 'inv-2' }))).toBe(DIRECT);
  });

  it('keeps nothing of what a shop says but its status', async () => {
    const { listeners, client } = bench();
    const listenerId = listeners.open({}) ?? '';
    const called = client.get(call());
    const [{ handedId = '' } = {}] = listeners.ask({ listenerId }, []) ?? [];
    listeners.ask({ listenerId }, [{ handedId, status: 200, answer: 'root:x:0' } as HandedAnswer]);
    expect(await called).toEqual({ address: 'tender listen', status: 200, answer: undefined, fault: undefined });
  });

  it('is handed to nobody but who began to listen, and nobody else answers it', async () => {
    const { listeners, client } = bench();
    const listenerId = listeners.open({ listens: 'ann' }) ?? '';
    const called = client.get(call());
    for (const listens of ['ben', undefined]) expect(listeners.ask({ listenerId, listens }, [])).toBeUndefined();
    const [{ handedId = '' } = {}] = listeners.ask({ listenerId, listens: 'ann' }, []) ?? [];
    expect(listeners.ask({ listenerId, listens: 'ben' }, [{ handedId, status: 500 }])).toBeUndefined();
    listeners.ask({ listenerId, listens: 'ann' }, [{ handedId, status: 200 }]);
    expect((await called).status).toBe(200);
  });
});
