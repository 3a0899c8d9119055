// What Stripe calls a decline, as ISO 8583:1993 action codes. Stripe says why an issuer declined in `decline_code`, and
// what was wrong with the card or the request in `code`; a reason that is not listed is a decline without a reason.

import { AUTHENTICATION_REFUSED, AUTHENTICATION_UNAVAILABLE } from '../../domain/three-d-secure/authentication.ts';
import { type StripeObject, textAt } from './stripe-object.ts';

export const NO_REASON = '100';
export const BAD_AMOUNT = '110';
export const UNKNOWN_MERCHANT = '109';
export const NOT_ACCEPTED = '902';
export const NOT_READ = '904';
export const NO_SUCH_TRANSACTION = '914';

const BY_DECLINE_CODE: Readonly<Record<string, string>> = {
  approve_with_id: '107',
  authentication_required: AUTHENTICATION_UNAVAILABLE,
  call_issuer: '107',
  card_not_supported: '119',
  card_velocity_exceeded: '123',
  currency_not_supported: '115',
  do_not_honor: NO_REASON,
  do_not_try_again: '119',
  duplicate_transaction: '913',
  expired_card: '101',
  fraudulent: '102',
  generic_decline: NO_REASON,
  incorrect_address: NO_REASON,
  incorrect_cvc: NO_REASON,
  incorrect_number: '111',
  incorrect_pin: '117',
  incorrect_zip: NO_REASON,
  insufficient_funds: '116',
  invalid_account: '118',
  invalid_amount: BAD_AMOUNT,
  invalid_cvc: NO_REASON,
  invalid_expiry_month: '101',
  invalid_expiry_year: '101',
  invalid_number: '111',
  invalid_pin: '117',
  issuer_not_available: '912',
  lost_card: '208',
  merchant_blacklist: '102',
  mobile_device_authentication_required: AUTHENTICATION_UNAVAILABLE,
  new_account_information_available: NO_REASON,
  no_action_taken: '921',
  not_permitted: '119',
  offline_pin_required: '112',
  online_or_offline_pin_required: '112',
  pickup_card: '200',
  pin_try_exceeded: '106',
  processing_error: '909',
  reenter_transaction: '903',
  restricted_card: '104',
  revocation_of_all_authorizations: '119',
  revocation_of_authorization: '119',
  security_violation: '122',
  service_not_allowed: '119',
  stolen_card: '209',
  stop_payment_order: '119',
  testmode_decline: NO_REASON,
  transaction_not_allowed: '119',
  try_again_later: '903',
  withdrawal_count_limit_exceeded: '121',
};

const BY_CODE: Readonly<Record<string, string>> = {
  amount_too_large: BAD_AMOUNT,
  amount_too_small: BAD_AMOUNT,
  authentication_required: AUTHENTICATION_UNAVAILABLE,
  balance_insufficient: '116',
  card_decline_rate_limit_exceeded: '123',
  charge_already_captured: NOT_ACCEPTED,
  charge_already_refunded: NOT_ACCEPTED,
  charge_expired_for_capture: NO_SUCH_TRANSACTION,
  charge_exceeds_source_limit: '121',
  charge_exceeds_transaction_limit: '121',
  expired_card: '101',
  incorrect_number: '111',
  insufficient_funds: '116',
  invalid_card_type: '119',
  invalid_charge_amount: BAD_AMOUNT,
  invalid_charge_amount_no_decimal_compatible: BAD_AMOUNT,
  invalid_expiry_month: '101',
  invalid_expiry_year: '101',
  invalid_number: '111',
  payment_intent_authentication_failure: AUTHENTICATION_REFUSED,
  processing_error: '909',
  resource_missing: NO_SUCH_TRANSACTION,
  setup_intent_authentication_failure: AUTHENTICATION_REFUSED,
};

const BY_FAILED_REFUND: Readonly<Record<string, string>> = {
  declined: NO_REASON,
  expired_or_canceled_card: '101',
  insufficient_funds: '116',
  lost_or_stolen_card: '208',
};

const MALFUNCTION = '909';

/** The action code for an error of Stripe; `otherwise` when it says nothing we know. */
export function actionCodeOf(error: StripeObject, otherwise: string): string {
  const reason = textAt(error, 'decline_code');
  const code = textAt(error, 'code');
  return listed(BY_DECLINE_CODE, reason) ?? listed(BY_CODE, code) ?? otherwise;
}

/** The action code for a refund that Stripe took and that failed afterwards. */
export function failedRefundCode(refund: StripeObject): string {
  return listed(BY_FAILED_REFUND, textAt(refund, 'failure_reason')) ?? MALFUNCTION;
}

function listed(codes: Readonly<Record<string, string>>, name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(codes, name) ? codes[name] : undefined;
}
