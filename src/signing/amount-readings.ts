// What the amount of a request may mean under a control, which covers minor units: "1042" is 10.42 or 1042.00,
// whichever was signed, and a point says major units. Each reading signs another figure, so a control fits one at most.

import { exponentOf } from '../domain/money/currency.ts';
import { type Notation, readFigure } from '../domain/money/money.ts';

export type AmountReading = {
  /** The figure as it stands among the signed values. */
  readonly signed: string;
  readonly notation: Notation;
  /** Whether the figure counts hundredths of a currency that has none. */
  readonly inHundredths: boolean;
};

/** Reads too large amounts as well: their signature can be checked, and then they are refused as too large. */
export function amountReadings(text: string, currency: string, signedInHundredths = false): AmountReading[] {
  const inHundredths = signedInHundredths && exponentOf(currency) === 0;
  const major = readFigure(text, currency, 'major');
  if (inHundredths) return major === undefined ? [] : [{ signed: `${major}00`, notation: 'major', inHundredths }];
  const minor = readFigure(text, currency, 'minor');
  const readings: AmountReading[] = [];
  if (minor !== undefined) readings.push({ signed: minor.toString(), notation: 'minor', inHundredths });
  if (major !== undefined && major !== minor) {
    readings.push({ signed: major.toString(), notation: 'major', inHundredths });
  }
  return readings;
}

/** The numbers of decimals that currencies have. */
const EXPONENTS = [2, 0, 3];
const DECIMAL = /^[+]?(-?)(\d{0,16})(?:[.,](\d{0,16}))?$/;
/** Thousands set apart, such as 1,042.00. */
const GROUPED = /^\d{1,3}(?:,\d{3}){1,4}(?=\.|$)/;

/**
 * The figures that clients sign for an amount that is refused anyway, because the amount or its currency is wrong. When
 * one of them fits the control, the request is told what is wrong with the amount and not that its control is.
 */
export function figuresOfRefused(text: string): string[] {
  const figures = new Set([text, text.replace(/[.,]/, '').replace(/^0+(?=\d)/, '')]);
  const plain = text.replace(GROUPED, (whole) => whole.replaceAll(',', ''));
  for (const number of new Set([text, plain])) for (const figure of figuresOf(number)) figures.add(figure);
  return [...figures];
}

/** The minor units of a decimal number for every number of decimals, cut and rounded; none when it is no number. */
function figuresOf(number: string): string[] {
  const [, sign = '', whole = '', decimals = ''] = DECIMAL.exec(number) ?? [];
  if (whole + decimals === '') return [];
  const figures: string[] = [];
  for (const exponent of EXPONENTS) {
    const cut = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
    const isRoundedUp = (decimals[exponent] ?? '0') >= '5';
    figures.push(`${sign}${cut}`);
    if (isRoundedUp) figures.push(`${sign}${cut + 1n}`);
  }
  return figures;
}
