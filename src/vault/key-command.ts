// Key-encryption keys behind a program of the operator: it wraps and unwraps data keys with whatever it has, such as a
// hardware security module or a key service. The program is run for every wrapped key once per process, so it may take
// its time. What it is told and what it must answer is in docs/guides/key-command.md, as version 1.

import { spawn } from 'node:child_process';
import { KeyHolderError, type KeyProvider } from './vault.ts';

const PROTOCOL_VERSION = '1';
const KEY_BYTES = 32;

const ANSWER_LIMIT_MS = 30_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_COMPLAINT_CHARACTERS = 500;

const KEK_ID = /^[\w.:@/-]{1,200}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export class KeyCommandError extends KeyHolderError {
  override readonly name = 'KeyCommandError';
}

/** `command` is a program and its arguments, divided by blanks; no shell reads it. */
export function openKeyCommand(command: string, options: { limitMs?: number } = {}): KeyProvider {
  const [program = '', ...args] = command.trim().split(/\s+/);
  const limitMs = options.limitMs ?? ANSWER_LIMIT_MS;
  const ask = (words: readonly string[], input = '') =>
    answerOf({ program, args: [...args, ...words], input, limitMs });
  const idOf = (text: string | undefined) => {
    if (text === undefined || !KEK_ID.test(text)) throw wrongAnswer(program, 'name a key');
    return text;
  };
  const bytesOf = (text: string | undefined) => {
    if (text === undefined || !BASE64.test(text)) throw wrongAnswer(program, 'give bytes in base64');
    return Buffer.from(text, 'base64');
  };
  return {
    async wrap(dataKey) {
      const [id, text] = (await ask(['wrap'], dataKey.toString('base64'))).split(' ');
      const [kekId, wrapped] = [idOf(id), bytesOf(text)];
      if (wrapped.includes(dataKey)) throw new KeyCommandError(`${program} did not wrap the key: it is there in clear`);
      return { wrapped, kekId };
    },
    async unwrap(wrapped, kekId) {
      const dataKey = bytesOf(await ask(['unwrap', kekId], wrapped.toString('base64')));
      if (dataKey.length !== KEY_BYTES) throw wrongAnswer(program, `unwrap a key of ${KEY_BYTES} bytes`);
      return dataKey;
    },
    rotate: async () => idOf(await ask(['rotate'])),
    async retire(kekId) {
      await ask(['retire', kekId]);
    },
  };
}

function wrongAnswer(program: string, what: string): KeyCommandError {
  return new KeyCommandError(`the key command ${program} did not ${what} as its protocol asks`);
}

type Question = {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly limitMs: number;
};

/** The first line of what the program writes. What it complains of is told; what it answers never is. */
function answerOf({ program, args, input, limitMs }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TENDER_KEY_PROTOCOL: PROTOCOL_VERSION };
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    const answer: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      reject(new KeyCommandError(`the key command ${program} ${reason}`, { cause }));
    };
    const limit = setTimeout(() => fail(`did not answer within ${limitMs} ms`), limitMs);
    child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be run: ${error.code ?? error.message}`, error));
    child.stdin.on('error', () => {});
    child.stdin.end(`${input}\n`);
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_ANSWER_BYTES) fail(`answered with more than ${MOST_ANSWER_BYTES} bytes`);
      else answer.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < MOST_COMPLAINT_CHARACTERS) complaint += text;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve((Buffer.concat(answer).toString('latin1').split('\n')[0] ?? '').trim());
      else fail(`ended with ${signal ?? `code ${code}`}${said(complaint, input)}`);
    });
  });
}

/** One line without control characters, and without what the program was given. */
function said(complaint: string, input: string): string {
  const clean = input === '' ? complaint : complaint.replaceAll(input, '…');
  const line = clean.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line === '' ? '' : `: ${line.slice(0, MOST_COMPLAINT_CHARACTERS)}`;
}
