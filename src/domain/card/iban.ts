// International bank account numbers (ISO 13616): `ibantools` knows each country's length and form, and checks the
// digits. Of countries that use IBANs without being in the registry nobody publishes the form: there the length their
// banks use and the check digits must fit, no more.

import { getCountrySpecifications, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

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
  const { chars: length, IBANRegistry: isRegistered } = COUNTRIES[country] ?? {};
  if (!length) return `no IBAN begins with ${country}`;
  if (iban.length !== length) return `an IBAN of ${country} has ${length} characters`;
  if (!hasItsCheckDigits(iban)) return 'the check digits of the IBAN do not fit; one of its characters may be mistyped';
  if (!isRegistered) return undefined;
  const { valid, errorCodes } = validateIBAN(iban);
  if (valid) return undefined;
  return errorCodes.includes(ValidationErrorsIBAN.WrongBBANFormat)
    ? `an IBAN of ${country} has letters and digits at other places`
    : 'the check digits of the bank or account in the IBAN do not fit; one of its characters may be mistyped';
}

/** ISO 7064, MOD 97-10: letters count as 10 to 35, and the first four characters go to the end. */
function hasItsCheckDigits(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
