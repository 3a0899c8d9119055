// What the books say, as `tender balance` tells it: by merchant, account and currency, now and as of a moment.

import { expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';
import { tender } from './tender-process.ts';

describeGateway('the balance', {}, (gateway) => {
  const ask = async (...args: string[]) => {
    const { stdout, stderr } = await tender(['balance', ...args, '--json', '--data', gateway.dataFolder]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  it('is what was booked, adds up to nothing, and is known of every moment', async () => {
    const { client, id } = await gateway.newMerchant();
    const { login } = client;
    const sale = await client.saleUntilFinal({ amount: '1007' }, { endpoint: id });
    const [{ at }] = (await gateway.query(
      `select max(at) as at from ledger_entries where merchant_id = ${id}`,
    )) as unknown as [{ at: Date }];
    gateway.clock.advance(2_000);
    await client.followUpUntilFinal('return', sale, { amount: '10.04', currency: 'USD' }, { endpoint: id });
    const line = (account: string, balance: string) => ({ login, account, currency: 'USD', balance });
    const totals = [{ currency: 'USD', total: '0.00' }];
    expect(await ask('--merchant', login)).toMatchObject({
      balances: [line('clearing', '-0.03'), line('merchant', '0.03')],
      totals,
    });
    // The command line takes whole seconds.
    const then = new Date(Math.floor(at.getTime() / 1000) * 1000 + 1000).toISOString().replace('.000', '');
    expect(await ask('--merchant', login, '--at', then)).toMatchObject({
      balances: [line('clearing', '-10.07'), line('merchant', '10.07')],
      totals,
    });
    expect(await ask('--merchant', login, '--at', '2001-01-01')).toMatchObject({ balances: [], totals: [] });
    expect(await ask('--merchant', login, '--currency', 'EUR')).toMatchObject({ balances: [] });
    const { balances } = await ask();
    expect(balances).toEqual(expect.arrayContaining([line('merchant', '0.03')]));
    const { stdout } = await tender(['balance', '--merchant', login, '--data', gateway.dataFolder]);
    expect(stdout).toMatch(/all +together +USD +0\.00/);
  });
});
