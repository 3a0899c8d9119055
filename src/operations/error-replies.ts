// Replies that are sent instead of an operation's own: what was wrong with the request, or that the service failed.

import { type ErrorName, errors, type Fault, type Refusal } from '../domain/errors.ts';
import { orderIds } from './acknowledgement.ts';
import type { JsonSchema } from './form.ts';
import { bodyOf, type ReplyBody, reply, response, responseJsonSchema } from './response.ts';

const failure = {
  'error-code': 'The number of the error, as listed on the errors page.',
  'error-message': 'What was wrong and what would be right.',
};

export const validationErrorResponse = response('ValidationErrorResponse', 'validation-error', {
  'merchant-order-id': orderIds['merchant-order-id'],
  ...failure,
  'expected-string':
    'Sandbox endpoints only, on a wrong signature: the string the service signed, with `<MERCHANT_CONTROL_KEY>` for the key and `~hidden~` for card numbers, those of test cards excepted, and security codes.',
  'signing-mistake':
    'Sandboxes only, on a wrong signature: what was signed otherwise, where one of the usual mistakes gives the signature that came.',
});

export const serverErrorResponse = response('ServerErrorResponse', 'error', failure);

/** The list of all faults is the one value of any reply that is not a string. */
export function validationErrorJsonSchema(): JsonSchema {
  const text = (description: string) => ({ type: 'string', description });
  const entry = {
    field: text('The parameter, when one is to blame.'),
    code: text('The number of the error.'),
    message: text(failure['error-message']),
  };
  const errors = {
    type: 'array',
    description: 'Everything that is wrong with the request, one entry per fault.',
    items: { type: 'object', required: ['code', 'message'], properties: entry },
  };
  return responseJsonSchema(validationErrorResponse, { errors });
}

type Told = {
  readonly merchantOrderId?: string | undefined;
  readonly expectedString?: string | undefined;
  readonly signingMistake?: string | undefined;
};

/** The body of a refusal, also for requests that never reached an operation. */
export function validationError(serialNumber: string, faults: Refusal['faults'], told: Told = {}): ReplyBody {
  const values = reply(validationErrorResponse, {
    'merchant-order-id': told.merchantOrderId,
    'error-code': codeOf(faults[0].error),
    // Each message is a sentence without its full stop.
    'error-message': faults.map((one) => one.message).join('. '),
    'expected-string': told.expectedString,
    'signing-mistake': told.signingMistake,
  });
  const listed = faults.map(({ field, error, message }) => ({ field, code: codeOf(error), message }));
  return { ...bodyOf(values, validationErrorResponse, serialNumber), errors: listed };
}

export function serverError(serialNumber: string, { error, message }: Fault): ReplyBody {
  const values = reply(serverErrorResponse, { 'error-code': codeOf(error), 'error-message': message });
  return bodyOf(values, serverErrorResponse, serialNumber);
}

function codeOf(error: ErrorName): string {
  return String(errors[error].code);
}
