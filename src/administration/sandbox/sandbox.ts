// What a sandbox has to play with: test cards, faults of the simulated card networks, and orders that it makes by
// itself.

import { anyObject, wholeNumber, word } from '../../domain/input-kinds.ts';
import { demoOutcomes } from '../../processing/node/demo.ts';
import { DemoRefused } from '../../processing/sandbox/demo-client.ts';
import { grantWish, ORDER_WISHES, type OrderWishName } from '../../processing/sandbox/order-wishes.ts';
import { beginOf } from '../books/run-verbs.ts';
import type { RunFinding, RunResult, RunWatch } from '../books/runs.ts';
import type { Parts } from '../parts.ts';
import { aList, aNumber, anObject, anything, aText } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput, OutOfReach } from '../verb/invalid-input.ts';
import { counted } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { clockOf, clockView } from './clock.ts';
import { sandboxOf } from './sandbox-of.ts';
import { storyList, storyView } from './stories.ts';

const MAX_ORDERS = 200;

// Object.keys has lost which names they are.
const WISHES = Object.keys(ORDER_WISHES) as OrderWishName[];

export const showSandbox = defineReading({
  name: 'showSandbox',
  summary: 'show what a sandbox has to play with: test cards, security codes, its clock, and orders it can make',
  given: {},
  answer: anObject({
    cards: aList(anObject({ number: aText(), means: aText('What 3-D Secure makes of it.') })),
    codes: aList(anObject({ code: aText('The security code.'), means: aText('What the simulated bank makes of it.') })),
    orders: aList(anObject({ kind: aText(), says: aText() }), 'What can be made.'),
    stories: storyView,
    clock: clockView,
  }),
  run: async (_, parts) => {
    const sandbox = sandboxOf(parts);
    return {
      cards: sandbox.testCards,
      codes: demoOutcomes.map(([code, means]) => ({ code, means })),
      orders: WISHES.map((kind) => ({ kind, says: ORDER_WISHES[kind].says })),
      stories: storyList,
      clock: clockOf(parts, sandbox),
    };
  },
});

const faultsView = anObject({
  faults: anything('In force now, by the kind of message.'),
  words: anything('What each kind can be.'),
});

export const showNetworkFaults = defineReading({
  name: 'showNetworkFaults',
  summary: 'show how the simulated card networks misbehave',
  given: {},
  answer: faultsView,
  run: async (_, parts) => {
    const { networkFaults, networkFaultWords: words } = sandboxOf(parts);
    return { faults: JSON.parse(await networkFaults()), words };
  },
});

export const setNetworkFaults = defineVerb({
  name: 'setNetworkFaults',
  summary: 'let exactly the given faults of the simulated card networks come into force',
  role: 'operator',
  conduct: 'outside',
  given: { faults: mayGive(anyObject, 'the faults, such as {"authentication": "no-answer"}; none when left out') },
  answer: faultsView,
  run: async ({ faults = {} }, parts) => {
    const { networkFaults, networkFaultWords: words } = sandboxOf(parts);
    try {
      return { faults: JSON.parse(await networkFaults(JSON.stringify(faults))), words };
    } catch (error) {
      throw error instanceof OutOfReach ? error : new InvalidInput(`the networks refuse: ${(error as Error).message}`);
    }
  },
});

export const makeOrders = defineVerb({
  name: 'makeOrders',
  summary: "make orders of the demo merchant through the interface, in the background; the run's findings name them",
  role: 'operator',
  conduct: 'outside',
  given: {
    like: mustGive(word(WISHES), 'what they are like', { told: true }),
    count: mustGive(wholeNumber(1, MAX_ORDERS), 'how many', { told: true }),
  },
  answer: anObject({ runId: aNumber('The run that makes them.') }),
  run: async ({ like, count }, parts) => {
    const { client } = sandboxOf(parts);
    if (!client()) throw new InvalidInput('the demo merchant is not here any more, or its keys were changed');
    const { runId } = beginOf(parts, 'orders', (watch) => made({ like, count, watch }, parts));
    return { runId };
  },
});

type Wanted = { readonly like: OrderWishName; readonly count: number; readonly watch: RunWatch };

async function made({ like, count, watch }: Wanted, parts: Parts<'clock' | 'mode' | 'sandbox'>): Promise<RunResult> {
  const findings: RunFinding[] = [];
  const client = sandboxOf(parts).client();
  if (!client) throw new InvalidInput('the demo merchant is not here any more');
  for (let done = 0; done < count; done++) {
    watch.show({ doing: 'Making orders', done, total: count, unit: 'orders' });
    try {
      const granted = await grantWish(like, { clock: parts.clock, client, signal: watch.signal });
      const { orderId, recurringPaymentId, says } = granted;
      const place = orderId === undefined ? `recurring payment ${recurringPaymentId}` : `order ${orderId}`;
      findings.push({ kind: 'made', place, cause: `${ORDER_WISHES[like].says}: ${says}`, orderId });
    } catch (error) {
      if (error instanceof DemoRefused) throw new InvalidInput(error.message);
      throw error;
    }
  }
  return { isGood: true, says: `Made ${counted(count, 'order')} like this: ${ORDER_WISHES[like].says}.`, findings };
}
