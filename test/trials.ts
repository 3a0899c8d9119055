// Trials: files that try at length, with programs that are started and killed, browsers, servers and large data, what
// cheaper files hold rule by rule. They are a quarter of the files in test/ and take more than half of the processor
// time of all tests. A plain `npm test` leaves them out and says so; `npm test -- --all`, CI, and whoever names one run
// them. Who changes what a trial tries runs it by its name.

type Trial = {
  readonly file: string;
  readonly triesAtLength: string;
  /** What stays in a plain run: files, or folders that have tests. */
  readonly heldBy: readonly string[];
};

/** The program as people have it: started, told what to do, stopped and killed. */
const PROGRAMS: readonly Trial[] = [
  {
    file: 'test/scenarios/package.test.ts',
    triesAtLength: 'what is packed, installed in another folder',
    heldBy: ['src/client/bundle.test.ts', 'test/scenarios/client.test.ts', 'test/scenarios/testing.test.ts'],
  },
  {
    file: 'test/scenarios/start.test.ts',
    triesAtLength: 'every reason not to start, and every way to end, a process each',
    heldBy: ['src/cli/tender.test.ts', 'src/cli/complaint.test.ts', 'test/scenarios/first-start.test.ts'],
  },
  {
    file: 'test/scenarios/cli-by-name.test.ts',
    triesAtLength: 'operations called by name, with and without a gateway',
    heldBy: ['src/cli/operations/', 'test/scenarios/cli.test.ts'],
  },
  {
    file: 'test/scenarios/cli-operations.test.ts',
    triesAtLength: 'what operators do day by day, a command each',
    heldBy: ['src/administration/', 'test/scenarios/cli.test.ts', 'test/scenarios/admin-interface.test.ts'],
  },
  {
    file: 'test/scenarios/cli-callbacks.test.ts',
    triesAtLength: 'callbacks by command, with and without a gateway',
    heldBy: ['test/scenarios/callbacks.test.ts', 'test/scenarios/callback-queues.test.ts'],
  },
  {
    file: 'test/scenarios/terminal.test.ts',
    triesAtLength: 'what a terminal shows while a command works',
    heldBy: ['src/cli/terminal.test.ts', 'src/cli/progress-line.test.ts'],
  },
  {
    file: 'test/scenarios/terminals.test.ts',
    triesAtLength: 'terminals by command, with and without a gateway',
    heldBy: ['src/administration/terminals/', 'src/processing/terminals/', 'test/contracts/terminal-store.test.ts'],
  },
  {
    file: 'test/scenarios/watching.test.ts',
    triesAtLength: 'a sandbox watched from several terminals',
    heldBy: ['src/cli/watching/', 'src/notifications/listeners.test.ts'],
  },
  {
    file: 'test/scenarios/workers.test.ts',
    triesAtLength: 'workers that are restarted and killed under load',
    heldBy: ['src/cli/workers/', 'src/compose/workers/', 'test/scenarios/two-processes.test.ts'],
  },
  {
    file: 'test/scenarios/misbehaving-bank.test.ts',
    triesAtLength: 'faults of the sandbox’s bank, set at the start and by command',
    heldBy: ['src/acquirers/simulator/', 'test/scenarios/unknown-outcomes.test.ts'],
  },
  {
    file: 'test/scenarios/stuck.test.ts',
    triesAtLength: 'the manual queue, by command and on banks that never answer',
    heldBy: [
      'src/administration/orders/',
      'test/scenarios/unknown-outcomes.test.ts',
      'src/domain/order/decide.test.ts',
    ],
  },
  {
    file: 'test/scenarios/sandbox-clock.test.ts',
    triesAtLength: 'months of a sandbox whose clock is put forward',
    heldBy: ['src/compose/sandbox/', 'src/processing/sandbox/', 'test/scenarios/recurring.test.ts'],
  },
  {
    file: 'test/scenarios/card-networks.test.ts',
    triesAtLength: 'brands with directory servers of their own, under real certificates',
    heldBy: ['src/domain/three-d-secure/card-network.test.ts', 'test/contracts/networks.test.ts'],
  },
  {
    file: 'test/scenarios/upstream-chain.test.ts',
    triesAtLength: 'a gateway whose bank is another gateway, with all operations',
    heldBy: ['src/acquirers/upstream/', 'test/contracts/upstream.test.ts', 'test/scenarios/upstream-returns.test.ts'],
  },
  {
    file: 'test/scenarios/tls.test.ts',
    triesAtLength: 'certificates that are served, renewed and asked for',
    heldBy: ['test/contracts/mutual-tls.test.ts', 'src/compose/settings.test.ts'],
  },
  {
    file: 'test/scenarios/security-module.test.ts',
    triesAtLength: 'moving into a security module and back',
    heldBy: ['src/vault/key-command.test.ts', 'src/vault/vault.test.ts'],
  },
  {
    file: 'test/scenarios/docs-examples.test.ts',
    triesAtLength: 'the programs of the documentation, by every interpreter',
    heldBy: ['test/scenarios/docs.test.ts', 'src/signing/'],
  },
  {
    file: 'test/clients/generated-clients.test.ts',
    triesAtLength: 'the OpenAPI document, by generators of two other languages',
    heldBy: ['src/openapi/', 'test/scenarios/docs.test.ts', 'test/scenarios/public-clients.test.ts'],
  },
  {
    file: 'test/contracts/guide-connector.test.ts',
    triesAtLength: 'the guide to connectors, followed in a copy of the sources',
    heldBy: ['test/contracts/connectors.test.ts'],
  },
];

/** Whatever ends without a word: gateways, nodes, a primary. */
const KILLED: readonly Trial[] = [
  {
    file: 'test/chaos/chaos.test.ts',
    triesAtLength: 'every disturbance on whole installations at once',
    heldBy: ['test/chaos/stories/stories.test.ts', 'test/simulation/simulation.test.ts'],
  },
  {
    file: 'test/crash/asleep.test.ts',
    triesAtLength: 'a gateway that sleeps past its leases beside another',
    heldBy: ['test/crash/crash.test.ts', 'test/simulation/simulation.test.ts', 'src/storage/claims.test.ts'],
  },
  {
    file: 'test/crash/callbacks.test.ts',
    triesAtLength: 'a gateway that dies before it has told what it wrote',
    heldBy: ['test/crash/crash.test.ts', 'test/contracts/callback-store.test.ts', 'src/notifications/'],
  },
  {
    file: 'test/crash/deeds.test.ts',
    triesAtLength: 'a node that dies while people move money',
    heldBy: ['test/crash/crash.test.ts', 'test/scenarios/money-by-people.test.ts'],
  },
  {
    file: 'test/crash/three-d-secure.test.ts',
    triesAtLength: 'a gateway that dies while a payer is authenticated',
    heldBy: ['test/crash/crash.test.ts', 'test/scenarios/three-d-secure-nodes.test.ts', 'src/threeds/flow.test.ts'],
  },
  {
    file: 'test/crash/ids.test.ts',
    triesAtLength: 'the counter of ids under load, by three nodes that are killed',
    heldBy: ['test/contracts/id-counter.test.ts', 'test/scenarios/ids.test.ts'],
  },
  {
    file: 'test/crash/iso8583.test.ts',
    triesAtLength: 'reversals, by a gateway that is killed again and again',
    heldBy: ['test/contracts/iso8583.test.ts', 'test/contracts/connectors.test.ts'],
  },
  {
    file: 'test/failover/failover.test.ts',
    triesAtLength: 'a primary that dies while merchants sell',
    heldBy: ['src/storage/connection/', 'test/scenarios/outages.test.ts'],
  },
  {
    file: 'test/simulation/broken-variants.test.ts',
    triesAtLength: 'the simulation, which must notice each protection that is switched off',
    heldBy: ['test/simulation/simulation.test.ts'],
  },
  {
    file: 'test/simulation/memory-database.test.ts',
    triesAtLength: 'what the simulation’s database answers, asked of the real ones',
    heldBy: ['test/contracts/order-store.test.ts', 'test/contracts/conditional-write.test.ts'],
  },
];

/** Much data: files, books, logs and months. */
const DATA: readonly Trial[] = [
  {
    file: 'test/scenarios/archives.test.ts',
    triesAtLength: 'archives by command beside a gateway, killed at any moment',
    heldBy: ['test/contracts/archives.test.ts', 'src/administration/books/', 'src/vault/sealed-file.test.ts'],
  },
  {
    file: 'test/scenarios/encrypted-exports.test.ts',
    triesAtLength: 'exports under passphrases and keys, by command',
    heldBy: ['src/vault/sealed-file.test.ts', 'test/contracts/export.test.ts'],
  },
  {
    file: 'test/scenarios/moving.test.ts',
    triesAtLength: 'a move to another database, by command and while merchants sell',
    heldBy: ['test/contracts/export.test.ts'],
  },
  {
    file: 'test/scenarios/reconcile.test.ts',
    triesAtLength: 'a whole life against the bank’s books, with every difference',
    heldBy: ['src/domain/money/', 'src/administration/books/', 'test/contracts/acquirer-clearing.test.ts'],
  },
  {
    file: 'test/scenarios/evidence.test.ts',
    triesAtLength: 'the pack for auditors, whole',
    heldBy: ['src/cli/evidence/', 'test/scenarios/audit.test.ts', 'test/scenarios/verify.test.ts'],
  },
  {
    file: 'test/scenarios/scan.test.ts',
    triesAtLength: 'card numbers planted in every encoding and place',
    heldBy: ['src/scan/scanner.test.ts', 'test/scenarios/left-behind.test.ts'],
  },
  {
    file: 'test/scenarios/key-rotation.test.ts',
    triesAtLength: 'changes of the vault’s key that go wrong on several nodes',
    heldBy: [
      'src/processing/node/key-rotation.test.ts',
      'src/vault/vault.test.ts',
      'test/scenarios/lookup-key.test.ts',
    ],
  },
  {
    file: 'test/contracts/embedded-database.test.ts',
    triesAtLength: 'the embedded database beside full disks, second owners and kill -9',
    heldBy: ['src/storage/embedded/', 'test/contracts/database.test.ts', 'test/crash/crash.test.ts'],
  },
  {
    file: 'test/contracts/stripe-faults.test.ts',
    triesAtLength: 'everything that can break between us and Stripe',
    heldBy: ['src/acquirers/stripe/', 'test/contracts/stripe.test.ts', 'test/contracts/connectors.test.ts'],
  },
  {
    file: 'test/attacks/security-codes-from-the-log.test.ts',
    triesAtLength: 'security codes, sought in all that a machine keeps',
    heldBy: ['src/vault/security-codes.test.ts', 'test/scenarios/secrets.test.ts'],
  },
  {
    file: 'test/attacks/replayed-controls.test.ts',
    triesAtLength: 'recorded requests, sent to gateways that ended and began again',
    heldBy: ['test/scenarios/control-memory.test.ts', 'test/attacks/signed-again.test.ts'],
  },
  {
    file: 'test/attacks/filled-disk.test.ts',
    triesAtLength: 'two thousand large requests of strangers',
    heldBy: ['src/processing/requests/', 'src/domain/stranger-limit.test.ts', 'test/attacks/flood.test.ts'],
  },
];

/** Pages in Chromium; those of payers are looked at in every run. */
const BROWSERS: readonly Trial[] = [
  {
    file: 'test/browser/every-page.test.ts',
    triesAtLength: 'every page, light and dark, by axe-core, in a browser',
    heldBy: ['src/web/', 'test/browser/checkout.test.ts'],
  },
  {
    file: 'test/browser/console-pages.test.ts',
    triesAtLength: 'every page of the console, found by links, in a browser',
    heldBy: ['src/console/', 'test/scenarios/console.test.ts'],
  },
  {
    file: 'test/browser/console-books.test.ts',
    triesAtLength: 'books, audit chain and people, in a browser',
    heldBy: ['src/console/', 'test/scenarios/console-books.test.ts'],
  },
  {
    file: 'test/browser/console-orders.test.ts',
    triesAtLength: 'orders that are searched and given back, in a browser',
    heldBy: ['test/scenarios/console-orders.test.ts'],
  },
  {
    file: 'test/browser/console-setup.test.ts',
    triesAtLength: 'merchants that are set up, in a browser',
    heldBy: ['src/console/setup/', 'test/scenarios/console-setup.test.ts'],
  },
  {
    file: 'test/browser/console-today.test.ts',
    triesAtLength: 'charts of the overview, in a browser',
    heldBy: ['src/console/today/', 'test/scenarios/console-today.test.ts'],
  },
  {
    file: 'test/browser/console-traffic.test.ts',
    triesAtLength: 'sales tried step by step, in a browser',
    heldBy: ['src/console/traffic/', 'test/scenarios/console-traffic.test.ts'],
  },
  {
    file: 'test/browser/card-secrets.test.ts',
    triesAtLength: 'secrets of cards, sought, in a browser',
    heldBy: ['src/web/checkout/', 'test/scenarios/secrets.test.ts'],
  },
  {
    file: 'test/browser/challenge.test.ts',
    triesAtLength: 'a challenge of the bank, in a browser',
    heldBy: ['test/scenarios/challenge.test.ts', 'test/browser/checkout.test.ts'],
  },
  {
    file: 'test/browser/three-d-secure.test.ts',
    triesAtLength: 'ways through 3-D Secure, in a browser',
    heldBy: ['src/threeds/', 'test/scenarios/three-d-secure-pages.test.ts'],
  },
  {
    file: 'test/browser/demo-shop.test.ts',
    triesAtLength: 'the shop of a sandbox, in a browser',
    heldBy: ['examples/shop/shop.test.mjs', 'test/browser/checkout.test.ts'],
  },
  {
    file: 'test/browser/docs.test.ts',
    triesAtLength: 'the documentation, searched and tried, in a browser',
    heldBy: ['src/documentation/', 'test/scenarios/docs.test.ts'],
  },
  {
    file: 'test/browser/people.test.ts',
    triesAtLength: 'passkeys and apps, in a browser',
    heldBy: ['src/web/people/', 'test/scenarios/people.test.ts', 'test/browser/landing.test.ts'],
  },
];

export const TRIALS: readonly Trial[] = [...PROGRAMS, ...KILLED, ...DATA, ...BROWSERS];
