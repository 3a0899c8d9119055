// Why each error of errors.ts comes about, and what the developer of a shop can do about it: a sentence or two each,
// for the pages of the documentation and for the client.

import { type ErrorName, errors } from './errors.ts';

export type ErrorAdvice = { readonly cause: string; readonly remedy: string };

export const errorAdvice: Readonly<Record<ErrorName, ErrorAdvice>> = {
  'parameter-required': {
    cause: 'The form leaves out a field that the operation, or the endpoint, demands. An empty value counts as none.',
    remedy: 'Send the named field. The reference lists what an operation demands; an endpoint may demand more.',
  },
  'parameter-malformed': {
    cause: 'The value of the field is not spelled as the field asks for.',
    remedy: 'Change the value as the message says; the reference has the pattern of every field.',
  },
  'parameter-too-long': {
    cause: 'The value has more characters than the field takes.',
    remedy: 'Shorten the value to the length that the message names.',
  },
  'parameter-repeated': {
    cause:
      'The form carries the field twice, perhaps in two spellings: client_orderid and client-orderid are one field.',
    remedy: 'Send the field once.',
  },
  'parameter-contradicts': {
    cause: 'Two fields of the form cannot both be meant.',
    remedy: 'Leave one of the fields out, or make them agree, as the message says.',
  },
  'body-not-a-form': {
    cause: 'The body is JSON, multipart or nothing, or the header Content-Type says so.',
    remedy: 'Send application/x-www-form-urlencoded: names and values percent-encoded, joined by "=" and "&".',
  },
  'body-too-large': {
    cause: 'The body, or the number of its parameters, is over the limit.',
    remedy: 'Send only the fields of the operation; leave out attachments and long texts.',
  },
  'text-not-utf8': {
    cause: 'Some bytes of the body are no UTF-8 text, often because they are Latin-1, or a percent sign stands alone.',
    remedy: 'Encode values as UTF-8 before you percent-encode them, and write a percent sign as %25.',
  },
  'accept-unsupported': {
    cause: 'The header Accept is missing or asks for another format.',
    remedy: 'Send the header "Accept: application/vnd.pay+json".',
  },

  'endpoint-not-found': {
    cause:
      'No endpoint of the merchant has the number at the end of the URL, or an endpoint group stands where none may.',
    remedy: 'Use the number of an endpoint that belongs to this login; "tender endpoint list" shows them.',
  },
  'currency-mismatch': {
    cause: 'The endpoint, the order or the card does not take this currency.',
    remedy: 'Send the currency that the message names, or use an endpoint of this currency.',
  },
  'amount-below-minimum': {
    cause: 'The amount is less than the endpoint takes. It may have been written in the other notation.',
    remedy: 'Raise the amount, and check the notation: "1042" and "10.42" can mean the same.',
  },
  'amount-above-maximum': {
    cause: 'The amount is more than the endpoint takes. It may have been written in the other notation.',
    remedy: 'Lower the amount, and check the notation: "1042" and "10.42" can mean the same.',
  },
  'endpoint-disabled': {
    cause: 'An operator switched the endpoint off.',
    remedy: 'Use another endpoint, or ask the operator of the gateway to enable this one.',
  },
  'three-d-secure-not-set-up': {
    cause: 'The endpoint demands 3-D Secure, and the gateway has no directory server for it.',
    remedy: 'Ask the operator of the gateway to set up a card network, or use an endpoint without 3-D Secure.',
  },
  'no-request': {
    cause: 'What arrived is no complete HTTP request: its headers are too long, malformed, or did not come in time.',
    remedy: 'Send the request again with an ordinary HTTP client; if it stays, look at proxies on the way.',
  },
  'expectation-unknown': {
    cause: 'The header Expect asks for something other than 100-continue.',
    remedy: 'Leave the header Expect out.',
  },
  'path-not-found': {
    cause: 'The path is misspelled, has no endpoint number, or lacks the prefix of the base URL.',
    remedy: 'Call <base URL>/api/<version>/<operation>/<endpoint> as the reference spells it.',
  },
  'method-not-allowed': {
    cause: 'The request is not a POST, often because a client followed a redirect with GET.',
    remedy: 'Send POST, straight to the base URL.',
  },

  'invalid-control-code': {
    cause:
      'The login or the endpoint is unknown, the key is not the one of this login, or the signature covers other values than were sent.',
    remedy:
      'Compare what you sign with the formula of the operation: order of values, amount in minor units, key at the end. In a sandbox "expected-string" and "tender check-signature" show where it differs.',
  },
  'merchant-disabled': {
    cause: 'An operator disabled the merchant.',
    remedy: 'Ask the operator of the gateway.',
  },
  'address-not-allowed': {
    cause: 'The merchant takes requests only from listed network addresses, and yours is not among them.',
    remedy: 'Ask the operator to add the address of your server; behind a proxy this is the address of the proxy.',
  },
  'certificate-not-allowed': {
    cause: 'The merchant takes requests only with a registered client certificate.',
    remedy: 'Send the registered client certificate, or have the new one registered.',
  },
  'login-unknown': {
    cause: 'The sandbox has no merchant with the login that the request names. Production does not tell this apart.',
    remedy: 'Send the login of a merchant that "tender merchant list" names; the demo merchant\'s is demo.',
  },
  'operation-not-allowed': {
    cause: 'The merchant, or the key that signed, may not use this operation.',
    remedy: 'Sign with a key that may use it, or ask the operator to allow the operation.',
  },
  'strict-signature-invalid': {
    cause: 'The merchant demands the header X-Signature over the whole body, and it is missing, too old or wrong.',
    remedy: 'Sign "t.OPERATION.endpoint.body" with HMAC-SHA256 over the very bytes you send, and set your clock right.',
  },
  'authorization-malformed': {
    cause: 'The header Authorization is missing or is not written as OAuth 1.0a asks.',
    remedy: 'Send \'OAuth name="value", …\' with every value percent-encoded; "tender sign" shows a right one.',
  },
  'oauth-method-mismatch': {
    cause: 'The operation demands another signature method than the one that was used.',
    remedy: 'Sign by the method that the message names: HMAC-SHA1 by the control key, RSA-SHA256 by the private key.',
  },
  'oauth-timestamp-refused': {
    cause: 'The time in the signature is more than 300 seconds away from the time of the gateway.',
    remedy:
      'Set the clock of your server, and send the time in seconds, not in milliseconds. Where the message says that the clock of a sandbox was put forward, sign by its time (the option now of the client), or start a sandbox in a new data folder.',
  },
  'oauth-nonce-used': {
    cause: 'The same signed request came twice, or your random numbers repeat.',
    remedy: 'Make a new nonce and a new signature for every request, also when you repeat one.',
  },
  'control-has-other-reading': {
    cause:
      'The values of two requests join to the same text, so that one control fits both: "1" and "23" read like "12" and "3".',
    remedy: 'Choose another client_orderid. Order ids of one length avoid it altogether.',
  },

  'order-not-found': {
    cause: 'The merchant has no such order, or client_orderid and orderid belong to different orders.',
    remedy: 'Send the client_orderid you created the order with, and the paynet-order-id of the reply as orderid.',
  },
  'client-order-id-used': {
    cause: 'An order with this client_orderid exists, and it was made with other values.',
    remedy:
      'To repeat a request, send it with equal values. A new client_orderid is for a new purchase only: under a new one the same purchase would be paid twice.',
  },
  'idempotency-key-used': {
    cause: 'A request with this Idempotency-Key came before, and it had other values.',
    remedy: 'Choose a new key for a new request; to repeat one send it with equal values.',
  },
  'card-expired': {
    cause: 'The month on the card has passed.',
    remedy: 'Ask the payer for another card, and check that the month comes in two digits and the year in four.',
  },
  'card-not-accepted': {
    cause: 'The card number is wrong, or the brand, product or country of the card is not taken here.',
    remedy: 'Ask the payer to check the number or to take another card.',
  },
  'authentication-not-pending': {
    cause: 'The order is not at this step of 3-D Secure: the payer is not asked yet, or the order has ended.',
    remedy: 'Ask STATUS, and upload a result only for the step that the order waits for.',
  },
  'authentication-differs': {
    cause: 'The uploaded message belongs to another authentication.',
    remedy: 'Upload the message that the browser brought back for this very order.',
  },
  'authentication-contradicts': {
    cause: 'Another result was uploaded for the same step before.',
    remedy: 'Upload a result once; ask STATUS for what became of the order.',
  },
  'no-terminal': {
    cause: 'No terminal of the endpoint takes this operation, currency, brand or amount.',
    remedy: 'Try another card or amount, or ask the operator to look at the routing of the endpoint.',
  },

  'follow-up-not-possible': {
    cause: 'The order is not in a state that allows it: it is still open, failed, or was returned already.',
    remedy: 'Ask STATUS, and wait until the order is approved before you capture, return or void it.',
  },
  'hold-expired': {
    cause: 'The preauthorization is too old; the bank gave the money free.',
    remedy: 'Make a new payment.',
  },
  'amount-exceeds-hold': {
    cause: 'The captures of this order would be more than the preauthorization holds.',
    remedy: 'Capture what is left, which the message names, and make a new payment for the rest.',
  },
  'amount-exceeds-captured': {
    cause: 'The returns of this order would be more than was paid.',
    remedy: 'Return what is left, which the message names.',
  },
  'void-whole-amount': {
    cause: 'A void has an amount that is not the whole one.',
    remedy: 'Leave amount out, or use RETURN for a part.',
  },
  'insufficient-balance': {
    cause: "The merchant's balance is less than the amount.",
    remedy: 'Pay out less, or wait until payments have come in.',
  },
  'confirmed-too-late': {
    cause: 'The payout was checked, but not confirmed within 24 hours.',
    remedy: 'Begin a new payout and confirm it in time.',
  },
  'payer-too-late': {
    cause: 'The payer left the hosted form alone for 30 minutes.',
    remedy: 'Open a new form with a new client_orderid when the payer comes back.',
  },

  'card-reference-not-found': {
    cause: 'The merchant has no such card reference, or it was removed.',
    remedy: 'Send the card-ref-id that the gateway gave; make a new one from a new payment when it is gone.',
  },
  'order-has-no-card': {
    cause: 'The order is not approved, or no card was used.',
    remedy: 'Wait for the order to be approved, then ask for the reference.',
  },
  'retries-used-up': {
    cause: 'The card network forbids to charge this card again after so many declines.',
    remedy: 'Stop charging this card, and ask the payer for another one.',
  },
  'recurring-payment-not-found': {
    cause: 'The merchant has no such recurring payment.',
    remedy: 'Send the recurring-payment-id that the gateway gave.',
  },
  'recurring-payment-refused': {
    cause: 'The recurring payment has ended, is stopped, or a charge is not due.',
    remedy: 'Look at the recurring payment; begin a new one when it has ended.',
  },

  'callback-url-refused': {
    cause: 'The URL is not http or https, is too long, or leads to an address that the gateway must not call.',
    remedy:
      'Send the public address of your shop. In a sandbox, private addresses can be allowed, and "tender listen" brings callbacks behind a NAT.',
  },
  'address-not-registered': {
    cause: 'An unsigned form may send payers and callbacks only to addresses that the merchant registered.',
    remedy: 'Sign the form, or have the address registered.',
  },

  'card-blocked': {
    cause: 'The card is on a block list of the merchant or the gateway.',
    remedy: 'Ask the payer for another card; the operator can look at the list.',
  },
  'issuer-blocked': {
    cause: 'Cards of this issuer are on a block list.',
    remedy: 'Ask the payer for a card of another bank.',
  },
  'email-blocked': {
    cause: "The payer's e-mail address is on a block list.",
    remedy: 'Do not serve this payer, or ask the operator to look at the list.',
  },
  'address-blocked': {
    cause: "The payer's network address is on a block list.",
    remedy: 'Do not serve this payer, and check that ipaddress is that of the payer and not of your server.',
  },
  'country-blocked': {
    cause: "The payer's country is on a block list.",
    remedy: 'Do not serve this country, or ask the operator to look at the list.',
  },
  'card-over-limit': {
    cause: 'The card was used too often, or for too much money, within the time of a limit.',
    remedy: 'Try again later, or ask the operator about the limits.',
  },
  'email-over-limit': {
    cause: 'The e-mail address was used too often, or for too much money, within the time of a limit.',
    remedy: 'Try again later, or ask the operator about the limits.',
  },
  'address-over-limit': {
    cause: 'The network address was used too often, or for too much money, within the time of a limit.',
    remedy: 'Try again later, and check that ipaddress is that of the payer and not of your server.',
  },
  'duplicate-payment': {
    cause: 'The payer clicked twice, or a shop repeated a payment under a new client_orderid.',
    remedy: 'Ask STATUS about the first order. Repeat a request with the client_orderid it had.',
  },
  'too-many-forms': {
    cause: 'One network address asked for many unsigned forms within a minute.',
    remedy: 'Sign the request: signed forms are not counted.',
  },
  'address-tests-cards': {
    cause: 'Many different cards were declined from one address range: somebody tries out stolen cards.',
    remedy: 'Protect your payment page from robots, and check that ipaddress is that of the payer.',
  },
  'email-tests-cards': {
    cause: 'Many different cards were declined under one e-mail address: somebody tries out stolen cards.',
    remedy: 'Protect your payment page from robots, and send the address that the payer gave.',
  },
  'header-repeated': {
    cause: 'A header that may come once came twice, perhaps added by a proxy.',
    remedy: 'Send the header once.',
  },
  'too-many-requests': {
    cause: 'Many requests with wrong signatures came from your address range.',
    remedy: 'Wait as long as the message says, then mend the signature before you send more.',
  },
  overloaded: {
    cause: 'More requests came than the gateway can carry out, or more of yours than your share while others wait.',
    remedy:
      'Send the same request again after the time in Retry-After. Nothing came of it, so there is nothing to undo; an earlier try that you heard nothing of may have been carried out: ask STATUS.',
  },

  internal: {
    cause: 'The gateway failed. Whether the request took effect is not known.',
    remedy: 'Ask STATUS, or send the same request with the same client_orderid or Idempotency-Key again.',
  },
  unavailable: {
    cause: 'The gateway is starting, stopping, overloaded, or does not reach its database.',
    remedy: 'Send the same request again after a while, with the same client_orderid or Idempotency-Key.',
  },
  'outcome-unresolved': {
    cause: 'The bank never told what became of the payment, so that the gateway undid it.',
    remedy: 'Tell the payer that nothing was charged, and make a new payment with a new client_orderid.',
  },
};

const namesByCode: ReadonlyMap<string, ErrorName> = new Map(
  (Object.keys(errors) as ErrorName[]).map((name) => [String(errors[name].code), name]),
);

/** The error with the number that a reply carries; undefined for the numbers of banks and of later versions. */
export function errorOfCode(code: string): ErrorName | undefined {
  return namesByCode.get(code);
}
