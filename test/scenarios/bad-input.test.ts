// Bad input to every operation, made from its own list of fields: whatever is missing, too long or malformed is named,
// all of it at once, and nothing is written down.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalName } from '../../src/operations/form.ts';
import { type OperationName, operations } from '../../src/operations/index.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { CARD, describeGateway, type Fields, newOrderId, type Reply, sha1, type TestGateway } from '../harness.ts';

const ENDPOINT = 101;
const built: readonly AnyOperation[] = operations.filter((operation) => 'handle' in operation);

const REQUIRED = '1';
const MALFORMED = '2';
const TOO_LONG = '3';
const INVALID_CONTROL = '20';

/** A good value of every field some operation requires. */
const GOOD: Fields = {
  login: 'demo',
  orderid: '7',
  amount: '1042',
  currency: 'USD',
  email: 'ann@example.com',
  credit_card_number: CARD,
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
  cardrefid: '7',
  'source-card-ref-id': '7',
  'destination-card-ref-id': '7',
  'recurring-payment-id': '7',
  rp_card_type: 'SRC',
  cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ',
  paRes: 'eNpVUk1z2jAQ',
  threeDSServerTransID: '3d671629-a410-4a5d-9288-b38ceadd41f2',
};

const EXPIRY = { expire_month: '12', expire_year: '2031' };
const SENDING = { 'sending-card-number': CARD, 'card-printed-name': 'ANN EXAMPLE', ...EXPIRY };
const RECEIVING = { 'receiving-card-number': CARD };

/** What an operation cannot do without although no single field of it is required. */
const ALSO: { readonly [Name in OperationName]?: Fields } = {
  PAYOUT: { credit_card_number: CARD },
  PAYOUT_V4: { credit_card_number: CARD },
  PAYOUT_V4_CHECK: { credit_card_number: CARD },
  CREATE_RP_V4: EXPIRY,
  TRANSFER: { credit_card_number: CARD, ...EXPIRY, cvv2: '123', 'destination-card-no': CARD },
  TRANSFER_BY_REF: { 'destination-card-no': CARD },
  PAN_ELIGIBILITY_SEND: SENDING,
  PAN_ELIGIBILITY_RECEIVE: RECEIVING,
  PAN_ELIGIBILITY_BOTH: { ...SENDING, ...RECEIVING },
};

const REFERENCE = ['a b', '7;'];
const URL_LIKE = [
  ...['shop.example/paid', 'ftp://shop.example/', 'https://ann:secret@shop.example/'],
  ...['https://a;sandbox/', "https://a,'self'/"],
];
const CARD_NUMBER = ['4111111111111112', '411111111111', 'four thousand'];
const WORDS = ['yes', '1'];
const DAY = ['20240230', '2024-1-1', '1st May'];
const NAME_LIKE = [CARD];

/** Values that are none of the field, short enough not to be too long. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  orderid: ['0', '-1', '7a', '9999999999999999'],
  'by-request-sn': ['nobody', '3d671629-a410-4a5d-9288-b38ceadd41fg'],
  amount: ['-1', '1e3', '0', '0.00', '10,42', 'ten'],
  amount_from: ['-1', 'ten'],
  amount_to: ['-1', 'ten'],
  amount_sequence: ['1,ten', '1;2'],
  enumerate_amounts: ['1,ten', '1;2'],
  currency: ['usd', 'ZZZ', '$'],
  email: ['nobody', 'a@', 'a b@c'],
  phone: ['call me', '12#34'],
  cell_phone: ['call me'],
  country: ['ZZ', '1'],
  ipaddress: ['203.0.113', '203.0.113.256', 'fe80::1%eth0', 'localhost'],
  birthday: [...DAY, '29990101'],
  start_date: DAY,
  finish_date: DAY,
  credit_card_number: CARD_NUMBER,
  'destination-card-no': CARD_NUMBER,
  'sending-card-number': CARD_NUMBER,
  'receiving-card-number': CARD_NUMBER,
  expire_month: ['0', '13', 'x'],
  expire_year: ['1999', 'x', '203'],
  cvv2: ['12', 'abc'],
  first_name: NAME_LIKE,
  last_name: NAME_LIKE,
  card_printed_name: NAME_LIKE,
  'card-printed-name': NAME_LIKE,
  receiver_first_name: NAME_LIKE,
  receiver_middle_name: NAME_LIKE,
  receiver_last_name: NAME_LIKE,
  cardrefid: REFERENCE,
  card_recurring_payment_id: REFERENCE,
  'recurring-payment-id': REFERENCE,
  destination_card_recurring_payment_id: REFERENCE,
  'destination-card-ref-id': REFERENCE,
  'source-card-ref-id': REFERENCE,
  'sending-card-ref-id': REFERENCE,
  'receiving-card-ref-id': REFERENCE,
  redirect_url: URL_LIKE,
  redirect_success_url: URL_LIKE,
  redirect_fail_url: URL_LIKE,
  server_callback_url: URL_LIKE,
  notify_url: URL_LIKE,
  recurrent_scenario: ['regular', 'OFTEN'],
  transaction_type: ['SALE', 'payout'],
  return_type: ['CANCEL', 'void'],
  rp_card_type: ['src', 'X'],
  interval_unit: ['year', 'DAY'],
  interval: ['0', 'x', '-1'],
  account_number: ['DE89370400440532013001', '#'],
  deposit2card: WORDS,
  receiver_resident: WORDS,
  customer_browser_info: WORDS,
  customer_browser_java_enabled: WORDS,
  customer_browser_javascript_enabled: WORDS,
  customer_browser_color_depth: ['0', 'x'],
  customer_browser_screen_height: ['-1', 'x'],
  customer_browser_screen_width: ['-1', 'x'],
  customer_browser_time_zone: ['841', 'x'],
  cRes: ['{"messageType":"CRes"}', 'a=b'],
  paRes: ['<PARes/>', 'a=b'],
  threeDSServerTransID: ['nobody', '3d671629-a410-4a5d-9288-b38ceadd41fg'],
  threeDSCompInd: ['y', 'X'],
  browserIP: ['203.0.113', 'localhost'],
  browserJavaEnabled: WORDS,
  browserJavascriptEnabled: WORDS,
  browserColorDepth: ['0', 'x'],
  browserScreenHeight: ['-1', 'x'],
  browserScreenWidth: ['-1', 'x'],
  browserTZ: ['841', 'x'],
};

/** Text of several lines: nothing that fits is malformed. */
const ANYTHING = ['order_desc', 'comment', 'merchant_data'];

type Described = { wire: string; required: boolean; maxLength: number; schema: Readonly<Record<string, unknown>> };

const fieldsOf = (operation: AnyOperation): Described[] => Object.values(operation.request.fields);
const isCredential = ({ wire }: { wire: string }) => wire === 'login' || wire === 'control';
/** Text of any kind has a pattern too, which says no more than that it has no control characters. */
const isAnyText = ({ pattern }: Described['schema']) => typeof pattern !== 'string' || pattern.startsWith('^[^\\u0000');
const isTyped = ({ schema }: Described) =>
  schema.type !== 'string' || !isAnyText(schema) || ['format', 'enum', 'anyOf'].some((word) => word in schema);

const badValuesOf = ({ wire }: Described): readonly string[] =>
  BAD[wire] ?? (ANYTHING.includes(wire) ? [] : ['a\tb', 'a\nb']);

/** A request that has nothing wrong with it, apart from what is asked to be different. */
function request(operation: AnyOperation, changes: Fields = {}): Fields {
  const required = fieldsOf(operation).filter((field) => field.required && field.wire !== 'control');
  const good = required.map(({ wire }) => [wire, /^client.order/.test(wire) ? newOrderId() : GOOD[wire]]);
  return { ...Object.fromEntries(good), ...ALSO[operation.name as OperationName], ...changes };
}

/** Signed as the operation wants it, over the values as they stand. */
function send({ demo }: TestGateway, operation: AnyOperation, fields: Fields): Promise<Reply> {
  const { auth, path } = operation;
  if (auth.scheme === 'oauth') {
    const method = auth.method === 'either' ? 'HMAC-SHA1' : auth.method;
    return demo.oauth(path, fields, { endpoint: ENDPOINT, method });
  }
  if (auth.scheme === 'open') return demo.post(`${path}/${ENDPOINT}`, fields);
  const named = new Map(Object.entries(fields).map(([wire, value]) => [canonicalName(wire), value]));
  const signed = auth.over.map((name) => (name === 'endpointId' ? String(ENDPOINT) : (named.get(name) ?? '')));
  return demo.post(`${path}/${ENDPOINT}`, { control: sha1(signed.join('') + demo.key), ...fields });
}

function expectFaults({ status, body }: Reply, expected: readonly (readonly [string, string])[], about: string): void {
  const faults = (body.errors ?? []) as { field?: string; code: string; message: string }[];
  expect({ status, type: body.type, about }).toEqual({ status: 400, type: 'validation-error', about });
  const named = faults.map(({ field, code }) => `${field} ${code}`);
  expect(named, about).toEqual(expect.arrayContaining(expected.map(([field, code]) => `${field} ${code}`)));
  for (const { message, field } of faults) {
    expect(body['error-message']).toContain(message);
    expect(message).toContain(field);
  }
}

/** A request as a failed test shows it. */
const shortened = (fields: Fields) =>
  Object.entries(fields)
    .map(([wire, value]) => `${wire}=${value?.slice(0, 40)}`)
    .join('&');

it('every typed field of every operation has bad values here', () => {
  const typed = built.flatMap(fieldsOf).filter((field) => isTyped(field) && field.wire !== 'control');
  expect(typed.filter(({ wire }) => !(wire in BAD)).map(({ wire }) => wire)).toEqual([]);
});

describeGateway('bad input', {}, (gateway) => {
  let before: unknown;

  const counted = () =>
    gateway.query(
      `select (select count(*)::int from orders) as orders, (select count(*)::int from transactions) as transactions,
         (select count(*)::int from cards) as cards, (select count(*)::int from ledger_entries) as entries,
         (select count(*)::int from card_references) as card_references,
         (select count(*)::int from recurring_payments) as recurring`,
    );

  beforeAll(async () => {
    before = await counted();
  });

  afterAll(() => expect(gateway.log.filter((line) => line.includes('"level":"error"'))).toEqual([]));

  describe.each(built.map((operation) => [operation.path, operation] as const))('to %s', (_, operation) => {
    const fields = fieldsOf(operation);
    const told = fields.filter((field) => !isCredential(field));

    /** Sends them all at once, to be quick, and looks at each. */
    async function expectEach(
      cases: readonly { readonly changes: Fields; readonly faults: readonly (readonly [string, string])[] }[],
    ) {
      const replies = await Promise.all(
        cases.map(({ changes }) => send(gateway, operation, request(operation, changes))),
      );
      cases.forEach(({ changes, faults }, index) => {
        expectFaults(replies[index] as Reply, faults, shortened(changes));
      });
      expect(await counted()).toEqual(before);
    }

    it('that lacks a required field is refused, and so is one that lacks them all', async () => {
      const required = told.filter((field) => field.required).map(({ wire }) => wire);
      const lacking = (wires: readonly string[]) => ({
        changes: Object.fromEntries(wires.map((wire) => [wire, undefined])),
        faults: wires.map((wire) => [wire, REQUIRED] as const),
      });
      const empty = (wires: readonly string[]) => ({
        ...lacking(wires),
        changes: Object.fromEntries(wires.map((wire) => [wire, ''])),
      });
      await expectEach([...required.map((wire) => lacking([wire])), lacking(required), empty(required)]);
    });

    it('with a field that is too long is refused, and so is one with all of them too long', async () => {
      const tooLong = (some: readonly Described[]) => ({
        changes: Object.fromEntries(some.map(({ wire, maxLength }) => [wire, '9'.repeat(maxLength + 1)])),
        faults: some.map(({ wire }) => [wire, TOO_LONG] as const),
      });
      await expectEach([...told.map((field) => tooLong([field])), tooLong(told)]);
    });

    it('with a malformed field is refused, and so is one with all of them malformed', async () => {
      const malformed = (some: readonly (readonly [string, string])[]) => ({
        changes: Object.fromEntries(some),
        faults: some.map(([wire]) => [wire, MALFORMED] as const),
      });
      const each = told.flatMap((field) => badValuesOf(field).map((value) => [field.wire, value] as const));
      const all = told.flatMap((field) =>
        badValuesOf(field)
          .slice(0, 1)
          .map((value) => [field.wire, value] as const),
      );
      await expectEach([...each.map((one) => malformed([one])), malformed(all)]);
    });

    it('with missing, long and malformed fields together names every one of them', async () => {
      const [missing] = told.filter((field) => field.required);
      const rest = told.filter((field) => field !== missing);
      const changes: Record<string, string | undefined> = { [missing?.wire as string]: undefined };
      const faults: (readonly [string, string])[] = [[missing?.wire as string, REQUIRED]];
      rest.forEach((field, index) => {
        const [bad] = badValuesOf(field);
        const isBad = index % 2 === 0 && bad !== undefined;
        changes[field.wire] = isBad ? bad : '9'.repeat(field.maxLength + 1);
        faults.push([field.wire, isBad ? MALFORMED : TOO_LONG]);
      });
      await expectEach([{ changes, faults }]);
    });

    it('with a login or control that is missing, too long or wrong is told no more than that', async () => {
      const credentials = fields.filter((field) => isCredential(field) && field.required);
      const values = [undefined, '', 'somebody', 'x'.repeat(200)];
      const cases = credentials.flatMap(({ wire }) => values.map((value) => ({ [wire]: value })));
      const replies = await Promise.all(cases.map((changes) => send(gateway, operation, request(operation, changes))));
      for (const { status, body } of replies) {
        expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: INVALID_CONTROL });
      }
      expect(await counted()).toEqual(before);
    });
  });

  it('was bad for its faults only: without them the fields of every request are in order', async () => {
    for (const operation of built) {
      const { status, text, body } = await send(gateway, operation, request(operation));
      const code = Number(body['error-code'] ?? 0);
      expect(status === 200 || code >= 30, `${operation.name} answered ${status} ${text}`).toBe(true);
    }
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
