// Filters that the lists of traffic share.

import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { choiceField, textField } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';

/** Which merchant, for those who run the gateway. */
export function merchantFilter(visit: Visit): Piece {
  if (isOfMerchant(visit)) return undefined;
  return textField({ name: 'login', label: 'Merchant', value: visit.query.get('login'), placeholder: 'any' });
}

export function timeFields(query: URLSearchParams): Html {
  return html`${textField({ name: 'from', label: 'From (UTC)', type: 'date', value: query.get('from') })}
${textField({ name: 'to', label: 'To, this day too (UTC)', type: 'date', value: query.get('to') })}`;
}

export function choiceFilter(
  query: URLSearchParams,
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  return choiceField({ name, label, value: query.get(name) }, [['', 'any'], ...choices]);
}
