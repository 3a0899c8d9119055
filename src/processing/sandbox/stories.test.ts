import { expect, it } from 'vitest';
import type { DemoClient } from './demo-client.ts';
import { playStory, type StoryStep } from './stories.ts';

/** What the story of a declined payout tells last, when the payout's status is this whenever it is asked for. */
async function toldOfPayout(status: string): Promise<string | undefined> {
  const steps: StoryStep[] = [];
  const client = {
    oauth: async () => ({ 'paynet-order-id': '2' }),
    control: async (path: string, { orderid }: Record<string, string>) =>
      path.includes('/sale/') ? { 'paynet-order-id': '1' } : { status: orderid === '2' ? status : 'approved' },
  };
  await playStory('payout-declined', {
    ...{ clock: { now: () => 0, sleep: async () => {} }, client: client as unknown as DemoClient },
    ...{ signal: new AbortController().signal, callbackUrl: 'http://shop.example/', sandboxClock: undefined },
    ...{ name: 'inv-7', listeners: { holdBack: () => {} }, returnPayout: async () => {} },
    tell: (step) => steps.push(step),
  });
  return steps.at(-1)?.says;
}

it.each([
  ['declined', 'it was declined, and its money is in the balance of demo again'],
  ['processing', 'it is still processing; its money is in the balance of demo again only once it is declined'],
  ['approved', 'it is approved; its money is in the balance of demo again only once it is declined'],
])('a payout that is %s is told as it is', async (status, says) => {
  expect(await toldOfPayout(status)).toBe(says);
});
