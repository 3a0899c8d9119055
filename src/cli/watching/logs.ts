// `tender logs`: requests of a gateway, what became of their orders, and callbacks, one line each; with --follow also
// those that come, through restarts of the gateway.

import type { Command } from 'commander';
import type { AnswerTo } from '../../administration/administration.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import type { Administrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { idOf, wholeNumberOf } from '../option-values.ts';
import { say } from '../terminal.ts';
import { PersistentAsker, paused } from './persistent.ts';
import { WIDTHS } from './seen-line.ts';

const LOOK_EVERY_MS = 500;
const SHOWN_AT_FIRST = 20;
/** Read at a time, and pages of it within one look: more than a gateway answers between two looks. */
const PAGE = 100;
const MAX_PAGES = 20;
/** Orders whose ends are waited for: of more, the oldest are let go. */
const MOST_AWAITED = 200;
/** How many are remembered as shown: lines are written in lots, so the newest one is not always the last to come. */
const REMEMBERED = 20_000;

type LogValues = CommonValues & {
  readonly follow?: boolean;
  readonly merchant?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly failed?: boolean;
  readonly order?: number;
};

type Asks = Administrator['ask'];
type LogLine = {
  readonly key: string;
  readonly at: string;
  readonly json: object;
  readonly what: string;
  readonly orderId: number | null;
  /** What came of it, as far as the list tells; `look` asks for the rest when the line is shown. */
  readonly outcome: string;
  look?(ask: Asks): Promise<string | undefined>;
  /** Whether it began something that ends later. */
  readonly isBeginning?: boolean;
  /** Behind it: how long it took, whose it is, its number. */
  readonly about: readonly string[];
};

export function addLogs(program: Command): void {
  const command = administrationCommand(program, 'logs', 'show requests, how orders ended, and callbacks as they come')
    .option('-f, --follow', 'go on with those that come')
    .option('--merchant <login>', 'only those of this merchant')
    .option('--operation <name>', 'only requests for this operation, such as sale')
    .option('--status <number>', 'only requests answered with this status of HTTP', wholeNumberOf)
    .option('--failed', 'only requests that were refused, and callbacks that merchants did not take')
    .option('--order <id>', 'only those about this order', idOf)
    .action((values: LogValues) => showLogs(values));
  withExample(command, 'tender logs --follow --merchant demo --failed');
}

async function showLogs(values: LogValues): Promise<void> {
  const asker = new PersistentAsker(values);
  const shown = new Set<string>();
  const awaited = new Set<number>();
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  if (values.follow) process.once('SIGINT', end).once('SIGTERM', end);
  for (let isFirst = true; !isOver; isFirst = false) {
    const found = await asker.ask(({ ask }) => newLines(ask, values, isFirst ? undefined : shown));
    if (isFirst && found === undefined) throw new Complaint('the gateway does not answer');
    const fresh = (found ?? []).filter(({ key }) => !shown.has(key)).sort((a, b) => (a.at < b.at ? -1 : 1));
    for (const { key } of fresh) shown.add(key);
    const wanted = isFirst ? fresh.slice(-SHOWN_AT_FIRST) : fresh;
    const ends = await asker.ask(({ ask }) => endLines(ask, values, { wanted, awaited }));
    for (const line of [...wanted, ...(ends ?? [])].sort((a, b) => (a.at < b.at ? -1 : 1))) {
      if (values.json) say(JSON.stringify(line.json));
      else say(textOf(line, (await asker.ask(({ ask }) => outcomeOf(line, ask))) ?? line.outcome));
    }
    for (const key of [...shown].slice(0, Math.max(0, shown.size - REMEMBERED))) shown.delete(key);
    if (!values.follow) return;
    await paused(LOOK_EVERY_MS);
  }
}

/** The newest ones; behind the first look as many pages as hold something that was not shown. */
async function newLines(ask: Asks, values: LogValues, shown: ReadonlySet<string> | undefined): Promise<LogLine[]> {
  const { merchant: login, operation, status: httpStatus, failed, order: orderId } = values;
  const asked = given({ operation, httpStatus });
  const isOfAll = login === undefined && orderId === undefined;
  const lists = [
    () =>
      pages(shown, async (after) => {
        const { found, next } = await ask(
          'listRequests',
          given({ login, orderId, ...asked, refused: failed, limit: PAGE, after }),
        );
        return { lines: found.map(requestLineOf), next };
      }),
    // Whoever signs wrongly is a stranger, and most of all wants to know why.
    ...(isOfAll
      ? [
          () =>
            pages(shown, async (after) => {
              const { found, next } = await ask('listStrangers', given({ ...asked, limit: PAGE, after }));
              return { lines: found.map(strangerLineOf), next };
            }),
        ]
      : []),
    ...(operation === undefined && httpStatus === undefined
      ? [
          () =>
            pages(undefined, async () => {
              const { found } = await ask('listCallbacks', given({ login, orderId, limit: PAGE }));
              const tried = found.filter(({ attempts, state }) => attempts > 0 && !(failed && state === 'delivered'));
              return { lines: tried.map(callbackLineOf), next: null };
            }),
        ]
      : []),
  ];
  const all: LogLine[] = [];
  for (const list of lists) all.push(...(await list()));
  return all;
}

type Awaiting = { readonly wanted: readonly LogLine[]; readonly awaited: Set<number> };

/** How orders of these requests ended, once: those that have not are looked at again. */
async function endLines(ask: Asks, values: LogValues, { wanted, awaited }: Awaiting): Promise<LogLine[]> {
  const { operation, status, failed } = values;
  if (operation !== undefined || status !== undefined || failed) return [];
  for (const { isBeginning, orderId } of wanted) if (isBeginning && orderId !== null) awaited.add(orderId);
  for (const orderId of [...awaited].slice(0, Math.max(0, awaited.size - MOST_AWAITED))) awaited.delete(orderId);
  const ended: LogLine[] = [];
  for (const orderId of awaited) {
    const [order] = (await ask('listOrders', { orderId })).found;
    if (order && !ENDS.has(order.status)) continue;
    awaited.delete(orderId);
    if (order) ended.push(endLineOf(order));
  }
  return ended;
}

type LogPage = { readonly lines: readonly LogLine[]; readonly next: string | null };

async function pages(
  shown: ReadonlySet<string> | undefined,
  read: (after: string | undefined) => Promise<LogPage>,
): Promise<LogLine[]> {
  const all: LogLine[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { lines, next } = await read(after);
    all.push(...lines);
    const isKnown = shown === undefined || lines.some(({ key }) => shown.has(key));
    if (isKnown || next === null) break;
    after = next;
  }
  return all;
}

type RequestRow = AnswerTo<'listRequests'>['found'][number];
type OrderRow = AnswerTo<'listOrders'>['found'][number];
type StrangerRow = AnswerTo<'listStrangers'>['found'][number];
type CallbackRow = AnswerTo<'listCallbacks'>['found'][number];

/** In the columns of the lines that a sandbox prints on its terminal. */
function textOf({ at, what, orderId, about }: LogLine, outcome: string): string {
  const order = orderId === null ? '' : `order ${orderId}`;
  return [at.slice(11, 23), what.padEnd(WIDTHS.what), order.padEnd(WIDTHS.order), outcome, ...about].join('  ');
}

/** What cannot be asked for any more is shown as the list tells it. */
async function outcomeOf({ look, outcome }: LogLine, ask: Asks): Promise<string> {
  return (await look?.(ask).catch(() => undefined)) ?? outcome;
}

function requestLineOf(row: RequestRow): LogLine {
  const { serialNumber, at, operation, login, orderId } = row;
  return {
    ...{ key: serialNumber, at, json: { kind: 'request', ...row }, orderId, outcome: toldOf(row) },
    what: `-> ${operation ?? 'no operation'}`,
    isBeginning: row.status === 'processing',
    about: [took(row), login ?? '-', serialNumber],
  };
}

function strangerLineOf(row: StrangerRow): LogLine {
  const { serialNumber, at, operation, says } = row;
  return {
    ...{ key: serialNumber, at, json: { kind: 'stranger', ...row }, orderId: null },
    what: `-> ${operation ?? 'no operation'}`,
    outcome: `${answerOf(row)}: ${says ?? ''}`,
    about: [took(row), 'not known', serialNumber],
  };
}

function answerOf({ httpStatus, errorCode }: Pick<RequestRow, 'httpStatus' | 'errorCode'>): string {
  return `${httpStatus}${errorCode === null ? '' : ` error ${errorCode}`}`;
}

const toldOf = (row: RequestRow) => (row.status === null ? answerOf(row) : `${answerOf(row)} ${row.status}`);

const ENDS: ReadonlySet<string> = new Set(['approved', 'declined', 'filtered', 'error']);
/** What a bank decided; the others came to none, or none could be asked. */
const BY_BANK: ReadonlySet<string> = new Set(['approved', 'declined']);

function endLineOf(row: OrderRow): LogLine {
  const { orderId, status, operation, amount, currency, changedAt, login } = row;
  return {
    ...{ key: `order ${orderId}`, at: changedAt, json: { kind: 'order', ...row }, orderId, outcome: status },
    what: `   ${BY_BANK.has(status) ? 'bank ' : ''}${operation}`,
    about: [`${amount} ${currency}`, login],
  };
}

function took({ milliseconds }: Pick<RequestRow, 'milliseconds'>): string {
  return `${Math.round(milliseconds)} ms`;
}

/** A callback is shown again after each try. */
function callbackLineOf(row: CallbackRow): LogLine {
  const { callbackId, attempts, state, changedAt, destination, login, orderId, dueAt } = row;
  const again = dueAt === null ? '' : `, again in ${Math.max(0, secondsBetween(changedAt, dueAt))} s`;
  const told = (answer: string) => `${answer} from ${destination}, try ${attempts}${again}`;
  return {
    ...{ key: `${callbackId} ${attempts} ${state}`, at: changedAt, json: { kind: 'callback', ...row }, orderId },
    what: '<- callback',
    outcome: told(state),
    look: async (ask) => {
      const [last] = (await ask('showCallback', { callbackId })).log;
      return last && told(last.status === null ? (last.fault ?? state) : String(last.status));
    },
    about: [login, callbackId],
  };
}

function secondsBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000);
}
