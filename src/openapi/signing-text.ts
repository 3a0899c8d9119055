// How each operation is signed, in words that are derived from its declaration, for the OpenAPI document and the
// reference pages.

import { canonicalName } from '../operations/form.ts';
import type { ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';

/** What all operations of a signing scheme have in common. */
export const signing = {
  control:
    "The field `control` is the hexadecimal SHA-1 digest of the values named at the operation, joined in that order without separators, followed by the merchant's control key. Amounts enter it in minor units: 10.42 USD as 1042. In the body such an amount is written as 1042 or as 10.42, whichever the control fits; in operations without a control it is in major units. Zeros beyond the decimals of its currency change nothing.",
  oauth:
    "The signature covers the body's parameters and the OAuth parameters (RFC 5849, section 3.4.1), under the public base URL of the interface; a sandbox also takes the scheme and host that were called. HMAC-SHA1 uses the control key, `&` and an empty token secret; RSA-SHA256 uses the merchant's private key.",
  strict:
    'An endpoint with strict signing also demands the header `X-Signature: t=<unix seconds>,v1=<signature>`: the present time, at most 300 s away from ours, and the hexadecimal HMAC-SHA256, under the control key, of that time, the name of the operation (the heading of its section in the reference, `x-operation-name` in the OpenAPI document), the id in the path and the body as it is sent, joined by points: `1800000000.SALE.101.client_orderid=…`. The same header and body again are the same request.',
};

/** What is said of operations that the specification does not have. */
export const ADDITION = 'An addition to the specification, for clients that call it.';

export function signingText(operation: Operation): string {
  const { auth } = operation;
  if (auth.scheme !== 'open') return schemeText(operation, auth);
  return `No signature is required. A request that is signed anyway is checked: ${schemeText(operation, auth.ifSigned)}`;
}

function schemeText(operation: Operation, auth: ControlAuth | OAuthAuth): string {
  if (auth.scheme === 'oauth') {
    const method = auth.method === 'either' ? 'HMAC-SHA1 or RSA-SHA256' : auth.method;
    return `OAuth 1.0a, ${method}, in the \`Authorization\` header.`;
  }
  return `\`control\` = SHA-1(${concatenation(operation, auth)}), formula ${auth.formula}.`;
}

/** The values in the order they are joined, spelled as the operation spells them: `login + client-order-id + …`. */
function concatenation({ request }: Operation, { over }: ControlAuth): string {
  const fields = Object.values(request.fields);
  const parts = over.map((name) => {
    const field = fields.find((candidate) => canonicalName(candidate.wire) === name);
    const notes = [];
    if (name === 'amount') notes.push('in minor units');
    if (field?.required === false) notes.push('when sent');
    const note = notes.length > 0 ? ` (${notes.join(', ')})` : '';
    return `\`${field?.wire ?? name}\`${note}`;
  });
  return [...parts, 'control key'].join(' + ');
}
