// From a figure to the orders behind it: the search of the orders page that finds exactly those.

import type { AnswerTo } from '../../administration/administration.ts';

type Overview = AnswerTo<'showOverview'>;

/** What narrows the orders of the overview further. */
export type DrillSearch = {
  readonly from?: string;
  readonly to?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly terminal?: string;
};

export type Drill = (search?: DrillSearch) => string;

const KEPT = ['login', 'endpointId', 'currency'] as const;

export function drillOf({ from, to }: Pick<Overview, 'from' | 'to'>, given: Readonly<Record<string, string>>): Drill {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
  return (search = {}) => {
    const query = new URLSearchParams({ from, to, ...search, ...kept });
    return `/console/orders?${query.toString()}`;
  };
}
