// The keys that a person signs or checks with: from a file, a variable or standard input, because other users of the
// machine can read arguments.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Secret } from '../../domain/secret.ts';
import { demo } from '../../processing/node/demo.ts';
import { exists } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { DEFAULT_DATA } from '../setting-options.ts';

export type KeyValues = {
  readonly key?: string;
  readonly keyFile?: string;
  readonly keyEnv?: string;
  readonly keyStdin?: true;
  readonly rsaKey?: string;
  readonly demo?: true;
  readonly data?: string;
};

export type GivenKeys = {
  readonly control: Secret<string> | undefined;
  readonly privateKey: KeyObject | undefined;
  readonly publicKey: KeyObject | undefined;
};

const DEMO_KEY_FILE = 'demo-private-key.pem';

export function withKeyOptions(command: Command): Command {
  return command
    .option('--key-file <path>', 'the file with the control key')
    .option('--key-env <name>', 'the variable with the control key')
    .option('--key-stdin', 'read the control key from standard input')
    .option('--key <key>', 'the control key itself; other users of the machine can read it here')
    .option('--rsa-key <path>', 'the RSA key in PEM: a private one to sign, a private or public one to check')
    .option(
      '--data <folder>',
      `with --demo: the data folder of the sandbox, for its RSA key and address (default: ${DEFAULT_DATA})`,
    );
}

export async function keysOf(values: KeyValues): Promise<GivenKeys> {
  const pem = await rsaPem(values);
  const privateKey = pem === undefined ? undefined : readKey(pem, createPrivateKey);
  const publicKey = pem === undefined ? undefined : readKey(pem, createPublicKey);
  if (values.rsaKey !== undefined && publicKey?.asymmetricKeyType !== 'rsa') {
    throw new Complaint(`${nearPath(resolve(values.rsaKey))} holds no RSA key in PEM`);
  }
  return { control: await controlKeyOf(values), privateKey, publicKey };
}

async function controlKeyOf(values: KeyValues): Promise<Secret<string> | undefined> {
  const { key, keyFile, keyEnv, keyStdin } = values;
  const ways = [key, keyFile, keyEnv, keyStdin].filter((one) => one !== undefined);
  if (ways.length > 1) throw new Complaint('name the control key once: --key-file, --key-env, --key-stdin or --key');
  if (key !== undefined) {
    process.stderr.write('tender: other users of this machine can read a key in the arguments; --key-file is safer\n');
    return new Secret(key);
  }
  if (keyFile !== undefined) return firstLine(await readGivenText(keyFile), nearPath(resolve(keyFile)));
  if (keyStdin) return firstLine(await text(process.stdin), 'standard input');
  if (keyEnv !== undefined) return firstLine(process.env[keyEnv] ?? '', `the variable ${keyEnv}`);
  return values.demo ? new Secret(demo.controlKey) : undefined;
}

function firstLine(whole: string, where: string): Secret<string> {
  const [line = ''] = whole.split(/\r?\n/);
  if (line.trim() === '') throw new Complaint(`there is no key in ${where}`);
  return new Secret(line.trim());
}

async function rsaPem({ rsaKey, demo: isDemo, data = DEFAULT_DATA }: KeyValues): Promise<string | undefined> {
  if (rsaKey !== undefined) return readGivenText(rsaKey);
  const ofDemo = join(data, DEMO_KEY_FILE);
  return isDemo && (await exists(ofDemo)) ? readGivenText(ofDemo) : undefined;
}

function readKey(pem: string, read: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return read(pem);
  } catch {
    return undefined;
  }
}
