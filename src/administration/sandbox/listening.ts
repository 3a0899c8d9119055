// Listening to the callbacks of a sandbox: a command takes them in the place of the addresses that orders name, and
// tells what a shop answered.

import { UUID } from '../../domain/ids/uuid.ts';
import { anyObject, flag, formed, id, listed } from '../../domain/input-kinds.ts';
import { type HandedAnswer, LISTENS_MS } from '../../domain/order/handed-callbacks.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import { aList, aNumber, anObject, aRecord, aText, orNull } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';
import { sandboxOf } from './sandbox-of.ts';

const LEAST_STATUS = 100;
const MOST_STATUS = 599;
const LONGEST_FAULT = 120;

export const listenToCallbacks = defineVerb({
  name: 'listenToCallbacks',
  summary: 'begin to take callbacks of a sandbox in the place of the addresses that orders name',
  role: 'operator',
  conduct: 'outside',
  given: {
    login: mayGive(merchantLogin, 'only those of this merchant', { told: 'merchant' }),
    endpointIds: mayGive(listed(id), 'only those of these endpoints', { told: true }),
  },
  answer: anObject({
    listenerId: aText(),
    seconds: aNumber('Whoever has not asked for callbacks for so long does not listen any more.'),
  }),
  run: async ({ login, endpointIds }, parts) => {
    const { listeners } = sandboxOf(parts);
    const all = await parts.configuration.read();
    const unknown = (endpointIds ?? []).filter((one) => !all.endpoints.some(({ endpointId }) => endpointId === one));
    if (unknown.length > 0) throw new InvalidInput(...unknown.map((one) => `there is no endpoint ${one}`));
    const merchantId = login === undefined ? undefined : merchantOf(login, all).merchantId;
    const listenerId = listeners.open({ merchantId, endpointIds, listens: parts.asker });
    if (listenerId === undefined) throw new InvalidInput('too many listen already');
    return { listenerId, seconds: LISTENS_MS / 1000 };
  },
});

export const takeHandedCallbacks = defineVerb({
  name: 'takeHandedCallbacks',
  summary: 'take the callbacks that wait for a listener, and tell what a shop answered to those before',
  role: 'operator',
  // That somebody listens is in the audit chain; what shops answer is in the log of each callback.
  conduct: 'begun',
  given: {
    listenerId: mustGive(formed(UUID, 'the id of a listener'), 'who listens'),
    answers: mayGive(listed(anyObject), 'what became of callbacks: handedId with status, or with fault'),
    ends: mayGive(flag, 'whether it listens no longer'),
  },
  answer: anObject({
    callbacks: orNull(
      aList(
        anObject({
          handedId: aText(),
          callbackId: aText(),
          url: aText('The address that the order names, with everything that is told.'),
          headers: aRecord('They sign it.'),
        }),
      ),
    ),
  }),
  run: async ({ listenerId, answers = [], ends = false }, parts) => {
    const { listeners } = sandboxOf(parts);
    const listener = { listenerId: listenerId.toLowerCase(), listens: parts.asker };
    const callbacks = listeners.ask(listener, answers.map(readAnswer));
    if (ends && callbacks) listeners.close(listener.listenerId);
    return { callbacks };
  },
});

function readAnswer(given: object): HandedAnswer {
  const { handedId, status, fault } = given as Record<keyof HandedAnswer, unknown>;
  const isStatus =
    status === undefined ||
    (Number.isInteger(status) && Number(status) >= LEAST_STATUS && Number(status) <= MOST_STATUS);
  if (typeof handedId !== 'string' || !isStatus) {
    throw new InvalidInput('answers: each has a handedId, and a status of HTTP or a fault');
  }
  return {
    handedId,
    status: status as number | undefined,
    fault: typeof fault === 'string' ? fault.slice(0, LONGEST_FAULT) : undefined,
  };
}
