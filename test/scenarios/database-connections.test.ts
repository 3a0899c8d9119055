// A gateway keeps to the connections that its administrator grants it, and payments wait their turn for them. The
// embedded database has one session, whatever is granted.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { TestGateway } from '../harness.ts';

const GRANTED = 2;
const SALES = 40;

describe.skipIf(!shared.available)('a gateway with few connections', () => {
  const gateway = new TestGateway(shared, { settings: { databaseConnections: GRANTED } });
  beforeAll(() => gateway.open());
  afterAll(() => gateway.close());

  /** Asked over one of them. */
  const opened = async () => {
    const [row] = await gateway.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'tender'`,
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
    // All that it may: otherwise nothing kept it from more.
    expect(Math.max(...seen)).toBe(GRANTED);
  });
});
