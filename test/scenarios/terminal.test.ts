// What a person at a terminal sees of commands that take their time: the terminal is one of util-linux's `script`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { PersonBrowser } from './person-browser.ts';
import { Belongings, LAUNCHER, tenderProcess } from './tender-process.ts';

const own = new Belongings();
afterAll(() => own.drop());

/** A command on a terminal of its own; `answer` is where its standard output goes instead, if given. */
function onTerminal(args: readonly string[], { answer }: { answer?: string } = {}) {
  const command = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`).join(' ');
  const env = { ...process.env, TERM: 'xterm', COLUMNS: '120' };
  const child = spawn('script', ['-qefc', answer === undefined ? command : `${command} > '${answer}'`, '/dev/null'], {
    env,
  });
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (seen += text));
  const ended = once(child, 'close');
  own.also(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    ended,
    get seen() {
      return seen;
    },
    // Ctrl-C is typed: the terminal makes a signal of it.
    interrupt: () => void child.stdin.write('\u0003'),
  };
}

// Elsewhere `script` takes other options.
if (process.platform === 'linux') {
  describe('at a terminal', () => {
    it('a start shows what it does, and ends with a link that lets the administrator in once', async () => {
      const data = join(await own.folder(), 'data');
      const place = ['--data', data, '--port', '0', '--admin-port', '0'];
      const start = onTerminal(['start', ...place]);
      await until('the start has said all', () => start.seen.includes('Ctrl-C stops it'));
      expect(start.seen).toContain('\rStarting: opening the database…');
      const [link = '', code = ''] = /http:\/\/localhost:\d+\/first-sign-in#([0-9a-f-]+)/.exec(start.seen) ?? [];
      const browser = new PersonBrowser(() => new URL(link).origin);
      expect((await browser.form('/first-sign-in', { code })).status).toBe(303);
      expect((await browser.form('/first-sign-in', { code })).status).toBe(403);
      start.interrupt();
      await start.ended;

      const file = join(data, '..', 'answer.json');
      const verify = onTerminal(['verify', '--json', '--data', data], { answer: file });
      await verify.ended;
      // The answer is for programs; whoever waits for it sees how far it is.
      expect(verify.seen).toContain('\rVerifying');
      expect(verify.seen.endsWith('\r\u001b[K')).toBe(true);
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ ok: true });
      const elsewhere = await tenderProcess(['verify', '--json', '--data', data]);
      expect(elsewhere).toMatchObject({ code: 0, stderr: '' });
    });
  });
}
