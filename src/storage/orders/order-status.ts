// What merchants are shown of an order, and why it ended without money, as SQL on the latest transaction that is what
// the order is for.

import { UNASKED_DECLINES } from '../../domain/acquirer/action-codes.ts';
import { REASON_NOT_GIVEN, REASON_STAGES } from '../../domain/figures/end-reasons.ts';
import { stages, unsentStages } from '../../domain/order/stages.ts';

export const STATUS = (stage: string) =>
  `case ${stage} ${Object.entries(stages)
    .map(([name, { status }]) => `when '${name}' then '${status}'`)
    .join(' ')} end`;

const listed = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/** Empty where it has not ended, or is paid; `t` is the transaction. */
export const END_REASON = `case when ${STATUS('t.stage')} = 'declined' then coalesce(t.decline_code, '${REASON_NOT_GIVEN}')
         when t.stage = 'filtered' then coalesce(t.filter_reason, '${REASON_NOT_GIVEN}')
         when t.stage in (${listed(REASON_STAGES)}) then t.stage else '' end`;

/** Whether `t`, a try of what the order is for, went to its terminal or is on its way there. */
export const WENT_TO_TERMINAL = `t.original_seq is null and t.stage not in (${listed(unsentStages)})
         and not (t.stage = 'declined' and t.sends = 0 and coalesce(t.decline_code in (${listed(UNASKED_DECLINES)}), false))`;

/** What became of `t` at its terminal: one that was never reached, or took it back, has not declined it. */
export const STATUS_AT_TERMINAL = `case when t.stage = 'passed-on' and t.decline_code is null then 'error'
         else ${STATUS('t.stage')} end`;
