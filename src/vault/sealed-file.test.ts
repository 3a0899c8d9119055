import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import {
  type FileOpener,
  type FileRecipient,
  isSealedFile,
  openerKeyOf,
  openFile,
  recipientKeyOf,
  SealedFileError,
  sealFile,
} from './sealed-file.ts';

const CHUNK = 64 * 1024;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gathered(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const bytes of source) all.push(bytes);
  return Buffer.concat(all);
}

const sealed = (recipient: FileRecipient, bytes: Buffer, size = 10_000) =>
  gathered(sealFile(recipient, inPieces(bytes, size)));
const opened = (opener: FileOpener, bytes: Buffer, size = 7_000) => gathered(openFile(opener, inPieces(bytes, size)));

const x25519 = generateKeyPairSync('x25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const passphrase = (text: string) => ({ passphrase: new Secret(text) });

describe('a sealed file', () => {
  const owners: [string, FileRecipient, FileOpener][] = [
    ['a passphrase', passphrase('correct horse battery'), passphrase('correct horse battery')],
    ['an X25519 key', { publicKey: x25519.publicKey }, { privateKey: x25519.privateKey }],
    ['an RSA key', { publicKey: rsa.publicKey }, { privateKey: rsa.privateKey }],
  ];

  it.each(owners)('under %s gives back what went in, and shows nothing of it', async (_, recipient, opener) => {
    const plain = Buffer.concat([randomBytes(3 * CHUNK), Buffer.from('4111111111111111')]);
    const bytes = await sealed(recipient, plain);
    expect(isSealedFile(bytes)).toBe(true);
    expect(bytes.includes('4111111111111111')).toBe(false);
    expect((await opened(opener, bytes)).equals(plain)).toBe(true);
  });

  it('of any length, written and read in pieces of any size', async () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK));
    const size = fc.integer({ min: 1, max: 3 * CHUNK });
    await fc.assert(
      fc.asyncProperty(length, size, size, async (bytes, writes, reads) => {
        const plain = randomBytes(bytes);
        const file = await sealed({ publicKey: x25519.publicKey }, plain, Math.max(writes, 500));
        expect((await opened({ privateKey: x25519.privateKey }, file, Math.max(reads, 500))).equals(plain)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  const underWords = sealed(passphrase('correct horse battery'), Buffer.from('rows'));

  it.each([
    ['passphrase', passphrase('another horse'), 'does not open with this passphrase'],
    ['kind of key', { privateKey: x25519.privateKey }, 'is under a passphrase: name it with --passphrase-file'],
  ] satisfies [string, FileOpener, string][])('is not opened by another %s', async (_, opener, line) => {
    await expect(opened(opener, await underWords)).rejects.toThrow(line);
  });

  it.each([
    ['X25519', x25519.publicKey, generateKeyPairSync('x25519').privateKey],
    ['RSA', rsa.publicKey, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['other kind of', x25519.publicKey, rsa.privateKey],
  ] satisfies [string, KeyObject, KeyObject][])('is not opened by another %s key', async (_, publicKey, privateKey) => {
    const file = await sealed({ publicKey }, Buffer.from('rows'));
    await expect(opened({ privateKey }, file)).rejects.toThrow('does not open with this private key');
  });

  describe('that was tampered with', () => {
    const plain = randomBytes(2 * CHUNK + 100);
    const file = sealed({ publicKey: x25519.publicKey }, plain);
    const opener = { privateKey: x25519.privateKey };
    const bodyOf = (bytes: Buffer) => bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1;

    it('is refused wherever a bit was flipped', async () => {
      const whole = await file;
      const everywhere = [
        ...Array(bodyOf(whole)).keys(),
        ...Array.from({ length: 60 }, () => randomPlace(whole.length)),
      ];
      for (const at of everywhere) {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] as number) ^ 1;
        await expect(opened(opener, bytes), `byte ${at}`).rejects.toThrow(SealedFileError);
      }
    });

    it('is refused wherever it was cut, also between two chunks', async () => {
      const whole = await file;
      const body = bodyOf(whole);
      const places = [0, 10, body - 1, body, body + 5, body + CHUNK + 16, body + 2 * (CHUNK + 16), whole.length - 1];
      for (const at of places) {
        await expect(opened(opener, whole.subarray(0, at)), `at ${at}`).rejects.toThrow(SealedFileError);
      }
    });

    it('is refused with chunks exchanged, left out or added', async () => {
      const whole = await file;
      const [head, size] = [whole.subarray(0, bodyOf(whole)), CHUNK + 16];
      const body = whole.subarray(bodyOf(whole));
      const [one, two, last] = [body.subarray(0, size), body.subarray(size, 2 * size), body.subarray(2 * size)];
      for (const parts of [
        [two, one, last],
        [one, last],
        [one, two, last, last],
        [one, one, two, last],
      ]) {
        await expect(opened(opener, Buffer.concat([head, ...parts]))).rejects.toThrow(SealedFileError);
      }
    });
  });

  it('is told from one that is not', async () => {
    await expect(opened(passphrase('correct horse battery'), Buffer.from('\x1f\x8b…'))).rejects.toThrow(
      'is not encrypted',
    );
    expect(isSealedFile(Buffer.from('{"format":"tender-export"}'))).toBe(false);
  });
});

describe('the key of a recipient', () => {
  const pem = (key: KeyObject) =>
    key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();

  it('is X25519, or RSA that is long enough', () => {
    expect(recipientKeyOf(pem(x25519.publicKey))).toBeDefined();
    expect(openerKeyOf(pem(x25519.privateKey))).toBeDefined();
    expect(recipientKeyOf(pem(rsa.publicKey))).toBeDefined();
    expect(recipientKeyOf(pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey))).toBeUndefined();
    expect(recipientKeyOf(pem(generateKeyPairSync('ed25519').publicKey))).toBeUndefined();
    expect(recipientKeyOf('nonsense')).toBeUndefined();
    expect(openerKeyOf(pem(createPublicKey(x25519.privateKey)))).toBeUndefined();
  });
});

function randomPlace(below: number): number {
  return randomBytes(4).readUInt32BE() % below;
}
