// The ways in which people write a key that is not theirs to change: copied with a blank or a line end, in other
// letters, without its dashes. The key itself is the first.

import { Secret } from '../domain/secret.ts';

export type KeySpelling = { readonly spelled: Secret<string>; readonly mistake?: string };

export function keySpellings(key: Secret<string>): KeySpelling[] {
  const text = key.reveal();
  const others: readonly (readonly [string, string])[] = [
    [`${text}\n`, 'A line end stands behind the key: take the key without it.'],
    [`${text}\r\n`, 'A line end stands behind the key: take the key without it.'],
    [`${text} `, 'A blank stands behind the key: take the key without it.'],
    [` ${text}`, 'A blank stands before the key: take the key without it.'],
    [text.trim(), 'The key lacks the blanks around it.'],
    [text.toLowerCase(), 'The key is in small letters: take it as it is.'],
    [text.toUpperCase(), 'The key is in capital letters: take it as it is.'],
    [text.replaceAll('-', ''), 'The key lacks its dashes: take it as it is.'],
    [`"${text}"`, 'The key stands in quotation marks: take it without them.'],
  ];
  const differing = others.filter(([spelled]) => spelled !== text && spelled !== '');
  return [{ spelled: key }, ...differing.map(([spelled, mistake]) => ({ spelled: new Secret(spelled), mistake }))];
}
