// A change of the key by which equal cards are recognised, and of that for payers' links, looked at in every phase: an
// equal card is counted, blocked and limited as before, and a request that is sent again is the same request.

import { beforeAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { type Client, describeGateway, type Fields, newOrderId, type ReplyBody, until } from '../harness.ts';
import { openForm } from './form-payer.ts';
import { rebill, storeCard } from './stored-cards.ts';

const BLOCKED = '4242424242424242';
const LONG_MS = 400 * 24 * 60 * 60 * 1000;
/** The test cards' amount that is declined for good. */
const FINAL: Fields = { amount: '22.09' };
/** Twice the grace, which a gateway waits for on its own. */
const GRACES_MS = 2 * 90_000;

type Shop = { readonly client: Client; readonly id: number };

/** What a merchant has done before the change. */
type Past = {
  readonly counting: Shop;
  readonly keeping: Shop;
  readonly reference: string;
  readonly blocking: Shop;
  readonly said: Fields;
  readonly first: ReplyBody;
};

describeGateway('a change of the lookup key', { networkLimits: 'on' }, (gateway) => {
  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const { clock, store } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(store, options).administration.ask(verb, given, 'test');
  };
  const newShop = async (): Promise<Shop> => gateway.newMerchant({});
  const sold = async ({ client, id }: Shop, fields: Fields = {}) => {
    const { status, 'error-code': code } = await client.saleUntilFinal(fields, { endpoint: id });
    return status === 'approved' ? status : `${status} ${code}`;
  };
  const rebilled = async ({ client, id }: Shop, reference: string, fields: Fields = {}) => {
    const { status, body } = await rebill(client, reference, fields, id);
    if (status !== 200) return `refused ${body['error-code']}`;
    const end = await client.untilFinal(body['merchant-order-id'], { endpoint: id });
    return end.status === 'approved' ? 'approved' : `${end.status} ${end['error-code']}`;
  };

  async function past(): Promise<Past> {
    const [counting, keeping, blocking] = [await newShop(), await newShop(), await newShop()];
    await ask('setLimit', { endpointId: counting.id, kind: 'card', window: '24h', count: 2 });
    await ask('setLimit', { endpointId: counting.id, kind: 'email', window: '24h', count: 4 });
    expect(await sold(counting)).toBe('approved');
    const reference = await storeCard(keeping.client, {}, keeping.id);
    const blocked = await blocking.client.saleUntilFinal({ credit_card_number: BLOCKED }, { endpoint: blocking.id });
    const orderId = Number(blocked['paynet-order-id']);
    await ask('addBlock', { login: blocking.client.login, kind: 'card', orderId });
    const said = { client_orderid: newOrderId() };
    const { body: first } = await blocking.client.sale(said, { endpoint: blocking.id });
    return { counting, keeping, reference, blocking, said, first };
  }

  /** The same card under another reference is declined for good, and the first one may not be tried any more. */
  async function expectKnown({ counting, keeping, reference, blocking, said, first }: Past): Promise<void> {
    expect(await sold(counting)).toBe('approved');
    expect(await sold(counting)).toBe('filtered 75');
    expect(await sold(counting, { credit_card_number: '5555555555554444' })).toBe('approved');
    expect(await sold(blocking, { credit_card_number: BLOCKED })).toBe('filtered 70');
    const { body: again } = await blocking.client.sale(said, { endpoint: blocking.id });
    expect(again['paynet-order-id']).toBe(first['paynet-order-id']);
    const other = await storeCard(keeping.client, {}, keeping.id);
    expect(await rebilled(keeping, other, FINAL)).toMatch(/^declined/);
    expect(await rebilled(keeping, reference)).toBe('refused 52');
  }

  const lengths = async (column: string, table: string) => {
    const rows = await gateway.query(
      `select distinct length(${column}) as length from ${table} where ${column} is not null order by 1`,
    );
    return rows.map(({ length }) => Number(length));
  };

  let pasts: Past[];
  beforeAll(async () => {
    pasts = [await past(), await past(), await past(), await past()];
  });

  describe('phase by phase', () => {
    it('every card is known before', () => expectKnown(pasts[0] as Past));

    it('while nodes learn the new key', async () => {
      const { vault } = gateway.store;
      await vault.newDigestKey('lookup');
      expect(vault.currentLookupKeyId).toBe(0);
      await expectKnown(pasts[1] as Past);
    });

    it('while fingerprints are under both keys', async () => {
      const { vault } = gateway.store;
      const [coming] = vault.comingDigestKeys;
      // As if it were done: so that the gateway itself does not begin.
      await vault.useDigestKey(coming?.dataKeyId as number, gateway.clock.now() + LONG_MS);
      expect(vault.currentLookupKeyId).toBe(coming?.dataKeyId);
      await expectKnown(pasts[2] as Past);
      expect(await lengths('fingerprint', 'cards')).toEqual([32, 36]);
      expect(await lengths('digest', 'velocity_marks')).toEqual([32, 36]);
    });

    it('and when all that can be are under the new one', async () => {
      await gateway.query('update data_keys set needed_until = null where data_key_id = 0');
      await gateway.refresh();
      const isSettled = async () => {
        gateway.clock.advance(GRACES_MS);
        return (
          (await gateway.query('select 1 from data_keys where data_key_id = 0 and needed_until is null')).length === 0
        );
      };
      await until('the fingerprints are made anew', isSettled);
      expect(await lengths('fingerprint', 'cards')).toEqual([36]);
      expect(await lengths('card_fingerprint', 'transactions')).toEqual([36]);
      await expectKnown(pasts[3] as Past);
      const { digestKeys } = await ask('showVault');
      expect(digestKeys.filter(({ purpose }) => purpose === 'lookup').map(({ state }) => state)).toEqual([
        'old',
        'current',
      ]);
    });

    it('the old key stays while a block that nobody can make anew is under it', async () => {
      const { vault } = gateway.store;
      const late = gateway.clock.now() + 2 * LONG_MS;
      expect(await vault.removeOverdueKeys(late, new Set())).toEqual([0]);
      await gateway.query("delete from blocks where kind = 'card' and length(value) = 64");
      await gateway.query('delete from velocity_marks where length(digest) = 32');
      expect(await vault.removeOverdueKeys(late, new Set())).toEqual([]);
      expect(vault.hasOlderLookupKeys).toBe(false);
      // A request from before is not known any more, and is refused rather than done again.
      const { blocking, said } = pasts[0] as Past;
      const { body } = await blocking.client.sale(said, { endpoint: blocking.id });
      expect(body).toMatchObject({ 'error-code': '31' });
    });
  });
});

describeGateway('a change of the key of links', {}, (gateway) => {
  it('leaves links that payers have valid until their end, and makes new ones under the new key', async () => {
    const { vault } = gateway.store;
    const before = await openForm(gateway, 'sale-form');
    await vault.newDigestKey('links');
    const [coming] = vault.comingDigestKeys;
    const meanwhile = await openForm(gateway, 'sale-form');
    await vault.useDigestKey(coming?.dataKeyId as number, gateway.clock.now() + 60_000);
    const after = await openForm(gateway, 'sale-form');
    for (const form of [before, meanwhile, after]) expect((await fetch(form.address)).status).toBe(200);
    await vault.removeOverdueKeys(gateway.clock.now() + 61_000, new Set());
    expect((await fetch(before.address)).status).toBe(404);
    expect((await fetch(after.address)).status).toBe(200);
  });
});
