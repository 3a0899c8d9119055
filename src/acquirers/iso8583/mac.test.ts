import { describe, expect, it } from 'vitest';
import { isMac, macKeyFault, macOf } from './mac.ts';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

describe('ANSI X9.19', () => {
  // ISO/IEC 9797-1, annex B.4, padding 1; and a pair that other implementations test themselves with.
  it.each([
    ['0123456789ABCDEFFEDCBA9876543210', 'Now is the time for all ', 'A1C72E74EA3FA9B6'],
    ['0123456789ABCDEFFEDCBA9876543210', 'Now is the time for it', '2E2B1428CC78254F'],
    ['7CA110454A1A6E570131D9619DC1376E', 'Hello World !!!!', 'F09B856213BAB83B'],
  ])('under %s of "%s" is %s', (key, text, code) => {
    expect(macOf('x9.19', hex(key), Buffer.from(text))).toEqual(hex(code));
  });
});

describe('AES-CMAC', () => {
  const MESSAGE = hex(
    '6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51' +
      '30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710',
  );

  // RFC 4493, section 4.
  it.each([
    [0, 'bb1d6929e95937287fa37d129b756746'],
    [16, '070a16b46b4d4144f79bdd9dd04a287c'],
    [40, 'dfa66747de9ae63030ca32611497c827'],
    [64, '51f0bebf7e3b9d92fc49741779363cfe'],
  ])('of %i bytes', (length, code) => {
    const key = hex('2b7e151628aed2a6abf7158809cf4f3c');
    expect(macOf('aes-cmac', key, MESSAGE.subarray(0, length))).toEqual(hex(code));
  });

  // NIST SP 800-38B, examples for AES-192 and AES-256.
  it.each([
    ['8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b', 40, '8a1de5be2eb31aad089a82e6ee908b0e'],
    ['603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 40, 'aaf3d8f1de5640c232f5b169b9c911e6'],
  ])('under a longer key %s', (key, length, code) => {
    expect(macOf('aes-cmac', hex(key), MESSAGE.subarray(0, length))).toEqual(hex(code));
  });

  it('does not change what it is given', () => {
    const bytes = Buffer.from(MESSAGE);
    macOf('aes-cmac', hex('2b7e151628aed2a6abf7158809cf4f3c'), bytes);
    expect(bytes).toEqual(MESSAGE);
  });
});

it('knows a right code from a wrong, a short and an empty one', () => {
  const key = hex('0123456789ABCDEFFEDCBA9876543210');
  const bytes = Buffer.from('Now is the time for all ');
  const right = hex('A1C72E74EA3FA9B6');
  expect(isMac('x9.19', key, bytes, right)).toBe(true);
  expect(isMac('x9.19', key, bytes, hex('A1C72E74EA3FA9B7'))).toBe(false);
  expect(isMac('x9.19', key, bytes, right.subarray(0, 4))).toBe(false);
  expect(isMac('x9.19', key, bytes, Buffer.alloc(0))).toBe(false);
  expect(isMac('x9.19', key, Buffer.from('Now is the time for alL '), right)).toBe(false);
});

it('says which keys fit', () => {
  expect(macKeyFault('x9.19', Buffer.alloc(16))).toBeUndefined();
  expect(macKeyFault('x9.19', Buffer.alloc(24))).toContain('32 hexadecimal digits');
  expect(macKeyFault('aes-cmac', Buffer.alloc(32))).toBeUndefined();
  expect(macKeyFault('aes-cmac', Buffer.alloc(20))).toContain('32, 48 or 64');
});
