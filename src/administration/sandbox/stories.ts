// Playing stories in a sandbox: orders that go through what shops meet seldom.

import { line, word } from '../../domain/input-kinds.ts';
import { ClockIsMoving } from '../../processing/sandbox/clock-mover.ts';
import { DemoRefused } from '../../processing/sandbox/demo-client.ts';
import { newName } from '../../processing/sandbox/order-wishes.ts';
import { playStory, STORIES, STORY_NAMES, type StoryName, type StoryStep } from '../../processing/sandbox/stories.ts';
import { beginOf } from '../books/run-verbs.ts';
import type { RunFinding, RunResult, RunWatch } from '../books/runs.ts';
import type { Parts } from '../parts.ts';
import { aList, aNumber, anObject, aText } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { moveClock, mustBeMovable } from './clock.ts';
import { returnedByBank } from './returned-payouts.ts';
import { sandboxOf } from './sandbox-of.ts';

const LONGEST_URL = 1_024;
/** A second order of a story has "-2" behind it, and 128 characters are the most. */
const LONGEST_ORDER_ID = 126;
const DAY_MS = 24 * 60 * 60 * 1000;

export const storyView = aList(
  anObject({ kind: aText(), says: aText(), movesDays: aNumber('How far it puts the clock of the sandbox forward.') }),
);

export const storyList = STORY_NAMES.map((kind) => ({
  kind,
  says: STORIES[kind].says,
  movesDays: movesMs(kind) / DAY_MS,
}));

export const storyRows = rowsOf(
  {
    STORY: (one: (typeof storyList)[number]) => one.kind,
    'MOVES THE CLOCK': (one) => (one.movesDays === 0 ? 'no' : `${one.movesDays} days`),
    'WHAT HAPPENS': (one) => one.says,
  },
  'There are none.',
);

export const listStories = defineReading({
  name: 'listStories',
  summary: 'list the stories that a sandbox can play',
  given: {},
  answer: storyView,
  run: async (_, parts) => {
    sandboxOf(parts);
    return storyList;
  },
  show: storyRows,
});

export const triggerStory = defineVerb({
  name: 'triggerStory',
  summary: "play a story with orders of the demo merchant, in the background; the run's findings are its steps",
  // Because some of them move the clock.
  role: moveClock.role,
  conduct: 'outside',
  given: {
    story: mustGive(word(STORY_NAMES), 'which one', { told: true }),
    callbackUrl: mayGive(line(LONGEST_URL), 'where its callbacks go (default: a page of the demo shop)'),
    clientOrderId: mayGive(
      line(LONGEST_ORDER_ID),
      "the client_orderid of the story's order, as your shop knows it (default: a new one)",
    ),
  },
  answer: anObject({ runId: aNumber('The run that plays it.') }),
  endsAfterMs: ({ story }) => movesMs(story),
  run: async ({ story, callbackUrl, clientOrderId }, parts) => {
    const { client, clock } = sandboxOf(parts);
    if (!client()) throw new InvalidInput('the demo merchant is not here any more, or its keys were changed');
    if (movesMs(story) > 0) mustBeMovable(clock, movesMs(story), 'story');
    const { runId } = beginOf(parts, 'orders', (watch) => played({ story, callbackUrl, clientOrderId, watch }, parts));
    return { runId };
  },
});

function movesMs(name: StoryName): number {
  const story = STORIES[name];
  return 'movesMs' in story ? story.movesMs : 0;
}

type Asked = {
  readonly story: StoryName;
  readonly callbackUrl: string | undefined;
  readonly clientOrderId: string | undefined;
  readonly watch: RunWatch;
};

type StoryVerbParts = Parameters<typeof returnedByBank>[1] & Parts<'clock'>;

async function played({ story, callbackUrl, clientOrderId = newName(), watch }: Asked, parts: StoryVerbParts) {
  const sandbox = sandboxOf(parts);
  const client = sandbox.client();
  if (!client) throw new InvalidInput('the demo merchant is not here any more');
  const findings: RunFinding[] = [];
  const tell = (step: StoryStep) => {
    watch.show({ doing: `Playing ${story}`, done: findings.length, unit: 'steps' });
    const finding = findingOf(step);
    findings.push(finding);
    watch.found(finding);
  };
  try {
    await playStory(story, {
      ...{ clock: parts.clock, client, signal: watch.signal, tell },
      ...{ listeners: sandbox.listeners, sandboxClock: sandbox.clock },
      returnPayout: (orderId) => returnedByBank(orderId, parts),
      callbackUrl: callbackUrl ?? sandbox.callbackUrl(),
      name: clientOrderId,
    });
  } catch (error) {
    const isTold = error instanceof DemoRefused || error instanceof ClockIsMoving;
    throw isTold ? new InvalidInput(error.message) : error;
  }
  return { isGood: true, says: `Played: ${STORIES[story].says}.`, findings } satisfies RunResult;
}

function findingOf({ says, orderId, recurringPaymentId }: StoryStep): RunFinding {
  const place = orderId === undefined ? `recurring payment ${recurringPaymentId}` : `order ${orderId}`;
  return { kind: 'made', place, cause: says, orderId };
}
