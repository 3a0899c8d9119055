// Runs of this node on a page: the one under way with its progress, what came of the last, and the ones before it.

import type { AnswerTo } from '../../administration/administration.ts';
import { durationText, progressText } from '../../domain/progress-text.ts';
import { attributes, type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { formOf } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, facts, live, moment, nothing, panel, type Tone } from '../pieces/values.ts';

export type ShownRun = AnswerTo<'listRuns'>[number];
export type ShownRunKind = ShownRun['kind'];

type RunPanelOptions = {
  readonly kind: ShownRunKind;
  /** Where the page is, below which its forms are. */
  readonly at: string;
  readonly title: string;
  /** What is said while nothing was begun. */
  readonly otherwise: Piece;
};

const SECOND_MS = 1_000;
const UNDER_WAY_SECONDS = 1;
const IDLE_SECONDS = 15;

/** What is under way and what came of it. A page asks for another of the last runs by `?run=`. */
export async function runPanel(visit: Visit, { kind, at, title, otherwise }: RunPanelOptions): Promise<Html> {
  const runs = await visit.ask('listRuns', { kind });
  const wanted = Number(visit.query.get('run'));
  const shown = runs.find(({ runId }) => runId === wanted) ?? runs[0];
  const [newest] = runs;
  const isUnderWay = newest?.state === 'under way';
  const seconds = isUnderWay ? UNDER_WAY_SECONDS : IDLE_SECONDS;
  const stop =
    isUnderWay &&
    visit.may('stopRun') &&
    formOf(
      visit,
      { action: `${at}/stop`, submit: 'Stop it', kind: 'quiet' },
      html`<input type="hidden" name="runId" value="${newest.runId}">`,
    );
  const body = html`${shown ? runOf(shown, visit.now) : nothing(otherwise)}${earlier(runs, shown, at)}`;
  return panel(
    'run',
    title,
    html`${live('runs', seconds, body)}${live('run-stop', seconds, stop)}
<p class="hint">Runs are kept in the memory of the node that serves this page: the last five of each kind, until it
stops. The <a href="/console/audit">audit chain</a> keeps who began one and how it ended.</p>`,
    { wide: true },
  );
}

/** The form of every page with runs that stops one. */
export const stopForm = (at: string) => async (visit: Visit) => {
  await visit.ask('stopRun', { runId: Number(visit.given.runId) });
  return { to: at, said: 'stopped' };
};

export const RUN_SAYINGS = {
  begun: 'It is begun. You may leave this page; the run goes on.',
  stopped: 'It ends with the part that it is at.',
};

function runOf(run: ShownRun, now: number): Html {
  const { state, startedAt, endedAt, who, says } = run;
  const lasted = Date.parse(endedAt ?? new Date(now).toISOString()) - Date.parse(startedAt);
  return html`${state === 'under way' ? progressOf(run, lasted) : verdictOf(run)}
${facts([
  ['State', runBadge(state)],
  ['Begun', html`${moment(startedAt)} by ${who}`],
  ['Ended', endedAt !== null && moment(endedAt)],
  ['It took', endedAt !== null && tookText(lasted)],
  ['What came of it', state !== 'good' && state !== 'bad' && says !== null && says],
])}
${findingsOf(run)}`;
}

function progressOf({ progress }: ShownRun, lasted: number): Html {
  const { doing, done, total, unit } = progress;
  const state = {
    doing,
    ...(done !== null && { done }),
    ...(total !== null && { total }),
    ...(unit !== null && { unit }),
  };
  const isShare = done !== null && total !== null && total > 0 && done <= total;
  const share = isShare ? attributes({ max: total, value: done }) : undefined;
  return html`<div class="run-progress"><progress aria-label="How far it is"${share}></progress>
<p>${progressText(state, lasted)}</p></div>`;
}

function verdictOf({ state, says }: ShownRun): Piece {
  if (state !== 'good' && state !== 'bad') return undefined;
  return html`<p class="notice ${state === 'good' ? 'good' : 'bad'}">${says ?? ''}</p>`;
}

const TONES: Readonly<Record<ShownRun['state'], readonly [text: string, tone: Tone]>> = {
  'under way': ['under way', 'waiting'],
  good: ['done', 'good'],
  bad: ['something differs', 'bad'],
  stopped: ['stopped', 'plain'],
  failed: ['failed', 'bad'],
};

const runBadge = (state: ShownRun['state']) => badge(...TONES[state]);

/** `3.2 s`, `4 min 3 s`. */
function tookText(ms: number): string {
  return ms < 10 * SECOND_MS ? `${(ms / SECOND_MS).toFixed(1)} s` : durationText(ms);
}

const KINDS: Readonly<Record<ShownRun['findings'][number]['kind'], readonly [text: string, tone: Tone]>> = {
  violation: ['wrong', 'bad'],
  difference: ['differs', 'bad'],
  waiting: ['waits for a person', 'waiting'],
  made: ['made', 'good'],
};

function findingsOf({ findings, found, state }: ShownRun): Piece {
  if (state === 'under way' || findings.length === 0) return undefined;
  const hasSides = findings.some(({ ours, theirs }) => ours !== null || theirs !== null);
  type Finding = ShownRun['findings'][number];
  return html`${tableOf<Finding>({
    label: 'What was found',
    columns: {
      Where: placeLink,
      State: ({ kind }) => badge(...KINDS[kind]),
      What: { of: ({ cause }) => cause, kind: 'wide' },
      ...(hasSides && {
        Here: ({ ours }: Finding) => ours ?? '–',
        'At the bank': ({ theirs }: Finding) => theirs ?? '–',
      }),
    },
    rows: findings,
    otherwise: '',
  })}${found > findings.length && html`<p class="hint">These are the first ${findings.length} of ${found}.</p>`}`;
}

function placeLink({ place, orderId }: ShownRun['findings'][number]): Piece {
  if (orderId !== null) return html`<a href="/console/orders/${orderId}">${place}</a>`;
  const [, recurringPaymentId] = /^recurring payment (\d+)$/.exec(place) ?? [];
  if (recurringPaymentId === undefined) return place;
  return html`<a href="/console/recurring/${recurringPaymentId}">${place}</a>`;
}

function earlier(runs: readonly ShownRun[], shown: ShownRun | undefined, at: string): Piece {
  const others = runs.filter((run) => run !== shown);
  if (others.length === 0) return undefined;
  return html`<h3>Other runs</h3>${tableOf<ShownRun>({
    label: 'Other runs',
    columns: {
      Begun: ({ runId, startedAt }) => html`<a href="${at}?run=${runId}">${moment(startedAt)}</a>`,
      By: ({ who }) => who,
      State: ({ state }) => runBadge(state),
      'What came of it': { of: ({ says }) => says ?? '', kind: 'wide' },
    },
    rows: others,
    otherwise: '',
  })}`;
}
