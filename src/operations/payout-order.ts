// The form of a payout, and what it asks of the gateway.

import type { BankAccount } from '../acquirers/acquirer.ts';
import { invariant } from '../domain/errors.ts';
import type { PayoutRequest } from '../processing/payouts/payout.ts';
import { detailsOf } from './card-order.ts';
import { cardNotExpired, expiryWhole, payoutTarget } from './checks.ts';
import * as field from './fields.ts';
import { form, type Values } from './form.ts';

export const payoutRequestForm = form(field.payoutFields, payoutTarget, expiryWhole, cardNotExpired);

type PayoutValues = Values<typeof field.payoutFields>;

/** `checked`: the payout waits until it is confirmed. */
export function payoutRequest(values: PayoutValues, when: 'now' | 'checked'): PayoutRequest {
  const { clientOrderId, amount } = values;
  return {
    clientOrderId,
    amount,
    to: payeeOf(values),
    awaitsConfirmation: when === 'checked',
    details: detailsOf(values),
  };
}

function payeeOf(values: PayoutValues): PayoutRequest['to'] {
  const { creditCardNumber: number, cardPrintedName, expireMonth, expireYear, cardRecurringPaymentId } = values;
  if (number) {
    const holder = cardPrintedName === undefined ? {} : { holder: cardPrintedName };
    return { typed: { number, ...holder, expireMonth, expireYear } };
  }
  if (cardRecurringPaymentId !== undefined) {
    return { reference: cardRecurringPaymentId, field: field.cardRecurringPaymentId.wire };
  }
  return { account: accountOf(values) };
}

function accountOf(values: PayoutValues): BankAccount {
  const { accountNumber: number } = values;
  invariant(number, 'a payout has one payee');
  const told = {
    name: values.accountName,
    bankName: values.bankName,
    bankBranch: values.bankBranch,
    bankCode: values.bankCode,
    routingNumber: values.routingNumber,
    bankProvince: values.bankProvince,
    bankArea: values.bankArea,
    bankCity: values.bankCity,
    bankAddress: values.bankAddress1,
    bankZipCode: values.bankZipCode,
  };
  const known = Object.entries(told).filter(([, text]) => text !== undefined);
  return { number, ...Object.fromEntries(known) };
}
