// The overview in words, for the command line.

import { counted, minute, properties, textTable } from '../verb/table.ts';
import type { OverviewAnswer } from './overview-answer.ts';

export function overviewText(overview: OverviewAnswer): string {
  return [facts(overview), points(overview), reasons(overview), terminals(overview), nodes(overview)]
    .filter((part) => part !== '')
    .join('\n\n');
}

const rate = (approvalRate: number | null) => (approvalRate === null ? '-' : `${approvalRate} %`);

function facts({
  from,
  to,
  countedAt,
  totals,
  compared,
  before,
  unfinished,
  callbacks,
  waiting,
}: OverviewAnswer): string {
  const volumes = totals.volumes.map(({ currency, approved, paidOut }) => {
    const out = /[1-9]/.test(paidOut) ? `, paid out ${paidOut} ${currency}` : '';
    return [`Approved ${currency}`, `${approved} ${currency}${out}`] as const;
  });
  const { oldest } = unfinished;
  return properties([
    ['From', minute(from)],
    ['To', minute(to)],
    ['Counted', countedAt === null ? 'not yet' : minute(countedAt)],
    ['Orders', String(totals.orders)],
    ['Approval rate', rate(totals.approvalRate)],
    [`Until ${minute(compared.to)}`, ordersAndRate(compared)],
    ['As long before', ordersAndRate(before)],
    ...volumes,
    [
      'Not ended',
      `${unfinished.orders}${oldest ? `, the oldest is ${oldest.orderId} of ${minute(oldest.since)}` : ''}`,
    ],
    ['Callbacks due', `${callbacks.waiting}${callbacks.isMore ? ' or more' : ''}${oldestOf(callbacks.oldestAt)}`],
    ['For people', `${counted(waiting.stuck, 'stuck transaction')}, ${counted(waiting.deeds, 'deed')}`],
  ]);
}

const ordersAndRate = ({ orders, approvalRate }: OverviewAnswer['before']) =>
  `${counted(orders, 'order')}, approval rate ${rate(approvalRate)}`;

const oldestOf = (at: string | null) => (at === null ? '' : `, the oldest of ${minute(at)}`);

function points({ points: all }: OverviewAnswer): string {
  return textTable(
    ['FROM', 'ORDERS', 'APPROVED', 'DECLINED', 'STOPPED', 'NOT ENDED', 'APPROVED AMOUNT'],
    all.map((one) => [
      minute(one.from),
      ...[one.orders, one.approved, one.declined, one.stopped, one.unfinished].map(String),
      one.volumes.map(({ approved, currency }) => `${approved} ${currency}`).join(', '),
    ]),
  );
}

function reasons({ reasons: all }: OverviewAnswer): string {
  if (all.length === 0) return '';
  return textTable(
    ['ENDED', 'REASON', 'ORDERS', ''],
    all.map(({ status, reason, orders, says }) => [status, reason, String(orders), says]),
  );
}

function terminals({ terminals: all }: OverviewAnswer): string {
  if (all === null || all.length === 0) return '';
  const ms = (value: number | null) => (value === null ? '-' : `${value} ms`);
  const table = textTable(
    ['TERMINAL', 'ORDERS', 'APPROVAL RATE', 'ANSWERS', 'HALF WITHIN', '95 % WITHIN', 'SLOWEST'],
    all.map((one) => [
      one.terminal,
      String(one.orders),
      rate(one.approvalRate),
      String(one.answers),
      ...[one.p50Ms, one.p95Ms, one.slowestMs].map(ms),
    ]),
  );
  return `${table}\nAn order counts at every terminal that was asked about it, by the last try there.`;
}

function nodes({ nodes: all }: OverviewAnswer): string {
  if (all === null || all.length === 0) return '';
  return textTable(
    ['NODE', 'VERSION', 'BEGAN', 'LAST SEEN', ''],
    all.map(({ node, version, beganAt, seenAt, alive }) => [
      node,
      version ?? '-',
      minute(beganAt),
      minute(seenAt),
      alive ? 'alive' : 'silent',
    ]),
  );
}
