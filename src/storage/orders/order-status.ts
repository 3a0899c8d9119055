// What the domain says of a transaction, as SQL on its row. Each is made of a rule's own words, and a contract holds
// each to the rule, over everything that a transaction can be.

import { type LatestTry, REASON_NOT_GIVEN, REASON_TOLD_BY } from '../../domain/figures/end-reasons.ts';
import { stages } from '../../domain/order/stages.ts';
import { NEVER_LEFT, PASSED_ON, UNANSWERED_STATUS } from '../../domain/order/terminal-tries.ts';
import { stageIn, stageIs, wordList } from './order-words.ts';

export const STATUS = (stage: string) =>
  `case ${stage} ${Object.entries(stages)
    .map(([name, { status }]) => `when '${name}' then '${status}'`)
    .join(' ')} end`;

const COLUMN_OF: Readonly<Record<keyof LatestTry, string>> = {
  stage: 't.stage',
  declineCode: 't.decline_code',
  filterReason: 't.filter_reason',
};

/** Of an order's latest try `t`; empty where it has not ended, or is paid. */
export const END_REASON = `case ${STATUS('t.stage')} ${REASON_TOLD_BY.map(
  ([status, told]) => `when '${status}' then coalesce(${COLUMN_OF[told]}, '${REASON_NOT_GIVEN}')`,
).join(' ')} else '' end`;

/** Whether `t`, a try of what the order is for, went to its terminal or is on its way there. */
export const WENT_TO_TERMINAL = `t.original_seq is null and not (${stageIn(NEVER_LEFT.stages, 't')})
         and not (${stageIs('declined', 't')} and t.sends = 0
           and coalesce(t.decline_code in (${wordList(NEVER_LEFT.unsentDeclines)}), false))`;

/** Whether its terminal never answered `t`. */
export const IS_UNANSWERED = `${stageIs(PASSED_ON, 't')} and t.decline_code is null`;

/** What became of `t` at its terminal. */
export const STATUS_AT_TERMINAL = `case when ${IS_UNANSWERED} then '${UNANSWERED_STATUS}' else ${STATUS('t.stage')} end`;
