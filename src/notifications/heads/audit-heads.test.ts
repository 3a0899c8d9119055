import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { AuditHeads } from './audit-heads.ts';
import type { HeadPlace } from './head-place.ts';
import { webhookOf } from './head-webhook.ts';

const clock = { now: () => 0, sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)) };

describe('heads of the audit chain', () => {
  it('reach the others while one place never answers', async () => {
    const told: number[] = [];
    let letGo = () => {};
    const slow: HeadPlace = { name: 'slow', send: () => new Promise((resolve) => (letGo = resolve)) };
    const quick: HeadPlace = { name: 'quick', send: async ({ seq }) => void told.push(seq) };
    let seq = 0;
    const head = async () => {
      seq += 1;
      return { seq, hash: String(seq) };
    };
    const heads = new AuditHeads({ clock, places: [slow, quick], head, sent: () => {}, failed: () => {} });
    const stop = new AbortController();
    const running = heads.run(stop.signal, () => {});
    while (told.length < 3) await clock.sleep();
    stop.abort();
    const freed = setInterval(() => letGo(), 1);
    await running;
    clearInterval(freed);
    expect(told.slice(0, 3)).toEqual([1, 2, 3]);
  });
});

describe('an address on the web', () => {
  const key = new Secret('k'.repeat(32));

  it('is named without what may be secret in it', () => {
    expect(webhookOf('https://hooks.example/services/T0/B0/secret?token=secret', key).name).toBe(
      'https://hooks.example/…',
    );
    expect(webhookOf('https://hooks.example', key).name).toBe('https://hooks.example');
  });

  it.each(['https://ann:secret@hooks.example/x', 'https://secret@hooks.example/'])(
    'is refused with a password in it, which would be told by every error: %s',
    (address) => {
      const refused = () => webhookOf(address, key);
      expect(refused).toThrow('an address without name and password is needed');
      expect(refused).not.toThrow('secret');
    },
  );
});
