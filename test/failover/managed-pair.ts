// Two servers under pg_auto_failover, each with its keeper, and the monitor that decides which of them is the primary.
// A node is killed with its keeper, as when its machine loses power: a keeper alone would start its server again.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../scripts/free-port.mjs';
import { borrowedUser } from '../../scripts/postgres.mjs';
import { until } from '../harness.ts';
import type { Belongings } from '../scenarios/tender-process.ts';
import type { FailoverCluster } from './cluster.ts';

const PROGRAM = '/usr/bin/pg_autoctl';
const DATABASE = 'tender';
const STOP_MS = 20_000;

/**
 * In milliseconds: how soon the monitor gives a silent node up, and how long it leaves an old primary to give up by
 * itself. `quick` is for servers that lie beside each other; `usual` is how the monitor comes.
 */
export const PATIENCE = {
  quick: {
    health_check_period: 1_000,
    health_check_timeout: 1_000,
    health_check_retry_delay: 500,
    node_considered_unhealthy_timeout: 5_000,
    primary_demote_timeout: 5_000,
  },
  usual: {},
} as const;

type Node = { readonly name: string; readonly port: number; readonly data: string; process: ChildProcess | undefined };

export class ManagedPair implements FailoverCluster {
  readonly url: string;
  readonly #home: string;
  readonly #binaries: string;
  readonly #monitor: Node;
  readonly #nodes: readonly Node[];
  #killed: Node | undefined;

  private constructor(home: string, binaries: string, monitor: Node, nodes: readonly Node[]) {
    this.#home = home;
    this.#binaries = binaries;
    this.#monitor = monitor;
    this.#nodes = nodes;
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    this.url = `postgres://postgres@${hosts}/${DATABASE}?target_session_attrs=read-write`;
  }

  static async start(
    belongings: Belongings,
    { binaries, patience }: { readonly binaries: string; readonly patience: keyof typeof PATIENCE },
  ): Promise<ManagedPair> {
    const home = await mkdtemp('/tmp/tender-failover-');
    const { uid, gid } = borrowedUser();
    await mkdir(join(home, 'run'));
    if (uid !== undefined && gid !== undefined) for (const one of [home, join(home, 'run')]) await chown(one, uid, gid);
    const node = async (name: string): Promise<Node> => {
      return { name, port: await freePort(), data: join(home, name), process: undefined };
    };
    const pair = new ManagedPair(home, binaries, await node('monitor'), [await node('one'), await node('two')]);
    belongings.also(() => pair.#stop());
    await pair.#create(patience);
    return pair;
  }

  async killPrimary(): Promise<void> {
    const primary = await this.#primary();
    this.#killed = primary;
    for (const pid of familyOf(primary.process?.pid as number)) killed(pid);
  }

  async promoted(): Promise<void> {
    const others = this.#nodes.filter((node) => node !== this.#killed);
    await until('the standby takes writes', async () => (await this.#writable(others)) !== undefined);
  }

  async rejoined(): Promise<void> {
    const node = this.#killed as Node;
    // Nobody was left to remove them.
    await rm(join(node.data, 'postmaster.pid'), { force: true });
    this.#run(node, ['run', '--pgdata', node.data]);
    await this.#untilSynchronous();
  }

  async #create(patience: keyof typeof PATIENCE): Promise<void> {
    const place = (node: Node) => ['--pgdata', node.data, '--pgport', String(node.port), '--hostname', '127.0.0.1'];
    const common = ['--auth', 'trust', '--no-ssl', '--run'];
    this.#run(this.#monitor, ['create', 'monitor', ...place(this.#monitor), ...common]);
    await until('the monitor answers', () => {
      this.#mustRun();
      return answers(this.#monitor.port, 'pg_auto_failover');
    });
    for (const [name, value] of Object.entries(PATIENCE[patience])) {
      await asked(this.#monitor.port, 'pg_auto_failover', `alter system set pgautofailover.${name} = ${value}`);
    }
    await asked(this.#monitor.port, 'pg_auto_failover', 'select pg_reload_conf()');
    const monitor = `postgres://autoctl_node@127.0.0.1:${this.#monitor.port}/pg_auto_failover`;
    for (const node of this.#nodes) {
      const own = ['--listen', '127.0.0.1', '--name', node.name, '--dbname', DATABASE, '--monitor', monitor];
      this.#run(node, ['create', 'postgres', ...place(node), ...own, ...common]);
      await until(`${node.name} is known to the monitor`, async () => (await this.#states()).has(node.name));
      if (node === this.#nodes[0]) await until('the first answers', () => answers(node.port, DATABASE));
    }
    await this.#untilSynchronous();
  }

  /** As nobody, in a home of its own. */
  #run(node: Node, args: readonly string[]): void {
    const config = join(this.#home, 'config');
    const env = {
      PATH: `${this.#binaries}:/usr/bin:/bin`,
      HOME: this.#home,
      XDG_DATA_HOME: config,
      XDG_CONFIG_HOME: config,
      XDG_RUNTIME_DIR: join(this.#home, 'run'),
    };
    const log = createWriteStream(join(this.#home, `${node.name}.log`), { flags: 'a' });
    node.process = spawn(PROGRAM, args, { ...borrowedUser(), cwd: this.#home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    node.process.stdout?.pipe(log, { end: false });
    node.process.stderr?.pipe(log, { end: false });
  }

  /** A keeper that ends by itself has said why. */
  #mustRun(): void {
    for (const { name, process: one } of [this.#monitor, ...this.#nodes]) {
      if (one?.exitCode == null) continue;
      throw new Error(`${name} ended: ${readFileSync(join(this.#home, `${name}.log`), 'utf8').slice(-1_000)}`);
    }
  }

  /** One is the primary, the other its standby, and commits wait for it. */
  async #untilSynchronous(): Promise<void> {
    await until('both servers are in step', async () => {
      const states = [...(await this.#states()).values()].sort();
      if (states.join() === 'primary,secondary') return true;
      // A base backup begins with a checkpoint, which takes minutes unless somebody is in a hurry.
      const node = await this.#writable(this.#nodes);
      if (node) await asked(node.port, DATABASE, 'checkpoint').catch(() => {});
      return false;
    });
  }

  async #states(): Promise<Map<string, string>> {
    this.#mustRun();
    const text = 'select nodename as name, reportedstate::text as state from pgautofailover.node';
    const rows = await asked(this.#monitor.port, 'pg_auto_failover', text).catch(() => []);
    return new Map(rows.map((row) => [String(row.name), String(row.state)]));
  }

  async #primary(): Promise<Node> {
    const primary = await this.#writable(this.#nodes);
    if (!primary) throw new Error('neither server takes writes');
    return primary;
  }

  async #writable(nodes: readonly Node[]): Promise<Node | undefined> {
    for (const node of nodes) {
      // A server that was promoted only reads until the monitor is sure that the old primary is gone.
      const text = "select current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery() as writes";
      const rows = await asked(node.port, DATABASE, text).catch(() => []);
      if (rows[0]?.writes === true) return node;
    }
    return undefined;
  }

  async #stop(): Promise<void> {
    for (const { process: one } of [...this.#nodes, this.#monitor]) {
      if (!one || one.exitCode !== null || one.signalCode !== null) continue;
      const family = familyOf(one.pid as number);
      one.kill('SIGTERM');
      const patience = AbortSignal.timeout(STOP_MS);
      await once(one, 'exit', { signal: patience }).catch(() => family.forEach(killed));
    }
    await rm(this.#home, { recursive: true, force: true });
  }
}

/** A process and all that came of it, parents first. */
function familyOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  return [pid, ...children.flatMap(familyOf)];
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

const answers = (port: number, database: string) =>
  asked(port, database, 'select 1').then(
    () => true,
    () => false,
  );

async function asked(port: number, database: string, text: string): Promise<Record<string, unknown>[]> {
  const connectionString = `postgres://postgres@127.0.0.1:${port}/${database}`;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 30_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
