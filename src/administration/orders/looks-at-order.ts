// Who looked at an order and who did something with it, as the audit chain tells.

import { id } from '../../domain/input-kinds.ts';
import { shown } from '../../domain/text.ts';
import { merchantIdsOf } from '../lookups.ts';
import { aList, aMoment, aNumber, anObject, anything, aText } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineVerb } from '../verb/verb.ts';

const SHOWN_LOOKS = 100;

export const listLooks = defineVerb({
  name: 'listLooks',
  command: 'order looks',
  summary: 'list who looked at an order or did something with it, the latest first',
  merchants: 'own',
  example: 'tender order looks 1042',
  role: 'operator',
  conduct: 'read',
  given: { orderId: mustGive(id, 'the id the service gave the order', { as: '<order>', what: 'the id of an order' }) },
  answer: aList(
    anObject({
      seq: aNumber('Its number in the audit chain.'),
      at: aMoment(),
      who: aText(),
      action: aText('The verb.'),
      details: anything('What may be told of what was given and answered.'),
    }),
  ),
  run: async ({ orderId }, { audit, configuration, timelines }) => {
    const visible = merchantIdsOf(undefined, await configuration.read());
    if ((await timelines.merchantOf(orderId, visible)) === undefined) {
      throw new InvalidInput(`there is no order ${shown(orderId)}; "tender order list" shows the newest`);
    }
    const entries = await audit.about(`order ${orderId}`, SHOWN_LOOKS);
    return entries.map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
  },
  show: rowsOf(
    {
      NUMBER: (one) => one.seq,
      AT: (one) => minute(one.at),
      WHO: (one) => one.who,
      WHAT: (one) => one.action,
      DETAILS: (one) => JSON.stringify(one.details),
    },
    'Nobody has looked at it.',
  ),
});
