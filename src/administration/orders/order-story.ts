// An order's story in the order of time. Within one millisecond what led to something stands before it: a request
// before what was decided, then what was said to prove the payer, then what a bank was asked and said before what came
// of that, and what the merchant was told at the end.

import { type BankExchange, type ChangeEpisode, namesReference } from './bank-exchanges.ts';
import type { RawEpisode } from './order-answers.ts';
import type { ChangedOrder } from './order-text.ts';

/** `course` is where among the changes of the same moment it belongs. */
type Place = { readonly course: number; readonly rank: number };

const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

/** Before the change it led to, or in its own place among the changes, or in this order behind them all. */
const RANKS = { before: 0, own: 1, '3ds': 2, bank: 3, callback: 4 } as const;

/** `course`: the changes in their order, each exchange before the change it led to. Others may come in any order. */
export function storyInOrder(
  course: readonly (BankExchange | ChangeEpisode)[],
  others: readonly RawEpisode[],
): RawEpisode[] {
  const placed = [
    ...course.map((episode, index) => ({ episode, place: { course: index, rank: RANKS.own } })),
    ...others.map((episode) => ({ episode, place: placeOf(episode, course) })),
  ];
  return placed
    .sort(
      (one, other) =>
        one.episode.at - other.episode.at || one.place.course - other.place.course || one.place.rank - other.place.rank,
    )
    .map(({ episode }) => episode);
}

function placeOf(episode: RawEpisode, course: readonly (BankExchange | ChangeEpisode)[]): Place {
  const before = (leadsTo: (one: BankExchange | ChangeEpisode) => boolean) =>
    course.findIndex((one) => one.at === episode.at && leadsTo(one));
  switch (episode.kind) {
    case 'request':
      return { course: FIRST, rank: RANKS.before };
    case '3ds':
      return orLast(
        before((one) => one.kind === 'change' && endsAuthentication(one, episode.transaction)),
        RANKS['3ds'],
      );
    case 'bank':
      return orLast(
        before((one) => one.kind === 'exchange' && isAbout(episode, one)),
        RANKS.bank,
      );
    default:
      return { course: LAST, rank: RANKS.callback };
  }
}

function orLast(index: number, rank: number): Place {
  return index === -1 ? { course: LAST, rank } : { course: index, rank: RANKS.before };
}

function endsAuthentication({ event }: ChangeEpisode, transaction: number): boolean {
  // Events are kept as JSON, in the shapes that the type names.
  const { seq, from } = event as ChangedOrder;
  return seq === transaction && from === 'authenticating';
}

function isAbout(
  { terminal, message }: Extract<RawEpisode, { readonly kind: 'bank' }>,
  exchange: BankExchange,
): boolean {
  return exchange.terminal === terminal && namesReference(message, exchange.reference);
}
