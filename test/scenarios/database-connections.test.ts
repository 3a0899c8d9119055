// A gateway keeps to the connections that its administrator grants it, and payments wait their turn for them.

import { expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';

const GRANTED = 2;
const SALES = 40;

describeGateway('a gateway with few connections', { settings: { databaseConnections: GRANTED } }, (gateway) => {
  const opened = async () => {
    const [row] = await gateway.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'tender' and pid <> pg_backend_pid()`,
    );
    return row?.count as number;
  };

  it('takes many payments at once and opens no more than it may', async () => {
    const sales = Array.from({ length: SALES }, () => gateway.demo.sale());
    const seen: number[] = [];
    for (let looks = 0; looks < 5; looks += 1) seen.push(await opened());
    const replies = await Promise.all(sales);
    expect(replies.map(({ body }) => body.type)).toEqual(replies.map(() => 'async-response'));
    for (const { body } of replies) {
      expect(await gateway.demo.untilFinal(body['merchant-order-id'])).toMatchObject({ status: 'approved' });
      seen.push(await opened());
    }
    expect(seen.filter((count) => count > GRANTED)).toEqual([]);
  });
});
