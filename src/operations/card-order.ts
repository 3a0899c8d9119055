// Turns the values of a form into a request to the gateway, for all operations that charge a card at once.

import type { CardDetails } from '../acquirers/acquirer.ts';
import type { OrderDetails } from '../domain/order/details.ts';
import type { OrderRequest } from '../processing/orders/order-request.ts';
import * as field from './fields.ts';
import type { Values } from './form.ts';

/** Without the control, for requests that are signed in their header. */
export const unsignedCardOrderFields = { ...field.order, ...field.payer, ...field.card, ...field.links };

export const cardOrderFields = { ...unsignedCardOrderFields, control: field.controlField };

type CardOrderValues = Values<typeof unsignedCardOrderFields>;

/** The form of an operation may hold only some of these fields. */
type Told = { readonly [K in keyof CardOrderValues]?: CardOrderValues[K] | undefined };

export function cardOrder(operation: 'sale' | 'preauth', values: CardOrderValues): OrderRequest {
  return {
    operation,
    type: operation,
    clientOrderId: values.clientOrderId,
    amount: values.amount,
    card: { typed: typedCard(values) },
    details: detailsOf(values),
  };
}

export function typedCard(values: Values<typeof field.card>): CardDetails {
  return {
    number: values.creditCardNumber,
    expireMonth: values.expireMonth,
    expireYear: values.expireYear,
    cvv: values.cvv2,
    holder: values.cardPrintedName,
  };
}

/** The social security number is read but not kept: no acquirer asks for it. */
export function detailsOf(values: Told): OrderDetails {
  return {
    description: values.orderDescription,
    email: values.email,
    firstName: values.firstName,
    lastName: values.lastName,
    birthday: values.birthday,
    address: values.address1,
    city: values.city,
    state: values.state,
    zipCode: values.zipCode,
    country: values.country,
    phone: values.phone,
    cellPhone: values.cellPhone,
    ipAddress: values.ipAddress,
    siteUrl: values.siteUrl,
    purpose: values.purpose,
    merchantData: values.merchantData,
    redirectUrl: values.redirectUrl,
    redirectSuccessUrl: values.redirectSuccessUrl,
    redirectFailUrl: values.redirectFailUrl,
    serverCallbackUrl: values.serverCallbackUrl,
    notifyUrl: values.notifyUrl,
    browser: browserOf(values),
  };
}

const BROWSER = Object.keys(field.browser) as (keyof typeof field.browser)[];

function browserOf(values: Told): Record<string, string> | undefined {
  let told: Record<string, string> | undefined;
  for (const property of BROWSER) {
    const value = values[property];
    if (value === undefined) continue;
    told ??= {};
    told[property] = String(value);
  }
  return told;
}
