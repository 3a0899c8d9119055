// Every field of every instruction comes out of the wire as it went in. The lists of fields are complete by their
// types: a new field does not compile until it is listed here, and then fails until the wire carries it.

import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { Authentication } from '../../domain/three-d-secure/authentication.ts';
import type {
  BankAccount,
  CardDetails,
  ChargeInstruction,
  EligibilityQuestion,
  FollowUpInstruction,
  Push,
  TargetCard,
} from '../acquirer.ts';
import { readInstruction, writeInstruction } from './wire-instruction.ts';

/** Values for every field, the optional ones included. */
type Every<T> = { readonly [Name in keyof Required<T>]: Arbitrary<Exclude<T[Name], undefined>> };

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const digits = (least: number, most: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
    .map((one) => new Secret(one));
const reference = fc.stringMatching(/^[!-~]{1,128}$/);
const amount = fc.record({
  minor: fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
});

const card = fc.record(
  {
    number: digits(12, 19),
    expireMonth: fc.integer({ min: 1, max: 12 }),
    expireYear: fc.integer({ min: 1000, max: 9999 }),
    cvv: digits(3, 4),
    holder: text,
  } satisfies Every<CardDetails>,
  { requiredKeys: ['number', 'expireMonth', 'expireYear'] },
);

const authentication = fc.record(
  {
    version: fc.constantFrom('1.0.2', '2.2.0'),
    status: fc.constantFrom('Y', 'A', 'N', 'R', 'U', 'I'),
    eci: text,
    cavv: fc.stringMatching(/^[A-Za-z0-9+/]{27}=$/).map((one) => new Secret(one)),
    dsTransactionId: text,
    xid: text,
  } satisfies Every<Authentication>,
  { requiredKeys: ['version', 'status'] },
);

const targetCard = fc.record({ number: digits(12, 19), holder: text } satisfies Every<TargetCard>, {
  requiredKeys: ['number'],
});

const account = fc.record(
  {
    number: fc.stringMatching(/^[ -~]{1,64}$/).map((one) => new Secret(one)),
    name: text,
    bankName: text,
    bankBranch: text,
    bankCode: text,
    bankProvince: text,
    bankArea: text,
    bankCity: text,
    bankAddress: text,
    bankZipCode: text,
    routingNumber: text,
  } satisfies Every<BankAccount>,
  { requiredKeys: ['number'] },
);

const charge = fc.record(
  {
    kind: fc.constantFrom('sale', 'preauth', 'pull', 'verification'),
    reference,
    amount,
    card,
    descriptor: text,
    initiator: fc.constantFrom('payer', 'merchant'),
    authentication,
  } satisfies Every<ChargeInstruction>,
  { requiredKeys: ['kind', 'reference', 'amount', 'card', 'descriptor', 'initiator'] },
);

const followUp = fc.record({
  kind: fc.constantFrom('capture', 'cancel', 'void', 'refund'),
  reference,
  original: reference,
  amount,
} satisfies Every<FollowUpInstruction>);

const push = fc.record({
  kind: fc.constant('push'),
  reference,
  amount,
  to: fc.oneof(fc.record({ card: targetCard }), fc.record({ account })),
} satisfies Every<Push>);

const question = fc.record(
  {
    kind: fc.constant('eligibility'),
    reference,
    sending: targetCard,
    receiving: targetCard,
  } satisfies Every<EligibilityQuestion>,
  { requiredKeys: ['kind', 'reference'] },
);

it('carries every field of an instruction', () => {
  fc.assert(
    fc.property(fc.oneof(charge, followUp, push, question), (instruction) => {
      expect(opened(readInstruction(writeInstruction(instruction)))).toEqual(opened(instruction));
    }),
  );
});

/** The value with its secrets revealed, so that they are compared too. */
function opened(value: unknown): unknown {
  if (value instanceof Secret) return { secret: value.reveal() };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, opened(one)]));
}
