import { expect, it } from 'vitest';
import { ClockIsMoving, type SandboxClock } from '../../processing/sandbox/clock-mover.ts';
import type { DemoClient } from '../../processing/sandbox/demo-client.ts';
import { Runs } from '../books/runs.ts';
import type { SandboxOffice, VerbParts } from '../parts.ts';
import { moveClock } from './clock.ts';
import { triggerStory } from './stories.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const clock = { now: () => 0, sleep: async () => {} };
const client = { oauth: async () => ({ 'recurring-payment-id': '1' }) } as unknown as DemoClient;

function partsWith(sandboxClock: Partial<SandboxClock>) {
  const runs = new Runs({ clock, failed: () => {} });
  const sandbox = { client: () => client, callbackUrl: () => 'http://shop.example/', clock: sandboxClock };
  const parts = { mode: 'sandbox', clock, runs, who: 'ann', sandbox: sandbox as unknown as SandboxOffice };
  const audit = { append: async () => {} };
  return { runs, parts: { ...parts, audit } as unknown as VerbParts };
}

const playYear = (parts: VerbParts) =>
  triggerStory.run({ story: 'recurring-year', callbackUrl: undefined, clientOrderId: undefined }, parts);

it('moves the clock for nobody who may not move it otherwise', () => {
  expect(triggerStory.role).toBe(moveClock.role);
});

it.each([
  ['recurring-year', 365 * DAY_MS],
  ['late-callback', 0],
] as const)('is known by its repeat key when the clock was moved: %s', (story, movedMs) => {
  expect(triggerStory.endsAfterMs?.({ story, callbackUrl: undefined, clientOrderId: undefined }, 0)).toBe(movedMs);
});

it.each([
  ['more than three years ahead', { aheadMs: 2 * 366 * DAY_MS + 2 * DAY_MS }],
  ['being moved already', { aheadMs: 0, movingTo: DAY_MS }],
])('does not begin what moves a clock that is %s', async (says, sandboxClock) => {
  const { parts, runs } = partsWith(sandboxClock);
  await expect(playYear(parts)).rejects.toThrow(says);
  expect(runs.list()).toEqual([]);
});

it('says so when somebody else began to move the clock meanwhile', async () => {
  const move = async () => {
    throw new ClockIsMoving('the clock is being moved already; wait for its end');
  };
  const { parts, runs } = partsWith({ aheadMs: 0, move });
  const { runId } = await playYear(parts);
  await expect.poll(() => runs.find(runId).state).toBe('failed');
  expect(runs.find(runId).says).toBe('the clock is being moved already; wait for its end');
});
