// The forms of a charge. The intent's form holds neither the card nor anything that can change or be forgotten, so any
// node can send it again, word for word, and learn what became of it. The card travels in a form of its own.

import type { ChargeInstruction, Circumstances, Payer } from '../acquirer.ts';
import type { FormFields } from './form-fields.ts';
import { CHECKS, type IntentKind, PAYMENTS } from './intent.ts';

export function intentKindOf({ kind }: Pick<ChargeInstruction, 'kind'>): IntentKind {
  return kind === 'verification' ? CHECKS : PAYMENTS;
}

/** `amount` is in Stripe's units. */
export function intentFields({ kind, reference, amount: { currency } }: ChargeInstruction, amount: bigint): FormFields {
  const any = { payment_method_types: ['card'], metadata: { reference } };
  if (kind === 'verification') return { ...any, usage: 'off_session' };
  const capture_method = kind === 'preauth' ? 'manual' : 'automatic';
  return { amount, currency: currency.toLowerCase(), capture_method, ...any };
}

export function cardFields({ card }: ChargeInstruction, payer: Payer): FormFields {
  const { number, expireMonth, expireYear, cvv, holder } = card;
  const typed = [payer.firstName, payer.lastName].filter((part) => part !== undefined && part !== '').join(' ');
  return {
    type: 'card',
    card: { number: number.reveal(), exp_month: expireMonth, exp_year: expireYear, cvc: cvv?.reveal() },
    billing_details: given({
      name: holder ?? typed,
      email: payer.email,
      phone: payer.phone,
      address: given({
        line1: payer.address,
        city: payer.city,
        state: payer.state,
        postal_code: payer.zipCode,
        country: payer.country,
      }),
    }),
  };
}

/** Stripe reads an empty text as the wish to forget a value. */
function given(fields: FormFields): FormFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

export type ConfirmOptions = {
  readonly paymentMethod: string;
  /** Stripe must have opened this for the account. */
  readonly networkTransactionIds: boolean;
};

export function confirmFields(
  instruction: ChargeInstruction,
  around: Pick<Circumstances, 'returnUrl' | 'stored' | 'firstNetworkTransactionId'>,
  { paymentMethod, networkTransactionIds }: ConfirmOptions,
): FormFields {
  const isAway = instruction.initiator === 'merchant';
  const first = networkTransactionIds && isAway ? around.firstNetworkTransactionId : undefined;
  const any = {
    payment_method: paymentMethod,
    return_url: isAway ? undefined : around.returnUrl,
    payment_method_options: {
      card: {
        three_d_secure: authenticationFields(instruction),
        mit_exemption: first === undefined ? undefined : { network_transaction_id: first },
      },
    },
    expand: intentKindOf(instruction).expand,
  };
  if (instruction.kind === 'verification') return any;
  return {
    ...any,
    off_session: isAway ? true : undefined,
    // Nobody can be sent to the issuer, so Stripe is to decline instead of waiting for it.
    error_on_requires_action: !isAway && around.returnUrl === undefined ? true : undefined,
    setup_future_usage: !isAway && around.stored === 'now' ? 'off_session' : undefined,
  };
}

/** The indicators that Stripe takes. */
const INDICATORS: ReadonlySet<string> = new Set(['01', '02', '05', '06', '07']);

/** Stripe takes the result of 3-D Secure only with the issuer's proof and the name of the transaction. */
function authenticationFields({ authentication }: ChargeInstruction): FormFields | undefined {
  const { version, status, eci, cavv, dsTransactionId, xid } = authentication ?? {};
  const transaction_id = dsTransactionId ?? xid;
  if (cavv === undefined || transaction_id === undefined || version === undefined) return undefined;
  return {
    version,
    cryptogram: cavv.reveal(),
    transaction_id,
    ares_trans_status: status,
    electronic_commerce_indicator: eci !== undefined && INDICATORS.has(eci) ? eci : undefined,
  };
}
