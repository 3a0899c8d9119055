// What a developer does at the command line: calls operations by name, lets the shell complete them, and asks a gateway
// that does not run.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../contracts/databases.ts';
import { Belongings, LAUNCHER, type RunningProcess, startProcess, TenderProcess, tender } from './tender-process.ts';

const own = new Belongings();
const CARD = '4444555566661111';
let gateway: RunningProcess;
let data: string;

beforeAll(async () => {
  data = join(await own.folder(), 'data');
  gateway = own.keep(await startProcess(['--data', data]));
});
afterAll(() => own.drop());

const run = (...args: string[]) => tender([...args, '--data', data]);
const asked = async (...args: string[]) => {
  const { stdout, ...ended } = await run(...args, '--json');
  return { ...ended, ...JSON.parse(stdout) };
};

describe('an operation by name', () => {
  it('is signed, sent and waited for; the demo merchant fills in what nobody gave', async () => {
    const { code, stdout, stderr } = await run('sale', '--amount', '10', '--card', CARD, '--wait');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^POST \S+\/api\/v2\/sale\/101$/m);
    expect(stdout).toMatch(/^ {2}credit_card_number +444455\*{6}1111$/m);
    expect(stdout).toMatch(/^ {2}email +ann@example.com +\(filled in\)$/m);
    expect(stdout).toMatch(/^ {2}status +approved$/m);
    expect(stdout).toMatch(/^ {2}amount +10\.00$/m);
    expect(stdout).not.toContain(CARD);
  });

  it('tells by its exit code how it ended', async () => {
    expect(await asked('sale', '--cvv2', '116', '--wait')).toMatchObject({ code: 5, end: { status: 'declined' } });
    expect(await asked('sale', '--endpoint', '999')).toMatchObject({ code: 1, status: 400 });
    const typo = await run('sael');
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean sale?') });
    const nowhere = ['--data', join(data, 'nowhere')];
    expect(await tender(['sale', ...nowhere])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/--base-url\n$/),
    });
  });

  it('follows up on an order, and is signed in every way', async () => {
    const held = await asked('preauth', '--amount', '20.50', '--wait');
    expect(held.end.status).toBe('approved');
    const order = ['--client-orderid', held.reply['merchant-order-id'], '--orderid', held.reply['paynet-order-id']];
    const captured = await asked('capture', ...order, '--amount', '5', '--currency', 'USD', '--wait');
    expect(captured).toMatchObject({ code: 0, end: { status: 'approved', amount: '5.00' } });
    expect(await asked('sale-v4', '--amount', '3.10', '--wait')).toMatchObject({ code: 0, end: { amount: '3.10' } });
    expect(await asked('status-v4', ...order)).toMatchObject({ code: 0, status: 200 });
    const paid = await asked('payout', '--amount', '1', '--card', CARD);
    expect(paid.reply['error-message'] ?? '').not.toMatch(/signature|control/i);
    expect((await run('payout')).stdout).toMatch(/Usage: tender payout/);
    expect(await run('payout', 'list')).toMatchObject({ code: 0, stderr: '' });
  });

  it('takes any field by its own name, and those of another merchant from files', async () => {
    expect(await asked('sale', '-d', 'order_desc=Tea', '-d', 'purpose=7')).toMatchObject({
      request: { fields: { order_desc: 'Tea', purpose: '7' } },
      status: 200,
    });
    const keyFile = join(await own.folder(), 'key');
    await writeFile(keyFile, 'not the right key\n');
    const who = ['--login', 'demo', '--key-file', keyFile, '--endpoint', '101', '--base-url', gateway.baseUrl];
    expect(await asked('status', '--client-orderid', 'x', ...who)).toMatchObject({
      ...{ code: 1, status: 400, reply: { 'error-code': '20' } },
    });
    expect(await run('sale', '--login', 'demo')).toMatchObject({ code: 2 });
  });

  it('reads a card from standard input, and warns of one that others can see', async () => {
    const typed = new TenderProcess(['sale', '--card', '-', '--cvv2', '-', '--wait', '--json', '--data', data]);
    typed.says(`${CARD}\n123\n`);
    const { code, stdout } = await typed.ended;
    expect([code, JSON.parse(stdout).end.status]).toEqual([0, 'approved']);
    const elsewhere = [
      '--login',
      'x',
      '--endpoint',
      '1',
      '--key-file',
      LAUNCHER,
      '--base-url',
      'http://nowhere.invalid/p',
    ];
    const seen = await run('sale', '--card', CARD, ...elsewhere);
    expect(seen).toMatchObject({ code: 3, stderr: expect.stringContaining('can see credit_card_number') });
    expect(seen.stdout + seen.stderr).not.toContain(CARD);
  });

  it('is signed by the clock of the sandbox, also after that was put forward', async () => {
    expect(await run('clock', 'advance', '30d')).toMatchObject({ code: 0 });
    expect(await asked('sale-v4', '--wait')).toMatchObject({ code: 0, end: { status: 'approved' } });
  });
});

it("bash completes commands, options and words by the shell's own way", () => {
  const script = [
    `tender() { "${process.execPath}" "${LAUNCHER}" "$@"; }`,
    'source <(tender completion bash)',
    `try() { COMP_WORDS=(tender "$@"); COMP_CWORD=$#; _tender; printf "%s " "\${COMPREPLY[@]}"; echo; }`,
    'try sale-; try merchant strict; try sale --amo; try start --mode pro; try start --key-file /etc/host',
    'complete -p tender',
  ].join('\n');
  const [version, verb, option, word, files, loaded] = execFileSync('/bin/bash', ['-c', script]).toString().split('\n');
  expect([version, verb, option, word]).toEqual(['sale-v4 ', 'strict ', '--amount ', 'production ']);
  expect(files).toContain('/etc/hosts');
  expect(loaded).toBe('complete -F _tender tender');
});

describe('a shell completes what is typed', () => {
  /** What is typed, and what stands there after Tab. */
  const typed = [
    ['merchant stric', 'merchant strict'],
    ['sale --amo', 'sale --amount'],
    ['start --key-file /etc/hostn', 'start --key-file /etc/hostname'],
  ] as const;
  const lines = typed.map(([line]) => `tender ${line}`);
  const programAt = (paths: readonly string[]) => paths.find(existsSync);
  const [zsh, fish] = [programAt(['/usr/bin/zsh', '/bin/zsh']), programAt(['/usr/bin/fish', '/usr/local/bin/fish'])];

  /** A folder in which `tender` is a program, as where it is installed. */
  async function withTender(): Promise<{ env: NodeJS.ProcessEnv }> {
    const folder = await own.folder();
    const program = `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`;
    await writeFile(join(folder, 'tender'), program, { mode: 0o755 });
    return { env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}`, TERM: 'xterm' } };
  }

  it('zsh, at a terminal of its own', async () => {
    if (!zsh) return;
    // Tab completes the line; then it becomes one that prints itself, by the keys of Emacs.
    const script = [
      'zmodload zsh/zpty && zpty shell zsh -f -i',
      "zpty -w shell 'bindkey -e; autoload -Uz compinit; compinit -u -D; source <(tender completion zsh)'",
      `for line in "$@"; do zpty -w -n shell "$line"$'\\t\\C-aecho "completed: \\C-e"\\n'; done`,
      'zpty -w shell exit',
      'while zpty -r shell line; do print -rn -- "$line"; done',
    ].join('\n');
    const said = execFileSync(zsh, ['-f', '-c', script, 'zsh', ...lines], await withTender()).toString();
    const completed = [...said.matchAll(/^completed: tender (.*?)\r?$/gm)].map(([, line]) => line?.trim());
    expect(completed).toEqual(typed.map(([, after]) => after));
  });

  it('fish, by its own way to ask', async () => {
    if (!fish) return;
    const asked = lines.map((line) => `complete -C "${line}"; echo ===`);
    const script = ['tender completion fish | source', ...asked].join('\n');
    const said = execFileSync(fish, ['-N', '-c', script], await withTender()).toString();
    const words = said.split('===\n').flatMap((part) => part.split('\t')[0]?.trim() || []);
    expect(words).toEqual(typed.map(([, after]) => after.split(' ').at(-1)));
  });
});

for (const kind of databaseKinds.filter((one) => one.kind === 'postgres')) {
  describe.skipIf(!kind.available)('a stopped gateway on a database server', () => {
    it('asks for the address of its database', async () => {
      const server = await kind.open();
      own.also(() => server.drop());
      const folder = join(await own.folder(), 'data');
      const stopped = own.keep(await startProcess(['--data', folder, '--database-url', server.place.url ?? '']));
      await stopped.process.stop();
      for (const args of [
        ['merchant', 'list'],
        ['export', join(folder, 'x.gz')],
      ]) {
        const ended = await tender([...args, '--data', folder]);
        expect(ended.code).toBe(2);
        expect(ended.stderr).toMatch(/^tender: the gateway of \S+ does not run, .*--database-url or DATABASE_URL\n$/);
        expect(ended.stderr).not.toMatch(/password|:\/\//);
      }
    });
  });
}
