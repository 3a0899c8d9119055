// Stories that a sandbox plays from their beginning to their end, through the interface, as the demo merchant: what
// shops meet seldom, and must be ready for. Each tells its steps as they happen.

import type { ListenerDesk } from '../../domain/order/handed-callbacks.ts';
import { demo } from '../node/demo.ts';
import type { SandboxClock } from './clock-mover.ts';
import {
  ASKING_CARD,
  demoEnd,
  demoStatus,
  newName,
  orderIdOf,
  recurring,
  sent,
  UNTOLD_CARD,
  type WishParts,
} from './order-wishes.ts';

export type StoryStep = {
  readonly says: string;
  readonly orderId?: number | undefined;
  readonly recurringPaymentId?: number | undefined;
};

export type StoryParts = WishParts & {
  /** Where the callbacks of the story go. */
  readonly callbackUrl: string;
  /** The client_orderid of the order that the story is about. */
  readonly name: string;
  readonly listeners: Pick<ListenerDesk, 'holdBack'>;
  readonly sandboxClock: SandboxClock | undefined;
  /** Makes the bank return a payout that it approved. */
  returnPayout(orderId: number): Promise<void>;
  tell(step: StoryStep): void;
};

type Story = {
  readonly says: string;
  /** How far it puts the clock forward. */
  readonly movesMs?: number;
  play(parts: StoryParts): Promise<void>;
};

/** The status of an order that nobody knows the outcome of. */
const OPEN = ['processing', 'unknown'];
const DAY_MS = 24 * 60 * 60 * 1000;
const A_YEAR_MS = 365 * DAY_MS;
/** By then the last question was asked (domain/order/retry-schedule.ts). */
const NOBODY_ASKS_MS = 2 * DAY_MS;
/** A card that money can be sent to, and one that takes none. */
const OPEN_CARD = '4111111111111111';
const CLOSED_CARD = '5105105105105100';
/** How many calls of the shop come to nothing before it is told. */
const CALLS_LOST = 1;

export const STORIES = {
  '3ds-challenge': { says: 'a sale whose payer is asked by the issuer (3-D Secure)', play: challenged },
  'unknown-then-approved': { says: 'a sale that nobody knows the outcome of, and then it is approved', play: inDoubt },
  'stuck-for-good': {
    says: 'a sale that its bank never says anything about: it waits for a person; the clock is two days later then',
    movesMs: NOBODY_ASKS_MS,
    play: stuck,
  },
  'late-callback': { says: 'a sale whose callback comes long after its end', play: toldLate },
  'decline-then-approve': { says: 'a declined sale, and a second try that is approved', play: triedAgain },
  'recurring-year': {
    says: 'a year of monthly payments, in seconds; the clock of the sandbox is a year later then',
    movesMs: A_YEAR_MS,
    play: year,
  },
  'payout-declined': { says: 'a payout that the bank refuses; its money stays in the balance', play: payoutDeclined },
  'payout-returned': {
    says: 'a payout that the bank approves and returns later; its money is in the balance again',
    play: payoutReturned,
  },
} as const satisfies Readonly<Record<string, Story>>;

export type StoryName = keyof typeof STORIES;

// Object.keys has lost which names they are.
export const STORY_NAMES = Object.keys(STORIES) as StoryName[];

export function playStory(name: StoryName, parts: StoryParts): Promise<void> {
  return STORIES[name].play(parts);
}

/** Sends a sale, and tells so. */
async function sale(parts: StoryParts, cvv2: string, says: string, name = parts.name) {
  const fields = { cvv2, server_callback_url: parts.callbackUrl };
  const order = await sent(parts, 'sale', fields, undefined, name);
  parts.tell({ says, orderId: order.orderId });
  return order;
}

async function challenged(parts: StoryParts): Promise<void> {
  const fields = { credit_card_number: ASKING_CARD, currency: 'EUR', server_callback_url: parts.callbackUrl };
  const order = await sent(parts, 'sale', fields, 102, parts.name);
  const { orderId } = order;
  parts.tell({ says: 'a sale at endpoint 102 was sent', orderId });
  for (let looks = 0; looks < 100 && !parts.signal.aborted; looks++) {
    const { html, status } = await demoStatus(parts, order, 102);
    if (typeof html === 'string' && html !== '') {
      parts.tell({
        says: "its status has a page in html: show it in the payer's browser, and the issuer asks",
        orderId,
      });
      parts.tell({ says: `it stays ${String(status)} until the payer has answered, 14 minutes at most`, orderId });
      return;
    }
    await parts.clock.sleep(100, parts.signal);
  }
  parts.tell({ says: 'its status has no page yet; ask for it again', orderId });
}

async function inDoubt(parts: StoryParts): Promise<void> {
  const order = await sale(parts, '217', 'a sale was sent, and its bank does not say what became of it');
  const { orderId } = order;
  parts.tell({
    says: `its status is ${await demoEnd(parts, order)}: nothing may be shipped, nothing paid again`,
    orderId,
  });
  parts.tell({ says: `the bank was asked until it knew: ${await demoEnd(parts, order, OPEN)}`, orderId });
}

async function stuck(parts: StoryParts): Promise<void> {
  const { sandboxClock, signal, tell } = parts;
  const fields = { credit_card_number: UNTOLD_CARD, server_callback_url: parts.callbackUrl };
  const order = await sent(parts, 'sale', fields, undefined, parts.name);
  const { orderId } = order;
  tell({ says: 'a sale was sent, and its bank says nothing of it', orderId });
  tell({ says: `its status is ${await demoEnd(parts, order)}; the bank is asked and asked to take it back`, orderId });
  await sandboxClock?.move(NOBODY_ASKS_MS, { signal });
  const { status } = await demoStatus(parts, order);
  const left = 'nobody asks any more, and it waits in the manual queue for what a person learns from the bank';
  tell({ says: `two days later it is still ${String(status)}: ${left}`, orderId });
}

async function toldLate(parts: StoryParts): Promise<void> {
  parts.listeners.holdBack(parts.name, CALLS_LOST);
  const order = await sale(parts, '123', 'a sale was sent, and the first call of the shop will come to nothing');
  const { orderId } = order;
  parts.tell({ says: `its status is ${await demoEnd(parts, order)}, and the shop was not told`, orderId });
  parts.tell({ says: `${parts.callbackUrl} is called again ten seconds after the first try`, orderId });
}

async function triedAgain(parts: StoryParts): Promise<void> {
  const first = await sale(parts, '116', 'a sale was sent with a card that has too little money');
  parts.tell({ says: `it was ${await demoEnd(parts, first)}`, orderId: first.orderId });
  const second = await sale(parts, '123', 'the payer tries another card: a new order of the shop', `${parts.name}-2`);
  parts.tell({ says: `it was ${await demoEnd(parts, second)}`, orderId: second.orderId });
}

async function year(parts: StoryParts): Promise<void> {
  const { sandboxClock, signal, tell } = parts;
  const { recurringPaymentId } = await recurring(parts, {
    client_orderid: parts.name,
    server_callback_url: parts.callbackUrl,
  });
  tell({ says: 'a recurring payment was made, charged every month from tomorrow on', recurringPaymentId });
  const move = await sandboxClock?.move(A_YEAR_MS, { signal });
  const { charges = 0, approved = 0, declined = 0, delivered = 0 } = move ?? {};
  const counts = `${charges} charges, ${approved} approved, ${declined} declined, ${delivered} callbacks taken`;
  tell({ says: `a year has passed in this sandbox: ${counts}`, recurringPaymentId });
}

async function payoutDeclined(parts: StoryParts): Promise<void> {
  const { name, orderId } = await payout(parts, CLOSED_CARD, 'a payout was sent to a card that takes none');
  const end = await demoEnd(parts, { name, orderId });
  const again = `its money is in the balance of ${demo.login} again`;
  const says = end === 'declined' ? `it was declined, and ${again}` : `it is ${end}; ${again} only once it is declined`;
  parts.tell({ says, orderId });
}

async function payoutReturned(parts: StoryParts): Promise<void> {
  const order = await payout(parts, OPEN_CARD, 'a payout was sent');
  const { orderId } = order;
  const end = await demoEnd(parts, order);
  parts.tell({ says: `it was ${end}`, orderId });
  if (end !== 'approved') return;
  await parts.returnPayout(orderId);
  const { status, 'transaction-type': type } = await demoStatus(parts, order);
  const again = `its money is in the balance of ${demo.login} again`;
  parts.tell({ says: `the bank returned it: its status is ${type} ${status} now, and ${again}`, orderId });
}

/** Fills the balance with a sale, pays out of it, and tells both. */
async function payout(parts: StoryParts, card: string, says: string) {
  const funds = await sale(parts, '123', 'a sale fills the balance of the demo merchant', newName());
  parts.tell({ says: `it was ${await demoEnd(parts, funds)}`, orderId: funds.orderId });
  const { name } = parts;
  const fields = {
    ...{ client_orderid: name, amount: '5.00', currency: 'USD', order_desc: 'Played as a story' },
    ...{ credit_card_number: card, server_callback_url: parts.callbackUrl },
  };
  const orderId = orderIdOf(await parts.client.oauth('/api/v4/payout/101', fields));
  parts.tell({ says, orderId });
  return { name, orderId };
}
