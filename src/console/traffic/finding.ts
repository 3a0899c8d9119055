// Filters that the lists of traffic share.

import type { Html, Piece } from '../../web/design/html.ts';
import { html } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { choiceField, textField } from '../pieces/forms.ts';

/** Whether its reader belongs to a merchant: then there is no other merchant to choose. */
export const isOfMerchant = ({ person }: Visit) => person.merchantId !== undefined;

/** Which merchant, for those who run the gateway. */
export function merchantFilter(visit: Visit): Piece {
  if (isOfMerchant(visit)) return undefined;
  return textField({ name: 'login', label: 'Merchant', value: visit.query.get('login'), placeholder: 'any' });
}

export function timeFields(query: URLSearchParams): Html {
  return html`${textField({ name: 'from', label: 'From (UTC)', type: 'date', value: query.get('from') })}
${textField({ name: 'to', label: 'To, this day too', type: 'date', value: query.get('to') })}`;
}

export function choiceFilter(
  query: URLSearchParams,
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  return choiceField({ name, label, value: query.get(name) }, [['', 'any'], ...choices]);
}

/** The columns that only those need who see more than one merchant. */
export function unlessOfMerchant<T extends object>(visit: Visit, columns: T): T | Record<never, never> {
  return isOfMerchant(visit) ? {} : columns;
}
