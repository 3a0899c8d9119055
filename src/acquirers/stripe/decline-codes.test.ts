import { describe, expect, it } from 'vitest';
import { meaningOf } from '../../domain/acquirer/action-codes.ts';
import { actionCodeOf, failedRefundCode, NO_REASON } from './decline-codes.ts';

const declined = (decline_code: string, code = 'card_declined') =>
  actionCodeOf({ type: 'card_error', code, decline_code }, NO_REASON);

describe('actionCodeOf', () => {
  it.each([
    ['insufficient_funds', 'There are not enough funds.'],
    ['lost_card', 'The card was reported lost.'],
    ['stolen_card', 'The card was reported stolen.'],
    ['expired_card', 'The card has expired.'],
    ['fraudulent', 'The bank suspects fraud.'],
    ['do_not_honor', 'The bank declined the payment without giving a reason.'],
    ['generic_decline', 'The bank declined the payment without giving a reason.'],
    ['pickup_card', 'The bank declined the payment and wants the card withheld.'],
    ['incorrect_number', 'The card number is not valid.'],
    ['issuer_not_available', "The cardholder's bank cannot be reached."],
    ['card_velocity_exceeded', 'The card was used more often than its limit allows.'],
    ['withdrawal_count_limit_exceeded', 'The amount is above the limit of the card.'],
    ['stop_payment_order', 'The cardholder may not make this kind of payment.'],
    ['try_again_later', 'The bank asks for the payment to be made again.'],
  ])('%s: %s', (code, meaning) => {
    expect(meaningOf(declined(code))).toBe(meaning);
  });

  it.each([
    ['an unlisted reason', { decline_code: 'a_reason_of_tomorrow', code: 'card_declined' }, '100'],
    ['the name of something every object has', { decline_code: 'constructor', code: 'toString' }, '100'],
    ['nothing at all', {}, '100'],
    ['a card that has expired', { code: 'expired_card' }, '101'],
    ['a payer who failed the challenge', { code: 'payment_intent_authentication_failure' }, '190'],
    ['an issuer that wants the payer authenticated', { code: 'authentication_required' }, '191'],
    ['the issuer before the request', { code: 'expired_card', decline_code: 'insufficient_funds' }, '116'],
    ['texts that are none', { code: 7, decline_code: null }, '100'],
  ])('%s', (_says, error, expected) => {
    expect(actionCodeOf(error, NO_REASON)).toBe(expected);
  });
});

describe('failedRefundCode', () => {
  it.each([
    ['lost_or_stolen_card', '208'],
    ['expired_or_canceled_card', '101'],
    ['unknown', '909'],
    [undefined, '909'],
  ])('%s is %s', (failure_reason, expected) => {
    expect(failedRefundCode({ failure_reason })).toBe(expected);
  });
});
