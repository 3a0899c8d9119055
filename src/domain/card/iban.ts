// International bank account numbers (ISO 13616): `ibantools` knows each country's length and form, and checks the
// digits. Countries that use the form without being in the registry are taken at the length their banks use.

import { getCountrySpecifications, isValidIBAN } from 'ibantools';

const COUNTRIES = getCountrySpecifications();

/** Two letters and two digits in front mean that an IBAN was intended. */
export function looksLikeIban(text: string): boolean {
  return /^[A-Za-z]{2}\d{2}/.test(text.replace(/\s/g, ''));
}

/** Without blanks, in capitals. */
export function normaliseIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

/** Why a normalised text is no IBAN: finishes a sentence such as "account_number is malformed: …". */
export function whyNotIban(iban: string): string | undefined {
  const country = iban.slice(0, 2);
  const length = COUNTRIES[country]?.chars;
  if (!length) return `no IBAN begins with ${country}`;
  if (iban.length !== length) return `an IBAN of ${country} has ${length} characters`;
  return isValidIBAN(iban)
    ? undefined
    : 'the check digits of the IBAN do not fit; one of its characters may be mistyped';
}
