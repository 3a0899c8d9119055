// Terminals as operators have them, by command on a running gateway and on a stopped one: added, changed, tried,
// disabled. Their secrets are sealed, change their key with the vault's, and are never shown.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Acquirer, Answer } from '../../src/acquirers/acquirer.ts';
import { defineConnector, optionalSecretValue, optionalValue, requiredValue } from '../../src/acquirers/connector.ts';
import { formed, line, wholeNumber } from '../../src/domain/input-kinds.ts';
import { describeGateway, kindsOfThisFile, until } from '../harness.ts';
import {
  Belongings,
  type Ended,
  type RunningProcess,
  startBankProcess,
  startProcess,
  tender,
} from './tender-process.ts';

const MAC_KEY = 'f00dfeedf00dfeedf00dfeedf00dfeed';
const OTHER_KEY = '0ddba11c0ddba11c0ddba11c0ddba11c';

/** What acquirers of the test's own connector were opened with, and what became of them. */
const happened: string[] = [];

const APPROVED: Answer = { word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' };

/** A bank that is only a setting: its host says how it is. */
const wired = defineConnector({
  name: 'wired',
  says: 'a bank of this test',
  settings: {
    host: requiredValue(line(50), { says: 'where it is' }),
    port: requiredValue(wholeNumber(1, 65_535), { says: 'its port', default: 8583 }),
    note: optionalValue(line(50), { says: 'anything' }),
    macKey: optionalSecretValue(formed(/^[0-9a-f]{32}$/, '32 hexadecimal digits'), { says: 'proves messages' }),
  },
  does: ['sale'],
  partial: [],
  inquiry: 'none',
  needsCard: false,
  open: ({ host, port, macKey }, { noticeUrl }): Acquirer => {
    if (host === 'unreadable') throw new Error('host: it cannot be read');
    happened.push(`opened ${host}:${port} ${macKey?.reveal() ?? 'no key'} ${noticeUrl}`);
    const detail = host === 'unknown' ? 'no such host: unknown' : undefined;
    return {
      send: async () => APPROVED,
      inquire: async () => APPROVED,
      reverse: async () => ({ word: 'reversed' }),
      test: async () => [
        { what: 'configured', works: true },
        { what: 'connected', works: detail === undefined, detail },
      ],
      traced: () => [
        { at: 1_800_000_000_000, direction: 'out', text: '0100 card 411111******1111' },
        { at: 1_800_000_000_250, direction: 'in', text: '0110 00' },
      ],
      close: async () => void happened.push(`closed ${host}`),
    };
  },
});

describeGateway('terminals', { connectors: [wired] }, (gateway) => {
  let folder: string;
  /** Everything that commands printed. */
  const printed: string[] = [];

  const run = async (...args: string[]): Promise<Ended> => {
    const ended = await tender([...args, '--data', gateway.dataFolder]);
    printed.push(ended.stdout, ended.stderr);
    return ended;
  };
  const ask = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const refused = (...args: string[]) => refusedWith(1, ...args);
  const refusedWith = async (exit: number, ...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return stderr;
  };
  const secretFile = async (text: string) => {
    const path = join(folder, 'secret');
    await writeFile(path, `${text}\n`);
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-terminals-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => {
    happened.length = 0;
  });

  it('the simulated bank is one of them without any set-up, and can be disabled but not added or moved', async () => {
    expect(await ask('terminal', 'list')).toMatchObject([
      { name: 'demo-bank', enabled: true, settings: [], secrets: [] },
    ]);
    await gateway.demo.saleUntilFinal();
    const [{ connection }] = await ask('terminal', 'list');
    expect(connection).toEqual({
      answeredAt: expect.stringMatching(/^2\d{3}-/),
      failingSince: null,
      reason: null,
      leftOut: false,
    });
    expect((await run('terminal', 'test', 'demo-bank')).code).toBe(0);
    expect(await refused('terminal', 'add', 'demo-bank', '--connector', 'wired', '--set', 'host=one')).toMatch(
      /^tender: there is a terminal "demo-bank" already/,
    );
    expect(await refused('terminal', 'set', 'demo-bank', '--set', 'url=http://localhost:1')).toContain(
      "demo-bank is the gateway's own simulated bank",
    );
    expect((await run('terminal', 'disable', 'demo-bank')).stdout).toBe('Terminal demo-bank is disabled.\n');
    expect(await ask('terminal', 'show', 'demo-bank')).toMatchObject({ enabled: false });
    expect((await run('terminal', 'enable', 'demo-bank')).stdout).toBe('Terminal demo-bank is enabled.\n');
  });

  it('connectors are listed with what they want to know', async () => {
    const names = (await ask('connector', 'list')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['simulator', 'wired']));
    const { stdout } = await run('connector', 'show', 'wired');
    expect(stdout).toMatch(/^Reaches +a bank of this test$/m);
    expect(stdout).toMatch(/^host +required +1 to 50 characters on one line +where it is$/m);
    expect(stdout).toMatch(/^port +or 8583 /m);
    expect(stdout).toMatch(/^macKey +optional secret +32 hexadecimal digits +proves messages$/m);
    expect(await refused('connector', 'show', 'constructor')).toContain('there is no connector "constructor"');
  });

  it('one is added with settings, limits and a secret from a file, opened at once, and tried', async () => {
    const added = await run(
      ...['terminal', 'add', 'acme', '--connector', 'wired', '--set', 'host=one', '--set', 'port=700'],
      ...['--currencies', 'usd,EUR', '--brands', 'VISA', '--operations', 'sale', '--maximum', '250.00'],
      ...['--day-count', '1000', '--merchant-number', 'M-1', '--secret-file', `macKey=${await secretFile(MAC_KEY)}`],
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^Added terminal acme\.\nTerminal +acme\nConnector +wired\n/);
    expect(added.stdout).not.toContain('does not work');
    expect(happened).toEqual([expect.stringMatching(`^opened one:700 ${MAC_KEY} http://.*/paynet/bank/acme$`)]);
    expect(await ask('terminal', 'show', 'acme')).toMatchObject({
      ...{ name: 'acme', connector: 'wired', enabled: true, currencies: ['USD', 'EUR'], brands: ['VISA'] },
      ...{ operations: ['sale'], minimum: null, maximum: '250.00', dayCount: 1000, merchantNumber: 'M-1' },
      ...{ settings: ['host=one', 'port=700'], secrets: ['macKey'] },
    });
    expect((await run('terminal', 'show', 'acme')).stdout).toMatch(/^Secrets +macKey is set$/m);
  });

  it('one is changed while the gateway runs, which goes on by the new settings', async () => {
    await ask('terminal', 'set', 'acme', '--set', 'host=two', '--unset', 'port', '--maximum', 'none');
    expect(await ask('terminal', 'show', 'acme')).toMatchObject({ settings: ['host=two'], maximum: null });
    await until('the old connection is closed', () => happened.includes('closed one'));
    expect(happened).toContainEqual(expect.stringMatching(`^opened two:8583 ${MAC_KEY} `));
    happened.length = 0;
    await ask('terminal', 'set', 'acme', '--day-amount', '10000');
    expect(happened).toEqual([]);
    const { code } = await tender(
      ['terminal', 'set', 'acme', '--secret-stdin', 'macKey', '--data', gateway.dataFolder],
      { input: `${OTHER_KEY}\n` },
    );
    expect(code).toBe(0);
    expect(happened).toContainEqual(expect.stringMatching(`^opened two:8583 ${OTHER_KEY} `));
    expect(await refusedWith(2, 'terminal', 'set', 'acme')).toContain('nothing to change');
  });

  it('the test says what it saw, and fails with the reason', async () => {
    const good = await run('terminal', 'test', 'acme');
    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(/^ok +connected$/m);
    const added = await run('terminal', 'add', 'lost', '--connector', 'wired', '--set', 'host=unknown');
    expect(added.code).toBe(0);
    expect(added.stdout).toMatch(/^It does not work yet: connected: no such host: unknown$/m);
    const bad = await run('terminal', 'test', 'lost');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^ok +configured$/m);
    expect(bad.stdout).toMatch(/^FAILS +connected +no such host: unknown$/m);
    const unreadable = await run('terminal', 'set', 'lost', '--set', 'host=unreadable');
    expect(unreadable.stdout).toMatch(/^It does not work yet: opened: host: it cannot be read$/m);
    expect((await run('terminal', 'list')).stdout).toMatch(/^lost .* failing since .*: host: it cannot be read$/m);
    expect(await ask('terminal', 'set', 'lost', '--set', 'host=three')).toMatchObject({ settings: ['host=three'] });
    expect((await run('terminal', 'test', 'lost')).code).toBe(0);
    expect(await refused('terminal', 'test', 'nowhere')).toContain('there is no terminal "nowhere"');
  });

  it('everything that is wrong is said in one line, and nothing is lost', async () => {
    const before = await ask('terminal', 'list');
    const wrong = await refused(
      ...['terminal', 'add', 'other', '--connector', 'wired', '--set', 'port=99999', '--set', 'hots=x'],
      ...['--brands', 'PLASTIC', '--minimum', '1,5', '--secret-file', `macKey=${await secretFile('not hexadecimal')}`],
    );
    for (const part of [
      'setting hots: connector wired has no such setting',
      'setting host is missing',
      'setting port: a whole number from 1 to 65535 is needed, not "99999"',
      'setting macKey: 32 hexadecimal digits is needed',
      'there is no card brand "PLASTIC"',
      'minimum: major units such as 250 or 250.00 are needed, not "1,5"',
    ]) {
      expect(wrong).toContain(part);
    }
    expect(wrong).not.toContain('not hexadecimal');
    const cases: [string[], string][] = [
      [['add', 'other', '--connector', 'nothing'], 'there is no connector "nothing"'],
      [['add', 'Other', '--connector', 'wired'], 'a small letter and then up to 39'],
      [['set', 'acme', '--set', `macKey=${MAC_KEY}`], 'macKey: it is a secret; give it by --secret-file'],
      [
        ['set', 'acme', '--secret-env', 'macKey=NO_SUCH_VARIABLE'],
        'setting macKey: the variable NO_SUCH_VARIABLE of the',
      ],
      [['set', 'acme', '--secret-file', `host=${await secretFile('x')}`], 'host: connector wired has no such secret'],
      [['set', 'acme', '--minimum', '11', '--maximum', '10.99'], 'minimum: it must not be above the maximum'],
      [['set', 'acme', '--unset', 'host'], 'host is missing'],
      [['set', 'nowhere', '--maximum', '1'], 'there is no terminal "nowhere"'],
    ];
    for (const [args, says] of cases) expect(await refused('terminal', ...args)).toContain(says);
    expect(await refusedWith(2, 'terminal', 'set', 'acme', '--set', 'host')).toContain(
      'A name and a value such as port=8583 are needed',
    );
    expect(await ask('terminal', 'list')).toEqual(before);
  });

  it('its connector stays', async () => {
    const asked = (given: object) =>
      readFile(join(gateway.dataFolder, 'admin.json'), 'utf8').then(async (note) => {
        const { url, token } = JSON.parse(note);
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        return (
          await fetch(`${url}/admin/api/setTerminal`, { method: 'POST', headers, body: JSON.stringify(given) })
        ).json();
      });
    expect(await asked({ name: 'acme', connector: 'other' })).toMatchObject({
      error: 'connector: a terminal keeps its connector, wired; add another terminal for "other"',
    });
  });

  it('while payments are under way, where it is stays; secrets and limits may change', async () => {
    gateway.bank.faults.set({ loseRequestRate: 1 });
    const { body } = await gateway.demo.sale();
    await gateway.query(`update transactions set terminal = 'acme' where order_id = ${body['paynet-order-id']}`);
    const says = (name: string) => `payments are under way at terminal acme, so ${name} must stay; disable it and wait`;
    expect(await refused('terminal', 'set', 'acme', '--set', 'host=four')).toContain(says('host'));
    expect(await refused('terminal', 'set', 'acme', '--merchant-number', 'M-2')).toContain(says('merchantNumber'));
    await ask('terminal', 'set', 'acme', '--maximum', '99', '--secret-file', `macKey=${await secretFile(MAC_KEY)}`);
    await ask('terminal', 'disable', 'acme');
    await gateway.query(`update transactions set terminal = 'demo-bank' where order_id = ${body['paynet-order-id']}`);
    gateway.bank.faults.set({});
    await ask('terminal', 'set', 'acme', '--set', 'host=two');
    expect(await ask('terminal', 'show', 'acme')).toMatchObject({ enabled: false, maximum: '99' });
  });

  it('messages are shown masked, and looking at them is told to the audit chain', async () => {
    const { stdout } = await run('terminal', 'trace', 'acme');
    expect(stdout).toContain('2027-01-15 08:00:00.000 UTC  ->  0100 card 411111******1111');
    expect(stdout).toContain('<-  0110 00');
    const told = (await run('audit', 'list')).stdout;
    expect(told).toContain('readTerminalTrace');
    expect(told).toContain('testTerminal');
    expect(told).toContain('terminal acme');
  });

  it('secrets change their key with the vault, and still open', async () => {
    const { vault } = gateway.store;
    const sealed = async () =>
      (await gateway.query("select data_key_id, sealed from terminals where name = 'acme'"))[0] as {
        data_key_id: number;
        sealed: Buffer;
      };
    const before = await sealed();
    expect((await run('vault', 'rotate')).code).toBe(0);
    await until('it is sealed anew', async () => Number((await sealed()).data_key_id) > Number(before.data_key_id));
    const { data_key_id: dataKeyId, sealed: bytes } = await sealed();
    const opened = await vault.reveal({ bytes, dataKeyId: Number(dataKeyId) }, 'terminal/acme');
    expect(JSON.parse(opened.reveal())).toEqual({ macKey: MAC_KEY });
    await ask('terminal', 'set', 'acme', '--set', 'note=after');
    expect(happened).toContainEqual(expect.stringMatching(`^opened two:8583 ${MAC_KEY} `));
  });

  it('a secret that nobody can open any more is given anew', async () => {
    const spoilt = "set sealed = '\\x00'::bytea where name = 'acme'";
    await gateway.query(`update terminals ${spoilt}`);
    expect((await run('terminal', 'set', 'acme', '--unset', 'note')).code).toBe(1);
    const file = await secretFile(OTHER_KEY);
    expect(await ask('terminal', 'set', 'acme', '--secret-file', `macKey=${file}`)).toMatchObject({
      secrets: ['macKey'],
    });
    expect(happened).toContainEqual(expect.stringMatching(`^opened two:8583 ${OTHER_KEY} `));
    expect(await ask('terminal', 'set', 'acme', '--unset', 'macKey')).toMatchObject({ secrets: [] });
    expect(happened).toContainEqual(expect.stringMatching('^opened two:8583 no key '));
    await ask('terminal', 'set', 'acme', '--secret-file', `macKey=${await secretFile(MAC_KEY)}`);
  });

  it('secrets are in no answer, log, audit entry or export', async () => {
    const path = join(folder, 'export');
    const { databaseUrl } = gateway;
    const where = databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
    expect(await run('export', path, ...where)).toMatchObject({ code: 0 });
    const file = await readFile(path);
    const text = file[0] === 0x1f ? gunzipSync(file) : file;
    expect(text.toString('latin1')).toContain('acme');
    const kept = [text.toString('latin1'), ...printed, ...gateway.log, (await run('audit', 'list', '--json')).stdout];
    for (const secret of [MAC_KEY, OTHER_KEY]) {
      for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
        expect(kept.filter((one) => one.includes(form))).toEqual([]);
      }
    }
  });
});

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`terminals of processes, on ${kind.name}`, () => {
    const own = new Belongings();
    let where: string[];
    let gateway: RunningProcess;
    const run = (...args: string[]): Promise<Ended> => tender([...args, ...where]);

    beforeAll(async () => {
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) own.also(() => server.drop());
      const data = join(await own.folder(), 'data');
      where = ['--data', data, ...(server?.place.url === undefined ? [] : ['--database-url', server.place.url])];
      gateway = own.keep(await startProcess(where));
    });
    afterAll(() => own.drop());

    it('can be kept while no gateway runs, and are there when it starts; only a running one can try them', async () => {
      const bank = own.keep(await startBankProcess(['--data', await own.folder()]));
      await gateway.process.stop();
      const added = await run('terminal', 'add', 'second', '--connector', 'simulator', '--set', `url=${bank.url}`);
      expect(added).toMatchObject({ code: 0, stderr: '' });
      expect(added.stdout).toMatch(/^Connection +not known$/m);
      const untried = await run('terminal', 'test', 'second');
      expect(untried.code).toBe(3);
      expect(untried.stderr).toMatch(/^tender: no gateway runs in the folder [^\n]*\n$/);
      gateway = own.keep(await startProcess(where));
      const tried = await run('terminal', 'test', 'second');
      expect(tried).toMatchObject({ code: 0, stderr: '' });
      expect(tried.stdout).toMatch(/^ok +the bank answers$/m);
      await bank.process.stop();
      const failed = await run('terminal', 'test', 'second');
      expect(failed.code).toBe(1);
      expect(failed.stdout).toMatch(/^FAILS +the bank answers +\S/m);
      const wrong = await run('terminal', 'set', 'second', '--set', 'url=ftp://bank.example');
      expect(wrong.stderr).toBe(
        'tender: setting url: an address such as http://localhost:8090 is needed, not "ftp://bank.example"\n',
      );
    });
  });
}
