// What operations answer: flat objects whose values are all strings. Absent means not known.

import type { JsonSchema } from './form.ts';

/** How requests ask for replies, and what replies are. */
export const MEDIA_TYPE = 'application/vnd.pay+json';

/** What an operation answers. What it does not know is undefined or empty, and left out. */
export type Reply = Readonly<Record<string, string | undefined>>;

export type ResponseSchema = {
  /** The specification's schema name. */
  readonly name: string;
  readonly type: string;
  /** Field → what it says. `type` and `serial-number` are in every reply. */
  readonly fields: Readonly<Record<string, string>>;
};

const orderIds = {
  'merchant-order-id': "The merchant's own order id, as sent.",
  'paynet-order-id': 'The order id given by the service.',
};

const acknowledgement = {
  ...orderIds,
  'end-point-id': 'The endpoint that took the order.',
  status: 'Always `processing`: poll STATUS or wait for the callback.',
};

export const asyncResponse: ResponseSchema = { name: 'AsyncResponse', type: 'async-response', fields: acknowledgement };

export const checkoutFormRedirect: ResponseSchema = {
  name: 'AsyncCheckoutFormRedirect',
  type: 'async-form-response',
  fields: { ...acknowledgement, 'redirect-url': "Where to send the payer's browser: the page that asks for the card." },
};

const cardReference = {
  status: '`approved` when the card is stored.',
  'card-ref-id': 'The stored card, for rebills.',
  ...orderIds,
};

export const cardRefResponse: ResponseSchema = {
  name: 'CardRefAsyncResponse',
  type: 'create-card-ref-response',
  fields: cardReference,
};

export const cardRefV4Response: ResponseSchema = {
  name: 'CardRefV4AsyncResponse',
  type: 'create-card-ref-response',
  fields: {
    ...cardReference,
    'unq-card-ref-id': "The same for every order paid with this card number, different for another merchant's.",
    'recurring-payment-id': 'The stored card, for transfers, payouts and recurring payments.',
  },
};

export const cardInfoResponse: ResponseSchema = {
  name: 'CardInfoAsyncResponse',
  type: 'get-card-info-response',
  fields: {
    'card-printed-name': 'The name printed on the card.',
    bin: 'The first six digits of the card number.',
    'last-four-digits': 'The last four digits of the card number.',
    'expire-month': 'The month the card expires.',
    'expire-year': 'The year the card expires, four digits.',
    'card-type': 'The brand: VISA, MASTERCARD, AMEX …',
  },
};

export const createRecurringPaymentResponse: ResponseSchema = {
  name: 'CreateRecurringPaymentResponse',
  type: 'create-recurring-payment-response',
  fields: {
    status: '`approved` when the recurring payment exists.',
    'merchant-order-id': orderIds['merchant-order-id'],
    'recurring-payment-id': 'The recurring payment, for process-recurring-payment, transfers and payouts.',
  },
};

export const processRecurringPaymentResponse: ResponseSchema = {
  name: 'ProcessRecurringPaymentResponse',
  type: 'process-recurring-payment-response',
  fields: { status: acknowledgement.status, ...orderIds },
};

function eligibilityOf(side: 'sending' | 'receiving', able: string): Record<string, string> {
  return {
    [`${side}-eligible`]: `Eligibility: \`true\` when ${able} the ${side} card, else \`false\`.`,
    [`${side}-network`]: `Eligibility: the network of the ${side} card.`,
    [`${side}-product`]: `Eligibility: what kind of card the ${side} one is, such as \`DEBIT\`, \`CREDIT\` or \`PREPAID\`.`,
    [`${side}-country`]: `Eligibility: the country of the ${side} card's issuer, ISO 3166-1 alpha-3.`,
    [`${side}-issuer`]: `Eligibility: the ${side} card's issuer.`,
  };
}

export const statusResponse: ResponseSchema = {
  name: 'StatusResponse',
  type: 'status-response',
  fields: {
    ...orderIds,
    'end-point-id': 'The endpoint the order runs on.',
    status:
      '`processing`, `unknown` or `chain_declined` while open; `approved`, `declined`, `filtered` or `error` at the end.',
    'transaction-type':
      'What the reported transaction does: `sale`, `preauth`, `capture`, `cancel`, `void`, `reversal`, `account-verification`, `payout`, `transfer`, `pan-eligibility` or `chargeback`.',
    'order-stage': 'Transaction and stage in one word, such as `sale_approved` or `sale_3d_validating`.',
    amount: 'The amount as it stands, in the notation the order was created with.',
    'initial-amount': 'The amount the order was created with.',
    currency: 'The currency of the amounts, ISO 4217.',
    descriptor: "The text on the payer's statement.",
    'original-gate-descriptor': 'The text the acquirer has on file for the endpoint.',
    'gate-partial-reversal': '`enabled` when part of the amount can be returned, else `disabled`.',
    'gate-partial-capture': '`enabled` when part of a held amount can be captured, else `disabled`.',
    name: 'The name printed on the card.',
    'cardholder-name': 'The name printed on the card.',
    'card-exp-month': 'The month the card expires.',
    'card-exp-year': 'The year the card expires, four digits.',
    email: "The payer's e-mail address.",
    phone: "The payer's telephone number.",
    'first-name': "The payer's first name.",
    'last-name': "The payer's last name.",
    bin: 'The first six digits of the card number.',
    'last-four-digits': 'The last four digits of the card number.',
    'card-type': 'The brand: VISA, MASTERCARD, AMEX …',
    'card-hash-id': 'The same for every order paid with this card number.',
    'card-ref-id': 'The stored card, when one was made.',
    'card-country-alpha-three-code': "The country of the card's issuer, ISO 3166-1 alpha-3.",
    'bank-name': "The card's issuer.",
    'approval-code': "The issuer's approval code.",
    'processor-rrn': "The acquirer's retrieval reference number.",
    'processor-tx-id': "The acquirer's id of the transaction.",
    'terminal-id': "The acquirer's terminal.",
    'receipt-id': 'Identifies the receipt page of the order.',
    'paynet-processing-date': 'When the transaction was processed.',
    'by-request-sn': 'The serial-number of the request that made the reported transaction.',
    'verified-3d-status':
      'The outcome of 3-D Secure: `AUTHENTICATED`, `NOT_AUTHENTICATED`, `UNSUPPORTED` or `UNKNOWN` (not performed).',
    eci: 'The electronic commerce indicator of the authentication.',
    html: 'A page that submits itself: show it to the payer as it is, or use `redirect-to`.',
    'redirect-to': 'Where to send the payer now, to prove who they are.',
    'tds-status': 'The next 3-D Secure step when the merchant runs it: `method-url`, `challenge` or `pareq`.',
    'tds-method-url-frame-3ds-method-url': 'The address to open in a hidden frame.',
    'tds-method-url-frame-3ds-server-trans-id': 'The 3-D Secure transaction; give it back in upload-method-url-result.',
    'tds-method-url-frame-3ds-method-data': 'The value of `threeDSMethodData` to post into the frame.',
    'tds-acs-url': "The issuer's page: post `tds-creq`, or `tds-pareq` and `tds-md`, to it.",
    'tds-creq': 'The value of `creq` to post to the issuer.',
    'tds-pareq': 'The value of `PaReq` to post to the issuer (3-D Secure 1).',
    'tds-md': 'The value of `MD` to post to the issuer (3-D Secure 1).',
    'dest-bin': 'Transfers and eligibility: the first six digits of the receiving card.',
    'dest-last-four-digits': 'Transfers and eligibility: the last four digits of the receiving card.',
    'dest-card-type': 'Transfers and eligibility: the brand of the receiving card.',
    'dest-bank-name': 'Transfers: the issuer of the receiving card.',
    'destination-card-ref-id': 'Transfers: the receiving card when it is a stored one.',
    'dest-account-number': 'Payouts to a bank account: its number, masked but for the end.',
    ...eligibilityOf('sending', 'money can be sent from'),
    ...eligibilityOf('receiving', 'money can be sent to'),
    'error-code': 'Why the transaction did not succeed: the ISO 8583:1993 action code of a decline, or an error code.',
    'error-message': 'The same in words.',
  },
};

const failure = {
  'error-code': 'The number of the error, as listed on the errors page.',
  'error-message': 'What was wrong and what would be right.',
};

export const validationErrorResponse: ResponseSchema = {
  name: 'ValidationErrorResponse',
  type: 'validation-error',
  fields: {
    'merchant-order-id': orderIds['merchant-order-id'],
    ...failure,
    'expected-string':
      'Sandbox endpoints only, on a wrong signature: the string the service signed, with `<MERCHANT_CONTROL_KEY>` for the key.',
  },
};

export const serverErrorResponse: ResponseSchema = {
  name: 'ServerErrorResponse',
  type: 'error',
  fields: failure,
};

/** The one value that is not a string: everything that is wrong with the request. */
export const validationFaultsJsonSchema: JsonSchema = {
  type: 'array',
  description: 'Everything that is wrong with the request, one entry per fault.',
  items: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      field: { type: 'string', description: 'The parameter, when one is to blame.' },
      code: { type: 'string', description: 'The number of the error.' },
      message: { type: 'string', description: 'What was wrong and what would be right.' },
    },
  },
};

/** The reply as it is sent, under the serial number of its request unless it names another. */
export function bodyOf(reply: Reply, { type }: ResponseSchema, serialNumber: string): Record<string, string> {
  const body: Record<string, string> = { type, 'serial-number': serialNumber };
  for (const name in reply) {
    const value = reply[name];
    if (value !== undefined && value !== '') body[name] = value;
  }
  return body;
}

export function responseJsonSchema(schema: ResponseSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    type: { type: 'string', const: schema.type },
    'serial-number': { type: 'string', format: 'uuid', description: 'Identifies this request; quote it to support.' },
  };
  for (const [name, description] of Object.entries(schema.fields)) properties[name] = { type: 'string', description };
  if (schema === validationErrorResponse) properties.errors = validationFaultsJsonSchema;
  return { type: 'object', required: ['type', 'serial-number'], properties };
}
