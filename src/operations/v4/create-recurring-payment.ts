import { Refusal } from '../../domain/errors.ts';
import type { Amounts } from '../../domain/recurring/recurring.ts';
import { orderIds } from '../acknowledgement.ts';
import { detailsOf } from '../card-order.ts';
import {
  browserComplete,
  cardNotExpired,
  recurringAmountsAgree,
  scheduleAgrees,
  sourceCardHasExpiry,
} from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form, optional, type Values } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { type Reply, reply, response } from '../response.ts';

export const createRecurringPaymentResponse = response(
  'CreateRecurringPaymentResponse',
  'create-recurring-payment-response',
  {
    status: '`approved` when the recurring payment exists.',
    'merchant-order-id': orderIds['merchant-order-id'],
    'recurring-payment-id': 'The recurring payment, for process-recurring-payment, transfers and payouts.',
  },
);

export const createRecurringPayment = defineOperation({
  name: 'CREATE_RP_V4',
  path: '/api/v4/create-recurring-payment',
  summary: 'Store a card with the amounts and times it is to be charged, or to send money to it.',
  schema: 'RecurringPaymentForCreation',
  auth: oauth('RSA-SHA256'),
  groups: false,
  request: form(
    {
      clientOrderId: field.clientOrderId,
      recurringCardType: field.recurringCardType,
      creditCardNumber: field.creditCardNumber,
      ...allOptional({
        cvv2: field.cvv2,
        expireMonth: field.expireMonth,
        expireYear: field.expireYear,
        cardPrintedName: field.cardPrintedName,
      }),
      currency: field.currency,
      orderDescription: optional(field.orderDescription),
      ...field.recurringAmounts,
      ...field.schedule,
      ...allOptional(field.payer),
      ...field.callbacks,
    },
    sourceCardHasExpiry,
    cardNotExpired,
    recurringAmountsAgree,
    scheduleAgrees,
    browserComplete,
  ),
  response: createRecurringPaymentResponse,
  again: async (clientOrderId, caller, gateway) => {
    const id = await gateway.earlierRecurringPayment(clientOrderId, caller);
    return id === undefined ? undefined : created(clientOrderId, id);
  },
  handle: async (values, caller, gateway) => {
    const { clientOrderId, currency, intervalUnit, interval, startDate, finishDate } = values;
    const id = await gateway.createRecurringPayment(
      {
        clientOrderId,
        direction: values.recurringCardType === 'SRC' ? 'from-card' : 'to-card',
        // The security code may not be kept, and nothing is authorised now.
        card: {
          number: values.creditCardNumber,
          expireMonth: values.expireMonth,
          expireYear: values.expireYear,
          ...(values.cardPrintedName === undefined ? {} : { holder: values.cardPrintedName }),
        },
        currency,
        amounts: amountsOf(values),
        rhythm: intervalUnit && interval ? { unit: intervalUnit, interval } : undefined,
        startDate,
        finishDate,
        details: detailsOf(values),
      },
      caller,
    );
    return id instanceof Refusal ? id : created(clientOrderId, id);
  },
});

function created(clientOrderId: string, id: number): Reply<typeof createRecurringPaymentResponse> {
  return reply(createRecurringPaymentResponse, {
    status: 'approved',
    'merchant-order-id': clientOrderId,
    'recurring-payment-id': String(id),
  });
}

function amountsOf({ amount, amountFrom, amountTo, amountSequence }: Values<typeof field.recurringAmounts>): Amounts {
  if (amount) return { kind: 'fixed', minor: amount.minor };
  if (amountFrom && amountTo) return { kind: 'range', least: amountFrom.minor, most: amountTo.minor };
  return amountSequence ? { kind: 'sequence', minors: amountSequence.map(({ minor }) => minor) } : { kind: 'open' };
}
