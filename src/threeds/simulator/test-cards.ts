// The cards that the simulated card networks treat specially, for merchants to test with. Every other number is an
// ordinary card: EMV 3DS 2.1 and 2.2 without a method URL, authenticated without a challenge unless one is asked for.

import type { Version } from '../messages/index.ts';

/** What the issuer answers to an AReq. */
export type IssuerWord = 'Y' | 'A' | 'N' | 'R' | 'U' | 'I' | 'C';

export type CardBehaviour = {
  /** The versions of EMV 3DS that the issuer speaks; undefined for a card that only knows 1.0.2 or nothing. */
  readonly versions: readonly [from: Version, to: Version] | undefined;
  readonly answers: IssuerWord;
  readonly hasMethod: boolean;
  /** `enrolled` is the word of 1.0.2's directory server, `legacyAnswers` what the issuer of an enrolled card does. */
  readonly enrolled: 'Y' | 'N' | 'U';
  readonly legacyAnswers: 'ask' | 'A';
};

export type TestCard = CardBehaviour & { readonly number: string; readonly means: string };

const ORDINARY: CardBehaviour = {
  versions: ['2.1.0', '2.2.0'],
  answers: 'Y',
  hasMethod: false,
  enrolled: 'N',
  legacyAnswers: 'ask',
};

function card(number: string, means: string, differs: Partial<CardBehaviour> = {}): TestCard {
  return { ...ORDINARY, ...differs, number, means };
}

export const TEST_CARDS = {
  frictionless: card('4000000000001000', 'authenticated without a question (Y)'),
  frictionlessMethod: card('4000000000001083', 'method URL, then authenticated without a question (Y)', {
    hasMethod: true,
  }),
  attempt: card('4000000000001026', 'attempted, with proof (A)', { answers: 'A' }),
  failed: card('4000000000001018', 'not authenticated (N)', { answers: 'N' }),
  rejected: card('4000000000001042', 'rejected by the issuer (R)', { answers: 'R' }),
  unavailable: card('4000000000001034', 'the issuer cannot be reached (U)', { answers: 'U' }),
  informational: card('4000000000001059', 'for information only (I); 2.2.0', {
    answers: 'I',
    versions: ['2.2.0', '2.2.0'],
  }),
  challenge: card('4000000000001091', 'the payer is asked (C)', { answers: 'C' }),
  challengeMethod: card('4000000000001109', 'method URL, then the payer is asked (C)', {
    answers: 'C',
    hasMethod: true,
  }),
  challenge21: card('4000000000001117', 'the payer is asked (C); 2.1.0 only', {
    answers: 'C',
    versions: ['2.1.0', '2.1.0'],
  }),
  frictionless21: card('4000000000001125', 'authenticated without a question (Y); 2.1.0 only', {
    versions: ['2.1.0', '2.1.0'],
  }),
  mastercardFrictionless: card('5200000000001005', 'Mastercard: authenticated without a question (Y)'),
  mastercardChallenge: card('5200000000001096', 'Mastercard: the payer is asked (C)', { answers: 'C' }),
  legacy: card('4000000000001133', '1.0.2: enrolled, the payer is asked', { versions: undefined, enrolled: 'Y' }),
  legacyAttempt: card('4000000000001141', '1.0.2: enrolled, attempted (A)', {
    versions: undefined,
    enrolled: 'Y',
    legacyAnswers: 'A',
  }),
  notEnrolled: card('4000000000001158', 'in no version: not enrolled', { versions: undefined }),
  enrolmentUnknown: card('4000000000001166', '1.0.2: enrolment unavailable (U)', {
    versions: undefined,
    enrolled: 'U',
  }),
} as const satisfies Readonly<Record<string, TestCard>>;

/** The card of the guides, which is an ordinary one. */
const ORDINARY_CARD = '4444555566661111';

/** What sandboxes and guides show to everybody: these numbers are nobody's, and need not be hidden. */
export const PUBLISHED_CARDS: ReadonlySet<string> = new Set([
  ORDINARY_CARD,
  ...Object.values(TEST_CARDS).map(({ number }) => number),
]);

const BY_NUMBER: ReadonlyMap<string, TestCard> = new Map(Object.values(TEST_CARDS).map((each) => [each.number, each]));

export function behaviourOf(cardNumber: string): CardBehaviour {
  return BY_NUMBER.get(cardNumber) ?? ORDINARY;
}

/** Consecutive card numbers that behave the same. */
export type NumberRange = { readonly start: string; readonly end: string; readonly behaviour: CardBehaviour };

/** Ranges that do not overlap: one for each test card, and for every length the ordinary cards between them. */
export function numberRanges(): NumberRange[] {
  const own = [...BY_NUMBER.values()].map((behaviour) => ({
    start: behaviour.number,
    end: behaviour.number,
    behaviour,
  }));
  const ordinary = [13, 14, 15, 16, 17, 18, 19].flatMap((length) => ordinaryRanges(length));
  return [...ordinary, ...own].filter(({ behaviour }) => behaviour.versions !== undefined);
}

function ordinaryRanges(length: number): NumberRange[] {
  const taken = [...BY_NUMBER.keys()].filter((number) => number.length === length).sort();
  const starts = [0n, ...taken.map((number) => BigInt(number) + 1n)];
  const ends = [...taken.map((number) => BigInt(number) - 1n), 10n ** BigInt(length) - 1n];
  const written = (number: bigint) => number.toString().padStart(length, '0');
  return starts
    .map((start, place) => ({ start, end: ends[place] ?? start }))
    .filter(({ start, end }) => start <= end)
    .map(({ start, end }) => ({ start: written(start), end: written(end), behaviour: ORDINARY }));
}
