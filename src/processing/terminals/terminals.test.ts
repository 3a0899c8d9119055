import { beforeEach, describe, expect, it } from 'vitest';
import type { Acquirer, Circumstances, Instruction, Notice, SentInstruction } from '../../acquirers/acquirer.ts';
import { type Connector, defineConnector, optionalSecretValue, requiredValue } from '../../acquirers/connector.ts';
import { newTerminal } from '../../domain/acquirer/terminal.ts';
import { line } from '../../domain/input-kinds.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { Secret } from '../../domain/secret.ts';
import { createLog } from '../../telemetry/log.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import type { LiveTerminal } from '../node/live-configuration.ts';
import { Terminals } from './terminals.ts';

const SALE = { kind: 'sale', reference: '1-1' } as Instruction;
const AROUND = {} as Circumstances;
const SENT = {} as SentInstruction;
const APPROVED = { word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' } as const;

/** Everything that happened to acquirers, in its order. */
let happened: string[];
/** What the next answers are; they may come later. */
let answers: (() => Promise<unknown>)[];
let list: readonly LiveTerminal[];
let told: () => void;
let lines: string[];
const clock = { at: 1_000, now: () => clock.at, sleep: () => new Promise<void>(() => {}) };

const wired: Connector = defineConnector({
  name: 'wired',
  says: 'a bank of this test',
  settings: {
    host: requiredValue(line(50), { says: 'where it is' }),
    key: optionalSecretValue(line(50), { says: 'its key' }),
  },
  does: ['sale', 'refund'],
  partial: ['refund'],
  inquiry: 'repeat',
  needsCard: true,
  open: ({ host, key }, { noticeUrl, terminal }): Acquirer => {
    if (host === 'broken') throw new Error('host broken is no host');
    const id = `${host}/${key?.reveal() ?? 'no key'}`;
    happened.push(`opened ${terminal} at ${id} for ${noticeUrl}`);
    const next = async () => (await (answers.shift()?.() ?? APPROVED)) as never;
    return {
      send: next,
      inquire: next,
      reverse: next,
      test: async () => [{ what: `reached ${id}`, works: true }],
      receive: async () => ({ status: 200, body: id }),
      traced: () => [{ at: 1, direction: 'out', text: `${id} 4111111111111111` }],
      close: async () => void happened.push(`closed ${id}`),
    };
  },
});

const own: Acquirer = {
  send: async () => APPROVED,
  inquire: async () => ({ word: 'not-found' }),
  reverse: async () => ({ word: 'reversed' }),
  test: async () => [],
  close: async () => void happened.push('closed own'),
};

function terminal(name: string, changes: Partial<LiveTerminal> = {}): LiveTerminal {
  return { ...newTerminal({ name, connector: 'wired' }), settings: { host: 'one' }, secrets: {}, ...changes };
}

function opened(...first: LiveTerminal[]): Terminals {
  list = first;
  const terminals = new Terminals({
    baseUrl: () => 'https://pay.example/paynet',
    breakers: { isOpen: () => false, over: (_name, acquirer) => acquirer },
    clock,
    configuration: {
      get terminals() {
        return list;
      },
      tell: (read) => {
        told = read;
      },
    },
    connectors: [wired],
    log: createLog((line) => lines.push(line)),
    metrics: new Metrics(),
    own: { 'demo-bank': { acquirer: own, address: 'this process' } },
  });
  terminals.begin();
  return terminals;
}

function become(...next: LiveTerminal[]): void {
  list = next;
  told();
}

const send = (terminals: Terminals, name = 'acme') => terminals.find(name)?.acquirer.send(SALE, AROUND);

/** An answer that is given by hand. */
function slowly() {
  let give: (answer: unknown) => void = () => {};
  const answer = new Promise<unknown>((resolve) => {
    give = resolve;
  });
  answers.push(() => answer);
  return give;
}

beforeEach(() => {
  happened = [];
  answers = [];
  lines = [];
  clock.at = 1_000;
});

describe('a terminal', () => {
  it('is opened once with its settings, secrets and the address of its notices', async () => {
    const terminals = opened(terminal('acme', { secrets: { key: new Secret('k1') } }));
    expect(await send(terminals)).toEqual(APPROVED);
    become(terminal('acme', { secrets: { key: new Secret('k1') } }));
    expect(await send(terminals)).toEqual(APPROVED);
    expect(happened).toEqual(['opened acme at one/k1 for https://pay.example/paynet/bank/acme']);
  });

  it('passes on nothing of its bank that cannot be stored or shown', async () => {
    const terminals = opened(terminal('acme'));
    answers.push(async () => ({ ...APPROVED, approvalCode: '\u00001' }));
    expect(await send(terminals)).toEqual({ ...APPROVED, approvalCode: ' 1' });
    answers.push(async () => ({ word: 'unknown', reason: 'card 4111111111111111', fault: 'unreadable' }));
    expect(await send(terminals)).toMatchObject({ reason: 'card 411111******1111' });
    expect(terminals.connection('acme')).toMatchObject({ reason: 'card 411111******1111' });
  });

  it('can what its connector can, and stands where it says', () => {
    const terminals = opened(terminal('acme', { merchantNumber: 'M-1', terminalNumber: 'T-1' }));
    const endpoint = { acquirerMerchantId: 'E-1', category: '5999' } as Endpoint;
    expect(terminals.find('acme')).toMatchObject({ does: ['sale', 'refund'], inquiry: 'repeat', needsCard: true });
    expect(terminals.find('acme')?.site(endpoint)).toMatchObject({ merchantNumber: 'M-1', terminalNumber: 'T-1' });
    become(terminal('acme'));
    expect(terminals.find('acme')?.site(endpoint)).toMatchObject({ merchantNumber: 'E-1', terminalNumber: undefined });
    expect(terminals.find('other')).toBeUndefined();
  });

  it.each([
    ['a setting', { settings: { host: 'two' } }, 'two/k1'],
    ['a secret', { secrets: { key: new Secret('k2') } }, 'one/k2'],
  ])('is opened anew when %s changed, and the old connection ends with its calls', async (_, changes, id) => {
    const before = terminal('acme', { secrets: { key: new Secret('k1') } });
    const terminals = opened(before);
    const held = terminals.find('acme');
    const give = slowly();
    const call = held?.acquirer.send(SALE, AROUND);
    become({ ...before, ...changes });
    expect(happened.slice(1)).toEqual([expect.stringContaining(`opened acme at ${id}`)]);
    // Whoever found the terminal before asks by the new connection.
    expect((await held?.acquirer.receive?.({} as Notice))?.body).toBe(id);
    give(APPROVED);
    expect(await call).toEqual(APPROVED);
    await expect.poll(() => happened.slice(2)).toEqual(['closed one/k1']);
  });

  it('stays open when limits change or it is disabled, and is listed with what it is now', () => {
    const terminals = opened(terminal('acme'));
    become(terminal('acme', { enabled: false, maximum: '10' }), terminal('second'));
    expect(happened.filter((one) => one.includes('acme'))).toHaveLength(1);
    expect(terminals.all().map(({ name, settings }) => [name, settings.enabled, settings.maximum])).toEqual([
      ['acme', false, '10'],
      ['second', true, undefined],
    ]);
  });

  it('whose connector cannot be opened sends nothing, says why, and harms no other', async () => {
    const terminals = opened(terminal('acme', { settings: { host: 'broken' } }), terminal('good'));
    const reason = 'host broken is no host';
    const acquirer = terminals.find('acme')?.acquirer;
    expect(await send(terminals)).toMatchObject({ word: 'unsent', reason });
    expect(await acquirer?.inquire('1-1', SENT)).toMatchObject({ word: 'unknown', reason });
    expect(await acquirer?.reverse('1-1', SENT)).toMatchObject({ word: 'unknown', reason });
    expect(await terminals.test('acme')).toEqual([{ what: 'opened', works: false, detail: reason }]);
    expect(acquirer?.receive).toBeUndefined();
    expect(terminals.connection('acme')).toEqual({ failingSince: 1_000, reason });
    expect(await send(terminals, 'good')).toEqual(APPROVED);
    become(terminal('acme'), terminal('good'));
    expect(await send(terminals)).toEqual(APPROVED);
    expect(terminals.connection('acme')).toEqual({ answeredAt: 1_000 });
  });

  it('without what its connector needs, or with another connector than are known here, is one of those', async () => {
    const terminals = opened(terminal('acme', { settings: {} }), terminal('newer', { connector: 'newer' }));
    expect(await send(terminals)).toMatchObject({ word: 'unsent', reason: expect.stringContaining('host is missing') });
    expect(await send(terminals, 'newer')).toMatchObject({ reason: 'connector newer is not known here' });
  });

  it('knows since when its bank fails, and when it last answered', async () => {
    const terminals = opened(terminal('acme'));
    expect(terminals.connection('acme')).toEqual({ answeredAt: undefined });
    const silent = { word: 'unknown', reason: 'no answer', fault: 'silent' };
    answers.push(
      async () => APPROVED,
      async () => silent,
      async () => silent,
      async () => ({ word: 'unknown', reason: '?' }),
    );
    await send(terminals);
    clock.at = 2_000;
    await send(terminals);
    clock.at = 3_000;
    await send(terminals);
    expect(terminals.connection('acme')).toEqual({ answeredAt: 1_000, failingSince: 2_000, reason: 'no answer' });
    await send(terminals);
    expect(terminals.connection('acme')).toEqual({ answeredAt: 3_000 });
    expect(terminals.connection('other')).toBeUndefined();
  });

  it('tells its messages, and what it saw when it was tried', async () => {
    const terminals = opened(terminal('acme'), terminal('demo-bank'));
    expect(terminals.traced('acme')).toEqual([{ at: 1, direction: 'out', text: 'one/no key 411111******1111' }]);
    expect(terminals.traced('demo-bank')).toEqual([]);
    expect(terminals.traced('other')).toBeUndefined();
    expect(await terminals.test('acme')).toEqual([{ what: 'reached one/no key', works: true }]);
    expect(terminals.test('other')).toBeUndefined();
  });
});

it('the bank of the process itself is not opened, not opened anew, and not closed here', async () => {
  const terminals = opened(terminal('demo-bank', { settings: {} }), terminal('acme'));
  expect(await send(terminals, 'demo-bank')).toEqual(APPROVED);
  become(terminal('demo-bank', { settings: { host: 'two' } }), terminal('acme'));
  await terminals.close();
  expect(happened).toEqual([expect.stringContaining('opened acme'), 'closed one/no key']);
});

it('after the end nothing is sent', async () => {
  const terminals = opened(terminal('acme'));
  const { acquirer } = terminals.find('acme') ?? {};
  await terminals.close();
  become(terminal('acme', { settings: { host: 'two' } }));
  expect(await acquirer?.send(SALE, AROUND)).toMatchObject({ word: 'unsent', reason: 'the gateway is stopping' });
  expect(happened).toHaveLength(2);
});

it('secrets are in no log', async () => {
  const terminals = opened(terminal('acme', { settings: {}, secrets: { key: new Secret('k1-secret') } }));
  answers.push(async () => ({ word: 'unsent', reason: 'refused', fault: 'unreachable' }));
  await send(terminals);
  become(terminal('acme', { secrets: { key: new Secret('k1-secret') } }));
  await send(terminals);
  expect(lines.join('')).toContain('"terminal":"acme"');
  expect(lines.join('')).not.toContain('k1-secret');
});
