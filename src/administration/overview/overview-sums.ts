// Sums of figures for the overview: what became of orders, of how much money, point by point and by terminal.

import { timeOfShare } from '../../domain/figures/answer-times.ts';
import type { FigureRange } from '../../domain/figures/spans.ts';
import type { PublicStatus } from '../../domain/order/stages.ts';
import type { FigureStore, OutcomeRow, PointRow } from '../../storage/figures/figures.ts';
import type { OutcomeCounts, RawPoint, RawTerminal, RawTotals } from './overview-answer.ts';

const COUNTED_AS: Readonly<Record<PublicStatus, Exclude<keyof OutcomeCounts, 'orders'>>> = {
  approved: 'approved',
  declined: 'declined',
  filtered: 'stopped',
  error: 'stopped',
  processing: 'unfinished',
  unknown: 'unfinished',
};

export function outcomesOf(rows: readonly { readonly status: PublicStatus; readonly orders: number }[]): OutcomeCounts {
  const counts = { orders: 0, approved: 0, declined: 0, stopped: 0, unfinished: 0 };
  for (const { status, orders } of rows) {
    counts.orders += orders;
    counts[COUNTED_AS[status]] += orders;
  }
  return counts;
}

/** In per cent, of what somebody decided. */
export function approvalRate({ approved, declined }: OutcomeCounts): number | undefined {
  const decided = approved + declined;
  return decided === 0 ? undefined : Math.round((1000 * approved) / decided) / 10;
}

/** What was approved, by currency. Figures do not tell whether a transfer was paid by a card or by a balance. */
function volumesOf(rows: readonly OutcomeRow[]) {
  const sums = new Map<string, { approved: bigint; paidOut: bigint }>();
  for (const { status, operation, currency, amount } of rows) {
    if (status !== 'approved' || operation === 'transfer') continue;
    const sum = sums.get(currency) ?? { approved: 0n, paidOut: 0n };
    if (operation === 'payout') sum.paidOut += amount;
    else sum.approved += amount;
    sums.set(currency, sum);
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { approved, paidOut }]) => ({
      currency,
      approved: { minor: approved, currency },
      paidOut: { minor: paidOut, currency },
    }));
}

export function totalsOf(rows: readonly OutcomeRow[]): RawTotals {
  const counts = outcomesOf(rows);
  return { ...counts, approvalRate: approvalRate(counts), volumes: volumesOf(rows) };
}

/** Every step of the range, also those without orders. */
export function pointsOf({ from, to, stepMs }: FigureRange, rows: readonly PointRow[]): RawPoint[] {
  const byStep = new Map<number, PointRow[]>();
  for (const row of rows) byStep.set(row.at, [...(byStep.get(row.at) ?? []), row]);
  return Array.from({ length: (to - from) / stepMs }, (_, index) => {
    const at = from + index * stepMs;
    const own = byStep.get(at) ?? [];
    return { from: at, to: at + stepMs, ...outcomesOf(own), volumes: volumesOf(own) };
  });
}

type TerminalFigures = Awaited<ReturnType<FigureStore['terminals']>>;

export function terminalsOf({ outcomes, times }: TerminalFigures): RawTerminal[] {
  const names = [...new Set([...outcomes, ...times].map(({ terminal }) => terminal))].toSorted();
  return names.map((terminal) => {
    const counts = outcomesOf(outcomes.filter((one) => one.terminal === terminal));
    const cells = times.filter((one) => one.terminal === terminal);
    return {
      terminal,
      ...counts,
      approvalRate: approvalRate(counts),
      answers: cells.reduce((sum, { answers }) => sum + answers, 0),
      p50Ms: timeOfShare(cells, 0.5),
      p95Ms: timeOfShare(cells, 0.95),
      slowestMs: cells.length === 0 ? undefined : Math.max(...cells.map(({ slowestMs }) => slowestMs)),
    };
  });
}
