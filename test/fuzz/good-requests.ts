// A good request for every operation: one that is accepted as it is, about orders and cards that exist. Everything that
// is sent begins as one of these.

import { type OperationName, operations } from '../../src/operations/index.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { BROWSER, TOLD } from '../scenarios/authenticating.ts';
import type { Chance } from './chance.ts';
import type { Known, KnownOrder, Place, Step } from './known.ts';

type FuzzFields = Record<string, string>;

export type GoodRequest = { readonly operation: OperationName; readonly place: Place; readonly fields: FuzzFields };

/** What good requests are made from. */
export type World = { readonly chance: Chance; readonly known: Known; readonly now: number };

type Good = { readonly place: Place; readonly fields: FuzzFields } | undefined;

const CARD = '4444555566661111';
const OTHER_CARD = '5555555555554444';

const USD: Place = { path: '101', currency: 'USD' };
const PLACES: readonly Place[] = [
  USD,
  USD,
  { path: '103', currency: 'USD' },
  { path: '104', currency: 'JPY' },
  { path: 'group/200', currency: 'USD' },
  { path: '200', currency: 'JPY' },
  { path: '201', currency: 'USD' },
  { path: '102', currency: 'EUR', asksPayer: true },
  { path: '105', currency: 'EUR', asksPayer: true },
];
const PAYERS_CARDS = [TEST_CARDS.challenge, TEST_CARDS.challengeMethod, TEST_CARDS.legacy, TEST_CARDS.frictionless];

const fresh = ({ chance }: World) => ({ client_orderid: `fuzz-${chance.seed()}` });
const expiry = { expire_month: '12', expire_year: '2031' };

function money({ chance }: World, { currency }: Place): { amount: string; currency: string } {
  const amounts = currency === 'JPY' ? ['500', '1042'] : ['10.42', '1042', '100.00', '7', '25.5'];
  return { amount: chance.oneOf(amounts), currency };
}

const small = ({ currency }: Place) => ({ amount: currency === 'JPY' ? '1' : '0.10', currency });

function cardOrder(world: World, place = world.chance.oneOf(PLACES)): Good {
  const number = place.asksPayer ? world.chance.oneOf(PAYERS_CARDS).number : CARD;
  // A few are declined, or end in a way that nobody knows at first.
  const cvv2 = world.chance.happens(0.1) ? world.chance.oneOf(['116', '217', '209']) : '123';
  const browser = place.asksPayer && world.chance.happens(0.5) ? (BROWSER as FuzzFields) : {};
  const card = { credit_card_number: number, ...expiry, cvv2 };
  return { place, fields: { ...fresh(world), ...money(world, place), email: 'ann@example.com', ...card, ...browser } };
}

function form(world: World): Good {
  const place = world.chance.oneOf(PLACES);
  return { place, fields: { ...fresh(world), ...money(world, place), email: 'ann@example.com' } };
}

function verificationForm(world: World): Good {
  const place = world.chance.oneOf(PLACES);
  return { place, fields: { ...fresh(world), currency: place.currency, email: 'ann@example.com' } };
}

function verification(world: World): Good {
  const { place, fields } = cardOrder(world, USD) as NonNullable<Good>;
  const { amount: _, ...rest } = fields;
  return { place, fields: rest };
}

const named = ({ clientOrderId, orderId }: KnownOrder) => ({ client_orderid: clientOrderId, orderid: orderId });

/** About an order, if there is one. */
function about(order: KnownOrder | undefined, more: (order: KnownOrder) => FuzzFields = () => ({})): Good {
  return order && { place: order.place, fields: { login: 'demo', ...named(order), ...more(order) } };
}

const ofSale = (world: World) => world.known.settled('sale', world.chance, world.now);
const ofPreauth = (world: World) => world.known.settled('preauth', world.chance, world.now);

/** What the same merchant asks twice is the same request, unless it says something else. */
const comment = ({ chance }: World) => ({ comment: `note ${chance.seed()}` });

function anyOrder(world: World): KnownOrder | undefined {
  const { known, chance } = world;
  const kind = chance.oneOf(['sale', 'preauth', 'checked', 'asksPayer', 'asksPayer', 'other'] as const);
  const { [kind]: orders } = known.orders;
  return orders.length === 0 ? undefined : chance.oneOf(orders);
}

/** With a stored card, if there is one. */
function withCard(world: World, list: 'cards' | 'storedCards' | 'recurring', more: (id: string) => FuzzFields): Good {
  const ids = world.known[list];
  return ids.length === 0 ? undefined : { place: USD, fields: more(world.chance.oneOf(ids)) };
}

const rebill = (world: World) =>
  withCard(world, 'cards', (cardrefid) => ({ login: 'demo', cardrefid, ...fresh(world), ...money(world, USD) }));

function payout(world: World): Good {
  const fields = { ...fresh(world), ...small(USD) };
  if (world.chance.happens(0.3)) {
    return withCard(world, 'storedCards', (id) => ({ ...fields, card_recurring_payment_id: id }));
  }
  const account = { account_number: 'DE89370400440532013000', account_name: 'Ann Example' };
  return { place: USD, fields: { ...fields, ...(world.chance.happens(0.3) ? account : { credit_card_number: CARD }) } };
}

const sendingCard = { 'sending-card-number': CARD, 'card-printed-name': 'ANN EXAMPLE', ...expiry };
const receivingCard = { 'receiving-card-number': OTHER_CARD };
const eligibility =
  (fields: FuzzFields) =>
  (world: World): Good => ({ place: USD, fields: { 'client-order-id': fresh(world).client_orderid, ...fields } });

function upload(world: World, kind: 'method' | 'cres' | 'pares', more: FuzzFields = {}): Good {
  const steps: Step[] = world.known.steps[kind];
  if (steps.length === 0) return undefined;
  const { order, fields } = world.chance.oneOf(steps);
  const names = { 'client-order-id': order.clientOrderId, orderid: order.orderId };
  return { place: order.place, fields: { login: 'demo', ...names, ...fields, ...more } };
}

const GOOD: Readonly<Record<OperationName, (world: World) => Good>> = {
  TDS_UPLOAD_CRES_RESULT: (world) => upload(world, 'cres'),
  TDS_UPLOAD_METHOD_URL_RESULT: (world) => upload(world, 'method', TOLD as FuzzFields),
  TDS_UPLOAD_PARES_RESULT: (world) => upload(world, 'pares'),
  ACCOUNT_VERIFICATION_FORM: verificationForm,
  ACCOUNT_VERIFICATION: verification,
  SYNC_ACCOUNT_VERIFICATION: verification,
  CAPTURE: (world) => about(ofPreauth(world), ({ place }) => ({ ...small(place), ...comment(world) })),
  CARDREF: (world) => about(ofSale(world)),
  CARDREF_V4: (world) => about(ofSale(world)),
  CARDINFO: (world) => withCard(world, 'cards', (cardrefid) => ({ login: 'demo', cardrefid })),
  REBILL: rebill,
  REBILL_SALE: rebill,
  REBILL_PREAUTH: rebill,
  PAYMENTFORM: form,
  PREAUTHFORM: form,
  SALEFORM: form,
  PAYOUTFORM: (world) => ({ place: USD, fields: { ...fresh(world), ...small(USD) } }),
  PAYOUT: payout,
  PAYOUT_V4: payout,
  PAYOUT_V4_CHECK: payout,
  PAYOUT_V4_PAY: (world) => about(world.known.taken('checked', world.chance, world.now)),
  PREAUTH: cardOrder,
  SALE: cardOrder,
  SALE_V4: cardOrder,
  RETURN: (world) => about(ofSale(world), ({ place }) => ({ ...small(place), ...comment(world) })),
  VOID: (world) => about(world.known.taken('sale', world.chance, world.now)),
  STATUS: (world) => about(anyOrder(world)),
  STATUS_V4: (world) => about(anyOrder(world)),
  CREATE_RP_V4: (world) => ({
    place: USD,
    fields: { ...fresh(world), rp_card_type: 'SRC', credit_card_number: CARD, ...expiry, currency: 'USD' },
  }),
  PROCESS_RP_V4: (world) =>
    withCard(world, 'recurring', (id) => ({ ...fresh(world), 'recurring-payment-id': id, amount: '3.00' })),
  PAN_ELIGIBILITY_SEND: eligibility(sendingCard),
  PAN_ELIGIBILITY_RECEIVE: eligibility(receivingCard),
  PAN_ELIGIBILITY_BOTH: eligibility({ ...sendingCard, ...receivingCard }),
  TRANSFER: (world) => ({
    place: USD,
    fields: {
      ...fresh(world),
      ...money(world, USD),
      ...(world.chance.happens(0.3) ? { deposit2card: 'true' } : { credit_card_number: CARD, ...expiry, cvv2: '123' }),
      'destination-card-no': OTHER_CARD,
    },
  }),
  TRANSFER_BY_REF: (world) =>
    withCard(world, 'cards', (id) => ({
      ...fresh(world),
      ...small(USD),
      'source-card-ref-id': id,
      'destination-card-no': OTHER_CARD,
    })),
  TRANSFER_BY_REF_V2: (world) =>
    withCard(world, 'cards', (id) => ({
      login: 'demo',
      ...fresh(world),
      ...small(USD),
      'source-card-ref-id': id,
      'destination-card-ref-id': id,
    })),
};

/** Fields that may stand in any form that has them, whatever else it says. */
const OPTIONAL: FuzzFields = {
  order_desc: 'A pair of socks',
  first_name: 'Ann',
  last_name: "O'Example",
  ssn: '1267',
  birthday: '19800131',
  address1: '1 Main Street',
  city: 'Springfield',
  state: 'CA',
  zip_code: '12345',
  country: 'US',
  phone: '+12025550123',
  cell_phone: '+12025550124',
  ipaddress: '203.0.113.7',
  site_url: 'https://shop.example',
  purpose: 'a telephone',
  customer_browser_language: 'en-GB',
  customer_browser_time_zone: '-120',
  card_printed_name: 'ANN EXAMPLE',
  redirect_url: 'https://shop.example/back',
  redirect_success_url: 'https://shop.example/good',
  redirect_fail_url: 'https://shop.example/bad',
  server_callback_url: 'https://shop.example/callback',
  notify_url: 'https://shop.example/notify',
  merchant_data: 'anything, & more = fine',
  comment: 'a note',
  recurrent_scenario: 'REGULAR',
  receiver_first_name: 'Bob',
  receiver_city: 'Shelbyville',
  receiver_resident: 'true',
};

/** Those that others need orders of come more often. */
const NAMES: readonly OperationName[] = [
  ...operations.map(({ name }) => name),
  ...(['SALE', 'SALE', 'PREAUTH', 'STATUS', 'STATUS', 'PAYOUT_V4_CHECK', 'CARDREF'] as const),
];

export function goodRequest(world: World): GoodRequest {
  const operation = world.chance.oneOf(NAMES);
  const good = GOOD[operation](world);
  if (!good) return { operation: 'SALE', ...(cardOrder(world) as NonNullable<Good>) };
  const wires = Object.values(operationNamed(operation).request.fields).map(({ wire }) => wire);
  const more = wires
    .filter((wire) => wire in OPTIONAL && !(wire in good.fields) && world.chance.happens(0.25))
    .map((wire) => [wire, OPTIONAL[wire] ?? ''] as const);
  return { operation, place: good.place, fields: { ...good.fields, ...Object.fromEntries(more) } };
}

export function operationNamed(name: OperationName): AnyOperation {
  const all: readonly AnyOperation[] = operations;
  return all.find((one) => one.name === name) as AnyOperation;
}
