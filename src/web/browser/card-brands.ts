// Tells the brand of a card by its first digits, and groups its digits. The ranges come with the page.

export type BrandRange = {
  readonly first: number;
  readonly last: number;
  readonly length: number;
  readonly brand: string;
};

/** `34-34:AMEX 51-55:MASTERCARD …`, the longest prefix first. */
export function parseBrands(text: string): BrandRange[] {
  return text.split(' ').flatMap((entry) => {
    const [, first, last, brand] = /^(\d+)-(\d+):(\w+)$/.exec(entry) ?? [];
    if (first === undefined || last === undefined || brand === undefined) return [];
    return [{ first: Number(first), last: Number(last), length: first.length, brand }];
  });
}

export function brandFor(digits: string, ranges: readonly BrandRange[]): string | undefined {
  return ranges.find(({ first, last, length }) => {
    const prefix = Number(digits.slice(0, length));
    return digits.length >= length && first <= prefix && prefix <= last;
  })?.brand;
}

/** Digits in groups of four; American Express has 4-6-5 and Diners Club 4-6-4. */
export function groupsOf(digits: string, brand: string | undefined): string {
  const kept = digits.slice(0, 19);
  const pattern = brand === 'AMEX' || brand === 'DINERS' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?(\d*)$/ : undefined;
  const groups = pattern ? (pattern.exec(kept) ?? []).slice(1) : (kept.match(/\d{1,4}/g) ?? []);
  return groups.filter((group) => group !== undefined && group !== '').join(' ');
}

export function lengthOfCode(brand: string | undefined): number {
  return brand === undefined || brand === 'AMEX' ? 4 : 3;
}
