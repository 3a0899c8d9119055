// What the simulated bank knows about cards by their first digits: card network, product, country, issuer, and whether
// money can be sent from and to them. Merchants test with these numbers; others are ordinary cards of their network:
//
//   4111111111111111  Visa credit, USA          can send and receive, as can all that are not listed otherwise
//   4000056655665556  Visa debit, USA
//   5555555555554444  Mastercard credit, GBR
//   5200828282828210  Mastercard debit, DEU
//   5105105105105100  Mastercard prepaid, USA   can neither send nor receive
//   378282246310005   American Express, USA     can send, cannot receive
//   4012888888881881  Visa credit, CAN          the question about it is in doubt first, then answered
//   4000060000000006  Visa credit, USA          what is charged to it is booked, and the bank never says so
//
// A push to a card that cannot receive is declined with 111, and so is one to a bank account number of zeros only.

import { brandOf, isCardNumber } from '../../domain/card/card.ts';
import type { CardEligibility, Target } from '../acquirer.ts';

type TestRange = {
  readonly product: string;
  readonly country: string;
  readonly issuer: string;
  readonly sends: boolean;
  readonly receives: boolean;
  readonly inDoubt?: true;
  readonly untold?: true;
};

const ABLE = { sends: true, receives: true } as const;

/** The longest prefix that fits decides. */
const RANGES: Readonly<Record<string, TestRange>> = {
  '411111': { product: 'CREDIT', country: 'USA', issuer: 'Tender Test Bank', ...ABLE },
  '400005': { product: 'DEBIT', country: 'USA', issuer: 'Tender Test Bank', ...ABLE },
  '400006': { product: 'CREDIT', country: 'USA', issuer: 'Tender Silent Bank', ...ABLE, untold: true },
  '401288': { product: 'CREDIT', country: 'CAN', issuer: 'Tender Slow Bank', ...ABLE, inDoubt: true },
  '555555': { product: 'CREDIT', country: 'GBR', issuer: 'Tender Bank of London', ...ABLE },
  '520082': { product: 'DEBIT', country: 'DEU', issuer: 'Tender Bank Berlin', ...ABLE },
  '510510': { product: 'PREPAID', country: 'USA', issuer: 'Tender Gift Cards', sends: false, receives: false },
  '34': { product: 'CHARGE', country: 'USA', issuer: 'Tender Travel', sends: true, receives: false },
  '37': { product: 'CHARGE', country: 'USA', issuer: 'Tender Travel', sends: true, receives: false },
};

const ORDINARY: TestRange = { product: 'CREDIT', country: 'USA', issuer: 'Tender Test Bank', ...ABLE };
const LONGEST_PREFIX = 6;

/** The first six digits decide, because the books keep no more. */
export function eligibilityOf(digits: string, direction: 'sends' | 'receives'): CardEligibility {
  const { product, country, issuer, [direction]: able } = rangeOf(digits);
  const network = brandOf(digits.slice(0, LONGEST_PREFIX).padEnd(8, '0'));
  return { eligible: able && network !== 'UNKNOWN', network, product, country, issuer };
}

export function isAnsweredLate(digits: string): boolean {
  return rangeOf(digits).inDoubt === true;
}

/** Whether the bank never says what became of a charge to it: a person has to look into its books. */
export function isNeverTold(digits: string): boolean {
  return rangeOf(digits).untold === true;
}

export function canReceive(target: Target): boolean {
  if ('account' in target) return /[^0]/.test(target.account.number.reveal());
  const number = target.card.number.reveal();
  return isCardNumber(number) && eligibilityOf(number, 'receives').eligible;
}

function rangeOf(digits: string): TestRange {
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const range = RANGES[digits.slice(0, length)];
    if (range) return range;
  }
  return ORDINARY;
}
