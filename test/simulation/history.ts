// One history: a plan carried out on a fresh world until nothing moves any more or something is broken.

import { PayerLinks } from '../../src/processing/checkout/payer-links.ts';
import { BankWatch } from './bank-watch.ts';
import { Disturbances } from './disturbances.ts';
import { AUTHENTICATED, type House, LIMITED, openHouse, ROUTED } from './house.ts';
import { Invariants } from './invariants.ts';
import { MemoryDatabase } from './memory-database.ts';
import { clientOrderId, Merchants } from './merchants.ts';
import { Networks } from './networks.ts';
import { Node, type World } from './node.ts';
import type { Plan } from './plan.ts';
import { type Process, Scheduler } from './scheduler.ts';

const BEGIN = Date.UTC(2026, 5, 1);

/** A history that has not come to rest by then never will. */
const MAX_STEPS = 30_000;

export type Outcome = {
  /** What was broken; empty when nothing was. */
  readonly breaches: readonly string[];
  readonly steps: number;
  readonly crashes: number;
  readonly transactions: number;
  readonly callbacks: number;
  readonly trace: readonly string[];
};

let house: Promise<House> | undefined;

export type HistoryOptions = {
  readonly isTraced?: boolean;
  /** The database to run on, for those who want to look into it. */
  readonly database?: MemoryDatabase;
};

export async function runHistory(plan: Plan, options: HistoryOptions = {}): Promise<Outcome> {
  const { isTraced = false, database = new MemoryDatabase() } = options;
  house ??= openHouse();
  const trace = isTraced ? [] : undefined;
  const scheduler = new Scheduler({ seed: plan.seed, now: BEGIN, trace });
  scheduler.nextDueAt = () => database.nextDueAt();
  const disturbances = new Disturbances(plan.disturbances, scheduler);
  const bank = await BankWatch.open(scheduler, disturbances);
  const nodes: Node[] = [];
  const asksAt = (merchant: number) => plan.operations.some((one) => 'merchant' in one && one.merchant === merchant);
  const operations = new Map(plan.operations.map((one) => [clientOrderId(one.id), one]));
  const networks = asksAt(AUTHENTICATED)
    ? new Networks({
        scheduler,
        nodes,
        links: new PayerLinks((await house).vault),
        orderOf: (orderId) => database.orders.orders.get(orderId),
        operationOf: (order) => operations.get(order.clientOrderId),
      })
    : undefined;
  if (networks) bank.breachOf = (instruction) => networks.breachOf(instruction);
  const merchants = new Merchants({ scheduler, disturbances, networks, ...(await house) }, nodes, plan.operations);
  const world: World = {
    ...(await house),
    scheduler,
    database,
    disturbances,
    bank,
    receivers: { clientOf: (process: Process) => merchants.clientOf(process) },
    isEmbedded: plan.isEmbedded,
    isLimited: asksAt(LIMITED),
    isRouted: asksAt(ROUTED),
    networks,
  };
  for (let index = 0; index < plan.nodes; index++) nodes.push(Node.start(world, index, 0));
  merchants.begin();
  const invariants = new Invariants({ database, bank, merchants, operations: plan.operations });
  const crashes = new Crashes(world, nodes);
  let breaches: string[] = [];
  while (breaches.length === 0 && scheduler.steps < MAX_STEPS && (await scheduler.step())) {
    breaches = invariants.afterStep();
    crashes.atStep(scheduler.steps);
  }
  if (breaches.length === 0 && scheduler.steps === MAX_STEPS) breaches = ['it does not come to rest'];
  if (breaches.length === 0) breaches = await invariants.atRest(disturbances.endedAt);
  for (const breach of breaches) scheduler.say(`BROKEN: ${breach}`);
  const transactions = [...database.orders.orders.values()].reduce((sum, one) => sum + one.transactions.length, 0);
  const { steps } = scheduler;
  return { breaches, steps, crashes: crashes.count, transactions, callbacks: merchants.heard.size, trace: trace ?? [] };
}

/** Drops and stops nodes between two steps. */
class Crashes {
  count = 0;
  readonly #world: World;
  readonly #nodes: Node[];
  readonly #lives: number[];

  constructor(world: World, nodes: Node[]) {
    this.#world = world;
    this.#nodes = nodes;
    this.#lives = nodes.map(() => 0);
  }

  atStep(step: number): void {
    const { scheduler, disturbances } = this.#world;
    for (const one of disturbances.atStep(step)) {
      const node = this.#nodes[one.node];
      if (!node?.process.isAlive) continue;
      if (one.kind === 'pause') {
        node.process.pausedUntil = Math.max(node.process.pausedUntil, scheduler.now + one.ms);
        disturbances.lastUntil(node.process.pausedUntil);
        scheduler.say(`${node.process.name} is stopped for ${one.ms} ms`);
      } else {
        this.#crash(node, one.node, one.downMs);
      }
    }
  }

  #crash(node: Node, index: number, downMs: number): void {
    const { scheduler, disturbances } = this.#world;
    this.count += 1;
    scheduler.kill(node.process, { withDatabase: this.#world.isEmbedded });
    disturbances.lastUntil(scheduler.now + downMs);
    scheduler.say(`${node.process.name} is killed for ${downMs} ms`);
    scheduler.after(downMs, undefined, `node ${index} is started again`, () => {
      const life = (this.#lives[index] ?? 0) + 1;
      this.#lives[index] = life;
      this.#nodes[index] = Node.start(this.#world, index, life);
    });
  }
}
