// How operations and their fields are spelled on the command line: SALE is `tender sale`, client_orderid is
// `--client-orderid`.

import type { Field } from '../../operations/form.ts';
import type { Operation } from '../../operations/operation.ts';

/** Shorter names beside the fields' own. */
const SHORT_FLAGS: Readonly<Record<string, string>> = { credit_card_number: 'card' };

/** Given by options of another name, or made here. */
const NOT_GIVEN = new Set(['login', 'control']);

export function commandName({ name }: Operation): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The last part of its path, which the interface's own names often shorten: SALEFORM is at /api/v2/sale-form. */
export function pathName({ path }: Operation): string {
  return path.split('/').at(-1) ?? '';
}

export type FieldOption = { readonly field: Field<unknown>; readonly flag: string; readonly isShort: boolean };

export function fieldOptions({ request }: Operation): FieldOption[] {
  return Object.values(request.fields)
    .filter(({ wire }) => !NOT_GIVEN.has(wire))
    .flatMap((field) => {
      const own = { field, flag: field.wire.toLowerCase().replaceAll('_', '-'), isShort: false };
      const short = SHORT_FLAGS[field.wire];
      return short === undefined ? [own] : [{ field, flag: short, isShort: true }, own];
    });
}

/** Whether an operation makes an order, which its request names; others name one that is there. */
export function makesOrder({ request }: Operation): boolean {
  const wires = Object.values(request.fields).map(({ wire }) => wire);
  return wires.includes('client_orderid') && !wires.includes('orderid');
}

const TRIED: Readonly<Record<string, string>> = {
  client_orderid: 'inv-1001',
  'client-order-id': 'inv-1001',
  orderid: '1',
  'order-id': '1',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  order_desc: "'Two tickets'",
  credit_card_number: '4444555566661111',
  'destination-card-no': '4111111111111111',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
  ipaddress: '203.0.113.7',
};

/** How a command is written with what it must have; what the demo merchant has anyway is left out. */
export function exampleOf(operation: Operation, hasAnyway: (field: Field<unknown>) => boolean): string {
  const options = fieldOptions(operation)
    .filter(({ field, isShort }) => (field.required && !hasAnyway(field)) || isShort)
    .filter(({ field, flag }) => SHORT_FLAGS[field.wire] === undefined || SHORT_FLAGS[field.wire] === flag)
    .map(({ field, flag }) => `--${flag} ${TRIED[field.wire] ?? '…'}`);
  const amount = makesOrder(operation) && 'amount' in operation.request.fields ? ['--amount 10.42'] : [];
  return ['tender', commandName(operation), ...amount, ...options].join(' ');
}
