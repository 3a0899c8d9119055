// Deeds that wait for a second person: what they are, and the word of that person.

import { id } from '../../domain/input-kinds.ts';
import { approverComplaint, DEED_KINDS, isDeedOver } from '../../domain/people/second-person.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { WaitingDeed } from '../../storage/people/waiting-deeds.ts';
import { loginOf, merchantIdsOf, onlyMerchant } from '../lookups.ts';
import { aList, aMoment, aNumber, anAmount, anObject, aText, aWord, orNull, told } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { NotAllowed } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { theReason } from './deed-inputs.ts';
import { carryOutApproved, waitingDeed } from './money-by-people.ts';

const deedView = anObject({
  deedId: told(aNumber()),
  kind: told(aWord(DEED_KINDS)),
  login: told(aText(), 'merchant'),
  orderId: told(aNumber(), 'order'),
  seq: orNull(aNumber('Of a settlement: the number of the transaction within the order.')),
  outcome: told(orNull(aText('Of a settlement: what the bank told.'))),
  amount: told(anAmount()),
  currency: told(aText()),
  reason: told(aText()),
  askedBy: told(aText()),
  askedAt: aMoment(),
  expiresAt: aMoment(),
});

function viewOf(deed: WaitingDeed, all: Configuration) {
  const { amount: minor, currency, merchantId } = deed;
  return { ...deed, login: loginOf(merchantId, all), amount: { minor, currency } };
}

const theDeed = mustGive(id, 'its number', { as: '<deed>', told: true, what: 'the number of a deed' });

export const listDeeds = defineReading({
  name: 'listDeeds',
  command: 'deed list',
  summary: 'list what waits for a second person, the oldest first',
  merchants: 'own',
  given: { login: onlyMerchant },
  answer: aList(deedView),
  run: async ({ login }, { clock, configuration, deeds }) => {
    const all = await configuration.read();
    const visible = new Set(merchantIdsOf(login, all));
    const waiting = (await deeds.list()).filter((one) => visible.has(one.merchantId) && !isDeedOver(one, clock.now()));
    return waiting.map((one) => viewOf(one, all));
  },
  show: rowsOf(
    {
      DEED: (one) => one.deedId,
      WHAT: (one) => (one.outcome === null ? one.kind : `${one.kind} as ${one.outcome}`),
      ORDER: (one) => one.orderId,
      AMOUNT: (one) => `${one.amount} ${one.currency}`,
      MERCHANT: (one) => one.login,
      'ASKED BY': (one) => one.askedBy,
      BECAUSE: (one) => one.reason,
      UNTIL: (one) => minute(one.expiresAt),
    },
    'Nothing waits for a second person.',
  ),
});

/** What a bank told by other means raises a balance: its own people do not vouch for it. */
const OF_OPERATORS = 'only people who run the gateway approve what a bank is said to have told';

export const approveDeed = defineVerb({
  name: 'approveDeed',
  command: 'deed approve',
  summary: 'do what somebody else has asked for, as the second person',
  merchants: 'own',
  example: 'tender deed approve 1043',
  role: 'operator',
  conduct: 'change',
  given: { deedId: theDeed },
  answer: deedView,
  run: async ({ deedId }, parts) => {
    const { clock, configuration, deeds, asker, who = '' } = parts;
    const { waiting, deed } = await waitingDeed(deedId, parts);
    const complaint = approverComplaint(waiting.asker, { who, person: asker });
    if (complaint !== undefined) throw new NotAllowed(complaint);
    if (waiting.kind === 'settlement' && parts.merchantId !== undefined) throw new NotAllowed(OF_OPERATORS);
    await carryOutApproved(deed, { asked: waiting.askedBy, approved: who }, parts);
    await deeds.remove(deedId, clock.now());
    return viewOf(waiting, await configuration.read());
  },
  show: ({ deedId, kind, orderId, amount, currency }) =>
    `Deed ${deedId} is approved: ${kind} of ${amount} ${currency}; "tender order show ${orderId}" tells how it ends.`,
});

export const rejectDeed = defineVerb({
  name: 'rejectDeed',
  command: 'deed reject',
  summary: 'let nothing come of a deed that waits; who asked for it may do so too',
  merchants: 'own',
  example: "tender deed reject 1043 --reason 'the payer was paid back by cheque'",
  role: 'operator',
  conduct: 'change',
  given: { deedId: theDeed, reason: theReason },
  answer: deedView,
  run: async ({ deedId }, parts) => {
    const { waiting } = await waitingDeed(deedId, parts);
    await parts.deeds.remove(deedId, parts.clock.now());
    return viewOf(waiting, await parts.configuration.read());
  },
  show: ({ deedId, kind, orderId }) => `Deed ${deedId} is rejected; order ${orderId} gets no ${kind} by it.`,
});
