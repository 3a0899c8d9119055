// International bank account numbers: the length of each country and the check digits of ISO 13616 (modulo 97).
// Countries that use the form without being in the registry are taken at the length their banks use.

const COUNTRIES_BY_LENGTH: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'AX DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'AO CV GW LY MZ PT ST',
  26: 'DZ IR IS TR',
  27: 'BI BL CF CG CM DJ FR GA GF GP GQ GR IT KM MC MF MG MQ MR NC PF PM RE SM TD TF WF YT',
  28: 'AL AZ BF BJ BY CI CY DO GT HN HU LB MA ML NE NI PL SN SV TG',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
};

const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(COUNTRIES_BY_LENGTH).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

/** Two letters and two digits in front: whoever writes that means an IBAN. */
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
  const length = LENGTHS.get(country);
  if (length === undefined) return `no IBAN begins with ${country}`;
  if (iban.length !== length) return `an IBAN of ${country} has ${length} characters`;
  // 00, 01 and 99 would leave the same remainder as 97, 98 and 02, but are never given out.
  return /^[A-Z]{2}(?!00|01|99)\d{2}[A-Z0-9]+$/.test(iban) && remainder(iban) === 1
    ? undefined
    : 'an IBAN with right check digits; one of its characters may be mistyped';
}

/** The number an IBAN stands for (front moved to the end, letters as 10 to 35) modulo 97, character by character. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}
