// The clock of a sandbox: where it stands, and putting it forward as if time had passed.

import { line, wholeNumber } from '../../domain/input-kinds.ts';
import { aheadText, WAY_BACK } from '../../domain/time/clock-ahead.ts';
import { SPAN_HELP, spanMs } from '../../domain/time/time-span.ts';
import { ClockIsMoving, type SandboxClock } from '../../processing/sandbox/clock-mover.ts';
import { beginOf } from '../books/run-verbs.ts';
import type { RunResult, RunWatch } from '../books/runs.ts';
import type { Parts, SandboxOffice } from '../parts.ts';
import { type Answered, aFlag, aMoment, aNumber, anObject, orNull, type RawAnswer, told } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { counted, properties } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { sandboxOf } from './sandbox-of.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const MAX_MOVE_MINUTES = 366 * DAY_MINUTES;
const MAX_MOVE_MS = MAX_MOVE_MINUTES * MINUTE_MS;
/** The cards of the demo end some day. */
const MAX_AHEAD_MS = 3 * MAX_MOVE_MS;
const MAX_SPAN = 40;
/** A short move is waited for; of a long one its run tells how far it is, and other changes go on meanwhile. */
const WAIT_MS = 3_000;

const moveView = anObject({
  from: aMoment(),
  to: aMoment(),
  steps: aNumber('How many moments it stopped at.'),
  orders: aNumber('Orders that were made meanwhile.'),
  charges: aNumber('Of them charges of recurring payments.'),
  approved: aNumber('Transactions that were approved.'),
  declined: aNumber('Transactions that were declined.'),
  delivered: aNumber('Callbacks that merchants took.'),
  undelivered: aNumber('Calls of merchants that failed.'),
  receipts: aNumber('Receipts that were sent by mail.'),
});

export const clockView = anObject({
  now: aMoment(),
  aheadMinutes: told(aNumber('How far it is ahead of the true time.')),
  canMove: aFlag('Only where all parts of the sandbox share one clock.'),
  movingTo: orNull(aMoment('Where it comes to, while it is being moved.')),
  runId: orNull(aNumber('The run that moves it, or moved it last.')),
  lastMove: orNull(moveView),
});

export const showClock = defineReading({
  name: 'showClock',
  command: 'clock show',
  summary: 'show what the clock of a sandbox says, and how far it is ahead of the true time',
  example: 'tender clock show',
  given: {},
  answer: clockView,
  run: async (_, parts) => clockOf(parts, sandboxOf(parts)),
  show: clockText,
});

const NOT_SHARED =
  'the clock cannot be moved here: other nodes, a bank or card networks of their own would go on by the true time';

const given = {
  minutes: mayGive(wholeNumber(1, MAX_MOVE_MINUTES), 'how far', { told: true }),
  by: mayGive(line(MAX_SPAN), `how far, in the place of minutes: ${SPAN_HELP}`, { told: true }),
};

export const moveClock = defineVerb({
  name: 'moveClock',
  summary: 'put the clock of a sandbox forward, from one thing that comes due to the next; it never goes back',
  role: 'administrator',
  conduct: 'outside',
  given,
  answer: clockView,
  endsAfterMs: ({ minutes, by }, now) => (by === undefined ? (minutes ?? 0) * MINUTE_MS : (spanMs(by, now) ?? 0)),
  run: async (asked, parts) => {
    const sandbox = sandboxOf(parts);
    const byMs = askedMs(asked, parts.clock.now());
    const clock = mustBeMovable(sandbox.clock, byMs, asked.by === undefined ? 'minutes' : 'by');
    const ended = new Promise<void>((resolve) => {
      beginOf(parts, 'clock', (watch) => moved(clock, byMs, watch).finally(resolve));
    });
    await waited(ended);
    return clockOf(parts, sandbox);
  },
});

function askedMs({ minutes, by }: { minutes: number | undefined; by: string | undefined }, now: number) {
  if ((minutes === undefined) === (by === undefined)) {
    throw new InvalidInput('minutes or by is missing: how far the clock is put forward, by one of them');
  }
  const byMs = by === undefined ? (minutes ?? 0) * MINUTE_MS : spanMs(by, now);
  if (byMs === undefined || byMs < 1) throw new InvalidInput(`by: ${SPAN_HELP} is needed`);
  if (byMs > MAX_MOVE_MS) throw new InvalidInput('by: at most 366 days at once');
  return byMs;
}

/** The clock, if it can be put forward so far now; `name` is what asked for it. */
export function mustBeMovable(clock: SandboxClock | undefined, byMs: number, name: string): SandboxClock {
  if (!clock) throw new InvalidInput(NOT_SHARED);
  if (clock.aheadMs + byMs > MAX_AHEAD_MS) {
    throw new InvalidInput(`${name}: the clock would be more than three years ahead; begin a new sandbox`);
  }
  if (clock.movingTo === undefined) return clock;
  throw new InvalidInput('the clock is being moved already; wait for its end');
}

async function moved(clock: SandboxClock, byMs: number, { show, signal }: RunWatch): Promise<RunResult> {
  try {
    const move = await clock.move(byMs, {
      signal,
      show: ({ movedMs, ofMs }) =>
        show({
          doing: 'Moving the clock',
          done: Math.floor(movedMs / MINUTE_MS),
          total: Math.ceil(ofMs / MINUTE_MS),
          unit: 'minutes',
        }),
    });
    // Throws when somebody has stopped it.
    show({ doing: 'Counting what happened' });
    return { isGood: true, says: moveText(moveView.write(move)), findings: [] };
  } catch (error) {
    throw error instanceof ClockIsMoving ? new InvalidInput(error.message) : error;
  }
}

/** In true time: the clock of the sandbox is what moves. */
async function waited(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  await Promise.race([ended, impatience]);
  clearTimeout(timer);
}

export function clockOf(
  { clock, runs }: Parts<'clock' | 'runs'>,
  { clock: sandboxClock }: SandboxOffice,
): RawAnswer<typeof clockView> {
  const { movingTo, lastMove, aheadMs = 0 } = sandboxClock ?? {};
  const aheadMinutes = Math.round(aheadMs / MINUTE_MS);
  const [run] = runs?.list('clock') ?? [];
  return { now: clock.now(), aheadMinutes, canMove: sandboxClock !== undefined, movingTo, runId: run?.runId, lastMove };
}

export function clockText({ now, aheadMinutes, canMove, movingTo, lastMove }: Answered<typeof clockView>): string {
  const days = Math.floor(aheadMinutes / DAY_MINUTES);
  const minutes = aheadMinutes % DAY_MINUTES;
  const ahead = aheadMinutes === 0 ? 'not at all' : `${counted(days, 'day')}, ${counted(minutes, 'minute')}`;
  return properties([
    ['Now', now],
    ['Ahead of the true time', ahead],
    ...(aheadMinutes === 0 ? [] : [['Way back', WAY_BACK] as const]),
    ...(canMove ? [] : [['Can be moved', `no: ${NOT_SHARED}`] as const]),
    ...(movingTo === null ? [] : [['Being moved to', movingTo] as const]),
    ...(lastMove === null ? [] : [['Last move', moveText(lastMove)] as const]),
  ]);
}

/** What happened, and where the clock stands now: whoever goes by the true time is refused from then on. */
export function movedText(answer: Answered<typeof clockView>): string {
  const { lastMove, aheadMinutes } = answer;
  if (lastMove === null) return clockText(answer);
  const ahead = aheadText(aheadMinutes * MINUTE_MS);
  return [moveText(lastMove), ...(ahead === undefined ? [] : [`From now on ${ahead}.`])].join('\n');
}

/** What happened, in a sentence. */
export function moveText(move: Answered<typeof moveView>): string {
  const { steps, orders, charges, approved, declined, delivered, undelivered, receipts } = move;
  const counts = [
    counted(steps, 'step'),
    counted(orders, 'order'),
    ...(charges > 0 ? [`of them ${counted(charges, 'charge')} of recurring payments`] : []),
    `${approved} approved`,
    `${declined} declined`,
    `${counted(delivered, 'callback')} taken`,
    ...(undelivered > 0 ? [`${counted(undelivered, 'call')} of merchants failed`] : []),
    ...(receipts > 0 ? [`${counted(receipts, 'receipt')} sent`] : []),
  ];
  return `From ${move.from} to ${move.to}: ${counts.join(', ')}.`;
}
