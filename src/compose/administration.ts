// What an administrator can do, either with the store of a running gateway or with the store alone.

import type { Connector } from '../acquirers/connector.ts';
import { connectors } from '../acquirers/index.ts';
import { type Administration, type AdministrationParts, administration } from '../administration/administration.ts';
import type { Runs } from '../administration/books/runs.ts';
import { verbs } from '../administration/index.ts';
import { ImportStage } from '../administration/merchant-import/import-stage.ts';
import type {
  AdministrationStores,
  BankOffice,
  InstallationOffice,
  MoneyOffice,
  RouteOffice,
  SandboxOffice,
  TerminalOffice,
  TrialOffice,
} from '../administration/parts.ts';
import type { Clock } from '../domain/clock.ts';
import { operations } from '../operations/index.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { LINKS_LAST_MS } from '../processing/checkout/checkout.ts';
import { DigestKeyRotation } from '../processing/node/digest-key-rotation.ts';
import { KeyRotation, type KeyRotationParts } from '../processing/node/key-rotation.ts';
import { Door } from '../processing/orders/door.ts';
import type { SeenUses } from '../processing/requests/key-uses.ts';
import { auditStore } from '../storage/audit.ts';
import { cardNetworkStore } from '../storage/card-networks.ts';
import { binTableStore } from '../storage/cards/bin-tables.ts';
import { cardFingerprintStore } from '../storage/cards/card-fingerprints.ts';
import { cardReferenceStore } from '../storage/cards/card-references.ts';
import { configurationStore } from '../storage/configuration.ts';
import { lockConfiguration } from '../storage/configuration-version.ts';
import type { ReadingDatabase } from '../storage/connection/reading-database.ts';
import { sessionDatabase } from '../storage/connection/transaction.ts';
import type { Database } from '../storage/database.ts';
import { figureCounts } from '../storage/figures/counting.ts';
import { figureStore } from '../storage/figures/figures.ts';
import { archiveStore } from '../storage/history/archives.ts';
import { idCounter } from '../storage/id-counter.ts';
import { dataKeyUse } from '../storage/keys/data-keys.ts';
import { livingNodes } from '../storage/living-nodes.ts';
import { lookStore } from '../storage/looks.ts';
import { balanceStore } from '../storage/orders/balances.ts';
import { callbackStore } from '../storage/orders/callbacks.ts';
import { instructionStore } from '../storage/orders/instructions.ts';
import { orderStore } from '../storage/orders/orders.ts';
import { timelineStore } from '../storage/orders/timelines.ts';
import { unfinishedStore } from '../storage/orders/unfinished.ts';
import { verificationStore } from '../storage/orders/verification.ts';
import { savedFilterStore } from '../storage/people/saved-filters.ts';
import { peopleStores } from '../storage/people/stores.ts';
import { waitingDeedStore } from '../storage/people/waiting-deeds.ts';
import { recurringStore } from '../storage/recurring.ts';
import { screeningRuleStore } from '../storage/screening-rules.ts';
import { terminalStore } from '../storage/terminals.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { networkOffice } from './brand-directory.ts';
import { HOLD_MS, KEY_GRACE_MS, LEASE_MS, type Settings } from './settings.ts';
import { recordOffice } from './signed-records.ts';
import type { Store } from './store.ts';

/** The verbs of administration on a store; `changed` makes a running gateway use what they changed. */
export function administrationOf(store: Store, options: AdministrationOptions) {
  const {
    connectors: ownConnectors = [],
    keyGraceMs = KEY_GRACE_MS,
    leaseMs = LEASE_MS,
    log = createLog((line) => process.stderr.write(line)),
    reading,
    ...offices
  } = options;
  const { clock } = offices;
  const { database, records, vault } = store;
  const lost: KeyRotationParts['lost'] = ({ place, error, count }) =>
    log.error('a sealed value cannot be opened and is left as it is', { detail: place, count, error });
  const rotation = new KeyRotation({ clock, vault, graceMs: keyGraceMs, lost });
  const digestRotation = new DigestKeyRotation({
    clock,
    vault,
    fingerprints: cardFingerprintStore(database),
    graceMs: keyGraceMs,
    linksLastMs: LINKS_LAST_MS,
  });
  const storesOn = (on: Database) => administrationStores(on, { clock, leaseMs, records, vault });
  const asked: AdministrationParts = {
    ...offices,
    ...storesOn(database),
    ...(reading && storesBehind(reading, database)),
    connectors: [...connectors, ...ownConnectors],
    dataKeyUse: () => dataKeyUse(database),
    imports: new ImportStage(),
    instructions: instructionStore(database),
    leaseMs,
    verification: verificationStore(reading ?? database),
    inTransaction: async (work) => {
      // Another node may have changed the key of records, and the embedded database cannot be asked during the work.
      await vault.refresh();
      return database.transaction(async (session) => {
        // The lock comes first: an administrator on another node may be changing what the verb is about to read.
        await lockConfiguration(session);
        return work(storesOn(sessionDatabase(database, session)));
      });
    },
    networkOffice: networkOffice(clock),
    rotation,
    digestRotation,
    vault,
    vocabulary,
  };
  const told = administration(asked);
  const ask: Administration['ask'] = async (verb, ...rest) => {
    try {
      return await told.ask(verb, ...rest);
    } finally {
      if (!isReading.has(verb)) reading?.changed();
    }
  };
  return { administration: { ...told, ask }, rotation, digestRotation };
}

const isReading: ReadonlySet<string> = new Set(
  verbs.filter(({ conduct }) => conduct === 'read').map(({ name }) => name),
);

/** What may be seconds behind: lists and figures. A single order, and whatever a change rests on, is read as it is. */
function storesBehind(reading: Database, database: Database): Pick<AdministrationStores, 'figures' | 'timelines'> {
  const { search, requests, strangers } = timelineStore(reading);
  return { figures: figureStore(reading), timelines: { ...timelineStore(database), search, requests, strangers } };
}

function administrationStores(
  database: Database,
  { clock, leaseMs, records, vault }: Pick<Store, 'records' | 'vault'> & { clock: Clock; leaseMs: number },
): AdministrationStores {
  const orders = orderStore(database);
  return {
    accounts: balanceStore(database),
    archives: archiveStore(database),
    audit: auditStore(database),
    bins: binTableStore(database),
    callbacks: callbackStore(database),
    cardNetworks: cardNetworkStore(database, records),
    cardReferences: cardReferenceStore(database),
    deeds: waitingDeedStore(database, records),
    filters: savedFilterStore(database),
    figures: figureStore(database),
    ids: idCounter(database),
    nodes: livingNodes(database),
    counts: figureCounts(database),
    configuration: configurationStore(database, records),
    looks: lookStore(database),
    door: new Door({ store: orders, clock, leaseMs, holdMs: HOLD_MS, lanes: 1 }),
    orders,
    records: recordOffice(database, { clock, records, vault }),
    recurring: recurringStore(database),
    rules: screeningRuleStore(database, records),
    staff: peopleStores(database, records),
    terminals: terminalStore(database, records),
    timelines: timelineStore(database),
    unfinished: unfinishedStore(database),
  };
}

type AdministrationOptions = Pick<Settings, 'mode' | 'keyGraceMs' | 'leaseMs'> & {
  /** Where people sign in to a running gateway. */
  readonly adminOrigin?: () => string;
  /** Where lists, figures and verification are read, when not at the primary. */
  readonly reading?: ReadingDatabase | undefined;
  /** The bank of a running gateway. */
  readonly bank?: BankOffice;
  /** A copy of a running gateway's embedded database. */
  readonly copyDatabase?: ((name: string) => Promise<void>) | undefined;
  readonly writeHeap?: ((name: string) => Promise<void>) | undefined;
  readonly installation?: InstallationOffice;
  readonly money?: MoneyOffice;
  readonly runs?: Runs;
  readonly sandbox?: SandboxOffice | undefined;
  readonly keyUses?: () => Promise<SeenUses>;
  readonly routeOffice?: RouteOffice;
  readonly terminalOffice?: TerminalOffice;
  readonly trial?: TrialOffice | undefined;
  readonly connectors?: readonly Connector[] | undefined;
  readonly clock: Clock;
  /** Standard error where none is given. */
  readonly log?: Log;
  readonly changed: () => Promise<void>;
};

const vocabulary = {
  operations: operations.map((operation) => operation.name),
  fields: optionalFields(operations),
};

function optionalFields(all: readonly AnyOperation[]): string[] {
  const fields = all.flatMap((operation) => Object.values(operation.request.fields));
  return [...new Set(fields.filter((field) => !field.required).map((field) => field.wire))].sort();
}
