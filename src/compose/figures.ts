// The metrics of a gateway: the fate of its callbacks, what is in flight and what waits.

import type { Clock } from '../domain/clock.ts';
import { shareOfSmallIds } from '../domain/ids/id-space.ts';
import type { Admission } from '../http/bounds/admission.ts';
import type { ConnectionLimits } from '../http/bounds/connection-limits.ts';
import type { DeliveriesParts } from '../notifications/deliveries.ts';
import type { GatewayParts } from '../processing/gateway.ts';
import type { HistoryMonths } from '../processing/node/history-months.ts';
import type { Journal } from '../processing/requests/journal.ts';
import type { Strangers } from '../processing/requests/strangers.ts';
import type { CardTesting, CardTestingParts } from '../processing/screening/card-testing.ts';
import type { BankNoticesParts } from '../processing/terminals/bank-notices.ts';
import type { Breakers } from '../processing/terminals/breakers.ts';
import type { Terminals } from '../processing/terminals/terminals.ts';
import { idCounter } from '../storage/id-counter.ts';
import type { CallbackStore } from '../storage/orders/callbacks.ts';
import { type UnfinishedStore, unfinishedStore } from '../storage/orders/unfinished.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { StorageParts } from './storage-parts.ts';

export function countAttempts(metrics: Metrics): DeliveriesParts['tried'] {
  const attempts = metrics.counter('tender_callback_attempts_total', 'Tries to call a merchant, by outcome.', [
    'outcome',
  ]);
  return (outcome) => attempts.inc({ outcome });
}

export function countNotices(metrics: Metrics): BankNoticesParts['count'] {
  const notices = metrics.counter('tender_bank_notices_total', 'Notices of banks, by what became of them.', [
    'outcome',
  ]);
  return (outcome) => notices.inc({ outcome });
}

export function countFiltered(metrics: Metrics): CardTestingParts['filtered'] {
  const filtered = metrics.counter(
    'tender_card_testing_filtered_total',
    'Payments that were filtered because their payer tests cards, by what gave it away.',
    ['by'],
  );
  return (by) => filtered.inc({ by });
}

/** One line in this time; the metric has them all. */
const WARN_EVERY_MS = 60 * 60 * 1000;

/** Counts ids of merchants that may be card numbers, and warns of them now and then. */
export function countCardLikeIds(metrics: Metrics, clock: Clock, log: Log): (merchantId: number) => void {
  const ids = metrics.counter(
    'tender_card_like_order_ids_total',
    'Orders whose client_orderid could be a card number. Such ids are kept as they were sent.',
    [],
  );
  let quietUntil = 0;
  return (merchantId) => {
    ids.inc();
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + WARN_EVERY_MS;
    log.warn('a client_orderid could be a card number, and is kept as it was sent', { merchantId });
  };
}

type Watched = Pick<GatewayParts, 'authentications' | 'clock' | 'door' | 'work'> & {
  readonly breakers: Breakers;
  readonly cardTesting: CardTesting;
  readonly historyMonths: HistoryMonths;
  readonly journal: Journal;
  readonly strangers: Strangers;
  readonly terminals: Terminals;
};

export function watch(metrics: Metrics, { database, configuration, stores }: StorageParts, watched: Watched): void {
  const { authentications, breakers, cardTesting, clock, door, historyMonths, journal, strangers, terminals, work } =
    watched;
  metrics.gauge(
    'tender_configuration_age_seconds',
    'How long ago the configuration was known to be that of the database.',
    () => (clock.now() - configuration.readAt) / 1000,
    'max',
  );
  metrics.gauge(
    'tender_tampered_records',
    'Records that somebody else than the administration has written, changed or removed; "tender verify" names them.',
    () => configuration.tampered.length,
    'max',
  );
  watchCallbacks(metrics, stores.callbacks, clock);
  metrics.gauge('tender_workers', 'Processes that serve the interface here.', () => 1);
  metrics.gauge('tender_orders_in_flight', 'Orders this gateway is working on.', () => work.due.underWay);
  metrics.gauge(
    'tender_authentications_in_flight',
    'Authentications this gateway is working on.',
    () => authentications.due.underWay,
  );
  metrics.gauge(
    'tender_card_testing_suspects',
    'Address ranges and e-mail addresses with declined cards that no approved one made good for.',
    () => cardTesting.suspects,
    'max',
  );
  metrics.gauges(
    {
      name: 'tender_card_testing_declined_ratio',
      help: 'Endpoints at which somebody tests cards: the share of payments that this node saw declined.',
      label: 'endpoint',
    },
    () => cardTesting.attacked,
    'max',
  );
  metrics.gauge('tender_commits_waiting', 'Changes waiting for the next commit.', () => door.waiting);
  metrics.gauge(
    'tender_screened_orders_waiting',
    'Orders waiting for their limits to be counted or their balance to be looked at.',
    () => door.conditionalWaiting,
  );
  metrics.gauge(
    'tender_small_ids_used_ratio',
    'The share of ids that fit a signed 32-bit integer and are taken; above 1 new ids are larger.',
    async () => shareOfSmallIds((await idCounter(database).read()).nextId),
    'max',
  );
  metrics.gauges(
    { name: 'tender_terminal_open', help: '1 while a terminal is left out by its breaker, else 0.', label: 'terminal' },
    () => terminals.all().map(({ name }) => [name, breakers.isOpen(name) ? 1 : 0]),
    'max',
  );
  watchUnfinished(metrics, unfinishedStore(database), clock);
  metrics.gauge(
    'tender_strangers_refused',
    'Requests refused with 429 since the start: too many without a right signature came from their address range.',
    () => strangers.refused,
  );
  metrics.gauge('tender_journal_lines_dropped', 'Journal lines lost since the start.', () => journal.dropped);
  metrics.gauge(
    'tender_rows_without_month',
    'Requests, changes of orders and tries to call merchants that lie in no month; "tender database migrate" mends it.',
    () => historyMonths.restRows,
    'max',
  );
}

export function watchConnections(metrics: Metrics, connections: ConnectionLimits): void {
  metrics.gauge('tender_connections_open', 'Connections to the interface that are open.', () => connections.open);
  metrics.gauges(
    {
      name: 'tender_connections_closed',
      help: 'Connections closed since the start because there were too many, in all or of one address range.',
      label: 'bound',
    },
    () => [
      ['all', connections.closed.all],
      ['address', connections.closed.perBlock],
    ],
  );
}

export function watchAdmission(metrics: Metrics, admission: Admission): void {
  metrics.gauges(
    {
      name: 'tender_requests_shed',
      help: 'Requests refused with code 92 since the start because there was too much to do, by what they ask for.',
      label: 'queue',
    },
    () => Object.entries(admission.refused),
  );
  metrics.gauges(
    {
      name: 'tender_requests_under_way',
      help: 'Requests that were let in and are not answered yet, by what they ask for.',
      label: 'queue',
    },
    () => Object.entries(admission.underWay),
  );
}

function watchCallbacks(metrics: Metrics, callbacks: CallbackStore, clock: Clock): void {
  const backlog = () => callbacks.backlog(clock.now());
  const oldestSeconds = async () => {
    const { oldest = clock.now() } = await backlog();
    return (clock.now() - oldest) / 1000;
  };
  metrics.gauge('tender_callbacks_due', 'Callbacks whose time has come.', async () => (await backlog()).due, 'max');
  metrics.gauge(
    'tender_callbacks_oldest_due_seconds',
    'How long the oldest of them has been due.',
    oldestSeconds,
    'max',
  );
}

function watchUnfinished(metrics: Metrics, unfinished: UnfinishedStore, clock: Clock): void {
  const age = async () => {
    const now = clock.now();
    return Math.max(0, now - ((await unfinished.oldestSince(now)) ?? now)) / 1000;
  };
  metrics.gauge(
    'tender_oldest_unfinished_seconds',
    'Age of the oldest transaction that has not ended, on any node; 0 when all have.',
    age,
    'max',
  );
  const stuck = () => unfinished.countStuck();
  metrics.gauge('tender_stuck_transactions', 'Transactions that wait for a person, on any node.', stuck, 'max');
}
