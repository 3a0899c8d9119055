// What is done to a running installation, drawn from one seed: nodes killed, nodes asleep past their leases, a bank
// killed or in a mood, the card networks killed, and with PostgreSQL its connections cut and a server itself restarted,
// in order or as by a crash; on a cluster shards are moved from server to server.

import pg from 'pg';
import type { Faults } from '../../src/acquirers/index.ts';
import { LEASE_MS } from '../crash/promises.ts';
import type { Random } from '../crash/random.ts';
import type { Servers } from './servers.ts';
import type { Supervised } from './supervised.ts';

const BETWEEN_MS = { least: 300, most: 1_800 };
const POLL_MS = 20;
const DOWN_MS = 400;
const MOOD_TRIES = 50;
const MOOD_PAUSE_MS = 100;
/**
 * There must be something to hit: on a slow machine the next disturbance waits until so much was acknowledged, within
 * reason.
 */
const WORTH_HITTING = { acknowledged: 8, limitMs: 12_000 };
/** Longer than a lease: whoever wakes finds that others have done its work. */
const PAUSE_MS = { least: LEASE_MS + 300, most: LEASE_MS + 2_000 };

/** From quiet to hopeless. Inquiries and reversals fail too, but less, or a short run would wait long for its end. */
const MOODS: readonly Partial<Faults>[] = [
  { requestDelayMs: { from: 0, to: 60 }, answerDelayMs: { from: 0, to: 120 } },
  { answerDelayMs: { from: 0, to: 150 }, loseRequestRate: 0.03, loseAnswerRate: 0.03, messages: ['instruct'] },
  { answerDelayMs: { from: 200, to: 1_400 }, loseAnswerRate: 0.05, messages: ['instruct'] },
  { refuseRate: 0.1, loseRequestRate: 0.02, loseAnswerRate: 0.02 },
  { refuseRate: 0.5, messages: ['instruct'] },
];

export const DISTURBANCES = [
  'kill',
  'pause',
  'bank kill',
  'bank mood',
  'networks kill',
  'connections cut',
  'server restart',
  'shard move',
] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

export type DisturberOptions = {
  readonly nodes: readonly Supervised[];
  readonly random: Random;
  readonly banks: readonly Supervised[];
  readonly networks: Supervised;
  readonly seed: number;
  readonly servers: Servers | undefined;
  /** What was acknowledged so far. */
  readonly progress: () => number;
};

export class Disturber {
  readonly counts: Record<Disturbance, number> = {
    kill: 0,
    pause: 0,
    'bank kill': 0,
    'bank mood': 0,
    'networks kill': 0,
    'connections cut': 0,
    'server restart': 0,
    'shard move': 0,
  };
  /** What a disturbance could not do: then the run proves less than it says. */
  readonly complaints: string[] = [];
  readonly #options: DisturberOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Of each bank, which forgets it when it is killed. */
  readonly #moods = new Map<Supervised, Partial<Faults>>();
  #over = false;
  #running: Promise<void> | undefined;

  constructor(options: DisturberOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#disturb();
  }

  /** Whether everything that can be done here was done. Connections are not cut where the server is down just then. */
  get hasDoneEach(): boolean {
    const { 'connections cut': _, 'server restart': restarts, 'shard move': moves, ...always } = this.counts;
    const { servers } = this.#options;
    return (
      Object.values(always).every((count) => count > 0) &&
      (!servers || restarts > 0) &&
      (!servers?.moveOne || moves > 0)
    );
  }

  /** Everything is up again when this resolves, and the banks behave. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.#running;
    await Promise.all(this.#underWay);
    const { nodes, banks, networks } = this.#options;
    for (const one of [...nodes, ...banks, networks]) if (one.state === 'down') await one.start();
    this.#moods.clear();
    for (const bank of banks) await this.#tellMood(bank);
  }

  async #disturb(): Promise<void> {
    for (const bank of this.#options.banks) await this.#changeMood(bank);
    // One of each before chance decides: a short run has all of them too. What the networks forget takes the longest to
    // end.
    const first = [
      () => this.#killOne(),
      () => this.#killNetworks(),
      () => this.#killBank(),
      () => this.#pauseOne(),
      ...this.#serverDisturbances(),
    ];
    while (!this.#over) {
      await sleep(this.#between(BETWEEN_MS));
      await this.#untilWorthHitting();
      const work = (first.shift() ?? this.#next())().catch((error: Error) => void this.complaints.push(error.message));
      this.#underWay.add(work);
      void work.finally(() => this.#underWay.delete(work));
    }
  }

  async #untilWorthHitting(): Promise<void> {
    const enough = this.#options.progress() + WORTH_HITTING.acknowledged;
    for (const start = Date.now(); Date.now() - start < WORTH_HITTING.limitMs && !this.#over; ) {
      if (this.#options.progress() >= enough) return;
      await sleep(POLL_MS);
    }
  }

  #serverDisturbances(): (() => Promise<void>)[] {
    const { servers } = this.#options;
    if (!servers) return [];
    const moves = servers.moveOne ? [() => this.#moveShard()] : [];
    return [...moves, () => this.#cutConnections(), () => this.#restartServer()];
  }

  #next(): () => Promise<void> {
    const chance = this.#options.random();
    if (chance < 0.1) return () => this.#pauseOne();
    if (chance < 0.18) return () => this.#changeMood(this.#oneBank());
    if (chance < 0.24) return () => this.#killBank();
    if (chance < 0.27) return () => this.#killNetworks();
    const { servers } = this.#options;
    if (servers && chance < 0.33) return () => this.#cutConnections();
    if (servers && chance < 0.37) return () => this.#restartServer();
    if (servers?.moveOne && chance < 0.47) return () => this.#moveShard();
    return () => this.#killOne();
  }

  async #killOne(): Promise<void> {
    const node = this.#oneThatIsUp();
    if (!node) return;
    this.counts.kill += 1;
    await this.#killAndStart(node);
  }

  async #killBank(): Promise<void> {
    const bank = this.#oneBank();
    if (bank.state !== 'up') return;
    this.counts['bank kill'] += 1;
    await this.#killAndStart(bank);
    await this.#tellMood(bank);
  }

  async #killNetworks(): Promise<void> {
    const { networks } = this.#options;
    if (networks.state !== 'up') return;
    this.counts['networks kill'] += 1;
    await this.#killAndStart(networks);
  }

  async #killAndStart(one: Supervised): Promise<void> {
    await one.kill();
    await sleep(this.#options.random() * DOWN_MS);
    await one.start();
  }

  async #pauseOne(): Promise<void> {
    const node = this.#oneThatIsUp();
    if (!node) return;
    this.counts.pause += 1;
    await node.pause(this.#between(PAUSE_MS));
  }

  #oneBank(): Supervised {
    return this.#oneOf(this.#options.banks);
  }

  async #changeMood(bank: Supervised): Promise<void> {
    const mood = MOODS[Math.floor(this.#options.random() * MOODS.length)] ?? {};
    this.counts['bank mood'] += 1;
    this.#moods.set(bank, { ...mood, seed: this.#options.seed + this.counts['bank mood'] });
    await this.#tellMood(bank);
  }

  /** Again while the bank is gone: whoever starts it may be about to tell it the same. */
  async #tellMood(bank: Supervised): Promise<void> {
    for (let tries = 1; ; tries++) {
      const body = JSON.stringify(this.#moods.get(bank) ?? {});
      const response = await fetch(new URL('/v1/faults', bank.url), { method: 'PUT', body }).catch(() => {});
      if (response?.ok) return;
      if (tries === MOOD_TRIES) throw new Error(`the bank takes no faults: ${await response?.text()}`);
      await sleep(MOOD_PAUSE_MS);
    }
  }

  async #cutConnections(): Promise<void> {
    const { urls } = this.#options.servers as Servers;
    const client = new pg.Client({ connectionString: this.#oneOf(urls) });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      this.counts['connections cut'] += 1;
    } catch {
      // The server is just being restarted.
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #restartServer(): Promise<void> {
    const { all } = this.#options.servers as Servers;
    this.counts['server restart'] += 1;
    await this.#oneOf(all).restart(this.#options.random() < 0.5 ? 'fast' : 'immediate');
  }

  /** A move that a restart breaks off is undone by the cluster itself; only those that were whole are counted. */
  async #moveShard(): Promise<void> {
    const { servers, random } = this.#options;
    const isMoved = await servers?.moveOne?.(random).catch(() => false);
    if (isMoved) this.counts['shard move'] += 1;
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.#options.random() * list.length)] as T;
  }

  #oneThatIsUp(): Supervised | undefined {
    const up = this.#options.nodes.filter(({ state }) => state === 'up');
    return up[Math.floor(this.#options.random() * up.length)];
  }

  #between({ least, most }: { least: number; most: number }): number {
    return least + this.#options.random() * (most - least);
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
