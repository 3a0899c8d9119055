// A whole file under a passphrase or a public key: AES-256-GCM in chunks, each bound to its place and the last one
// marked, so that nothing is changed, moved or cut off unseen, and a file of any size passes through little memory.
// Layout: a line of JSON that says how the key is found, a line with a MAC over it, chunks of 64 KiB with a tag each.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import type { Secret } from '../domain/secret.ts';

const FORMAT = 'tender-sealed-file';
const FORMAT_VERSION = 1;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const MOST_HEAD_BYTES = 16 * 1024;
const LEAST_RSA_BITS = 2048;

/** Needs 128 MiB and a good part of a second, for whoever opens the file and for each try of whoever guesses. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const;
const SCRYPT_MOST_MEMORY = 256 * 1024 * 1024;

/** A file that cannot be opened; the message says why, without its name. */
export class SealedFileError extends Error {
  override readonly name = 'SealedFileError';
}

/** Whom a file is sealed for. */
export type FileRecipient = { readonly passphrase: Secret<string> } | { readonly publicKey: KeyObject };

/** Who opens it. */
export type FileOpener = { readonly passphrase: Secret<string> } | { readonly privateKey: KeyObject };

type KeyHead =
  | { readonly kind: 'passphrase'; readonly salt: string }
  | { readonly kind: 'x25519'; readonly ephemeral: string }
  | { readonly kind: 'rsa-oaep-sha256'; readonly wrapped: string };

type Head = {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly nonce: string;
  readonly key: KeyHead;
};

type FileKeys = { readonly content: Buffer; readonly head: Buffer };

/** Undefined when the text is no public key that files can be sealed for. */
export function recipientKeyOf(pem: string): KeyObject | undefined {
  return usable(() => createPublicKey(pem));
}

/** Undefined when the text is no private key that files can be opened with. */
export function openerKeyOf(pem: string): KeyObject | undefined {
  return usable(() => createPrivateKey(pem));
}

function usable(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    return type === 'x25519' || (type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the bytes of the sealed file as the plain ones come. */
export async function* sealFile(recipient: FileRecipient, plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { key, secret } =
    'passphrase' in recipient ? await byPassphrase(recipient.passphrase) : forKey(recipient.publicKey);
  const nonce = randomBytes(KEY_BYTES);
  const head: Head = { format: FORMAT, version: FORMAT_VERSION, nonce: nonce.toString('base64'), key };
  const line = JSON.stringify(head);
  const keys = fileKeys(secret, nonce);
  yield Buffer.from(`${line}\n${checkOf(keys, line)}\n`);
  let place = 0;
  for await (const { chunk, isLast } of inChunks(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', keys.content, chunkNonce(place++, isLast));
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Gives the plain bytes, each chunk only once it is proved whole; throws `SealedFileError`. */
export async function* openFile(opener: FileOpener, sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, line, check, rest } = await readHead(sealed);
  const keys = fileKeys(await secretOf(opener, head.key), Buffer.from(head.nonce, 'base64'));
  const expected = checkOf(keys, line);
  if (check.length !== expected.length || !timingSafeEqual(check, expected)) throw wrongKey(opener);
  let place = 0;
  for await (const { chunk, isLast } of inChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    yield openChunk(keys, chunk, chunkNonce(place++, isLast));
  }
}

function openChunk({ content }: FileKeys, chunk: Buffer, nonce: Buffer): Buffer {
  const end = chunk.length - TAG_BYTES;
  if (end < 0) throw new SealedFileError('is cut off: its end is missing');
  const decipher = createDecipheriv('aes-256-gcm', content, nonce);
  decipher.setAuthTag(chunk.subarray(end));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
  } catch (cause) {
    throw new SealedFileError('is damaged or cut off', { cause });
  }
}

/** Every file has a key of its own, so the number of a chunk is nonce enough; the last one has a mark. */
function chunkNonce(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(place, 0, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Full chunks, and a last one of any length, which may be empty. */
async function* inChunks(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly isLast: boolean }> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    if (length <= size) continue;
    let all = Buffer.concat(waiting);
    // A full chunk is held back until more comes: it may be the last.
    for (; all.length > size; all = all.subarray(size)) yield { chunk: all.subarray(0, size), isLast: false };
    [waiting, length] = [[all], all.length];
  }
  yield { chunk: Buffer.concat(waiting), isLast: true };
}

async function readHead(sealed: AsyncIterable<Buffer>) {
  const source = sealed[Symbol.asyncIterator]();
  let bytes: Buffer = Buffer.alloc(0);
  let ends: readonly number[] = [];
  while (ends.length < 2) {
    const { value, done } = await source.next();
    if (done) throw notSealed(bytes);
    bytes = Buffer.concat([bytes, value]);
    if (!isSealedFile(bytes)) throw notSealed(bytes);
    ends = newlines(bytes).slice(0, 2);
    if (ends.length < 2 && bytes.length > MOST_HEAD_BYTES) throw new SealedFileError('is damaged');
  }
  const [first = 0, second = 0] = ends;
  const line = bytes.toString('utf8', 0, first);
  const rest = async function* () {
    yield bytes.subarray(second + 1);
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  };
  return {
    head: headFrom(line),
    line,
    check: bytes.subarray(first + 1, second),
    rest: rest(),
  };
}

function newlines(bytes: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf('\n'); at !== -1 && found.length < 2; at = bytes.indexOf('\n', at + 1)) found.push(at);
  return found;
}

const BEGINNING = `{"format":"${FORMAT}"`;

/** Whether a file that begins with these bytes is one of ours. */
export function isSealedFile(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, BEGINNING.length);
  return bytes.toString('latin1', 0, length) === BEGINNING.slice(0, length);
}

function notSealed(bytes: Buffer): SealedFileError {
  return new SealedFileError(isSealedFile(bytes) ? 'is cut off: its end is missing' : 'is not encrypted');
}

function headFrom(line: string): Head {
  let head: Partial<Head>;
  try {
    head = JSON.parse(line);
  } catch (cause) {
    throw new SealedFileError('is damaged', { cause });
  }
  const { version, nonce, key } = head;
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    throw new SealedFileError('was encrypted by a newer version of tender');
  }
  if (typeof nonce !== 'string' || typeof key?.kind !== 'string') throw new SealedFileError('is damaged');
  return head as Head;
}

function fileKeys(secret: Buffer, nonce: Buffer): FileKeys {
  const bytes = Buffer.from(hkdfSync('sha256', secret, nonce, FORMAT, 2 * KEY_BYTES));
  return { content: bytes.subarray(0, KEY_BYTES), head: bytes.subarray(KEY_BYTES) };
}

/** Compared as text, because base64 can write the same bytes in several ways. */
function checkOf({ head }: FileKeys, line: string): Buffer {
  return Buffer.from(createHmac('sha256', head).update(line).digest('base64'));
}

type NewSecret = { readonly key: KeyHead; readonly secret: Buffer };

async function byPassphrase(passphrase: Secret<string>): Promise<NewSecret> {
  const salt = randomBytes(KEY_BYTES);
  return { key: { kind: 'passphrase', salt: salt.toString('base64') }, secret: await stretched(passphrase, salt) };
}

function forKey(publicKey: KeyObject): NewSecret {
  if (publicKey.asymmetricKeyType === 'rsa') {
    const secret = randomBytes(KEY_BYTES);
    const wrapped = publicEncrypt({ key: publicKey, oaepHash: 'sha256' }, secret).toString('base64');
    return { key: { kind: 'rsa-oaep-sha256', wrapped }, secret };
  }
  const own = generateKeyPairSync('x25519');
  const ephemeral = spki(own.publicKey).toString('base64');
  return { key: { kind: 'x25519', ephemeral }, secret: agreed(own.privateKey, publicKey, [own.publicKey, publicKey]) };
}

/** Bound to both public keys, so that a secret is of use for no other pair. */
function agreed(privateKey: KeyObject, publicKey: KeyObject, pair: readonly KeyObject[]): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', secret, Buffer.concat(pair.map(spki)), 'x25519', KEY_BYTES));
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

async function secretOf(opener: FileOpener, key: KeyHead): Promise<Buffer> {
  if ('passphrase' in opener) {
    if (key.kind !== 'passphrase') throw new SealedFileError('is encrypted for a key: name it with --private-key');
    return stretched(opener.passphrase, Buffer.from(key.salt, 'base64'));
  }
  const { privateKey } = opener;
  if (key.kind === 'passphrase') throw new SealedFileError('is under a passphrase: name it with --passphrase-file');
  try {
    if (key.kind === 'rsa-oaep-sha256') {
      return privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, Buffer.from(key.wrapped, 'base64'));
    }
    const ephemeral = createPublicKey({ key: Buffer.from(key.ephemeral, 'base64'), type: 'spki', format: 'der' });
    return agreed(privateKey, ephemeral, [ephemeral, createPublicKey(privateKey)]);
  } catch {
    throw wrongKey(opener);
  }
}

function wrongKey(opener: FileOpener): SealedFileError {
  const what = 'passphrase' in opener ? 'this passphrase' : 'this private key';
  return new SealedFileError(`does not open with ${what}: it is another one, or the file's first lines are damaged`);
}

function stretched(passphrase: Secret<string>, salt: Buffer): Promise<Buffer> {
  const options: ScryptOptions = { ...SCRYPT, maxmem: SCRYPT_MOST_MEMORY };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.reveal().normalize('NFC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
