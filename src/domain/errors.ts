// Every way a request is refused or breaks, once: its numeric code (stable, documented) and its public text.
// A refusal is a value that travels back to the door; a fault inside is thrown and becomes `internal`.
// Ranges: 1–9 form of the request, 10–19 address, endpoint and limits, 20–29 authentication and access,
// 30–49 order and money rules, 50–59 card references and recurring, 60–69 callbacks and URLs, and
// further errors of access (62, 63), 70–89 limits, blocks and card testing, 90–99 what is refused before the body is
// read, 500–599 the service itself.

export const errors = {
  'parameter-required': { code: 1, text: 'Parameter {field} is required' },
  'parameter-malformed': { code: 2, text: 'Parameter {field} is malformed: {hint}' },
  'parameter-too-long': { code: 3, text: 'Parameter {field} is too long: {hint}' },
  'parameter-repeated': { code: 4, text: 'Parameter {field} occurs more than once; send it once' },
  'parameter-contradicts': { code: 5, text: 'Parameter {field} contradicts another parameter: {hint}' },
  'body-not-a-form': { code: 6, text: 'The body must be application/x-www-form-urlencoded: {hint}' },
  'body-too-large': { code: 7, text: 'The body is too large: {hint}' },
  'text-not-utf8': { code: 8, text: 'The body is not valid percent-encoded UTF-8 text: {hint}' },
  'accept-unsupported': { code: 9, text: 'Header Accept must be application/vnd.pay+json' },

  'endpoint-not-found': { code: 10, text: 'End point with id {hint} not found' },
  'currency-mismatch': { code: 11, text: 'The currency does not fit: {hint}' },
  'amount-below-minimum': { code: 12, text: 'Amount is below the minimum of {hint}' },
  'amount-above-maximum': { code: 13, text: 'Amount is above the maximum of {hint}' },
  'endpoint-disabled': { code: 14, text: 'End point with id {hint} takes no new orders' },
  'three-d-secure-not-set-up': {
    code: 15,
    text: 'End point with id {hint} requires 3-D Secure, but there is no directory server to ask',
  },
  'no-request': { code: 16, text: 'The request could not be read: {hint}' },
  'expectation-unknown': { code: 17, text: 'Header Expect may only be 100-continue' },
  'path-not-found': { code: 18, text: 'There is no operation at this path' },
  'method-not-allowed': { code: 19, text: 'Operations are called with POST' },

  'invalid-control-code': {
    code: 20,
    text: 'INVALID_CONTROL_CODE: login, end point, key or signature do not fit this request',
  },
  'merchant-disabled': { code: 21, text: 'This merchant account is disabled' },
  'address-not-allowed': { code: 22, text: 'Requests from this network address are not allowed for the merchant' },
  'certificate-not-allowed': {
    code: 62,
    text: 'Requests of this merchant must come with a client certificate that is registered for it',
  },
  // Told in sandboxes only, beside 20.
  'login-unknown': { code: 63, text: 'No merchant of this sandbox has the login {hint}; check {field}' },
  'operation-not-allowed': { code: 23, text: 'This operation is not allowed for the merchant or the key' },
  'strict-signature-invalid': { code: 24, text: 'Header X-Signature is missing, too old or does not fit: {hint}' },
  'authorization-malformed': { code: 25, text: 'Header Authorization must carry an OAuth 1.0a signature: {hint}' },
  'oauth-method-mismatch': { code: 26, text: 'Parameter {field} must be {hint} for this operation' },
  'oauth-timestamp-refused': {
    code: 27,
    text: 'Parameter {field} must be the current time in seconds, at most 300 s away from ours, which is {hint}',
  },
  'oauth-nonce-used': {
    code: 28,
    text: 'This oauth_nonce was already used with this oauth_timestamp; sign the request again with a new nonce (client_orderid keeps a repeated order from being made twice)',
  },
  'control-has-other-reading': {
    code: 29,
    text: 'This control was already used for a request with other values (its formula joins values without separators); choose another order id',
  },

  'order-not-found': { code: 30, text: 'Order not found' },
  'client-order-id-used': {
    code: 31,
    text: 'Parameter client_orderid was already used for an order with other values; repeat a request with equal values, and choose a new one for a new purchase only',
  },
  'idempotency-key-used': {
    code: 32,
    text: 'This Idempotency-Key was already used for a request with other values; choose a new one',
  },
  'card-expired': { code: 33, text: 'The card has expired; check expire_month and expire_year' },
  'card-not-accepted': { code: 34, text: 'This card cannot be accepted: {hint}' },

  'authentication-not-pending': { code: 35, text: 'The order is not waiting for this 3-D Secure result: {hint}' },
  'authentication-differs': {
    code: 36,
    text: 'Parameter {field} belongs to another 3-D Secure transaction than the one the order waits for: {hint}',
  },
  'authentication-contradicts': {
    code: 37,
    text: 'Another 3-D Secure result was already uploaded for this step; the first one counts',
  },

  'no-terminal': { code: 38, text: 'No terminal takes this payment: {hint}' },

  'follow-up-not-possible': { code: 40, text: 'This cannot be done with the order: {hint}' },
  'hold-expired': { code: 41, text: 'The preauthorization has expired; its money is no longer held' },
  'amount-exceeds-hold': { code: 42, text: 'Amount exceeds what the preauthorization still holds: {hint}' },
  'amount-exceeds-captured': { code: 43, text: 'Amount exceeds what can still be returned: {hint}' },
  'void-whole-amount': {
    code: 44,
    text: 'A void takes the whole amount of {hint}; leave amount out or return a part instead',
  },
  'insufficient-balance': { code: 45, text: 'The balance does not cover this amount: {hint} available' },
  'confirmed-too-late': {
    code: 46,
    text: 'The payout was not confirmed within 24 hours and was not made; ask for a new one',
  },
  'payer-too-late': {
    code: 47,
    text: 'The payer did not pay on the form within 30 minutes; nothing was charged',
  },

  'card-reference-not-found': { code: 50, text: 'Card reference not found' },
  'order-has-no-card': { code: 51, text: 'Only an approved order that was paid with a card has a card reference' },
  'retries-used-up': { code: 52, text: 'The card network forbids another attempt on this card now: {hint}' },
  'recurring-payment-not-found': { code: 53, text: 'Recurring payment not found' },
  'recurring-payment-refused': { code: 54, text: 'The recurring payment does not allow this: {hint}' },

  'callback-url-refused': { code: 60, text: 'Parameter {field} cannot be used: {hint}' },
  'address-not-registered': {
    code: 61,
    text: 'Parameter {field} cannot be used in an unsigned form: the merchant did not register its address',
  },

  'card-blocked': { code: 70, text: 'This card is on a block list' },
  'issuer-blocked': { code: 71, text: 'Cards of this issuer are on a block list' },
  'email-blocked': { code: 72, text: "The payer's e-mail address is on a block list" },
  'address-blocked': { code: 73, text: "The payer's network address is on a block list" },
  'country-blocked': { code: 74, text: "The payer's country is on a block list" },
  'card-over-limit': { code: 75, text: 'This card was used too often or for too much money recently; try again later' },
  'email-over-limit': {
    code: 76,
    text: "The payer's e-mail address was used too often or for too much money recently; try again later",
  },
  'address-over-limit': {
    code: 77,
    text: "The payer's network address was used too often or for too much money recently; try again later",
  },
  'duplicate-payment': {
    code: 78,
    text: 'The same card was used for the same amount a moment ago under another client_orderid; to ask about that order use STATUS',
  },
  'too-many-forms': {
    code: 79,
    text: 'Too many unsigned forms were asked for from this network address; sign the request or try again in a minute',
  },

  'address-tests-cards': {
    code: 80,
    text: "Many different cards were declined from the payer's address range a short time ago; try again later",
  },
  'email-tests-cards': {
    code: 81,
    text: "Many different cards were declined under the payer's e-mail address a short time ago; try again later",
  },
  'header-repeated': { code: 90, text: 'Header {hint} occurs more than once; send it once' },
  'too-many-requests': {
    code: 91,
    text: 'Too many requests without a right signature came from this address range; wait {hint} seconds',
  },
  overloaded: {
    code: 92,
    text: 'There is more to do than can be done; nothing came of this request, send it again in {hint} s',
  },

  internal: { code: 500, text: 'The request could not be processed; quote the serial-number to support' },
  unavailable: { code: 503, text: 'The service cannot take the request right now; repeat it later' },
  'outcome-unresolved': { code: 504, text: 'The bank gave no usable answer in time; the payment was undone' },
} as const satisfies Record<string, { code: number; text: string }>;

export type ErrorName = keyof typeof errors;

/** One thing that is wrong: which error, in which parameter, in words that say what would be right. */
export type Fault = { readonly error: ErrorName; readonly field?: string; readonly message: string };

export function fault(error: ErrorName, details: { field?: string; hint?: string } = {}): Fault {
  const message = errors[error].text
    .replace('{field}', () => details.field ?? '')
    .replace('{hint}', () => details.hint ?? '');
  return details.field === undefined ? { error, message } : { error, field: details.field, message };
}

/** A request that is not carried out, with everything that is wrong with it. */
export class Refusal {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(first: Fault, ...more: Fault[]) {
    this.faults = [first, ...more];
  }
}

export function refuse(error: ErrorName, details: { field?: string; hint?: string } = {}): Refusal {
  return new Refusal(fault(error, details));
}

/** States what must be true; a violation is a bug, never a merchant's mistake. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
