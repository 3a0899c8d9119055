// What the verbs of administration answer is what their document says, no more and no less.

import { expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import { verbs } from '../../src/administration/index.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { describeGateway } from '../harness.ts';
import { recurringPayment, storeCard } from './stored-cards.ts';

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};

/** Where a value is not as its schema says. */
function faultsIn(value: unknown, schema: Schema, place: string): string[] {
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => faultsIn(value, one, place));
    return each.some((faults) => faults.length === 0) ? [] : each.flat();
  }
  if (schema.type !== undefined && !isOf(schema.type, value)) return [`${place} is ${JSON.stringify(value)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${place} is ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => faultsIn(one, schema.items ?? {}, `${place}[${index}]`));
  }
  return schema.properties && typeof value === 'object' && value !== null ? membersIn(value, schema, place) : [];
}

function membersIn(value: object, { properties = {}, required = [], additionalProperties }: Schema, place: string) {
  const missing = required.filter((name) => !(name in value)).map((name) => `${place}.${name} is missing`);
  const members = Object.entries(value).flatMap(([name, one]) => {
    const schema = properties[name];
    if (schema) return faultsIn(one, schema, `${place}.${name}`);
    return additionalProperties === false ? [`${place}.${name} is not described`] : [];
  });
  return [...missing, ...members];
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return typeof value === type && value !== null;
}

describeGateway('the answers to an administrator', {}, (gateway) => {
  const answered = new Set<string>();

  async function ask<V extends VerbName>(verb: V, given: Given = {}) {
    const { clock, store } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    const answer = await administrationOf(store, options).administration.ask(verb, given, 'ann');
    const { answer: shape } = verbs.find(({ name }) => name === verb) ?? verbs[0];
    expect(faultsIn(JSON.parse(JSON.stringify(answer)), shape.schema, verb)).toEqual([]);
    answered.add(verb);
    return answer;
  }

  it('are as their document says', async () => {
    const sale = await gateway.demo.saleUntilFinal();
    const orderId = Number(sale['paynet-order-id']);
    const { serial_number: serialNumber } = await gateway.journalLine(sale);
    await storeCard(gateway.demo);
    const id = { recurringPaymentId: Number(await recurringPayment(gateway.demo, { amount: '1.00' })) };

    await ask('addMerchant', { login: 'shop' });
    await ask('setMerchant', { login: 'shop', name: 'The shop' });
    const { endpointId } = await ask('addEndpoint', { login: 'shop', currency: 'USD', minimum: '1.00' });
    await ask('setEndpoint', { endpointId, maximum: '250.00', requiredFields: ['phone'] });
    await ask('setLook', { endpointId, accent: '#2347c5', intro: 'Hello' });
    await ask('addGroup', { login: 'shop', endpointIds: [endpointId] });
    const { keyId } = await ask('addKey', { login: 'shop', kind: 'control' });
    await ask('retireKey', { login: 'shop', keyId });
    await ask('setLimit', { endpointId, kind: 'card', window: '24h', count: 3, amount: '500.00' });
    await ask('setDuplicateGuard', { endpointId, window: '10m' });
    await ask('addBlock', { login: 'demo', kind: 'card', orderId, note: 'stolen' });
    await ask('addBlock', { everywhere: true, kind: 'country', value: 'US' });
    await ask('showOrder', { orderId });
    await ask('showRequest', { serialNumber });
    await ask('showLook', { endpointId });
    await ask('showMerchant', { login: 'shop' });
    await ask('showEndpoint', { endpointId });
    await ask('listCardReferences', { login: 'demo' });
    await ask('listBlocks', { everywhere: true });
    for (const verb of ['pauseRecurring', 'resumeRecurring', 'showRecurring', 'stopRecurring'] as const) {
      await ask(verb, id);
    }
    for (const verb of ['listMerchants', 'listEndpoints', 'listGroups', 'listKeys', 'listLimits'] as const) {
      await ask(verb);
    }
    for (const verb of ['listOrders', 'listRecurring', 'listCallbacks', 'listStuck', 'listAudit'] as const) {
      await ask(verb);
    }
    for (const verb of ['showVault', 'verifyPart', 'readInstructions', 'replayFailedCallbacks'] as const) {
      await ask(verb);
    }
    await ask('removeBlock', { everywhere: true, kind: 'country', value: 'US' });
    await ask('removeLimit', { endpointId, kind: 'card', window: '24h' });
    expect(answered.size).toBeGreaterThan(35);
  });
});
