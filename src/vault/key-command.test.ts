import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeyCommand } from './key-command.ts';
import { keysFrom } from './key-places.ts';
import type { KeyProvider } from './vault.ts';

const LIMIT_MS = 20_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-key-command-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** A program that does this. */
async function program(script: string): Promise<string> {
  const path = join(folder, 'command');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o700);
  return path;
}

/** Answers as the protocol asks; what it wraps is the base64 turned around. */
const HONEST = `
echo "$TENDER_KEY_PROTOCOL $*" >>"$(dirname "$0")/asked"
case $1 in
  wrap) echo "one $(rev | base64 | tr -d '\\n')" ;;
  unwrap) base64 -d | rev ;;
  rotate) echo two ;;
  retire) echo "retired $2" >&2 ;;
esac`;

describe('a key command', () => {
  it('is asked to wrap, unwrap, rotate and retire, by the version of the protocol', async () => {
    const keys = openKeyCommand(await program(HONEST));
    const dataKey = randomBytes(32);
    const { wrapped, kekId } = await keys.wrap(dataKey);
    expect(kekId).toBe('one');
    expect((await keys.unwrap(wrapped, 'one')).equals(dataKey)).toBe(true);
    expect(await keys.rotate()).toBe('two');
    await keys.retire('one');
    const asked = await readFile(join(folder, 'asked'), 'utf8');
    expect(asked).toBe('1 wrap\n1 unwrap one\n1 rotate\n1 retire one\n');
  });

  it('gets its own arguments first, and no shell reads them', async () => {
    const path = await program(`echo "$1|$2|$3" >>"$(dirname "$0")/asked"; echo k`);
    await openKeyCommand(`${path}  $(id)   ;x `).rotate();
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe('$(id)|;x|rotate\n');
  });

  const refused: [string, string, (keys: KeyProvider) => Promise<unknown>, RegExp][] = [
    [
      'that fails',
      'echo "the token is\tlocked" >&2; exit 3',
      (keys) => keys.rotate(),
      /ended with code 3: the token is locked$/,
    ],
    ['that names no key', 'echo "a b"', (keys) => keys.rotate(), /did not name a key/],
    ['that answers nothing', 'cat >/dev/null', (keys) => keys.wrap(randomBytes(32)), /did not name a key/],
    ['that gives no base64', 'echo "one <html>"', (keys) => keys.wrap(randomBytes(32)), /did not give bytes in base64/],
    ['that does not wrap', 'printf "one "; cat', (keys) => keys.wrap(randomBytes(32)), /did not wrap the key/],
    [
      'that unwraps too little',
      'echo QUJD',
      (keys) => keys.unwrap(Buffer.from('x'), 'one'),
      /did not unwrap a key of 32/,
    ],
    ['that never ends its answer', 'yes', (keys) => keys.rotate(), /answered with more than 65536 bytes/],
    ['that is not there', '', () => openKeyCommand(join(tmpdir(), 'no such')).rotate(), /cannot be run: ENOENT/],
  ];

  it.each(refused)('%s is named', async (_, script, ask, line) => {
    await expect(ask(openKeyCommand(await program(script), { limitMs: LIMIT_MS }))).rejects.toThrow(line);
  });

  it('that hangs is ended', async () => {
    const keys = openKeyCommand(await program('exec sleep 600'), { limitMs: 200 });
    await expect(keys.rotate()).rejects.toThrow('did not answer within 200 ms');
  });

  it('never lets the data key into what is said of a failure', async () => {
    const dataKey = randomBytes(32);
    const keys = openKeyCommand(await program('echo "cannot wrap $(cat)" >&2; exit 1'));
    const failure = await keys.wrap(dataKey).catch((error: Error) => error);
    expect(String(failure)).toMatch(/cannot wrap …$/);
  });
});

describe('keys of a file and a command', () => {
  const named = (name: string): KeyProvider => ({
    wrap: async (dataKey) => ({ wrapped: dataKey, kekId: name }),
    unwrap: async (wrapped, kekId) => Buffer.from(`${name} ${kekId} ${wrapped}`),
    rotate: async () => name,
    retire: async () => {},
  });
  const [file, command] = [named('file'), named('command')];

  it.each([
    ['a file', { file }, 'file'],
    ['a command', { command }, 'command:command'],
    ['both', { file, command }, 'command:command'],
    ['both, back to the file', { file, command, wrapWith: 'file' as const }, 'file'],
  ])('with %s new keys are wrapped there', async (_, places, kekId) => {
    const keys = keysFrom(places);
    expect((await keys.wrap(Buffer.from('x'))).kekId).toBe(kekId);
    expect(await keys.rotate()).toBe(kekId);
  });

  it('are unwrapped where they were wrapped', async () => {
    const keys = keysFrom({ file, command });
    expect(`${await keys.unwrap(Buffer.from('x'), 'kek-1')}`).toBe('file kek-1 x');
    expect(`${await keys.unwrap(Buffer.from('x'), 'command:1')}`).toBe('command 1 x');
  });

  it('are missed by name', async () => {
    await expect(keysFrom({ file }).unwrap(Buffer.alloc(1), 'command:1')).rejects.toThrow('--key-command');
    await expect(keysFrom({ command }).unwrap(Buffer.alloc(1), 'kek-1')).rejects.toThrow('--key-file');
    expect(() => keysFrom({})).toThrow('name a key file or a key command');
  });
});
