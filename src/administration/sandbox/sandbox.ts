// What a sandbox has to play with: test cards, faults of the simulated card networks, its clock, and orders that it
// makes by itself.

import { anyObject, wholeNumber, word } from '../../domain/input-kinds.ts';
import { demoOutcomes } from '../../processing/node/demo.ts';
import { DemoRefused } from '../../processing/sandbox/demo-client.ts';
import { grantWish, ORDER_WISHES, type OrderWishName } from '../../processing/sandbox/order-wishes.ts';
import { beginOf } from '../books/run-verbs.ts';
import type { RunFinding, RunResult, RunWatch } from '../books/runs.ts';
import type { Parts, SandboxOffice } from '../parts.ts';
import { aFlag, aList, aMoment, aNumber, anObject, anything, aText, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput, OutOfReach } from '../verb/invalid-input.ts';
import { counted } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';

const MINUTE_MS = 60_000;
const MAX_MOVE_MINUTES = 366 * 24 * 60;
/** The cards of the demo end some day. */
const MAX_AHEAD_MS = 3 * MAX_MOVE_MINUTES * MINUTE_MS;
const MAX_ORDERS = 200;

const WISHES = Object.keys(ORDER_WISHES) as OrderWishName[];

const clockView = anObject({
  now: aMoment(),
  aheadMinutes: told(aNumber('How far it is ahead of the true time.')),
  canMove: aFlag('Only where all parts of the sandbox share one clock.'),
});

export const showSandbox = defineReading({
  name: 'showSandbox',
  summary: 'show what a sandbox has to play with: test cards, security codes, its clock, and orders it can make',
  given: {},
  answer: anObject({
    cards: aList(anObject({ number: aText(), means: aText('What 3-D Secure makes of it.') })),
    codes: aList(anObject({ code: aText('The security code.'), means: aText('What the simulated bank makes of it.') })),
    orders: aList(anObject({ kind: aText(), says: aText() }), 'What can be made.'),
    clock: clockView,
  }),
  run: async (_, parts) => {
    const sandbox = sandboxOf(parts);
    return {
      cards: sandbox.testCards,
      codes: demoOutcomes.map(([code, means]) => ({ code, means })),
      orders: WISHES.map((kind) => ({ kind, says: ORDER_WISHES[kind].says })),
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

export const moveClock = defineVerb({
  name: 'moveClock',
  summary: 'put the clock of a sandbox forward; it never goes back',
  role: 'administrator',
  conduct: 'outside',
  given: { minutes: mustGive(wholeNumber(1, MAX_MOVE_MINUTES), 'how far', { told: true }) },
  answer: clockView,
  run: async ({ minutes }, parts) => {
    const sandbox = sandboxOf(parts);
    if (!sandbox.clock) throw new InvalidInput(NOT_SHARED);
    const byMs = minutes * MINUTE_MS;
    if (sandbox.clock.aheadMs + byMs > MAX_AHEAD_MS) {
      throw new InvalidInput('minutes: the clock would be more than three years ahead; begin a new sandbox');
    }
    await sandbox.clock.move(byMs);
    return clockOf(parts, sandbox);
  },
});

export const NOT_SHARED =
  'the clock cannot be moved here: other nodes, a bank or card networks of their own would go on by the true time';

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

function clockOf({ clock }: Parts<'clock'>, sandbox: SandboxOffice) {
  const aheadMinutes = Math.round((sandbox.clock?.aheadMs ?? 0) / MINUTE_MS);
  return { now: clock.now(), aheadMinutes, canMove: sandbox.clock !== undefined };
}

function sandboxOf({ mode, sandbox }: Parts<'mode' | 'sandbox'>): SandboxOffice {
  if (mode === 'sandbox' && sandbox) return sandbox;
  throw new InvalidInput('this is only in a sandbox that runs');
}
