// What the demo merchant of a sandbox sends where a person at the command line says nothing: enough for a payment that
// the simulated bank approves.

import { randomBytes } from 'node:crypto';
import type { Field } from '../../operations/form.ts';
import type { Operation } from '../../operations/operation.ts';
import { demo } from '../../processing/node/demo.ts';
import { makesOrder } from './operation-words.ts';

const YEARS_VALID = 4;

const VALUES: Readonly<Record<string, (endpoint: string) => string>> = {
  client_orderid: () => `cli-${randomBytes(5).toString('hex')}`,
  amount: (endpoint) => (currencyOf(endpoint) === 'JPY' ? '1042' : '10.42'),
  currency: (endpoint) => currencyOf(endpoint),
  email: () => 'ann@example.com',
  order_desc: () => 'Two tickets',
  credit_card_number: () => '4444555566661111',
  card_printed_name: () => 'ANN EXAMPLE',
  expire_month: () => '12',
  expire_year: () => String(new Date().getUTCFullYear() + YEARS_VALID),
  cvv2: () => '123',
  ipaddress: () => '203.0.113.7',
};

function currencyOf(endpoint: string): string {
  return demo.endpoints.find(({ endpointId }) => String(endpointId) === endpoint)?.currency ?? 'USD';
}

export function hasDemoValue(operation: Operation, { required, wire }: Field<unknown>): boolean {
  return required && makesOrder(operation) && wire in VALUES;
}

/** The required fields of a new order that nobody gave. */
export function demoValues(operation: Operation, given: ReadonlySet<string>, endpoint: string): Record<string, string> {
  const fields = Object.values(operation.request.fields);
  const missing = fields.filter((field) => hasDemoValue(operation, field) && !given.has(field.wire));
  return Object.fromEntries(missing.map(({ wire }) => [wire, VALUES[wire]?.(endpoint) ?? '']));
}
