import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageFault } from './dialect.ts';
import { FrameReader, type FrameStyle, framed } from './frames.ts';

const STYLES: readonly FrameStyle[] = [
  { frame: 'bytes-2' },
  { frame: 'digits-4' },
  { frame: 'bytes-2', tpdu: '6000030000' },
  { frame: 'digits-4', tpdu: '6000030000' },
];

it('writes the length before the message and counts the TPDU in', () => {
  const written = STYLES.map((style) => framed(style, Buffer.from('0800')).toString('latin1'));
  const tpdu = '\x60\x00\x03\x00\x00';
  expect(written).toEqual(['\x00\x040800', '00040800', `\x00\x09${tpdu}0800`, `0009${tpdu}0800`]);
});

describe.each(STYLES)('a stream of $frame with TPDU $tpdu', (style) => {
  const messages = ['0800', 'x', '0'.repeat(300)].map((text) => Buffer.from(text));
  const stream = Buffer.concat(messages.map((message) => framed(style, message)));

  it('is read alike, wherever it is split', () => {
    for (let at = 0; at <= stream.length; at++) {
      const reader = new FrameReader(style);
      const read = [...reader.push(stream.subarray(0, at)), ...reader.push(stream.subarray(at))];
      expect(read.map(String)).toEqual(messages.map(String));
    }
  });

  it('is read byte by byte', () => {
    const reader = new FrameReader(style);
    expect([...stream].flatMap((byte) => reader.push(Buffer.from([byte])))).toEqual(messages);
  });

  it('gives back what was written, in any pieces', () => {
    const texts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (bodies, piece) => {
        const bytes = Buffer.concat(bodies.map((body) => framed(style, Buffer.from(body))));
        const reader = new FrameReader(style);
        const read: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += piece) read.push(...reader.push(bytes.subarray(at, at + piece)));
        const hex = (all: readonly Uint8Array[]) => all.map((one) => Buffer.from(one).toString('hex'));
        expect(hex(read)).toEqual(hex(bodies));
      }),
    );
  });
});

it('skips lengths of zero', () => {
  expect(new FrameReader({ frame: 'bytes-2' }).push(Buffer.from('\0\0\0\x01A\0\0', 'latin1'))).toEqual([
    Buffer.from('A'),
  ]);
});

it('refuses what is no length, a message without its TPDU, and one that is too long', () => {
  expect(() => new FrameReader({ frame: 'digits-4' }).push(Buffer.from('00a4'))).toThrow(MessageFault);
  expect(() => new FrameReader({ frame: 'bytes-2', tpdu: '6000030000' }).push(Buffer.from('\0\x01A'))).toThrow('TPDU');
  expect(() => framed({ frame: 'digits-4' }, Buffer.alloc(10_000))).toThrow('9999');
});
