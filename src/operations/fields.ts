// Every field a request may carry, once: its specified spelling, its kind and its meaning.
// Groups are spread into the forms of the operations.

import { MAX_CLIENT_ORDER_ID } from '../domain/order/order.ts';
import * as kind from './field-kinds.ts';
import { field } from './field-kinds.ts';
import { allOptional, type Field, optional } from './form.ts';

/** The same field under the spelling that some operations of the specification use. */
export function spelled<T>(wire: string, original: Field<T>): Field<T> {
  return { ...original, wire };
}

// Who asks

export const login = field('login', kind.text(20), "The merchant's login.");

// Any text is read, so that a wrong control is refused as such, not as a malformed parameter.
export const controlField = field(
  'control',
  kind.hidden({ ...kind.text(128), schema: { type: 'string', pattern: '^[0-9A-Fa-f]{40}$' } }),
  'The signature: hexadecimal SHA-1 over the values of the formula and the control key.',
);

// Which order

export const clientOrderId = field(
  'client_orderid',
  kind.text(MAX_CLIENT_ORDER_ID),
  "The merchant's own, unique id of the order.",
);

export const orderId = field('orderid', kind.orderNumber, 'The order id given by the service.');

export const requestSerialNumber = field(
  'by-request-sn',
  kind.uuid,
  'The serial-number of an earlier request: reports the transaction that it made.',
);

export const comment = field('comment', kind.freeText(50), 'A note, kept with the transaction.');

export const orderReference = { login, clientOrderId, orderId, controlField };

// What is paid

export const amount = field(
  'amount',
  kind.signedAmount,
  'More than zero, at most ten digits. Signed with a control: 1042 or 10.42. Else: 10.42.',
);

/** An amount outside the signature: kept as text until it is known what it must equal. */
export const unsignedAmount = field('amount', kind.amountText, 'The whole amount, or nothing.');

export const currency = field('currency', kind.currencyCode, 'The currency of the amount, ISO 4217.');

export const verificationCurrency = field(
  'currency',
  kind.currencyCode,
  'ISO 4217. Of a group it picks the endpoint; without it any of them is taken.',
);

export const orderDescription = field('order_desc', kind.freeText(65_536), 'What the payment is for.');

export const order = { clientOrderId, amount, currency, orderDescription: optional(orderDescription) };

export const transactionType = field(
  'transaction_type',
  kind.oneOf('sale', 'preauth'),
  'What the form does with the card: sale (when left out) or preauth.',
);

export const returnType = field(
  'return_type',
  kind.oneOf('cancel', 'reversal'),
  'cancel: what is held. reversal: what was captured, meant unless more is asked.',
);

// Who pays

export const email = field('email', kind.mail, "The payer's e-mail address.");
export const firstName = field('first_name', kind.personName(50), "The payer's first name.");
export const lastName = field('last_name', kind.personName(50), "The payer's last name.");
export const phone = field('phone', kind.telephone, "The payer's telephone number.");
export const ipAddress = field('ipaddress', kind.ip, "The payer's network address.");
export const purpose = field(
  'purpose',
  kind.text(128),
  'Where the payment goes: an account or phone number topped up.',
);

/** The payer's browser, as 3-D Secure asks for it. With `customer_browser_info=true` all of it is required. */
export const browser = allOptional({
  browserInfo: field('customer_browser_info', kind.boolean, 'Whether the browser fields are all sent.'),
  browserAcceptHeader: field('customer_browser_accept_header', kind.text(2048), "The browser's Accept header."),
  browserColorDepth: field('customer_browser_color_depth', kind.integer(1, 99), 'Bits per pixel of its screen.'),
  browserJavaEnabled: field('customer_browser_java_enabled', kind.boolean, 'Whether it runs Java.'),
  browserJavascriptEnabled: field('customer_browser_javascript_enabled', kind.boolean, 'Whether it runs JavaScript.'),
  browserLanguage: field('customer_browser_language', kind.text(35), 'Its language, such as en-GB.'),
  browserScreenHeight: field(
    'customer_browser_screen_height',
    kind.integer(0, 999_999),
    'Height of its screen, pixels.',
  ),
  browserScreenWidth: field('customer_browser_screen_width', kind.integer(0, 999_999), 'Width of its screen, pixels.'),
  browserTimeZone: field(
    'customer_browser_time_zone',
    kind.integer(-840, 840),
    'Minutes from its local time to UTC: JavaScript getTimezoneOffset().',
  ),
  browserUserAgent: field('customer_browser_user_agent', kind.text(2048), "The browser's User-Agent header."),
});

export const payer = {
  email,
  ...allOptional({
    firstName,
    lastName,
    ssn: field('ssn', kind.hidden(kind.text(32)), "The payer's social security number."),
    birthday: field('birthday', kind.pastDay, "The payer's day of birth, YYYYMMDD."),
    address1: field('address1', kind.text(256), "The payer's street address."),
    city: field('city', kind.text(50), "The payer's city."),
    state: field('state', kind.text(3), "The payer's state or province, by its code."),
    zipCode: field('zip_code', kind.text(10), "The payer's postal code."),
    country: field('country', kind.country, "The payer's country, ISO 3166-1 alpha-2."),
    phone,
    cellPhone: field('cell_phone', kind.telephone, "The payer's mobile number."),
    ipAddress,
    siteUrl: field('site_url', kind.text(128), 'The site the payer buys on.'),
    purpose,
  }),
  ...browser,
};

// With which card

export const creditCardNumber = field(
  'credit_card_number',
  kind.cardNumber,
  'The card number, 13 to 19 digits; spaces and dashes are ignored.',
);
export const expireMonth = field('expire_month', kind.expiryMonth, 'The month the card expires, 01 to 12.');
export const expireYear = field('expire_year', kind.expiryYear, 'The year the card expires, YY or YYYY.');
export const cvv2 = field('cvv2', kind.securityCode, 'The security code printed on the card.');
export const cardPrintedName = field('card_printed_name', kind.personName(128), 'The name printed on the card.');

export const card = {
  creditCardNumber,
  expireMonth,
  expireYear,
  cvv2,
  cardPrintedName: optional(cardPrintedName),
};

export const cardReferenceId = field('cardrefid', kind.reference(20), 'A stored card, as CARDREF gave it.');

export const cardRecurringPaymentId = field(
  'card_recurring_payment_id',
  kind.reference(20),
  'A stored card, as create-recurring-payment or create-card-ref gave it.',
);

// What is told to whom

export const serverCallbackUrl = field(
  'server_callback_url',
  kind.url(1024),
  "Called when the order's first transaction is final.",
);

export const callbacks = allOptional({
  serverCallbackUrl,
  notifyUrl: field('notify_url', kind.url(1024), 'Called when any transaction of the order is final, later ones too.'),
  merchantData: field('merchant_data', kind.freeText(4096), 'Anything; given back as merchantdata in callbacks.'),
});

export const links = {
  ...allOptional({
    redirectUrl: field('redirect_url', kind.url(1024), "Where the payer's browser is sent at the end."),
    redirectSuccessUrl: field('redirect_success_url', kind.url(1024), 'The same, used when the payment is approved.'),
    redirectFailUrl: field('redirect_fail_url', kind.url(1024), 'The same, used when the payment is not approved.'),
  }),
  ...callbacks,
};

// Rebills

export const recurrentScenario = field(
  'recurrent_scenario',
  kind.oneOf('REGULAR', 'IRREGULAR'),
  'REGULAR or IRREGULAR: whether the payer agreed to payments at regular times.',
);

export const enumerateAmounts = field(
  'enumerate_amounts',
  kind.amounts(128),
  'Amounts separated by commas, tried one after another until one is approved.',
);

// Payouts

export const bankAccount = {
  accountNumber: field(
    'account_number',
    kind.accountNumber,
    'The account number or IBAN money is paid to, at most 34 characters; an IBAN may be written in groups.',
  ),
  accountName: field('account_name', kind.text(128), 'The holder of the account.'),
  bankName: field('bank_name', kind.text(255), 'The bank.'),
  bankBranch: field('bank_branch', kind.text(255), 'The branch of the bank.'),
  bankCode: field('bank_code', kind.text(11), "The bank's national or BIC code."),
  routingNumber: field('routing_number', kind.text(16), "The bank's routing number."),
  bankProvince: field('bank_province', kind.text(255), "The province of the bank's branch."),
  bankArea: field('bank_area', kind.text(255), "The area of the bank's branch."),
  bankCity: field('bank_city', kind.text(255), "The city of the bank's branch."),
  bankAddress1: field('bank_address1', kind.text(255), "The street address of the bank's branch."),
  bankZipCode: field('bank_zip_code', kind.text(255), "The postal code of the bank's branch."),
};

export const payoutFields = {
  ...order,
  ...allOptional({
    creditCardNumber,
    cardPrintedName,
    expireMonth,
    expireYear,
    cardRecurringPaymentId,
    ...bankAccount,
    ipAddress,
    purpose,
    firstName,
    lastName,
    phone,
    email,
  }),
  ...links,
};

// Recurring payments

export const recurringPaymentId = field(
  'recurring-payment-id',
  kind.reference(20),
  'The recurring payment, as create-recurring-payment gave it.',
);

export const recurringCardType = field(
  'rp_card_type',
  kind.oneOf('SRC', 'DST'),
  'SRC: money is taken from the card. DST: money is sent to the card.',
);

export const recurringAmounts = allOptional({
  amount,
  amountFrom: field('amount_from', kind.signedAmount, 'The smallest amount of one payment.'),
  amountTo: field('amount_to', kind.signedAmount, 'The largest amount of one payment.'),
  amountSequence: field('amount_sequence', kind.amounts(1024), 'The amounts of the payments in turn, comma separated.'),
});

export const schedule = allOptional({
  intervalUnit: field(
    'interval_unit',
    kind.oneOf('day', 'week', 'month'),
    'The unit of the interval: day, week or month.',
  ),
  interval: field(
    'interval',
    kind.integer(1, 999),
    'Units between two payments. With it the service charges by itself, without it the merchant asks for each payment.',
  ),
  startDate: field(
    'start_date',
    kind.day,
    'The day of the first payment, YYYYMMDD; today charges at once. When left out, the first payment is one interval away. Months are counted from this day: one that began on the 31st falls on the last day of shorter months. Times are UTC.',
  ),
  finishDate: field('finish_date', kind.day, 'The last day a payment may be made, YYYYMMDD.'),
});

export const amountInProfileCurrency = field(
  'amount',
  kind.amountText,
  "The amount in the recurring payment's currency, major units.",
);

// Transfers

export const depositToCard = field(
  'deposit2card',
  kind.boolean,
  "true: the merchant's own balance pays, no sender card is needed.",
);

export const destinationCardNumber = field('destination-card-no', kind.cardNumber, 'The card number money is sent to.');

export const destinationCardRecurringPaymentId = field(
  'destination_card_recurring_payment_id',
  kind.reference(20),
  'The stored card money is sent to.',
);

export const destinationCardReferenceId = field(
  'destination-card-ref-id',
  kind.reference(20),
  'The stored card money is sent to, as create-card-ref gave it.',
);

export const payingCardReferenceId = field(
  'source-card-ref-id',
  kind.reference(20),
  'The stored card money is taken from, as create-card-ref gave it.',
);

export const sourceCardReferenceId = field(
  'source-card-ref-id',
  kind.reference(20),
  "The stored card money is taken from; without it the merchant's balance pays.",
);

export const receiver = allOptional({
  receiverFirstName: field('receiver_first_name', kind.personName(128), "The receiver's first name."),
  receiverMiddleName: field('receiver_middle_name', kind.personName(128), "The receiver's middle name."),
  receiverLastName: field('receiver_last_name', kind.personName(128), "The receiver's last name."),
  receiverPhone: field('receiver_phone', kind.text(128), "The receiver's telephone number."),
  receiverResident: field('receiver_resident', kind.boolean, 'Whether the receiver is a resident.'),
  receiverAddress1: field('receiver_address1', kind.text(256), "The receiver's street address."),
  receiverCity: field('receiver_city', kind.text(50), "The receiver's city."),
  receiverDocumentSeries: field(
    'receiver_identity_document_series',
    kind.hidden(kind.text(512)),
    "The series of the receiver's identity document.",
  ),
  receiverDocumentNumber: field(
    'receiver_identity_document_number',
    kind.hidden(kind.text(512)),
    "The number of the receiver's identity document.",
  ),
  receiverDocumentId: field(
    'receiver_identity_document_id',
    kind.hidden(kind.text(512)),
    "The kind of the receiver's identity document.",
  ),
});

// Card eligibility. The specification spells this one's order id with dashes.

const eligibilityOrder = { clientOrderId: spelled('client-order-id', clientOrderId) };

export const sendingCard = allOptional({
  sendingCardReferenceId: field('sending-card-ref-id', kind.reference(20), 'The stored card that would send money.'),
  sendingCardNumber: field('sending-card-number', kind.cardNumber, 'The card number that would send money.'),
  cardPrintedName: spelled('card-printed-name', cardPrintedName),
  expireMonth,
  expireYear,
});

export const receivingCard = allOptional({
  receivingCardReferenceId: field(
    'receiving-card-ref-id',
    kind.reference(20),
    'The stored card that would receive money.',
  ),
  receivingCardNumber: field('receiving-card-number', kind.cardNumber, 'The card number that would receive money.'),
});

export const eligibility = { ...eligibilityOrder, serverCallbackUrl: optional(serverCallbackUrl) };

// 3-D Secure results

export const threeDSecureUpload = {
  login,
  clientOrderId: spelled('client-order-id', clientOrderId),
  orderId,
  controlField,
};

export const challengeResponse = field('cRes', kind.base64(4096), 'The challenge result the issuer sent the browser.');

export const payerAuthenticationResponse = field(
  'paRes',
  kind.hidden(kind.base64(10_240)),
  'The authentication result the issuer sent the browser (3-D Secure 1).',
);

export const merchantData3ds = field('md', kind.text(1024), 'The MD value that came with paRes.');

export const methodUrlResult = {
  threeDSServerTransactionId: field(
    'threeDSServerTransID',
    kind.uuid,
    'The transaction id STATUS gave with the method URL.',
  ),
  ...allOptional({
    methodCompletion: field(
      'threeDSCompInd',
      kind.oneOf('Y', 'N', 'U'),
      'Whether the method URL was completed: Y yes, N no, U there was none.',
    ),
    browserAcceptHeader: field('browserAcceptHeader', kind.text(2048), "The browser's Accept header."),
    browserIpAddress: field('browserIP', kind.ip, "The browser's network address."),
    browserJavaEnabled: field('browserJavaEnabled', kind.boolean, 'Whether it runs Java.'),
    browserJavascriptEnabled: field('browserJavascriptEnabled', kind.boolean, 'Whether it runs JavaScript.'),
    browserLanguage: field('browserLanguage', kind.text(35), 'Its language, such as en-GB.'),
    browserColorDepth: field('browserColorDepth', kind.integer(1, 99), 'Bits per pixel of its screen.'),
    browserScreenHeight: field('browserScreenHeight', kind.integer(0, 999_999), 'Height of its screen, pixels.'),
    browserScreenWidth: field('browserScreenWidth', kind.integer(0, 999_999), 'Width of its screen, pixels.'),
    browserTimeZone: field('browserTZ', kind.integer(-840, 840), 'Minutes from its local time to UTC.'),
    browserUserAgent: field('browserUserAgent', kind.text(2048), "The browser's User-Agent header."),
  }),
};
