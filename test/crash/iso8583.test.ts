// A gateway that is killed again and again while it sells through hosts that speak ISO 8583. Such hosts cannot be asked
// about a message: what is approved here is approved there once and not taken back, and nothing else stands there.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { embedded } from '../contracts/databases.ts';
import type { HostMessage } from '../contracts/iso8583-codecs.ts';
import { answerTo, approvalOf, declineOf, type Heard, ScriptedHost } from '../contracts/iso8583-host.ts';
import { Client, DEMO, pause, until } from '../harness.ts';
import { Belongings, type RunningProcess, startProcess, tender } from '../scenarios/tender-process.ts';
import { Load } from './load.ts';
import { newPlace, type Query } from './place.ts';
import { FAST, lostOrders, untilFinal } from './promises.ts';
import { newSeed, type Random, seeded } from './random.ts';

const ROUNDS = 3;
const LIFE = { fewestSales: 8, mostSales: 40, longestMs: 300 };
const ANSWER_MS = 2_000;
const LATE_MS = ANSWER_MS + 300;
const SLOWEST_MS = 150;
const TERMINALS = ['first', 'second'] as const;

const NO_FUNDS = '51';
const INOPERATIVE = '91';
const NO_ORIGINAL = '25';
/** By the last digit of the amount, so that a repeat would be judged the same. */
const DECLINES: Readonly<Record<string, string>> = { 7: NO_FUNDS, 8: INOPERATIVE };

type Line = { readonly minor: string; readonly code: string; times: number; takenBack: boolean };

type Mishap = 'lost request' | 'lost answer' | 'late answer' | 'doubled answer' | 'hung up';

/** Of every so many messages these go wrong; repeats of a reversal never do, or the pauses before them grow. */
const CYCLE = 25;
const MISHAPS: Readonly<Record<number, Mishap>> = {
  3: 'doubled answer',
  6: 'lost answer',
  11: 'late answer',
  14: 'doubled answer',
  18: 'lost request',
  22: 'hung up',
};

/** A host that loses requests and answers, answers late and twice, hangs up, and keeps books by number and time. */
class LossyHost {
  readonly lines = new Map<string, Line>();
  readonly host = new ScriptedHost({});
  /** What went wrong so far. */
  readonly mishaps = new Set<Mishap>();
  readonly #barred = new Set<string>();
  readonly #random: Random;
  #heard = 0;

  constructor(random: Random) {
    this.#random = random;
    this.host.script = (heard) => this.#hear(heard);
  }

  #hear(heard: Heard): void {
    const { message } = heard;
    const mishap = message['0'] === '0421' ? undefined : MISHAPS[++this.#heard % CYCLE];
    if (mishap) this.mishaps.add(mishap);
    if (mishap === 'lost request') return;
    const answer = message['0']?.startsWith('042') ? this.#takeBack(message) : this.#book(message);
    this.#answer(heard, answer, mishap);
  }

  #answer({ say, socket }: Heard, answer: HostMessage, mishap: Mishap | undefined): void {
    if (mishap === 'hung up') socket.destroy();
    if (mishap === 'hung up' || mishap === 'lost answer') return;
    const answers = mishap === 'doubled answer' ? [answer, answer] : [answer];
    const delayMs = mishap === 'late answer' ? LATE_MS : this.#random() * SLOWEST_MS;
    setTimeout(() => answers.forEach(say), delayMs);
  }

  #book(message: HostMessage): HostMessage {
    const key = `${message['11']}${message['7']}`;
    const minor = String(Number(message['4']));
    if (this.#barred.has(key)) return declineOf(message, NO_ORIGINAL);
    const code = DECLINES[minor.slice(-1)] ?? '00';
    const line = this.lines.get(key) ?? { minor, code, times: 0, takenBack: false };
    line.times += 1;
    this.lines.set(key, line);
    return code === '00' ? approvalOf(message) : declineOf(message, code);
  }

  #takeBack(message: HostMessage): HostMessage {
    const key = message['90']?.slice(4, 20) ?? '';
    const line = this.lines.get(key);
    if (line?.code !== '00') {
      this.#barred.add(key);
      return answerTo(message, { 39: NO_ORIGINAL });
    }
    line.takenBack = true;
    return answerTo(message, { 39: '00' });
  }
}

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

async function commanded(words: readonly string[]): Promise<void> {
  expect(await tender(words)).toMatchObject({ code: 0, stderr: '' });
}

async function newHost(random: Random): Promise<LossyHost> {
  const lossy = new LossyHost(random);
  await lossy.host.open();
  belongings.also(() => lossy.host.close());
  return lossy;
}

async function addTerminals(hosts: readonly LossyHost[], where: readonly string[]): Promise<void> {
  const wire = ['--connector', 'iso8583', '--set', 'host=127.0.0.1', '--set', 'tls=none', '--set', 'connections=2'];
  for (const [place, { host }] of hosts.entries()) {
    const own = ['--set', `port=${host.port}`, '--set', `answerMs=${ANSWER_MS}`];
    await commanded(['terminal', 'add', TERMINALS[place]!, ...wire, ...own, ...where]);
  }
  await commanded(['endpoint', 'set', '101', '--route', TERMINALS.join(','), ...where]);
}

/** A moment that hits the gateway at work, however slow the machine is. */
async function untilDue(load: Load, random: Random): Promise<void> {
  const enough = load.acknowledged.length + LIFE.fewestSales + random() * (LIFE.mostSales - LIFE.fewestSales);
  await until('enough is sold', () => load.acknowledged.length > enough);
  await pause(random() * LIFE.longestMs);
}

/** What a host may have in its books for a transaction that ended here. */
function disagreement({ stage, amount }: Pick<Tried, 'stage' | 'amount'>, line: Line | undefined): string | undefined {
  if (line && line.times > 1) return `heard ${line.times} times`;
  if (line && line.minor !== amount) return `${line.minor} there`;
  const stands = line !== undefined && line.code === '00' && !line.takenBack;
  if (stage === 'approved') return stands ? undefined : 'nothing stands there';
  if (stands) return 'money stands there';
  if (stage === 'declined' && line?.code !== NO_FUNDS && line?.code !== INOPERATIVE) return 'nobody declined it there';
  return ['declined', 'passed-on', 'error'].includes(stage) ? undefined : 'it has not ended';
}

type Tried = { order_id: string; seq: number; stage: string; amount: string; terminal: string; stan: string };

async function disagreements(query: Query, hosts: readonly LossyHost[]): Promise<string[]> {
  const rows = (await query(
    `select order_id::text, seq, stage, amount::text, terminal, lpad(order_id::text, 6, '0') as stan from transactions`,
  )) as unknown as Tried[];
  const found: string[] = [];
  const known = hosts.map(() => new Set<string>());
  for (const row of rows) {
    const place = TERMINALS.indexOf(row.terminal as (typeof TERMINALS)[number]);
    const keys = [...(hosts[place]?.lines.keys() ?? [])].filter((key) => key.startsWith(row.stan));
    for (const key of keys) known[place]?.add(key);
    const what = keys.length > 1 ? 'several lines' : disagreement(row, hosts[place]?.lines.get(keys[0] ?? ''));
    if (what) found.push(`${row.order_id}-${row.seq} at ${row.terminal} is ${row.stage} for ${row.amount}: ${what}`);
  }
  for (const [place, { lines }] of hosts.entries()) {
    for (const key of lines.keys()) if (!known[place]!.has(key)) found.push(`${TERMINALS[place]} alone has ${key}`);
  }
  return found;
}

it('ends every order and agrees with both hosts line by line', async () => {
  const random = seeded(newSeed());
  const hosts = [await newHost(random), await newHost(random)];
  const { args, looking } = await newPlace(belongings, embedded);
  const start = async () => belongings.keep(await startProcess([...args, ...FAST]));

  let running: RunningProcess = await start();
  await addTerminals(hosts, args);
  const client = new Client(() => running.baseUrl, DEMO);
  belongings.also(async () => client.close());
  const load = new Load([client], random);
  load.start();
  for (let round = 0; round < ROUNDS; round++) {
    await untilDue(load, random);
    await running.process.stop('SIGKILL');
    running = await start();
  }
  await untilDue(load, random);
  await load.stop();
  await untilFinal(client, load.acknowledged);
  await running.process.stop();

  expect(load.complaints).toEqual([]);
  await commanded(['verify', ...args]);
  await looking(async (query) => {
    expect(await lostOrders(query, load.acknowledged)).toEqual([]);
    expect(await disagreements(query, hosts)).toEqual([]);
    // Otherwise the kills and mishaps hit nothing, and the rest proves little.
    const rows = await query('select stage, count(*)::int as count from transactions group by stage');
    const stages = Object.fromEntries(rows.map(({ stage, count }) => [stage, count]));
    expect(stages).toMatchObject({ approved: expect.any(Number), 'passed-on': expect.any(Number) });
  });
  expect(hosts[0]!.mishaps).toEqual(new Set(Object.values(MISHAPS)));
  expect(hosts[1]!.lines.size).toBeGreaterThan(0);
});
