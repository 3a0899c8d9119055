// A write that spends from a merchant's balance: one transaction that writes the order, books the money and looks at what
// the balance has become. Booking locks the account, so all who spend from it pass one by one, on every node; a write
// that leaves too little is undone whole. Orders are locked before accounts, as everywhere.

import type { Order } from '../../domain/order/order.ts';
import type { Database, Session, Statement, Step } from '../database.ts';
import type { Confirmation, CoveredOutcome } from '../store.ts';

const selectBalance: Statement = {
  name: 'accounts-balance',
  text: `select balance from accounts where merchant_id = $1 and account = 'merchant' and currency = $2`,
};

const insertConfirmation: Statement = {
  name: 'confirmations-insert',
  text: `
    insert into confirmations (merchant_id, order_id, request_serial, fingerprint, idempotency_key, idempotency_until,
      created_at)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (merchant_id, order_id) do nothing`,
};

export type Spending = {
  readonly order: Order;
  readonly amount: bigint;
  readonly creditLimit: bigint;
  /** The first answers the ids of the orders it wrote. */
  readonly steps: readonly Step[];
};

type NotKept = Exclude<CoveredOutcome, 'written'>;

/** Ends the transaction without keeping anything of it. */
export class Undone extends Error {
  readonly outcome: NotKept;

  constructor(outcome: NotKept) {
    super('undone');
    this.outcome = outcome;
  }
}

export function commitCovered(database: Database, spending: Spending): Promise<CoveredOutcome> {
  return undoing(() =>
    database.transaction(async (session) => {
      await spend(session, spending);
      return 'written' as const;
    }),
  );
}

/** Writes and books within a transaction, which is undone when the balance does not cover it. */
export async function spend(session: Session, { order, amount, creditLimit, steps }: Spending): Promise<void> {
  const balanceStep = { statement: selectBalance, values: [order.merchantId, order.currency] };
  const answers = await session.flight([...steps, balanceStep]);
  if (answers[0]?.length !== 1) throw new Undone('conflict');
  const after = BigInt(answers.at(-1)?.[0]?.balance as string);
  if (after < -creditLimit) throw new Undone({ available: after + amount + creditLimit });
}

/** Answers why a transaction was undone. */
export async function undoing<T>(transaction: () => Promise<T>): Promise<T | NotKept> {
  try {
    return await transaction();
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    throw error;
  }
}

export function confirmationStep(
  { merchantId, orderId }: Order,
  { requestSerial, fingerprint, idempotencyKey }: Confirmation,
  { at, keptMs }: { at: number; keptMs: number },
): Step {
  const until = idempotencyKey === undefined ? null : new Date(at + keptMs);
  const values = [merchantId, orderId, requestSerial, fingerprint, idempotencyKey, until, new Date(at)];
  return { statement: insertConfirmation, values };
}
