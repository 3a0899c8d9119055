import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { KeyedDigest } from './keyed-digest.ts';

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

it('is the HMAC of every text, whatever was digested before', () => {
  const key = Buffer.alloc(32, 7);
  const digest = new KeyedDigest(key);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer({ min: 2_700, max: 2_800 }).map((length) => '€'.repeat(length)),
    fc.constant('x'.repeat(20_000)),
  );
  fc.assert(fc.property(text, (one) => digest.of(one).equals(hmac(key, one))));
});

it('takes keys of up to a block', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string(), (bytes, text) => {
      const key = Buffer.from(bytes);
      expect(new KeyedDigest(key).of(text)).toEqual(hmac(key, text));
    }),
  );
  expect(() => new KeyedDigest(Buffer.alloc(65))).toThrow('longer than a block');
});

it('the answer is not touched by later ones', () => {
  const digest = new KeyedDigest(Buffer.alloc(32, 1));
  const first = digest.of('one');
  const kept = Buffer.from(first);
  digest.of('two');
  expect(first).toEqual(kept);
});

it.each(['4111111111111111', 'x'.repeat(9_000)])('does not keep what it has digested', (text) => {
  const written: Buffer[] = [];
  const write = Buffer.prototype.write;
  const seen = vi.spyOn(Buffer.prototype, 'write').mockImplementation(function (this: Buffer, ...args: unknown[]) {
    written.push(this);
    return write.apply(this, args as Parameters<typeof write>);
  } as typeof write);
  new KeyedDigest(Buffer.alloc(32, 1)).of(text);
  seen.mockRestore();
  expect(written).toHaveLength(2);
  expect(written.some((buffer) => buffer.includes(text))).toBe(false);
});
