// What merchants are shown of an order, and why it ended without money, as SQL on the latest transaction that is what
// the order is for.

import { REASON_NOT_GIVEN, REASON_STAGES } from '../../domain/figures/end-reasons.ts';
import { stages } from '../../domain/order/stages.ts';

export const STATUS = (stage: string) =>
  `case ${stage} ${Object.entries(stages)
    .map(([name, { status }]) => `when '${name}' then '${status}'`)
    .join(' ')} end`;

const asStages = REASON_STAGES.map((stage) => `'${stage}'`).join(', ');

/** Empty where it has not ended, or is paid; `t` is the transaction. */
export const END_REASON = `case when ${STATUS('t.stage')} = 'declined' then coalesce(t.decline_code, '${REASON_NOT_GIVEN}')
         when t.stage = 'filtered' then coalesce(t.filter_reason, '${REASON_NOT_GIVEN}')
         when t.stage in (${asStages}) then t.stage else '' end`;
