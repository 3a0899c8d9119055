// What tests of people's deeds wait for: that no bank is asked any more. Not by the clock: sessions would end with it.

import { type TestGateway, until } from '../harness.ts';

const PATIENCE_MS = 60_000;

export function untilBanksAnswered(gateway: TestGateway): Promise<void> {
  return until(
    'every bank has answered',
    async () => {
      const rows = await gateway.query(`select 1 from transactions where stage in ('sending', 'asking', 'undoing')`);
      return rows.length === 0;
    },
    PATIENCE_MS,
  );
}

/** `sale approved 1000` for each transaction of an order, once banks have answered. */
export async function stagesOfOrder(gateway: TestGateway, orderId: number): Promise<string[]> {
  await untilBanksAnswered(gateway);
  const rows = await gateway.query(
    `select type, stage, amount from transactions where order_id = ${orderId} order by seq`,
  );
  return rows.map(({ type, stage, amount }) => `${type} ${stage} ${amount}`);
}
