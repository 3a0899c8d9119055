// The bank's settlement file: what was cleared for one business day, as CSV (RFC 4180) with column names, in minor
// units. What is reversed after its clearing has a second line, of kind `reversal`, in the clearing that follows.

import type { Money } from '../../domain/money/money.ts';
import type { Booking, ClearedBooking, Clearing } from './booking.ts';

export type SettlementLine = {
  readonly reference: string;
  readonly kind: Booking['kind'] | 'reversal';
  /** The reference that was reversed, if this is a reversal. */
  readonly original?: string;
  readonly amount: Money;
  readonly clearedAt: number;
};

/** What one clearing did. */
export type ClearingSummary = { readonly date: string; readonly at: number; readonly lines: number };

const SETTLEMENT_COLUMNS = ['reference', 'kind', 'original', 'amount', 'currency', 'cleared_at'] as const;

export function settlementLine({ booking, isReversal }: ClearedBooking, { at }: Clearing): SettlementLine {
  const { reference, kind, amount } = booking;
  const original = isReversal ? reference : booking.original;
  return {
    reference,
    kind: isReversal ? 'reversal' : kind,
    ...(original === undefined ? {} : { original }),
    amount,
    clearedAt: at,
  };
}

/** The whole file, line by line, without line ends. */
export async function* settlementFile(lines: AsyncIterable<SettlementLine>): AsyncGenerator<string> {
  yield SETTLEMENT_COLUMNS.join(',');
  for await (const line of lines) yield writeSettlementLine(line);
}

function writeSettlementLine({ reference, kind, original = '', amount, clearedAt }: SettlementLine): string {
  const cells = [reference, kind, original, `${amount.minor}`, amount.currency, new Date(clearedAt).toISOString()];
  return cells.map(writeCell).join(',');
}

function writeCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
