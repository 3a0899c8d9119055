// What every verb about the money of an order takes and answers.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { flag, type InputKind, id, line, nameOf } from '../../domain/input-kinds.ts';
import { aMoment, aNumber, anAmount, anObject, aText, orNull, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';

const MAX_REASON = 200;

const lineOfReason = line(MAX_REASON);

/** Card numbers in it are masked from the first moment. */
const reasonLine: InputKind<string> = {
  ...lineOfReason,
  read: (value, context) => {
    const read = lineOfReason.read(value, context);
    return typeof read === 'string' ? maskCardNumbers(read) : read;
  },
};

export const theReason = mustGive(reasonLine, 'why; kept with the order and in the audit chain', {
  as: '--reason <text>',
  told: true,
  what: 'why it is done',
});

export const theOrder = mustGive(id, 'the id the service gave the order', {
  as: '<order>',
  told: 'order',
  what: 'the id of an order',
});

export const partOfIt = mayGive(nameOf('an amount such as 10.42'), 'a part of it; all that is left when left out', {
  as: '--amount <amount>',
  told: true,
});

export const meantAgain = mayGive(flag, 'it is meant, although an equal one was made within a day', {
  as: '--again',
  told: true,
});

/** Null where the deed was done at once. */
export const waitsAnswer = orNull(
  anObject(
    {
      deedId: told(aNumber('By this number a second person approves it.')),
      expiresAt: aMoment(),
    },
    'What waits for a second person; null when it was done at once.',
  ),
);

export const deedAnswer = anObject({
  orderId: told(aNumber(), 'order'),
  login: told(aText(), 'merchant'),
  amount: told(anAmount()),
  currency: told(aText()),
  transaction: told(orNull(aNumber('The number of the transaction within the order; null while it waits.'))),
  waits: waitsAnswer,
});

/** What a person reads where a deed waits. */
export function waitingText(orderId: number, { deedId, expiresAt }: { deedId: number; expiresAt: string }): string {
  return [
    `Order ${orderId}: this takes a second person. It waits as deed ${deedId} until ${expiresAt}.`,
    `Somebody else approves it with: tender deed approve ${deedId}`,
  ].join('\n');
}
