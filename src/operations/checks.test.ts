import { describe, expect, test } from 'vitest';
import { canonicalName, readForm } from './form.ts';
import { operations } from './index.ts';
import type { Operation } from './operation.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

function faultsOf(name: string, query: string): string[] {
  const operation: Operation = operations.find((each) => each.name === name)!;
  const parameters = new Map([...new URLSearchParams(query)].map(([key, value]) => [canonicalName(key), value]));
  const { faults } = readForm(operation.request, parameters, { now, currency: 'USD', notation: 'major' });
  return faults.map(({ error, field }) => `${field} ${error.replace('parameter-', '')}`);
}

const order = 'client_orderid=a&amount=10&currency=USD';
const followUp = 'login=demo&client_orderid=a&orderid=1&control=00';
const card = 'credit_card_number=4444555566661111';
const expiry = 'expire_month=12&expire_year=31';
const profile = `client_orderid=a&currency=USD&${card}&rp_card_type=SRC&${expiry}`;
const monthly = `${profile}&amount=10&interval=1&interval_unit=month`;

describe.each([
  ['CAPTURE', followUp, []],
  ['CAPTURE', `${followUp}&amount=5&currency=USD`, []],
  ['CAPTURE', `${followUp}&amount=5`, ['currency required']],
  ['RETURN', `${followUp}&currency=USD`, ['currency contradicts']],

  ['PAYOUT', `${order}&${card}`, []],
  ['PAYOUT', `${order}&card_recurring_payment_id=77`, []],
  ['PAYOUT', `${order}&account_number=DE89370400440532013000`, []],
  ['PAYOUT', order, ['credit_card_number required']],
  ['PAYOUT', `${order}&${card}&account_number=1`, ['account_number contradicts']],
  ['PAYOUT', `${order}&${card}&expire_month=12`, ['expire_year required']],
  ['PAYOUT', `${order}&${card}&expire_month=10&expire_year=26`, ['expire_year card-expired']],
  ['PAYOUT', `${order}&credit_card_number=4444555566661112`, ['credit_card_number malformed']],

  ['TRANSFER', `${order}&${card}&${expiry}&cvv2=123&destination=4111111111111111`, []],
  ['TRANSFER', `${order}&deposit2card=true&destination-card-no=4111111111111111`, []],
  ['TRANSFER', `${order}&card_recurring_payment_id=7&deposit2card=false&destination_card_recurring_payment_id=8`, []],
  [
    'TRANSFER',
    `${order}&${card}&destination-card-no=4111111111111111`,
    ['expire_month required', 'expire_year required', 'cvv2 required'],
  ],
  ['TRANSFER', `${order}&deposit2card=false&destination-card-no=4111111111111111`, ['credit_card_number required']],
  ['TRANSFER', `${order}&deposit2card=maybe&destination-card-no=4111111111111111`, ['deposit2card malformed']],
  [
    'TRANSFER',
    `${order}&deposit2card=true&card_recurring_payment_id=7&destination-card-no=4111111111111111`,
    ['deposit2card contradicts'],
  ],
  ['TRANSFER', `${order}&deposit2card=true`, ['destination-card-no required']],

  ['TRANSFER_BY_REF', `${order}&destination-card-ref-id=8`, []],
  [
    'TRANSFER_BY_REF',
    `${order}&destination-card-ref-id=8&destination-card-no=4111111111111111`,
    ['destination-card-ref-id contradicts'],
  ],

  ['PAN_ELIGIBILITY_SEND', 'client-order-id=a&sending-card-ref-id=7654321', []],
  ['PAN_ELIGIBILITY_SEND', `client-order-id=a&sending-card-number=4444555566661111&card-printed-name=A&${expiry}`, []],
  [
    'PAN_ELIGIBILITY_SEND',
    'client-order-id=a&sending-card-number=4444555566661111',
    ['card-printed-name required', 'expire_month required', 'expire_year required'],
  ],
  ['PAN_ELIGIBILITY_SEND', 'client-order-id=a', ['sending-card-ref-id required']],
  ['PAN_ELIGIBILITY_RECEIVE', 'client-order-id=a&receiving-card-number=4444555566661111', []],
  ['PAN_ELIGIBILITY_BOTH', 'client-order-id=a&sending-card-ref-id=1', ['receiving-card-ref-id required']],

  ['CREATE_RP_V4', profile, []],
  [
    'CREATE_RP_V4',
    `client_orderid=a&currency=USD&${card}&rp_card_type=SRC`,
    ['expire_month required', 'expire_year required'],
  ],
  ['CREATE_RP_V4', `client_orderid=a&currency=USD&${card}&rp_card_type=DST`, []],
  ['CREATE_RP_V4', `${profile}&amount=10&interval=1&interval_unit=month`, []],
  ['CREATE_RP_V4', `${profile}&amount_sequence=10,20&interval=1&interval_unit=month`, []],
  ['CREATE_RP_V4', `${profile}&interval=1&interval_unit=month`, ['amount required']],
  ['CREATE_RP_V4', `${profile}&amount=10&interval=1`, ['interval_unit required']],
  ['CREATE_RP_V4', `${profile}&amount=10&amount_sequence=10,20`, ['amount_sequence contradicts']],
  ['CREATE_RP_V4', `${profile}&amount=10&amount_from=1&amount_to=2`, ['amount_from contradicts']],
  ['CREATE_RP_V4', `${profile}&amount_from=1`, ['amount_to required']],
  ['CREATE_RP_V4', `${profile}&amount_from=3&amount_to=2`, ['amount_to contradicts']],
  ['CREATE_RP_V4', `${monthly}&start_date=20270102&finish_date=20270101`, ['finish_date contradicts']],
  ['CREATE_RP_V4', `${monthly}&start_date=20261114`, []],
  ['CREATE_RP_V4', `${monthly}&start_date=20261113`, ['start_date contradicts']],
  ['CREATE_RP_V4', `${profile}&amount=10&start_date=20270102`, ['start_date contradicts']],
  [
    'CREATE_RP_V4',
    `client_orderid=a&currency=USD&${card}&rp_card_type=DST&amount=1&interval=1&interval_unit=day`,
    ['interval contradicts'],
  ],
])('%s with %s', (name, query, faults) => {
  test(faults.length === 0 ? 'is complete' : faults.join(', '), () => {
    expect(faultsOf(name, query)).toEqual(faults);
  });
});
