// What statements say of a transaction is what the domain's rule says, for everything that a transaction can be.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNASKED_DECLINES } from '../../src/domain/acquirer/action-codes.ts';
import { attemptsOf, COUNTED_STAGES } from '../../src/domain/card/card-attempts.ts';
import { endReasonOf } from '../../src/domain/figures/end-reasons.ts';
import { type Stage, stages } from '../../src/domain/order/stages.ts';
import { isUnanswered, statusAtTerminal, wentToTerminal } from '../../src/domain/order/terminal-tries.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  END_REASON,
  IS_UNANSWERED,
  STATUS,
  STATUS_AT_TERMINAL,
  WENT_TO_TERMINAL,
} from '../../src/storage/orders/order-status.ts';
import { stageIn } from '../../src/storage/orders/order-words.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const STAGES = Object.keys(stages) as Stage[];
const CODES = [undefined, '100', '116', '189', '195', '208', ...UNASKED_DECLINES];

/** Every combination that may differ. */
const ROWS = STAGES.flatMap((stage) =>
  CODES.flatMap((declineCode) =>
    [undefined, 'card-blocked'].flatMap((filterReason) =>
      [0, 1].flatMap((sends) =>
        [undefined, 1].map((originalSeq) => ({ stage, declineCode, filterReason, sends, originalSeq })),
      ),
    ),
  ),
);

const said = {
  name: 'order-rules',
  text: `
    select ${STATUS('t.stage')} as status, ${END_REASON} as reason, ${WENT_TO_TERMINAL} as went,
      ${IS_UNANSWERED} as unanswered, ${STATUS_AT_TERMINAL} as at_terminal,
      ${stageIn(COUNTED_STAGES, 't')} and not (${IS_UNANSWERED}) as counted
    from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[]) with ordinality
      as t(stage, decline_code, filter_reason, sends, original_seq, place)
    order by t.place`,
};

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`what statements say of transactions, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;

    beforeAll(async () => {
      opened = await kind.open();
      database = opened.database;
    });
    afterAll(() => opened?.drop());

    it('is what the rules say', async () => {
      const columns = ['stage', 'declineCode', 'filterReason', 'sends', 'originalSeq'] as const;
      const rows = await database.query(
        said,
        columns.map((name) => ROWS.map((row) => row[name] ?? null)),
      );
      const attempt = { at: 0, amount: 1n, currency: 'EUR', alternatives: [], terminal: 'a', route: undefined };
      expect(ROWS.map((row, place) => ({ ...row, ...rows[place] }))).toEqual(
        ROWS.map((row) => ({
          ...row,
          status: stages[row.stage].status,
          reason: endReasonOf(row),
          went: wentToTerminal(row),
          unanswered: isUnanswered(row),
          at_terminal: statusAtTerminal(row),
          counted: attemptsOf({ ...attempt, ...row }).length > 0,
        })),
      );
    });
  });
}
