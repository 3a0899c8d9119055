// What the charts of the overview show, as data for the script that draws them. Without scripts the table below them
// shows the same figures.

import type { AnswerTo } from '../../administration/administration.ts';
import { attributes, type Html, html } from '../../web/design/html.ts';
import type { Drill } from './drill-down.ts';

type Overview = AnswerTo<'showOverview'>;

/** Read by src/web/browser/console/charts.ts. */
export type ChartData = {
  readonly unit: string;
  /** Beginnings of the points, in seconds. */
  readonly at: readonly number[];
  readonly series: readonly {
    readonly name: string;
    readonly tone: 'good' | 'bad' | 'waiting' | 'accent';
    readonly values: readonly (number | null)[];
  }[];
  /** Where each point leads. */
  readonly links: readonly string[];
};

const MOST_CURRENCIES = 2;

export function chartsOf({ points, totals }: Overview, drill: Drill): Html {
  const at = points.map(({ from }) => Date.parse(from) / 1000);
  const links = points.map(({ from, to }) => drill({ from, to }));
  const outcomes: ChartData = {
    unit: 'orders',
    at,
    links,
    series: [
      { name: 'Approved', tone: 'good', values: points.map(({ approved }) => approved) },
      { name: 'Declined', tone: 'bad', values: points.map(({ declined }) => declined) },
      { name: 'Filtered or failed', tone: 'waiting', values: points.map(({ stopped }) => stopped) },
    ],
  };
  const rates: ChartData = {
    unit: '%',
    at,
    links,
    series: [
      {
        name: 'Approval rate',
        tone: 'accent',
        values: points.map(({ approved, declined }) => share(approved, declined)),
      },
    ],
  };
  const money = totals.volumes.slice(0, MOST_CURRENCIES).map(({ currency }): [string, ChartData] => {
    const values = points.map(({ volumes }) => Number(volumes.find((one) => one.currency === currency)?.approved ?? 0));
    return [`Approved ${currency}`, { unit: currency, at, links, series: [{ name: currency, tone: 'good', values }] }];
  });
  const all: [string, ChartData][] = [['Orders', outcomes], ['Approval rate', rates], ...money];
  return html`<div class="charts">${all.map(([title, data]) => chart(title, data))}</div>`;
}

function chart(title: string, data: ChartData): Html {
  const label = `${title}: a chart of the figures in the table below`;
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<div${attributes({ 'data-chart': JSON.stringify(data), role: 'img', 'aria-label': label })}></div></figure>`;
}

function share(approved: number, declined: number): number | null {
  const decided = approved + declined;
  return decided === 0 ? null : Math.round((1000 * approved) / decided) / 10;
}
