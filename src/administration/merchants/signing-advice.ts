// What the administrator of a real gateway is told about signatures when a merchant or an endpoint is new.

import type { Parts } from '../parts.ts';
import { aText, orNull } from '../verb/answers.ts';

export const adviceAnswer = orNull(aText('What to do next for the safety of its signatures; in production only.'));

/** None in a sandbox, and none where strict signatures are demanded already. */
export function signingAdvice(login: string, isStrict: boolean, { mode }: Parts<'mode'>): string | null {
  if (mode === 'sandbox' || isStrict) return null;
  return [
    'WARNING: a control alone is good for ever. Whoever has seen one request of this merchant can send it again,',
    'and can send a STATUS as a VOID or as a RETURN of everything. Strict signing (header X-Signature) ends that.',
    `Demand it as soon as the merchant sends it, with: tender merchant strict ${login}`,
  ].join('\n');
}
