// What people look for among orders, as data: read from what they write, checked, and never holding a card number.

import { holdsCardNumber } from '../card/numbers-in-text.ts';
import { type InputKind, Misread, readBy } from '../input-kinds.ts';
import { isCurrency } from '../money/currency.ts';
import { decimalsFault, readAmount } from '../money/money.ts';
import type { OrderOperation } from '../order/order.ts';
import type { PublicStatus } from '../order/stages.ts';

/** `bin`: the first six digits, where they are known. */
export type CardEnds = { readonly bin: string | undefined; readonly lastFour: string };

/** From the first moment on, and before the second. */
export type TimeRange = { readonly from: number | undefined; readonly to: number | undefined };

/** Each that is given narrows it. */
export type OrderSearch = TimeRange & {
  readonly orderId: number | undefined;
  readonly clientOrderId: string | undefined;
  readonly rrn: string | undefined;
  readonly approvalCode: string | undefined;
  readonly card: CardEnds | undefined;
  readonly email: string | undefined;
  readonly address: string | undefined;
  /** In minor units of the currency, both included. */
  readonly amounts: { readonly least: bigint; readonly most: bigint } | undefined;
  readonly currency: string | undefined;
  readonly status: PublicStatus | undefined;
  /** Why it ended without money. */
  readonly reason: string | undefined;
  readonly operation: OrderOperation | undefined;
  readonly endpointId: number | undefined;
  readonly terminal: string | undefined;
};

/** As people give it: amounts are written in major units. */
export type AskedOrders = Omit<OrderSearch, 'amounts'> & {
  readonly amount: string | undefined;
  readonly amountFrom: string | undefined;
  readonly amountTo: string | undefined;
};

/** The search, or everything that is wrong with it. */
export function orderSearchOf(asked: AskedOrders): { search: OrderSearch } | { faults: readonly string[] } {
  const { amount, amountFrom, amountTo, ...search } = asked;
  const amounts = amountsOf(asked);
  const faults = [...('faults' in amounts ? amounts.faults : []), ...timeFaults(asked)];
  if (faults.length > 0) return { faults };
  return { search: { ...search, amounts: 'range' in amounts ? amounts.range : undefined } };
}

type Amounts = { readonly range: OrderSearch['amounts'] } | { readonly faults: readonly string[] };

/** More than any order is of. */
const NO_MOST = 10n ** 18n;

function amountsOf({ amount, amountFrom, amountTo, currency }: AskedOrders): Amounts {
  const given = Object.entries({ amount, amountFrom, amountTo }).filter(([, text]) => text !== undefined);
  if (given.length === 0) return { range: undefined };
  if (amount !== undefined && given.length > 1) return { faults: ['amount: give it or a range, not both'] };
  if (currency === undefined) return { faults: ['currency is missing: amounts are looked for in one currency'] };
  const faults = given.flatMap(([name, text]) => amountFault(name, text as string, currency));
  if (faults.length > 0) return { faults };
  const minor = (text: string | undefined) => (text === undefined ? undefined : readAmount(text, currency, 'major'));
  const least = minor(amount ?? amountFrom) ?? 0n;
  const most = minor(amount ?? amountTo) ?? NO_MOST;
  return least > most ? { faults: ['amountTo: it is below amountFrom'] } : { range: { least, most } };
}

function amountFault(name: string, text: string, currency: string): string[] {
  if (readAmount(text, currency, 'major') !== undefined) return [];
  return [`${name}: ${decimalsFault(text, currency) ?? 'an amount such as 10.42 is needed'}`];
}

/** What is wrong with a range of time. */
export function timeFaults({ from, to }: TimeRange): string[] {
  return from !== undefined && to !== undefined && from >= to ? ['to: it is not later than from'] : [];
}

const A_CARD = 'the last four digits of a card, or the first six and the last four such as 411111******1111';

/** What stands for the digits nobody is shown. */
const ENDS = /^(?:(\d{6})[*xX•.…\s-]{0,13})?(\d{4})$/u;
const MOST_DIGITS = 10;

/** Whatever has more digits than may be shown is refused, and not repeated: it would reach logs. */
export const cardEndsKind: InputKind<CardEnds> = {
  ...readBy(A_CARD, readEnds),
  read: (value) => {
    const digits = typeof value === 'string' ? value.replaceAll(/\D/g, '').length : 0;
    if (digits > MOST_DIGITS) return new Misread(`a whole card number is not taken here; give ${A_CARD}`);
    return (typeof value === 'string' ? readEnds(value.trim()) : undefined) ?? new Misread(`${A_CARD} are needed`);
  },
};

function readEnds(text: string): CardEnds | undefined {
  const [, bin, lastFour] = ENDS.exec(text) ?? [];
  return lastFour === undefined ? undefined : { bin, lastFour };
}

/** A text to look for, in which no card number may stand. */
export function soughtText(what: string, most: number): InputKind<string> {
  return {
    schema: { type: 'string', minLength: 1, maxLength: most },
    what,
    spelling: 'text',
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : '';
      if (holdsCardNumber(text)) return new Misread('a card number is not taken here');
      const isText = text !== '' && text.length <= most && !/\p{Cc}/u.test(text);
      return isText ? text : new Misread(`${what} is needed, 1 to ${most} characters on one line`);
    },
  };
}

export const soughtCurrency = readBy('a currency such as USD', (text) =>
  isCurrency(text.toUpperCase()) ? text.toUpperCase() : undefined,
);

/** Read when the currency is known. */
export const soughtAmount = soughtText('an amount such as 10.42', 20);

const DAY_MS = 24 * 60 * 60 * 1000;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const A_MOMENT = 'a day such as 2027-01-31 or a moment such as 2027-01-31T18:00:00Z';

/** A moment, or the beginning of a day in UTC. */
export const firstMoment = readBy(A_MOMENT, (text) => readMoment(text)?.at);

/** A moment that is no longer meant, or the end of a day in UTC. */
export const lastMoment = readBy(A_MOMENT, (text) => {
  const read = readMoment(text);
  return read && read.at + (read.isDay ? DAY_MS : 0);
});

function readMoment(text: string): { readonly at: number; readonly isDay: boolean } | undefined {
  const [, day = '', time] = MOMENT.exec(text) ?? [];
  const midnight = Date.parse(day);
  // The system takes 31 February for 3 March.
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  const at = Date.parse(text);
  return isReal && !Number.isNaN(at) ? { at, isDay: time === undefined } : undefined;
}
