// Capture, void and return by people, in the place of a merchant.

import { Refusal } from '../../domain/errors.ts';
import { word } from '../../domain/input-kinds.ts';
import { readAmount } from '../../domain/money/money.ts';
import { allowedFollowUp, type FollowUpKind, type ReturnSource } from '../../domain/order/follow-up.ts';
import type { Order } from '../../domain/order/order.ts';
import { shown } from '../../domain/text.ts';
import { loginOf } from '../lookups.ts';
import type { VerbParts } from '../parts.ts';
import type { Answered } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';
import { deedAnswer, meantAgain, partOfIt, theOrder, theReason, waitingText } from './deed-inputs.ts';
import { doOrWait, mustFindOrder, mustRun, refusedAs } from './money-by-people.ts';

type Asked = {
  readonly orderId: number;
  readonly reason: string;
  readonly amount?: string | undefined;
  readonly from?: ReturnSource | undefined;
  readonly again?: boolean | undefined;
};

async function followUpOf(
  kind: FollowUpKind,
  { orderId, amount, from, reason, again = false }: Asked,
  parts: VerbParts,
) {
  mustRun(parts);
  const order = await mustFindOrder(orderId, parts);
  const { currency } = order;
  const amounts = amount === undefined ? [] : [minorOf(amount, order)];
  const allowed = allowedFollowUp(order, { kind, amounts, from }, parts.clock.now());
  if (allowed instanceof Refusal) throw refusedAs(allowed);
  const money = { minor: allowed.amount, currency };
  // What a return means is settled now: what is approved later is what was asked for.
  const source = kind === 'return' ? (allowed.type === 'cancel' ? 'hold' : 'payment') : undefined;
  const done = await doOrWait({ kind, order, amount: money, reason, source, again }, parts);
  const login = loginOf(order.merchantId, await parts.configuration.read());
  const transaction = done.waits ? undefined : done.order.transactions.at(-1)?.seq;
  return { orderId, login, amount: money, currency, transaction, waits: done.waits };
}

function minorOf(text: string, { currency }: Order): bigint {
  const minor = readAmount(text, currency, 'major');
  if (minor !== undefined) return minor;
  throw new InvalidInput(`amount: an amount in ${currency} such as 10 is needed, not ${shown(text)}`);
}

const showing =
  (doing: string) =>
  ({ orderId, amount, currency, transaction, waits }: Answered<typeof deedAnswer>): string =>
    waits
      ? waitingText(orderId, waits)
      : `Order ${orderId}: ${doing} ${amount} ${currency} as transaction ${transaction}; "tender order show ${orderId}" tells how it ends.`;

export const captureOrder = defineVerb({
  name: 'captureOrder',
  command: 'order capture',
  summary: 'take all or part of what a preauthorization holds, in the place of its merchant',
  merchants: 'own',
  example: "tender order capture 1042 --amount 10.00 --reason 'the shop is closed, e-mail of 3 May'",
  role: 'operator',
  conduct: 'change',
  given: { orderId: theOrder, amount: partOfIt, reason: theReason, again: meantAgain },
  answer: deedAnswer,
  run: (given, parts) => followUpOf('capture', given, parts),
  show: showing('capturing'),
});

export const voidOrder = defineVerb({
  name: 'voidOrder',
  command: 'order void',
  summary: 'take back the latest sale or capture while it is not yet in clearing, in the place of its merchant',
  merchants: 'own',
  example: "tender order void 1042 --reason 'charged twice, ticket 77'",
  role: 'operator',
  conduct: 'change',
  given: { orderId: theOrder, reason: theReason },
  answer: deedAnswer,
  run: (given, parts) => followUpOf('void', given, parts),
  show: showing('voiding'),
});

export const returnOrder = defineVerb({
  name: 'returnOrder',
  command: 'order return',
  summary: 'give all or part of a payment back, or release what is held, in the place of its merchant',
  merchants: 'own',
  example: "tender order return 1042 --amount 10.00 --reason 'charged twice, ticket 77'",
  role: 'operator',
  conduct: 'change',
  given: {
    orderId: theOrder,
    amount: partOfIt,
    from: mayGive(word(['hold', 'payment']), 'what is given back, where both could be meant', {
      as: '--from <source>',
      told: true,
    }),
    reason: theReason,
    again: meantAgain,
  },
  answer: deedAnswer,
  run: (given, parts) => followUpOf('return', given, parts),
  show: showing('returning'),
});
