// The lasting connections of the ISO 8583 connector over real sockets: sign-on, echo, reconnection, frames, MAC, TLS,
// and what is wrong in plain words.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Acquirer, TestLine } from '../../src/acquirers/acquirer.ts';
import { readConnectorSettings } from '../../src/acquirers/connector.ts';
import { iso8583 } from '../../src/acquirers/iso8583/iso8583.ts';
import { systemClock } from '../../src/domain/clock.ts';
import certificates from './iso8583-certificates.json' with { type: 'json' };
import { packedCodec } from './iso8583-codecs.ts';
import { approvalOf, type HostOptions, networkReplyTo, ScriptedHost } from './iso8583-host.ts';
import { ANSWER_MS, around, charge, openConnector, StoppedClock } from './iso8583-payments.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const PATIENTLY = { timeout: 120_000 };
const GAPS = [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000];

async function startHost(options: HostOptions = {}): Promise<ScriptedHost> {
  const host = await new ScriptedHost(options).open();
  opened.push(host);
  return host;
}

function open(
  settings: Readonly<Record<string, unknown>>,
  clock = new StoppedClock(),
): Acquirer & { clock: StoppedClock } {
  const bank = openConnector(settings, clock);
  opened.push(bank);
  return { ...bank, clock };
}

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isAsleep = (clock: StoppedClock, ms: number) =>
  vi.waitFor(() => expect(clock.isAsleepFor(ms)).toBe(true), PATIENTLY);

describe('without a connection', () => {
  it('a request is unsent, and is not written when a connection comes later', async () => {
    const port = await freePort();
    const { clock, ...bank } = open({ port });
    await isAsleep(clock, 500);
    const answer = bank.send(charge('sale'), around(1));
    await isAsleep(clock, 5000);
    clock.pass(5000);
    const reason = 'the host refuses connections at this port';
    expect(await answer).toEqual({ word: 'unsent', reason, fault: 'unreachable' });

    const host = await startHost({ port });
    await vi.waitFor(() => {
      // Time passes in the gaps alone: otherwise an attempt under way would seem to take too long.
      const gap = GAPS.find((ms) => clock.isAsleepFor(ms));
      if (gap !== undefined) clock.pass(gap);
      expect(host.ofType('0800')).toHaveLength(1);
    }, PATIENTLY);
    expect(await bank.send(charge('sale'), around(2))).toMatchObject({ word: 'approved' });
    expect(host.ofType('0200')).toMatchObject([{ 11: '000002' }]);
  });

  it('a request that waits is written as soon as there is one', async () => {
    const host = await startHost();
    host.networkScript = () => {};
    const { clock: _, ...bank } = open({ port: host.port });
    const answer = bank.send(charge('sale'), around(1));
    const signOn = await host.hear('0800');
    expect(host.ofType('0200')).toEqual([]);
    signOn.say(networkReplyTo(signOn.message));
    expect(await answer).toMatchObject({ word: 'approved' });
  });

  it('a request that waited is not written by a process that stood still meanwhile', async () => {
    const host = await startHost();
    host.networkScript = () => {};
    let stoodStillMs = 0;
    const clock = new StoppedClock();
    const bank = openConnector(
      { port: host.port },
      { now: () => clock.now() + stoodStillMs, sleep: (ms, signal) => clock.sleep(ms, signal) },
    );
    opened.push(bank);
    const answer = bank.send(charge('sale'), around(1));
    const signOn = await host.hear('0800');
    stoodStillMs = ANSWER_MS;
    signOn.say(networkReplyTo(signOn.message));
    expect(await answer).toEqual({ word: 'unsent', reason: 'a connection came too late' });
    expect(host.ofType('0200')).toEqual([]);
  });

  it('a reversal is unknown', async () => {
    const { clock, ...bank } = open({ port: await freePort() });
    await isAsleep(clock, 500);
    const answer = bank.reverse('7-1', { instruction: charge('sale'), around: around(1), again: true });
    await isAsleep(clock, 5000);
    clock.pass(5000);
    expect(await answer).toMatchObject({ word: 'unknown', fault: 'unreachable' });
  });

  it('the gaps between attempts grow', async () => {
    const { clock } = open({ port: await freePort() });
    for (const gap of [...GAPS, 60_000]) {
      await isAsleep(clock, gap);
      clock.pass(gap);
    }
  });
});

describe('a connection', () => {
  it('is made anew when it breaks, soon after it was up', async () => {
    const host = await startHost();
    const { clock, ...bank } = open({ port: host.port });
    for (let number = 1; number <= 3; number++) {
      expect(await bank.send(charge('sale'), around(number))).toMatchObject({ word: 'approved' });
      for (const socket of host.sockets) socket.destroy();
      await isAsleep(clock, 500);
      clock.pass(500);
      await host.hear('0800', number + 1);
    }
    expect(host.connections).toBe(4);
  });

  it('is given up when the host does not take the sign-on', async () => {
    const host = await startHost();
    host.networkScript = ({ message, say }) => say({ ...networkReplyTo(message), 39: '05' });
    const { clock, ...bank } = open({ port: host.port });
    await isAsleep(clock, 500);
    const answer = bank.send(charge('sale'), around(1));
    await isAsleep(clock, 5000);
    clock.pass(400);
    expect(host.ofType('0200')).toEqual([]);
    await bank.close();
    expect(await answer).toEqual({ word: 'unsent', reason: 'the connector is closed' });
  });

  it('needs no sign-on where none is wanted', async () => {
    const host = await startHost();
    const { clock: _, ...bank } = open({ port: host.port, signOn: false });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
    expect(host.ofType('0800')).toEqual([]);
  });

  it('shows that it is there when idle, and is replaced when the host is silent', async () => {
    const host = await startHost();
    const { clock } = open({ port: host.port, echoSeconds: 60 });
    await isAsleep(clock, 60_000);
    clock.pass(60_000);
    const { message } = await host.hear('0800', 2);
    expect(message).toMatchObject({ 70: '301' });

    await isAsleep(clock, 60_000);
    host.networkScript = () => {};
    clock.pass(60_000);
    await host.hear('0800', 3);
    await isAsleep(clock, ANSWER_MS);
    clock.pass(ANSWER_MS);
    await isAsleep(clock, 500);
    host.networkScript = ({ message: asked, say }) => say(networkReplyTo(asked));
    clock.pass(500);
    await host.hear('0800', 4);
    expect(host.connections).toBe(2);
  });

  it.each([
    ['a sign-on', '001', '00'],
    ['an echo', '301', '00'],
    ['a change of keys, which it does not know', '161', '40'],
  ])("answers the host's own network message: %s", async (_, asks, code) => {
    const host = await startHost();
    const { clock: __, ...bank } = open({ port: host.port });
    await bank.send(charge('sale'), around(1));
    host.announce({ 0: '0800', 7: '1117152200', 11: '900001', 70: asks });
    const { message } = await host.hear('0810');
    expect(message).toEqual({ 0: '0810', 7: '1117152200', 11: '900001', 39: code, 70: asks });
  });

  it('takes no requests while the host is signed off', async () => {
    const host = await startHost();
    const { clock, ...bank } = open({ port: host.port });
    await bank.send(charge('sale'), around(1));
    host.announce({ 0: '0800', 7: '1117152200', 11: '900001', 70: '002' });
    await host.hear('0810');
    const answer = bank.send(charge('sale'), around(2));
    await isAsleep(clock, 5000);
    clock.pass(5000);
    expect(await answer).toMatchObject({ word: 'unsent' });
    host.announce({ 0: '0800', 7: '1117152201', 11: '900002', 70: '001' });
    await host.hear('0810', 2);
    expect(await bank.send(charge('sale'), around(3))).toMatchObject({ word: 'approved' });
  });

  it('is one of several, which take turns', async () => {
    const host = await startHost();
    const { clock: _, ...bank } = open({ port: host.port, connections: 3 });
    await host.hear('0800', 3);
    await vi.waitFor(
      () => expect(bank.traced?.().filter(({ direction }) => direction === 'in')).toHaveLength(3),
      PATIENTLY,
    );
    for (let number = 1; number <= 6; number++) await bank.send(charge('sale'), around(number));
    const used = host.heard.filter(({ message }) => message['0'] === '0200').map(({ socket }) => socket);
    expect(new Set(used).size).toBe(3);
  });

  it('leaves what is under way unknown when the connector is closed', async () => {
    const host = await startHost();
    host.script = () => {};
    const { clock: _, ...bank } = open({ port: host.port });
    const answer = bank.send(charge('sale'), around(1));
    await host.hear('0200');
    await bank.close();
    expect(await answer).toMatchObject({ word: 'unknown' });
    expect(await bank.send(charge('sale'), around(2))).toMatchObject({ word: 'unsent' });
  });
});

describe('frames', () => {
  it.each<[string, HostOptions]>([
    ['four digits', { frame: 'digits-4' }],
    ['two bytes and a TPDU', { tpdu: '6000030000' }],
    ['four digits and a TPDU', { frame: 'digits-4', tpdu: '6000030000' }],
  ])('of %s', async (_, options) => {
    const host = await startHost(options);
    const { clock: __, ...bank } = open({ port: host.port, ...options });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it('that arrive byte by byte are read all the same', async () => {
    const host = await startHost();
    host.script = async ({ message, socket }) => {
      for (const byte of host.bytesOf(approvalOf(message))) {
        socket.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
    };
    const { clock: _, ...bank } = open({ port: host.port });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });
});

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const OTHER_KEY = '00112233445566778899AABBCCDDEEFF';

describe.each([
  ['x9.19', 'iso87-ascii'],
  ['aes-cmac', 'iso87-ascii'],
  ['x9.19', 'iso93-binary'],
] as const)('a MAC by %s in %s', (algorithm, dialect) => {
  const settings = { mac: algorithm, macKey: KEY, dialect };
  const codec = dialect === 'iso93-binary' ? { codec: packedCodec } : {};

  it('is made and checked', async () => {
    const host = await startHost({ ...codec, mac: { algorithm, key: KEY } });
    const { clock: _, ...bank } = open({ port: host.port, ...settings });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it.each([
    ['a wrong', { algorithm, key: OTHER_KEY }],
    ['no', undefined],
  ])('an answer with %s MAC is none', async (_, mac) => {
    const honest = await startHost({ ...codec, mac: { algorithm, key: KEY } });
    const forger = new ScriptedHost({ ...codec, mac });
    honest.script = ({ message, socket }) => void socket.write(forger.bytesOf(approvalOf(message)));
    const { clock, ...bank } = open({ port: honest.port, ...settings });
    const answer = bank.send(charge('sale'), around(1));
    await vi.waitFor(() => expect(bank.traced?.().at(-1)?.text).toMatch(/MAC/), PATIENTLY);
    clock.pass(ANSWER_MS);
    expect(await answer).toMatchObject({ word: 'unknown', fault: 'silent' });
  });
});

const { authority, stranger, client } = certificates;
const hostTls = { cert: certificates.host.certificate, key: certificates.host.key };

describe('TLS', () => {
  it('carries payments', async () => {
    const host = await startHost({ tls: hostTls });
    const { clock: _, ...bank } = open({ port: host.port, tls: 'tls', ca: authority });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it('carries payments with a certificate of ours', async () => {
    const host = await startHost({ tls: { ...hostTls, ca: authority } });
    const { clock: _, ...bank } = open({ port: host.port, tls: 'tls', ca: authority, ...client });
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it('carries nothing to a host that is not trusted', async () => {
    const host = await startHost({ tls: hostTls });
    const { clock, ...bank } = open({ port: host.port, tls: 'tls', ca: stranger });
    await isAsleep(clock, 500);
    const answer = bank.send(charge('sale'), around(1));
    await isAsleep(clock, 5000);
    clock.pass(5000);
    expect(await answer).toMatchObject({ word: 'unsent', reason: "the host's certificate is not trusted" });
    expect(host.heard).toEqual([]);
  });
});

describe('a trial', () => {
  /** In real time: a trial waits for nothing but the host. */
  async function tried(settings: Readonly<Record<string, unknown>>): Promise<readonly TestLine[]> {
    const bank = openConnector({ answerMs: 20_000, ...settings }, systemClock);
    opened.push(bank);
    return bank.test();
  }
  const works = (...names: string[]) => names.map((what) => ({ what, works: true }));

  it('shows every step that works', async () => {
    const plain = await startHost();
    expect(await tried({ port: plain.port })).toEqual(works('connect', 'sign on', 'echo'));
    expect(await tried({ port: plain.port, signOn: false })).toEqual(works('connect', 'echo'));
    const secure = await startHost({ tls: { ...hostTls, ca: authority } });
    const lines = await tried({ port: secure.port, tls: 'tls', ca: authority, ...client });
    expect(lines).toEqual(works('connect', 'TLS', 'sign on', 'echo'));
    expect(plain.ofType('0200')).toEqual([]);
  });

  it('knows a host name that does not exist, and a port where nobody listens', async () => {
    const unknownName = await tried({ host: 'no-such-host.invalid', port: 1 });
    expect(unknownName).toEqual([
      { what: 'connect', works: false, detail: 'the host name no-such-host.invalid is unknown' },
    ]);
    expect(await tried({ port: await freePort() })).toEqual([
      { what: 'connect', works: false, detail: 'the host refuses connections at this port' },
    ]);
  });

  it('knows a certificate that is not trusted', async () => {
    const host = await startHost({ tls: hostTls });
    for (const ca of [stranger, undefined]) {
      const lines = await tried({ port: host.port, tls: 'tls', ...(ca && { ca }) });
      expect(lines).toEqual([
        ...works('connect'),
        { what: 'TLS', works: false, detail: "the host's certificate is not trusted" },
      ]);
    }
  });

  it('knows a host that does not speak TLS', async () => {
    const silent = createServer((socket) => void socket.on('data', () => socket.end('no TLS here\r\n')));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    opened.push({ close: async () => void silent.close() });
    const lines = await tried({ port: (silent.address() as AddressInfo).port, tls: 'tls', ca: authority });
    expect(lines).toEqual([
      ...works('connect'),
      { what: 'TLS', works: false, detail: 'the host does not speak TLS at this port' },
    ]);
  });

  it('knows a host that wants a certificate of ours', async () => {
    const host = await startHost({ tls: { ...hostTls, ca: authority } });
    const lines = await tried({ port: host.port, tls: 'tls', ca: authority });
    expect(lines.at(-1)?.works).toBe(false);
    expect(lines.at(-1)?.detail).toMatch(/certificate of ours|broke the connection|closed the connection/);
  });

  it('knows a wrong MAC key', async () => {
    const host = await startHost();
    const forger = new ScriptedHost({ mac: { algorithm: 'x9.19', key: OTHER_KEY } });
    host.networkScript = ({ message, socket }) => void socket.write(forger.bytesOf(networkReplyTo(message)));
    const lines = await tried({ port: host.port, mac: 'x9.19', macKey: KEY });
    const detail = "the MAC of the host's message is wrong: the MAC key is not the host's";
    expect(lines).toEqual([...works('connect'), { what: 'sign on', works: false, detail }]);
  });

  it('knows a refused sign-on', async () => {
    const host = await startHost();
    host.networkScript = ({ message, say }) => say({ ...networkReplyTo(message), 39: '58' });
    expect(await tried({ port: host.port })).toEqual([
      ...works('connect'),
      { what: 'sign on', works: false, detail: 'the host answered with code 58' },
    ]);
  });

  it('knows settings that do not fit each other', async () => {
    const { certificate, key } = client;
    const base = { port: 1, tls: 'tls' };
    const cases: [object, string][] = [
      [{ ...base, certificate }, 'certificate and key are needed together'],
      [{ ...base, key }, 'certificate and key are needed together'],
      [{ port: 1, tls: 'none', certificate, key }, 'a certificate needs tls'],
      [{ ...base, mac: 'x9.19' }, 'mac x9.19 needs a macKey'],
      [{ ...base, mac: 'x9.19', macKey: KEY + KEY }, 'x9.19 needs a key of 32 hexadecimal digits'],
    ];
    for (const [settings, detail] of cases) {
      expect(await tried(settings as Record<string, unknown>)).toEqual([{ what: 'settings', works: false, detail }]);
    }
    const bank = openConnector({ port: 1, mac: 'x9.19' }, systemClock);
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'unsent' });
    await bank.close();
  });

  it('knows a key that is not of its certificate', async () => {
    const host = await startHost({ tls: hostTls });
    const lines = await tried({
      port: host.port,
      tls: 'tls',
      ca: authority,
      certificate: client.certificate,
      key: hostTls.key,
    });
    expect(lines[1]).toEqual({ what: 'TLS', works: false, detail: 'the key does not belong to the certificate' });
  });
});

describe('settings', () => {
  const faultsOf = (given: object) => {
    const read = readConnectorSettings(iso8583, { host: 'bank.example', port: 5000, ...given });
    return 'faults' in read ? read.faults : [];
  };
  const cut = client.certificate.replace(/[A-Za-z0-9+/]{40}/, '');

  it.each([
    [
      'a key for a certificate',
      { certificate: client.key },
      'certificate: a certificate in PEM is needed, this is a private key',
    ],
    ['a key for an authority', { ca: client.key }, 'ca: a certificate in PEM is needed, this is a private key'],
    [
      'a certificate for a key',
      { key: client.certificate },
      // What is wrong with a secret is not told in detail, because that may repeat it.
      'key: a private key in PEM is needed',
    ],
    ['no PEM', { ca: 'trust me' }, 'ca: a certificate in PEM is needed, beginning with -----BEGIN CERTIFICATE-----'],
    ['a damaged certificate', { ca: cut }, 'ca: a certificate in PEM is needed, this one cannot be read'],
    ['a damaged key', { key: 'secret words' }, 'key: a private key in PEM is needed'],
    ['a short MAC key', { macKey: 'AB12' }, 'macKey: a key of 32, 48 or 64 hexadecimal digits is needed'],
    ['a MAC key of words', { macKey: 'my secret' }, 'macKey: a key of 32, 48 or 64 hexadecimal digits is needed'],
    ['too long a wait', { answerMs: 45_000 }, 'answerMs: a whole number from 1000 to 40000 is needed, not "45000"'],
    ['too many connections', { connections: 9 }, 'connections: a whole number from 1 to 8 is needed, not "9"'],
    ['half a TPDU', { tpdu: '60000' }, 'tpdu: an address of 10 hexadecimal digits is needed, not "60000"'],
  ])('refuse %s in one line, and repeat no secret', (_, given, fault) => {
    expect(faultsOf(given)).toEqual([fault]);
  });

  it('need a host and a port alone', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ certificate: client.certificate + authority, key: client.key, ca: authority })).toEqual([]);
  });
});
