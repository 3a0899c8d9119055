// How each operation is signed, in words: derived from its declaration, for the OpenAPI document and the reference pages.

import { canonicalName } from '../operations/form.ts';
import type { ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';

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
