// A story is something a merchant does from beginning to end, alone or with a payer, with the operations it takes.

import type { OperationName } from '../../../src/operations/index.ts';
import type { Payers } from '../payers.ts';
import type { Requests } from '../requests.ts';
import type { StoredCards } from './stored-cards.ts';

export type Story = {
  /** How often of all. */
  readonly weight: number;
  readonly operations: readonly OperationName[];
  readonly tell: () => Promise<unknown>;
};

export type StoryParts = { readonly requests: Requests; readonly payers: Payers; readonly cards: StoredCards };

/** Not the one that is declined for good now and then: a stored card must stay chargeable. */
export const STORED_CARD = '5555555555554444';

/** Mostly approved; some declined, some the bank takes its time for. */
const CODES = ['123', '123', '123', '123', '116', '209', '1234', '123', '123', '217'];
export const DECLINED = '116';

export const anyCode = (requests: Requests): string => requests.oneOf(CODES) as string;
