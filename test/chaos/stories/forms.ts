// Hosted forms: the merchant opens one, and a payer fills it in, sometimes with a card that is declined first.

import { TEST_CARDS } from '../../../src/threeds/index.ts';
import { CARD, type Fields, type ReplyBody } from '../../harness.ts';
import { formRequest } from '../../scenarios/form-payer.ts';
import type { FormType } from '../acknowledgements.ts';
import type { FormEntry } from '../payers.ts';
import type { Requests } from '../requests.ts';
import { confirm } from './confirmation.ts';
import { anyCode, DECLINED, type Story, type StoryParts } from './story.ts';
import { anyAnswers, anyIssuer } from './three-d-secure.ts';

/** By its amount approved or, seldom, declined whatever the card. */
const PAYOUT_AMOUNTS = ['1.00', '1.00', '1.00', '1.00', '1.00', '1.16'];

export function formStories(parts: StoryParts): readonly Story[] {
  return [
    { weight: 5, operations: ['SALEFORM'], tell: () => payForm(parts, 'sale', SALE) },
    { weight: 4, operations: ['PREAUTHFORM'], tell: () => payForm(parts, 'preauth', PREAUTH) },
    { weight: 4, operations: ['PAYMENTFORM'], tell: () => paymentForm(parts) },
    { weight: 3, operations: ['ACCOUNT_VERIFICATION_FORM'], tell: () => verificationForm(parts) },
    { weight: 5, operations: ['PAYOUTFORM', 'PAYOUT_V4_PAY'], tell: () => payoutForm(parts) },
  ];
}

type Form = {
  readonly operation: 'SALEFORM' | 'PREAUTHFORM' | 'PAYMENTFORM' | 'ACCOUNT_VERIFICATION_FORM';
  readonly path: Parameters<typeof formRequest>[1];
};

const SALE: Form = { operation: 'SALEFORM', path: 'sale-form' };
const PREAUTH: Form = { operation: 'PREAUTHFORM', path: 'preauth-form' };
const PAYMENT: Form = { operation: 'PAYMENTFORM', path: 'payment-form' };
const VERIFICATION: Form = { operation: 'ACCOUNT_VERIFICATION_FORM', path: 'account-verification-form' };

async function payForm(parts: StoryParts, formType: 'sale' | 'preauth', form: Form, more: Fields = {}): Promise<void> {
  const { requests } = parts;
  const { usual, authenticated } = requests.places;
  const [{ endpoint }, currency] = requests.chance(0.3) ? [authenticated, 'EUR'] : [usual, 'USD'];
  const order = await filledIn(parts, form, formType, { endpoint, fields: { currency, ...more } });
  if (!order || !requests.chance(0.5) || !(await requests.isApproved(order))) return;
  await requests.followUp(formType === 'sale' ? 'return' : 'capture', order, { amount: '0.70', currency });
}

/** Anybody may ask for one, signed or not, and say what it is for. */
async function paymentForm(parts: StoryParts): Promise<void> {
  const formType = parts.requests.chance(0.5) ? 'sale' : 'preauth';
  const unsigned = parts.requests.chance(0.5) ? { control: undefined } : {};
  await payForm(parts, formType, PAYMENT, { transaction_type: formType, ...unsigned });
}

async function verificationForm(parts: StoryParts): Promise<void> {
  await filledIn(parts, VERIFICATION, 'account-verification', {
    ...parts.requests.places.usual,
    fields: { amount: undefined },
  });
}

async function filledIn(
  { requests, payers }: StoryParts,
  { operation, path }: Form,
  formType: FormType,
  { endpoint, fields }: { endpoint: number; fields: Fields },
): Promise<ReplyBody | undefined> {
  const order = await requests.order(
    operation,
    fields,
    (client, { fields }) => formRequest({ demo: client }, path, fields, { endpoint }),
    { at: { endpoint }, formType },
  );
  if (!order) return undefined;
  await payers.accompany(async () => {
    await payers.fillIn(order['redirect-url'], entry(requests, endpoint));
  });
  return order;
}

/** One that nobody signed, or that the balance does not cover, keeps the card until the merchant confirms it. */
async function payoutForm({ requests, payers }: StoryParts): Promise<void> {
  const isSigned = requests.chance(0.5);
  const { endpoint } = requests.places.usual;
  const order = await requests.order(
    'PAYOUTFORM',
    { amount: requests.oneOf(PAYOUT_AMOUNTS), currency: 'USD' },
    (client, { fields }) =>
      isSigned ? client.oauth('/api/v2/payout-form', fields) : client.post(`/api/v2/payout-form/${endpoint}`, fields),
    { formType: 'payout' },
  );
  if (!order) return;
  await payers.accompany(async () => {
    const fillIn = () => payers.fillIn(order['redirect-url'], entry(requests, endpoint));
    // A payout that is declined asks for another card, which is to be confirmed again.
    while ((await fillIn()) === 'kept') await confirm(requests, order);
  });
}

function entry(requests: Requests, endpoint: number): FormEntry {
  const isDeclinedFirst = requests.chance(0.3);
  const { number } =
    endpoint === requests.places.authenticated.endpoint ? TEST_CARDS[anyIssuer(requests)] : { number: CARD };
  return {
    cardOf: (attempt) => ({
      credit_card_number: number,
      cvv2: isDeclinedFirst && attempt === 1 ? DECLINED : anyCode(requests),
    }),
    clicks: requests.chance(0.3) ? 2 : 1,
    answers: anyAnswers(requests),
  };
}
