// The tables of the overview: points of time, reasons, terminals and nodes, each with the way to its orders.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, moment, mono, stateBadge, sum } from '../pieces/values.ts';
import type { Drill, DrillSearch } from './drill-down.ts';

type Overview = AnswerTo<'showOverview'>;
type Point = Overview['points'][number];

const rate = (value: number | null): Piece => (value === null ? '–' : `${value} %`);
const within = (value: number | null): Piece => (value === null ? '–' : `${value} ms`);

/** A count that leads to its orders; nothing leads to none. */
const counted = (drill: Drill, count: number, search: DrillSearch, says: string): Piece =>
  count === 0 ? '0' : html`<a href="${drill(search)}" aria-label="${says}">${count}</a>`;

export function pointsTable({ points }: Overview, drill: Drill): Html {
  const count = (name: 'orders' | 'approved' | 'declined') => (one: Point) => {
    const { from, to } = one;
    const status = name === 'orders' ? {} : { status: name };
    return counted(drill, one[name], { from, to, ...status }, `${one[name]} ${name} from ${from}`);
  };
  return tableOf({
    label: 'Orders by time',
    columns: {
      From: ({ from }: Point) => moment(from),
      Orders: { of: count('orders'), kind: 'number' },
      Approved: { of: count('approved'), kind: 'number' },
      Declined: { of: count('declined'), kind: 'number' },
      'Filtered or failed': { of: (one) => one.stopped, kind: 'number' },
      'Not ended': { of: (one) => one.unfinished, kind: 'number' },
      'Approved amount': {
        of: ({ volumes }) => volumes.map(({ approved, currency }) => html`${sum(approved, currency)} `),
        kind: 'number',
      },
    },
    rows: points,
    otherwise: 'There is no time in this range.',
  });
}

export function reasonsTable({ reasons }: Overview, drill: Drill): Html {
  return tableOf({
    label: 'Reasons, and how many orders ended for each',
    columns: {
      Reason: {
        of: (one) => html`<a href="${drill({ status: one.status, reason: one.reason })}">${one.says}</a>`,
        kind: 'wide',
      },
      Code: (one) => mono(one.reason),
      Ended: (one) => stateBadge(one.status),
      Orders: { of: (one) => one.orders, kind: 'number' },
    },
    rows: reasons,
    otherwise: 'No order of this time ended without money. Declines would stand here by their reasons.',
  });
}

export function terminalsTable({ terminals }: Overview, drill: Drill): Html {
  const table = tableOf({
    label: 'Terminals, and how quickly they answer',
    columns: {
      Terminal: (one) => one.terminal,
      Orders: {
        of: ({ terminal, orders }) => counted(drill, orders, { terminal }, `${orders} orders at ${terminal}`),
        kind: 'number',
      },
      'Approval rate': { of: (one) => rate(one.approvalRate), kind: 'number' },
      Answers: { of: (one) => one.answers, kind: 'number' },
      'Half within': { of: (one) => within(one.p50Ms), kind: 'number' },
      '95 % within': { of: (one) => within(one.p95Ms), kind: 'number' },
      Slowest: { of: (one) => within(one.slowestMs), kind: 'number' },
    },
    rows: terminals ?? [],
    otherwise: 'No order of this time went to a bank: terminals would stand here with how quickly they answer.',
  });
  return html`<p class="hint">An order counts at every terminal that was asked about it, once, by the last try there:
what one bank declined and the next approved lowers the rate of the first alone.</p>${table}`;
}

export function nodesTable({ nodes }: Overview): Html {
  return tableOf({
    label: 'Nodes, and when they were last seen',
    columns: {
      Node: (one) => mono(one.node.slice(0, 8)),
      Version: (one) => one.version ?? 'unknown',
      'Runs since': (one) => moment(one.beganAt),
      'Last seen': (one) => moment(one.seenAt),
      State: (one) => (one.alive ? badge('alive', 'good') : badge('silent', 'bad')),
    },
    rows: nodes ?? [],
    otherwise: 'No node has said that it lives.',
  });
}
