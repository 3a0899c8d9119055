// The working parts of a gateway: the verbs merchants ask for, and the work due for orders, payers and callbacks.

import { randomUUID } from 'node:crypto';
import { connectors } from '../acquirers/index.ts';
import { DEMO_TERMINAL } from '../domain/acquirer/terminal.ts';
import { TEST_BINS } from '../domain/card/test-bins.ts';
import { readCallbackHost } from '../domain/merchant/callback-hosts.ts';
import type { CallbackPolicy } from '../domain/merchant/callback-url.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { CallbackClient, TIMEOUTS } from '../notifications/client.ts';
import { type CallsMerchants, Deliveries } from '../notifications/deliveries.ts';
import { CallbackListeners } from '../notifications/listeners.ts';
import { BinBook } from '../processing/cards/bin-book.ts';
import { fingerprintsOfStored } from '../processing/cards/card-fingerprints.ts';
import { NetworkLimits } from '../processing/cards/network-limits.ts';
import { withOpenProfiles } from '../processing/cards/secret-details.ts';
import { PayerLinks } from '../processing/checkout/payer-links.ts';
import { payerPages } from '../processing/checkout/payer-pages.ts';
import { Gateway, type GatewayParts } from '../processing/gateway.ts';
import { FigureCounting } from '../processing/node/figure-counting.ts';
import { HistoryMonths } from '../processing/node/history-months.ts';
import { OldRecords } from '../processing/node/old-records.ts';
import { beginIdsAt, OrderIds } from '../processing/node/order-ids.ts';
import { Presence } from '../processing/node/presence.ts';
import { Door } from '../processing/orders/door.ts';
import { EarlyQuestions } from '../processing/orders/early-questions.ts';
import { MaterialsStore } from '../processing/orders/materials.ts';
import { Work } from '../processing/orders/work.ts';
import { ReturnedPayouts } from '../processing/payouts/returned-payouts.ts';
import { RecurringWork } from '../processing/recurring/recurring.ts';
import { AnsweredRequests } from '../processing/requests/answered-requests.ts';
import { ControlReadings } from '../processing/requests/control-readings.ts';
import { Journal } from '../processing/requests/journal.ts';
import { KeyUses } from '../processing/requests/key-uses.ts';
import { Nonces } from '../processing/requests/nonces.ts';
import { digestedNonces } from '../processing/requests/request-marks.ts';
import { Strangers } from '../processing/requests/strangers.ts';
import { CardTesting } from '../processing/screening/card-testing.ts';
import { Screening } from '../processing/screening/screening.ts';
import { BankNotices } from '../processing/terminals/bank-notices.ts';
import { Breakers } from '../processing/terminals/breakers.ts';
import { DayUses } from '../processing/terminals/day-uses.ts';
import { Routing } from '../processing/terminals/routing.ts';
import { partialAtOf } from '../processing/terminals/terminal.ts';
import { Terminals } from '../processing/terminals/terminals.ts';
import { Authentications } from '../processing/three-d-secure/authentications.ts';
import { bankNoticeStore } from '../storage/bank-notices.ts';
import { binTableStore } from '../storage/cards/bin-tables.ts';
import { cardAttemptStore } from '../storage/cards/card-attempts.ts';
import { cardReferenceStore } from '../storage/cards/card-references.ts';
import { cardTryStore } from '../storage/cards/card-tries.ts';
import { PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import { figureCounts } from '../storage/figures/counting.ts';
import { historyStore } from '../storage/history/history-store.ts';
import { idCounter } from '../storage/id-counter.ts';
import { handedCodeKeys } from '../storage/keys/handed-code-keys.ts';
import { livingNodes } from '../storage/living-nodes.ts';
import { oldRecordStore } from '../storage/old-records.ts';
import { answeredRequestStore } from '../storage/orders/answered-requests.ts';
import { formStore } from '../storage/orders/forms.ts';
import { terminalDayStore } from '../storage/orders/terminal-days.ts';
import { recurringStore } from '../storage/recurring.ts';
import { controlMemory } from '../storage/requests/control-readings.ts';
import { journalStore } from '../storage/requests/journal.ts';
import { nonceStore } from '../storage/requests/oauth-nonces.ts';
import { strangerStore } from '../storage/requests/strangers.ts';
import { screeningStore } from '../storage/screening.ts';
import { terminalStateStore } from '../storage/terminal-states.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { SecurityCodes } from '../vault/security-codes.ts';
import { openCodeKeyPlace } from './code-key-folder.ts';
import { countAttempts, countCardLikeIds, countFiltered, countNotices, watch } from './figures.ts';
import type { OutsideParts } from './outside-parts.ts';
import type { PartOptions } from './part-options.ts';
import { openReceiptMails } from './receipt-mails.ts';
import {
  attemptsKeptMsOf,
  CONDITIONAL_LANES,
  HOLD_MS,
  keptMsOf,
  LANES,
  networkLimitsOf,
  orderRoomOf,
  type Settings,
  type Surroundings,
  strangerLimitOf,
  strangersKeptMsOf,
} from './settings.ts';
import type { StorageParts } from './storage-parts.ts';
import { TracedCallbackClient } from './telemetry/open-tracing.ts';

/** This process as a node: its name in leases, and the ids it gives. */
type Node = { readonly instance: string; readonly ids: OrderIds };

export type ProcessingParts = Awaited<ReturnType<typeof openProcessingParts>>;

export async function openProcessingParts(options: PartOptions, storage: StorageParts, outside: OutsideParts) {
  const { clock, log } = options;
  const { database, vault } = storage;
  const instance = randomUUID();
  const presence = await openPresence(options, storage, instance);
  const codes = await openCodes(options, storage, instance);
  const node = { instance, ids: await openIds(options, storage) };
  const links = new PayerLinks(vault);
  const metrics = new Metrics();
  options.spans?.joins(metrics);
  const breakers = await openBreakers(options, storage);
  const days = await openDays(options, storage);
  const terminals = terminalsOf(options, { storage, outside, metrics, breakers });
  const bins = await openBins(options, storage);
  const routing = new Routing({ bins, breakers, days, mode: options.settings.mode, terminals });
  const testing = await openCardTesting(options, storage, metrics);
  const idLooksLikeCard = countCardLikeIds(metrics, clock, log);
  const parts = {
    ...gatewayParts(options, { storage, outside, terminals, node, links, bins, routing, codes, testing }),
    idLooksLikeCard,
  };
  const listeners = new CallbackListeners();
  const figures = figureCounts(database);
  const questions = new EarlyQuestions({ clock, log, store: parts.store, work: parts.work });
  const processing = {
    ...parts,
    bins,
    cardTesting: testing,
    codes,
    questions,
    bankNotices: openBankNotices(options, {
      ...{ storage, terminals, questions, metrics },
      returns: new ReturnedPayouts({ ...parts, figures }),
    }),
    breakers,
    days,
    figureCounting: new FigureCounting(figures, clock),
    gateway: new Gateway(parts),
    recurringWork: new RecurringWork(parts, log),
    deliveries: openDeliveries(options, { storage, node, metrics, terminals, listeners }),
    listeners,
    historyMonths: openHistoryMonths(options, storage),
    journal: openJournal(options, storage),
    keyUses: new KeyUses(clock),
    oldRecords: openOldRecords(options, storage),
    strangers: await openStrangers(options, storage),
    nonces: new Nonces(
      digestedNonces(
        nonceStore(database, () => storage.configuration.shards),
        vault,
      ),
      clock,
    ),
    links,
    metrics,
    presence,
    receiptMails: openReceiptMails(options, storage, instance),
    terminals,
  };
  watch(metrics, storage, processing);
  return processing;
}

function openJournal({ settings, clock, log }: PartOptions, { database, configuration }: StorageParts): Journal {
  const kept = { keptMs: keptMsOf(settings), strangersKeptMs: strangersKeptMsOf(settings) };
  return new Journal({ store: journalStore(database, () => configuration.shards), clock, log, ...kept });
}

function openHistoryMonths({ settings, clock, log }: PartOptions, { database }: StorageParts): HistoryMonths {
  const kept = { requestsKeptMs: keptMsOf(settings), attemptsKeptMs: attemptsKeptMsOf(settings) };
  return new HistoryMonths({ clock, log, store: historyStore(database), ...kept });
}

function openOldRecords({ settings, clock }: PartOptions, { database, configuration }: StorageParts): OldRecords {
  const store = oldRecordStore(database, () => configuration.shards);
  return new OldRecords({ clock, configuration, store, attemptsKeptMs: attemptsKeptMsOf(settings) });
}

/** Who was recognised before, here or elsewhere, is known before the first request. */
async function openStrangers({ settings, clock }: PartOptions, { database }: StorageParts): Promise<Strangers> {
  const strangers = new Strangers({ clock, store: strangerStore(database), limit: strangerLimitOf(settings) });
  await strangers.exchange();
  return strangers;
}

/** The bank of the gateway itself is a terminal that is always there. */
function terminalsOf(
  { settings, surroundings, clock, log, addresses, watches, opened }: PartOptions,
  { storage: { configuration }, outside: { acquirer }, metrics, breakers }: TerminalsAround,
): Terminals {
  const address = settings.bankUrl === undefined ? 'this process' : new URL(settings.bankUrl).origin;
  // Nobody returns payouts in production, so strangers need not be heard there.
  const heard = settings.mode === 'sandbox' ? acquirer : { ...acquirer, receive: undefined };
  const own = { [DEMO_TERMINAL]: { acquirer: heard, address } };
  const { terminals: given = [] } = surroundings;
  const terminals = new Terminals({
    ...{ breakers, clock, configuration, log, metrics, own, given, watches },
    connectors: [...connectors, ...(surroundings.connectors ?? [])],
    // Banks are told the same address whoever asks, and they keep it.
    baseUrl: () => addresses.announced,
  });
  opened.push(() => terminals.close());
  return terminals;
}

function openBankNotices(
  { clock, log }: PartOptions,
  {
    storage,
    metrics,
    ...around
  }: Pick<Around, 'storage' | 'terminals'> & {
    questions: EarlyQuestions;
    metrics: Metrics;
    returns: ReturnedPayouts;
  },
): BankNotices {
  const { database, configuration, stores } = storage;
  const notices = bankNoticeStore(database);
  return new BankNotices({
    ...{ clock, log, configuration, notices, orders: stores.orders, count: countNotices(metrics) },
    ...around,
  });
}

/** What other nodes noticed is known before the first order. */
async function openBreakers({ clock, log }: PartOptions, { database }: StorageParts): Promise<Breakers> {
  const breakers = new Breakers({ clock, log, store: terminalStateStore(database) });
  await breakers.refresh();
  return breakers;
}

async function openDays({ clock }: PartOptions, { database, configuration }: StorageParts): Promise<DayUses> {
  const days = new DayUses({ clock, configuration, store: terminalDayStore(database) });
  await days.refresh();
  return days;
}

/** Whom other nodes have seen testing cards is known before the first order. */
async function openCardTesting({ clock, log }: PartOptions, storage: StorageParts, metrics: Metrics) {
  const { database, configuration, vault } = storage;
  const filtered = countFiltered(metrics);
  const store = cardTryStore(database, () => configuration.shards);
  const testing = new CardTesting({ clock, configuration, log, store, vault, filtered });
  await testing.refresh();
  return testing;
}

type TerminalsAround = {
  readonly breakers: Breakers;
  readonly storage: StorageParts;
  readonly outside: OutsideParts;
  readonly metrics: Metrics;
};

async function openPresence({ clock, opened }: PartOptions, { database }: StorageParts, instance: string) {
  const node = { instance, version: PACKAGE_VERSION, beganAt: clock.now() };
  const presence = new Presence(livingNodes(database), clock, node);
  await presence.begin();
  opened.push(() => presence.end());
  return presence;
}

/** Only this process can have the embedded database open, so it has no other node to meet. */
async function openCodes(
  { settings, clock, log, opened }: PartOptions,
  { database, vault }: StorageParts,
  instance: string,
): Promise<SecurityCodes> {
  const place = await openCodeKeyPlace(settings, log);
  const handed = database.kind === 'pglite' ? undefined : handedCodeKeys(database);
  const unmet = (error: unknown) => log.warn('keys of security codes could not be handed to other nodes', { error });
  const codes = await SecurityCodes.open({
    ...{ clock, place, instance, handed, unmet },
    vouch: (values) => vault.requestMark(values),
  });
  opened.push(() => codes.end({ codesWait: true }));
  return codes;
}

async function openIds({ settings, clock, log, opened }: PartOptions, { database }: StorageParts): Promise<OrderIds> {
  const { firstId, idStride: stride } = settings;
  const counter = idCounter(database);
  if (firstId !== undefined) await beginIdsAt(counter, firstId);
  const ids = new OrderIds({ counter, clock, log, stride });
  opened.push(() => ids.close());
  await ids.fill();
  return ids;
}

type Around = {
  readonly storage: StorageParts;
  readonly outside: OutsideParts;
  readonly node: Node;
  readonly terminals: Terminals;
  readonly links: PayerLinks;
  readonly bins: BinBook;
  readonly routing: Routing;
  readonly codes: SecurityCodes;
  readonly testing: CardTesting;
};

function gatewayParts(options: PartOptions, around: Around): GatewayParts {
  const { settings, clock, addresses } = options;
  const { storage, node, links, bins, codes, routing, terminals, testing } = around;
  const { database, configuration, vault, stores } = storage;
  const orderWork = openOrderWork(options, around);
  const { materials } = orderWork;
  return {
    ...orderWork,
    bins,
    answered: new AnsweredRequests(answeredRequestStore(database), clock),
    authentications: openAuthentications(options, { ...around, ...orderWork }),
    callbackPolicy: callbackPolicyOf(settings),
    cardReferences: cardReferenceStore(database),
    clock,
    codes,
    controls: new ControlReadings(controlMemory(database), clock),
    configuration,
    forms: formStore(database),
    ids: node.ids,
    instance: node.instance,
    limits: new NetworkLimits(cardAttemptStore(database), clock, networkLimitsOf(settings), (merchantId, card) =>
      fingerprintsOfStored(vault, merchantId, card),
    ),
    payerPages: payerPages(links, () => addresses.base),
    recurring: withOpenProfiles(
      recurringStore(database, () => configuration.shards),
      vault,
    ),
    routing,
    screening: new Screening({
      store: screeningStore(database, () => configuration.shards),
      clock,
      vault,
      materials,
      testing,
    }),
    store: stores.orders,
    terminals,
    vault,
  };
}

/** Test numbers have issuers in a sandbox only: in production nobody is to take them for real ones. */
async function openBins({ settings, clock }: PartOptions, { database }: StorageParts): Promise<BinBook> {
  const shipped = settings.mode === 'sandbox' ? TEST_BINS : [];
  const bins = new BinBook({ store: binTableStore(database), clock, shipped });
  await bins.refresh();
  return bins;
}

type OrderWork = Pick<GatewayParts, 'door' | 'materials' | 'work'>;

/** The one door for order writes, and the work that follows from them. */
function openOrderWork(
  { settings, clock, log, leaseMs, addresses, surroundings: { tracing } }: PartOptions,
  { storage, terminals, node, links, codes, testing }: Around,
): OrderWork {
  const { database, configuration, vault, stores } = storage;
  const { instance, ids } = node;
  const store = stores.orders;
  const lanes = { lanes: LANES[database.kind], conditionalLanes: CONDITIONAL_LANES[database.kind] };
  const door = new Door({
    store,
    clock,
    leaseMs,
    holdMs: HOLD_MS,
    ...lanes,
    sealedForMs: vault.safeMs,
    written: testing.saw,
    watched: tracing && ((write) => tracing.committing(write)),
  });
  const materials = new MaterialsStore({
    ...{ store, vault, codes, configuration },
    authentications: stores.authentications,
  });
  const { returnFromBank: returnUrl } = payerPages(links, () => addresses.base);
  const room = orderRoomOf(settings);
  const parts = { clock, configuration, door, ids, instance, leaseMs, log, materials, returnUrl, store, terminals };
  const work = new Work({ ...parts, room });
  return { door, materials, work };
}

function openAuthentications(
  { clock, log, leaseMs, addresses }: PartOptions,
  { storage, outside, links, door, materials, work }: Around & OrderWork,
): Authentications {
  const { configuration, vault, stores } = storage;
  return new Authentications({
    asReached: (url) => addresses.asReached(url),
    baseUrl: () => addresses.base,
    clock,
    configuration,
    door,
    leaseMs,
    links,
    log,
    materials,
    networks: outside.networks,
    orders: stores.orders,
    store: stores.authentications,
    vault,
    work,
  });
}

/** Only sandbox endpoints may have callbacks to their own machine, and only a sandbox may list others inside. */
function callbackPolicyOf({ mode, callbackHosts = [] }: Settings) {
  const hosts = mode === 'sandbox' ? callbackHosts.map(readCallbackHost).filter((one) => one !== undefined) : undefined;
  const ofSandbox: CallbackPolicy = { loopback: true, ...(hosts && { hosts }) };
  const ofOthers: CallbackPolicy = { loopback: false };
  return (endpoint: Endpoint | undefined) => (endpoint?.sandbox === true ? ofSandbox : ofOthers);
}

type DeliveriesAround = Pick<Around, 'storage' | 'node' | 'terminals'> & {
  readonly metrics: Metrics;
  readonly listeners: CallbackListeners;
};

function openDeliveries(
  { settings, surroundings, clock, log, watches, leaseMs }: PartOptions,
  { storage, node, metrics, terminals, listeners }: DeliveriesAround,
): Deliveries {
  const { configuration, stores } = storage;
  const client: CallsMerchants = callbackClient(settings, surroundings);
  return new Deliveries({
    callbacks: stores.callbacks,
    client: settings.mode === 'sandbox' ? listeners.before(client) : client,
    clock,
    configuration,
    instance: node.instance,
    leaseMs,
    log,
    orders: stores.orders,
    partialAt: partialAtOf(terminals),
    policy: callbackPolicyOf(settings),
    random: Math.random,
    tried: countAttempts(metrics),
    watches,
  });
}

function callbackClient(
  { callbackTimeoutMs: totalMs = TIMEOUTS.totalMs }: Settings,
  { resolve, tracing }: Surroundings,
): CallbackClient {
  const connectMs = Math.min(TIMEOUTS.connectMs, totalMs);
  const options = { ...(resolve ? { resolve } : {}), timeouts: { ...TIMEOUTS, connectMs, totalMs } };
  return tracing ? new TracedCallbackClient(options, tracing) : new CallbackClient(options);
}
