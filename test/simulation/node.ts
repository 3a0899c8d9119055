// One gateway node on the simulated world, put together as compose/ does it: the real door, work, notifications and
// verbs, with the node's own clock, its line to the database and its line to the bank.

import { simulatedBank } from '../../src/acquirers/index.ts';
import { NO_USE } from '../../src/domain/acquirer/routing.ts';
import { newTerminal } from '../../src/domain/acquirer/terminal.ts';
import { ROOM } from '../../src/domain/merchant/fair-share.ts';
import type { Endpoint } from '../../src/domain/merchant/merchant.ts';
import type { CallbackClient } from '../../src/notifications/client.ts';
import { Deliveries } from '../../src/notifications/deliveries.ts';
import { NetworkLimits } from '../../src/processing/cards/network-limits.ts';
import { Checkout } from '../../src/processing/checkout/checkout.ts';
import { PayerLinks } from '../../src/processing/checkout/payer-links.ts';
import { payerPages } from '../../src/processing/checkout/payer-pages.ts';
import { Gateway, type GatewayParts } from '../../src/processing/gateway.ts';
import { OrderIds } from '../../src/processing/node/order-ids.ts';
import { Door } from '../../src/processing/orders/door.ts';
import { MaterialsStore } from '../../src/processing/orders/materials.ts';
import { Work } from '../../src/processing/orders/work.ts';
import { RecurringWork } from '../../src/processing/recurring/recurring.ts';
import { AnsweredRequests } from '../../src/processing/requests/answered-requests.ts';
import { ControlReadings } from '../../src/processing/requests/control-readings.ts';
import { Nonces } from '../../src/processing/requests/nonces.ts';
import { Screening } from '../../src/processing/screening/screening.ts';
import { Breakers } from '../../src/processing/terminals/breakers.ts';
import { Routing } from '../../src/processing/terminals/routing.ts';
import { type OpenTerminals, siteOf } from '../../src/processing/terminals/terminal.ts';
import { Authentications } from '../../src/processing/three-d-secure/authentications.ts';
import { CardNetworks } from '../../src/processing/three-d-secure/card-networks.ts';
import { PayerAuthentication } from '../../src/processing/three-d-secure/payer-authentication.ts';
import type { Log } from '../../src/telemetry/log.ts';
import type { BankWatch } from './bank-watch.ts';
import type { Disturbances } from './disturbances.ts';
import { type House, TERMINALS } from './house.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Networks } from './networks.ts';
import { Process, type Scheduler } from './scheduler.ts';
import { storesOf } from './storage-line.ts';

const LEASE_MS = 45_000;
const BASE_URL = 'https://pay.example';
const CONDITIONAL_LANES = 2;
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

export type World = House & {
  readonly scheduler: Scheduler;
  readonly database: MemoryDatabase;
  readonly disturbances: Disturbances;
  readonly bank: BankWatch;
  /** Merchants as callbacks reach them. */
  readonly receivers: { clientOf(process: Process): CallbackClient };
  readonly isEmbedded: boolean;
  /** Whether anybody asks at the endpoint that has limits. */
  readonly isLimited: boolean;
  /** Whether anybody asks at the endpoint that has a choice of banks. */
  readonly isRouted: boolean;
  /** Where payers are authenticated, if any are. */
  readonly networks: Networks | undefined;
};

/** What a request finds at a node that is up. */
export type Doors = {
  readonly gateway: Gateway;
  readonly checkout: Checkout;
  readonly nonces: Nonces;
  readonly authentication: PayerAuthentication | undefined;
};

export class Node {
  readonly process: Process;
  doors: Doors | undefined;

  constructor(process: Process) {
    this.process = process;
  }

  get isUp(): boolean {
    return this.process.isAlive && this.doors !== undefined;
  }

  /** `life` counts how often it was started before. */
  static start(world: World, index: number, life: number): Node {
    const node = new Node(new Process(index, life));
    world.scheduler.after(0, node.process, 'starts', () => node.#start(world));
    return node;
  }

  /** Whoever looks after it starts it again when it could not reach its database. */
  #start(world: World): void {
    const again = () => world.scheduler.after(1_000, this.process, 'starts again', () => this.#start(world));
    open(world, this.process).then((doors) => {
      this.doors = doors;
    }, again);
  }
}

async function open(world: World, process: Process): Promise<Doors> {
  const { scheduler, database, disturbances, bank, receivers, vault, codes, configuration } = world;
  const clock = scheduler.clockOf(process);
  const { instance } = process;
  const polls = {
    orders: scheduler.pollOf(process, 'looks for due work'),
    callbacks: scheduler.pollOf(process, 'looks for due callbacks'),
    recurring: scheduler.pollOf(process, 'looks for due recurring payments'),
    authentications: scheduler.pollOf(process, 'looks for due authentications'),
    terminals: scheduler.pollOf(process, 'looks at the terminals'),
  };
  const stores = storesOf({ database, disturbances, scheduler, process, polls });
  const store = stores.orders;
  const log = logOf(scheduler, process);
  const ids = new OrderIds({ counter: stores.ids, clock, log });
  await ids.fill();
  if (world.isEmbedded) {
    await store.releaseLeases(clock.now());
    await stores.callbacks.releaseLeases(clock.now());
    if (world.networks) await stores.authentications.releaseLeases(clock.now());
  }
  const lanes = scheduler.between(1, 2);
  const conditionalLanes = CONDITIONAL_LANES;
  const door = new Door({ store, clock, leaseMs: LEASE_MS, holdMs: HOLD_MS, lanes, conditionalLanes });
  const outcomes = world.networks ? stores.authentications : { findOutcome: async () => undefined };
  const materials = new MaterialsStore({ store, vault, codes, configuration, authentications: outcomes });
  const screeningParts = { store: stores.screening, clock, vault, materials };
  const breakers = new Breakers({ clock: polls.terminals, log, store: stores.terminalStates });
  const known = TERMINALS.map((name) => ({
    ...simulatedBank,
    name,
    acquirer: breakers.over(name, bank.acquirerFor(process, name)),
    site: (endpoint: Endpoint | undefined) => siteOf(endpoint),
    settings: newTerminal({ name, connector: simulatedBank.name }),
  }));
  const terminals: OpenTerminals = { find: (wanted) => known.find(({ name }) => name === wanted) };
  const links = new PayerLinks(vault);
  const routing = new Routing({
    bins: { issuerOf: () => undefined },
    breakers,
    days: { today: () => NO_USE },
    mode: 'sandbox',
    terminals: { all: () => known },
  });
  const work = new Work({
    ...{ clock: polls.orders, configuration, door, ids, instance, leaseMs: LEASE_MS, log, materials, store, terminals },
    returnUrl: payerPages(links, () => BASE_URL).returnFromBank,
    room: ROOM,
  });
  const general = world.networks?.serverFor(process);
  const open = () => {
    throw new Error('no brand has a directory server of its own');
  };
  const authentications = new Authentications({
    asReached: (url) => url,
    baseUrl: () => BASE_URL,
    clock: polls.authentications,
    configuration,
    door,
    leaseMs: LEASE_MS,
    links,
    log,
    materials,
    networks: new CardNetworks({ clock, configuration, general, open }),
    orders: store,
    store: stores.authentications,
    vault,
    work,
  });
  const parts: GatewayParts = {
    answered: new AnsweredRequests(stores.answered, clock),
    bins: { issuerOf: () => undefined },
    authentications,
    callbackPolicy: () => ({ loopback: false }),
    cardReferences: stores.cardReferences,
    clock,
    codes,
    controls: new ControlReadings(stores.controls, clock),
    configuration,
    door,
    forms: stores.forms,
    ids,
    instance,
    limits: new NetworkLimits(stores.cardAttempts, clock),
    materials,
    payerPages: payerPages(links, () => BASE_URL),
    recurring: stores.recurring,
    routing,
    screening: new Screening(screeningParts),
    store,
    terminals,
    vault,
    work,
  };
  const deliveries = new Deliveries({
    callbacks: stores.callbacks,
    client: receivers.clientOf(process),
    clock: polls.callbacks,
    configuration,
    instance,
    leaseMs: LEASE_MS,
    log,
    orders: store,
    partialAt: () => [],
    policy: parts.callbackPolicy,
    random: scheduler.random,
    tried: () => {},
  });
  const { signal } = new AbortController();
  void work.due.run(signal);
  if (world.isRouted)
    void breakers.run(signal, terminals, (error) => log.warn('terminals were not looked at', { error }));
  void deliveries.due.run(signal);
  void new RecurringWork({ ...parts, clock: polls.recurring }, log).due.run(signal);
  if (world.isLimited) {
    const clock = scheduler.pollOf(process, 'looks for old marks of limits');
    void new Screening({ ...screeningParts, clock }).run(signal, (error) =>
      log.warn('old marks of limits could not be removed', { error }),
    );
  }
  if (world.networks) void authentications.due.run(signal);
  return {
    gateway: new Gateway(parts),
    checkout: new Checkout({ gateway: parts, links, redirectFields: () => undefined }),
    nonces: new Nonces(stores.nonces, clock),
    authentication: world.networks && new PayerAuthentication(authentications),
  };
}

function logOf(scheduler: Scheduler, process: Process): Log {
  const line = (message: string, { error }: { error?: unknown } = {}) =>
    scheduler.say(`${process.name} logs: ${message}${error instanceof Error ? `: ${error.message}` : ''}`);
  return { info: line, warn: line, error: line };
}
