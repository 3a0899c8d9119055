// What reconciliation reads of ours: the instructions we gave a bank, a page at a time.

import { DEMO_TERMINAL } from '../../domain/acquirer/terminal.ts';
import { formed, nameOf } from '../../domain/input-kinds.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import { shown } from '../../domain/text.ts';
import { aFlag, aList, aNumber, anObject, aText, aWordOf, orNull } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineReading } from '../verb/verb.ts';

const ORDERS = 2_000;

const instruction = anObject({
  reference: aText(),
  type: aWordOf<TransactionType>(),
  stage: aWordOf<Stage>(),
  leg: aNumber('Which leg this is.'),
  atLeg: aNumber('Which leg the transaction is at.'),
  legs: aNumber('How many there are.'),
  minor: aText('In minor units, as text: whole numbers may be beyond those of JSON.'),
  currency: aText(),
  declinedByBank: aFlag(),
  voided: aFlag(),
  returnedAt: orNull(aNumber('When it was booked that the bank returned it after it had approved it.')),
  returnedByHand: aFlag('Whether a person booked that.'),
  booked: aText('In minor units: negative when the bank owes us.'),
  createdAt: aNumber('Milliseconds since 1970.'),
  changedAt: aNumber(),
});

export const readInstructions = defineReading({
  name: 'readInstructions',
  summary: 'read the instructions we gave the bank, a page at a time',
  given: {
    terminal: mayGive(
      nameOf('the name of a terminal'),
      "those that went there; to the gateway's own bank when left out",
    ),
    from: mayGive(
      formed(/^\d{1,16}:\d{1,16}$/, 'where the last page said the next one begins'),
      'where the page begins',
    ),
  },
  answer: anObject({
    instructions: aList(instruction),
    next: orNull(aText('Where the next page begins; null at the end.')),
  }),
  run: async ({ from = '0:0', terminal = DEMO_TERMINAL }, { configuration, instructions }) => {
    const { terminals } = await configuration.read();
    if (!terminals.some(({ name }) => name === terminal)) {
      const known = terminals.map(({ name }) => name).join(', ');
      throw new InvalidInput(`there is no terminal ${shown(terminal)}; there are ${known}`);
    }
    const [merchantId = 0, orderId = 0] = from.split(':').map(Number);
    const page = await instructions.page({ merchantId, orderId }, ORDERS, terminal);
    return {
      instructions: page.instructions.map((one) => ({ ...one, minor: String(one.minor), booked: String(one.booked) })),
      next: page.last ? `${page.last.merchantId}:${page.last.orderId}` : null,
    };
  },
});
