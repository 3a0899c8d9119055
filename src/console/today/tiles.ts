// The figures of a range in large letters, and what waits for somebody. What is over of the range is compared with as
// much time before.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { moment } from '../pieces/values.ts';
import type { Drill } from './drill-down.ts';

type Overview = AnswerTo<'showOverview'>;

type Tile = { readonly name: string; readonly figure: Piece; readonly about?: Piece };

export function tilesOf(overview: Overview, drill: Drill, visit: Visit): Html {
  const tiles = [
    ordersTile(overview, drill),
    rateTile(overview),
    volumeTile(overview, drill),
    unfinishedTile(overview, visit),
    callbacksTile(overview),
    peopleTile(overview, visit),
  ];
  return html`<ul class="tiles">${tiles.map(
    ({ name, figure, about }) =>
      html`<li class="panel tile"><h2>${name}</h2><p class="figure">${figure}</p>${about && html`<p class="about">${about}</p>`}</li>`,
  )}</ul>`;
}

/** How a number changed, in words. */
export function changeOf(now: number, before: number, unit = '%'): string {
  if (unit !== '%') {
    const points = Math.round(10 * (now - before)) / 10;
    return points === 0 ? 'as before' : `${points > 0 ? '+' : '−'}${Math.abs(points)} ${unit} against before`;
  }
  if (before === 0) return now === 0 ? 'none before either' : 'none before';
  const percent = Math.round((100 * (now - before)) / before);
  return percent === 0 ? 'as before' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} % against before`;
}

const ordersTile = ({ totals, compared, before }: Overview, drill: Drill): Tile => ({
  name: 'Orders',
  figure: html`<a href="${drill()}">${totals.orders}</a>`,
  about: changeOf(compared.orders, before.orders),
});

function rateTile({ totals, compared, before }: Overview): Tile {
  const { approvalRate: rate, approved, declined } = totals;
  if (rate === null) return { name: 'Approval rate', figure: '–', about: 'nothing was decided yet' };
  const [over, earlier] = [compared.approvalRate, before.approvalRate];
  const change = over === null || earlier === null ? 'none to compare' : changeOf(over, earlier, 'points');
  return { name: 'Approval rate', figure: `${rate} %`, about: `${approved} of ${approved + declined}, ${change}` };
}

function volumeTile({ totals, compared, before }: Overview, drill: Drill): Tile {
  const lines = totals.volumes.map(({ currency, approved, paidOut }) => {
    const of = ({ volumes }: Overview['before']) =>
      Number(volumes.find((one) => one.currency === currency)?.approved ?? 0);
    const change = changeOf(of(compared), of(before));
    const out = /[1-9]/.test(paidOut) && html`, paid out ${paidOut} ${currency}`;
    return html`<span class="line"><strong>${approved} ${currency}</strong> <small>${change}${out}</small></span>`;
  });
  const { approved } = totals;
  const figure = approved === 0 ? '–' : html`<a href="${drill({ status: 'approved' })}">${approved}</a>`;
  const none = approved === 0 ? 'no money yet' : 'transfers, which are not added up here';
  return { name: 'Approved', figure, about: lines.length === 0 ? none : lines };
}

function unfinishedTile({ unfinished: { orders, oldest } }: Overview, visit: Visit): Tile {
  if (oldest === null) return { name: 'Not ended', figure: orders, about: 'nothing is under way for long' };
  const { orderId, status, since } = oldest;
  const name = visit.may('showOrder') ? html`<a href="/console/orders/${orderId}">${orderId}</a>` : orderId;
  return { name: 'Not ended', figure: orders, about: html`the oldest is ${name}, ${status} since ${moment(since)}` };
}

const callbacksTile = ({ callbacks: { waiting, isMore, oldestAt } }: Overview): Tile => ({
  name: 'Callbacks due',
  figure: html`<a href="/console/callbacks?state=waiting">${waiting}${isMore && '+'}</a>`,
  about: oldestAt === null ? 'nothing waits to be sent' : html`the oldest of ${moment(oldestAt)}`,
});

function peopleTile({ waiting: { stuck, deeds } }: Overview, visit: Visit): Tile {
  const unknown = `${stuck} without the bank’s answer`;
  const asked = `${deeds} for a second person`;
  const about = html`${
    stuck > 0 && visit.may('listStuck') ? html`<a href="/console/queue">${unknown}</a>` : unknown
  }, ${deeds > 0 && visit.may('listDeeds') ? html`<a href="/console/waiting">${asked}</a>` : asked}`;
  return { name: 'Waits for people', figure: stuck + deeds, about };
}
