// Everything the vault seals, wherever it is kept: it opens after a change of the data key, and no key is removed that
// something is still sealed under.

import { beforeAll, expect, it } from 'vitest';
import { administrationOf } from '../../src/compose/index.ts';
import { newTerminal } from '../../src/domain/acquirer/terminal.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Row } from '../../src/storage/database.ts';
import { keyStore } from '../../src/storage/keys/data-keys.ts';
import { peopleStore } from '../../src/storage/people/people.ts';
import { terminalStore } from '../../src/storage/terminals.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import {
  accountPlace,
  cardPlace,
  controlKeyPlace,
  detailsPlace,
  networkKeyPlace,
  proofPlace,
  recurringDetailsPlace,
  terminalPlace,
  totpPlace,
} from '../../src/vault/places.ts';
import { testAuthority } from '../certificates.ts';
import { CARD, describeGateway, newOrderId } from '../harness.ts';
import { BROWSER, begun, finalOf, sale } from './authenticating.ts';

type SealedColumn = {
  readonly table: string;
  readonly sealed: string;
  readonly keyId: string;
  readonly place: (row: Row) => string;
};

const [merchantOf, orderOf] = [(row: Row) => Number(row.merchant_id), (row: Row) => Number(row.order_id)];

const COLUMNS: readonly SealedColumn[] = [
  {
    table: 'cards',
    sealed: 'sealed',
    keyId: 'data_key_id',
    place: (row) => cardPlace({ merchantId: merchantOf(row), cardId: Number(row.card_id) }),
  },
  {
    table: 'orders',
    sealed: 'sealed_target',
    keyId: 'target_data_key_id',
    place: (row) => accountPlace({ merchantId: merchantOf(row), orderId: orderOf(row) }),
  },
  {
    table: 'orders',
    sealed: 'sealed_details',
    keyId: 'details_data_key_id',
    place: (row) => detailsPlace({ merchantId: merchantOf(row), orderId: orderOf(row) }),
  },
  {
    table: 'recurring_payments',
    sealed: 'sealed_details',
    keyId: 'details_data_key_id',
    place: (row) =>
      recurringDetailsPlace({ merchantId: merchantOf(row), recurringPaymentId: Number(row.recurring_payment_id) }),
  },
  {
    table: 'authentications',
    sealed: 'sealed_proof',
    keyId: 'proof_data_key_id',
    place: (row) => proofPlace({ merchantId: merchantOf(row), orderId: orderOf(row), seq: Number(row.seq) }),
  },
  {
    table: 'merchant_keys',
    sealed: 'sealed',
    keyId: 'data_key_id',
    place: (row) => controlKeyPlace({ merchantId: merchantOf(row), keyId: row.key_id as string }),
  },
  {
    table: 'terminals',
    sealed: 'sealed',
    keyId: 'data_key_id',
    place: (row) => terminalPlace({ name: row.name as string }),
  },
  {
    table: 'card_networks',
    sealed: 'sealed_key',
    keyId: 'data_key_id',
    place: (row) => networkKeyPlace({ brand: row.brand as string }),
  },
  {
    table: 'people',
    sealed: 'totp_sealed',
    keyId: 'totp_key_id',
    place: (row) => totpPlace({ name: row.name as string }),
  },
];

describeGateway('what is sealed', { acquirerTimeoutMs: 500 }, (gateway) => {
  const { demo } = gateway;

  /** What a column holds, opened, and the keys it is sealed under. */
  async function opened({ table, sealed, keyId, place }: SealedColumn) {
    const rows = await gateway.query(`select * from ${table} where ${sealed} is not null`);
    const values = await Promise.all(
      rows.map(async (row) => {
        const value = { bytes: row[sealed] as Buffer, dataKeyId: Number(row[keyId]) };
        return `${place(row)} ${(await gateway.store.vault.reveal(value, place(row))).reveal()}`;
      }),
    );
    return { values: values.sort(), keys: [...new Set(rows.map((row) => Number(row[keyId])))] };
  }

  const sealedUnder = ({ table, sealed, keyId }: SealedColumn, dataKeyId: number) =>
    gateway.query(`update ${table} set ${keyId} = ${dataKeyId} where ${sealed} is not null`);

  // Something in each of the columns: secrets of a terminal, a proof and an account.
  beforeAll(async () => {
    const { database, records, vault } = gateway.store;
    const sealed = vault.seal(new Secret('{"key":"of a bank"}'), terminalPlace({ name: 'acme' }));
    const terminal = {
      ...newTerminal({ name: 'acme', connector: 'some' }),
      settings: {},
      secretNames: ['key'],
      sealed,
    };
    await terminalStore(database, records).add(terminal, 0);
    const authenticated = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    await finalOf(gateway, authenticated);
    const account = { account_number: 'DE89370400440532013000', account_name: 'Ann Example' };
    await demo.oauth('/api/v4/payout-check', {
      client_orderid: newOrderId(),
      amount: '1.00',
      currency: 'USD',
      ...account,
    });
    const email = '4485275742308327@example.com';
    await demo.oauth('/api/v4/create-recurring-payment', {
      client_orderid: newOrderId(),
      amount: '1.00',
      currency: 'USD',
      rp_card_type: 'DST',
      credit_card_number: CARD,
      email,
    });
    const { certificate, privateKey } = testAuthority('Network CA').issue('gateway');
    const options = { mode: 'sandbox', clock: gateway.clock, changed: () => gateway.refresh() } as const;
    const { administration } = administrationOf(gateway.store, options);
    const address = 'https://ds.example.com/3ds';
    await demo.sale({ email });
    await administration.ask('setNetwork', { brand: 'VISA', address, certificate, privateKey }, 'ann');
    await administration.ask('addPerson', { name: 'ann', role: 'viewer' }, 'ann');
    const totp = vault.seal(new Secret('AAAABBBBCCCCDDDD'), totpPlace({ name: 'ann' }));
    await peopleStore(database, gateway.store.records).setApp('ann', { totp, totpSince: undefined, totpStep: 0 });
  });

  it('opens after a change of the data key, wherever it is kept', async () => {
    const before = await Promise.all(COLUMNS.map(opened));
    for (const { values } of before) expect(values).not.toEqual([]);
    const { vault } = gateway.store;
    const current = await vault.newDataKey();
    const lost: string[] = [];
    const next = vault.walk((place) => lost.push(place));
    while ((await next(100)) > 0);
    expect(lost).toEqual([]);
    await vault.removeOldKeys();
    const after = await Promise.all(COLUMNS.map(opened));
    expect(after).toEqual(before.map(({ values }) => ({ values, keys: [current] })));
  });

  it.each(COLUMNS.map((column) => [`${column.table}.${column.sealed}`, column] as const))(
    'keeps its key while it is in %s',
    async (_, column) => {
      const { database, vault } = gateway.store;
      const keys = keyStore(database);
      // One that the gateway does not seal under, or it would begin to seal everything anew itself.
      await keys.add({ dataKeyId: 99, purpose: 'lookup', wrapped: Buffer.alloc(1), kekId: 'none' });
      await sealedUnder(column, 99);
      const removed = await keys.remove(99);
      await sealedUnder(column, vault.currentDataKeyId);
      expect(removed).toBe(false);
      expect(await keys.remove(99)).toBe(true);
    },
  );
});
