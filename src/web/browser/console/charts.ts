// Draws the charts of the overview. A click on a point leads to the orders behind it; the table below the charts has
// the same links for everybody else.

import uPlot from 'uplot';
import { DATE_LANGUAGE } from './moments.ts';

/** As src/console/today/charts.ts writes it. */
type DrawnChart = {
  readonly unit: string;
  readonly at: readonly number[];
  readonly series: readonly { readonly name: string; readonly tone: string; readonly values: (number | null)[] }[];
  readonly links: readonly string[];
};

const HEIGHT = 200;
const NUMBER = new Intl.NumberFormat(DATE_LANGUAGE);
const MOMENT = new Intl.DateTimeFormat(DATE_LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat(DATE_LANGUAGE, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(DATE_LANGUAGE, { day: 'numeric', month: 'short' });
const DAY_SECONDS = 24 * 60 * 60;
/** Of orders there are no halves. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7, 1e8, 1e9];
const drawn = new Map<HTMLElement, uPlot>();

export function drawCharts(): void {
  draw(document);
  document.addEventListener('tender-live', ({ target }) => {
    if (target instanceof HTMLElement) draw(target);
  });
  window.addEventListener('resize', () => {
    for (const [place, plot] of drawn) plot.setSize({ width: place.clientWidth, height: HEIGHT });
  });
  // Lines on a canvas do not follow the colours of the page by themselves.
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(document));
}

function draw(within: ParentNode): void {
  for (const [place, plot] of drawn) {
    if (place.isConnected && !within.contains(place)) continue;
    plot.destroy();
    drawn.delete(place);
  }
  for (const place of within.querySelectorAll<HTMLElement>('[data-chart]')) {
    const data = JSON.parse(place.dataset.chart ?? '') as DrawnChart;
    drawn.set(place, plotOf(place, data));
  }
}

function plotOf(place: HTMLElement, { unit, at, series, links }: DrawnChart): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line'), width: 1 },
  };
  const written = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : `${NUMBER.format(value)} ${unit}`;
  const mostly = (at.at(-1) ?? 0) - (at[0] ?? 0) > DAY_SECONDS ? DAY : TIME;
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { y: { range: (_, __, most) => [0, unit === '%' ? 100 : Math.max(1, (most ?? 0) * 1.1)] } },
      axes: [
        { ...axis, space: 64, values: (_, marks) => marks.map((mark) => mostly.format(mark * 1000)) },
        {
          ...axis,
          size: 72,
          values: (_, marks) => marks.map((mark) => NUMBER.format(mark)),
          ...(unit === 'orders' ? { incrs: WHOLE } : {}),
        },
      ],
      series: [
        { label: 'From', value: (_, at) => (at === null ? '–' : MOMENT.format(at * 1000)) },
        ...series.map(({ name, tone }) => ({
          label: name,
          stroke: colour(tone),
          width: 2,
          points: { show: true, size: 5 },
          value: (_: uPlot, value: number | null) => written(value),
        })),
      ],
    },
    [[...at], ...series.map(({ values }) => values)],
    place,
  );
  plot.over.addEventListener('click', () => {
    const link = links[plot.cursor.idx ?? -1];
    if (link !== undefined) location.assign(link);
  });
  return plot;
}
