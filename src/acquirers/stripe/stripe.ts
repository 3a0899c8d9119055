// The connector to Stripe: sales, preauthorisations and checks of cards as intents, and what follows on them. It speaks
// Stripe's HTTP interface itself; how money stays safe when answers are lost is told in charges.ts and follow-ups.ts.

import { flag, wholeNumber } from '../../domain/input-kinds.ts';
import type {
  Acquirer,
  Answer,
  ChargeInstruction,
  Circumstances,
  FollowUpInstruction,
  Instruction,
  InstructionKind,
} from '../acquirer.ts';
import { defineConnector, LONGEST_ANSWER_MS, optionalSecretValue, requiredValue, secretValue } from '../connector.ts';
import { type ChargeAt, StripeCharges } from './charges.ts';
import { type FollowUpAt, StripeFollowUps } from './follow-ups.ts';
import { unknown } from './judgement.ts';
import { readStripeNotice } from './notices.ts';
import { tryStripe } from './self-test.ts';
import { addressOfStripe, STRIPE_ADDRESS, secretKeyKind, webhookSecretKind } from './settings.ts';
import { StripeLine, type Talk } from './stripe-line.ts';

const DEFAULT_ANSWER_MS = 30_000;

const CHARGES = ['sale', 'preauth', 'verification'] as const satisfies readonly InstructionKind[];
const FOLLOW_UPS = ['capture', 'cancel', 'void', 'refund'] as const satisfies readonly InstructionKind[];

export const stripe = defineConnector({
  name: 'stripe',
  says: 'an account at Stripe, in test or live mode',
  settings: {
    secretKey: secretValue(secretKeyKind, { says: 'the secret key of the account: with a test key no money moves' }),
    webhookSecret: optionalSecretValue(webhookSecretKind, { says: 'the signing secret of the webhook at Stripe' }),
    baseUrl: requiredValue(addressOfStripe, { says: 'where Stripe is reached', default: STRIPE_ADDRESS }),
    answerMs: requiredValue(wholeNumber(1_000, LONGEST_ANSWER_MS), {
      says: 'how long Stripe may take to answer, in milliseconds',
      default: DEFAULT_ANSWER_MS,
    }),
    networkTransactionIds: requiredValue(flag, {
      says: "hand over the network's id of a stored card's first charge; Stripe must have opened this for the account",
      default: false,
    }),
  },
  does: [...CHARGES, ...FOLLOW_UPS],
  partial: ['capture', 'refund'],
  inquiry: 'repeat',
  needsCard: false,
  open: ({ secretKey, webhookSecret, baseUrl, answerMs, networkTransactionIds }, { clock, noticeUrl }): Acquirer => {
    const line = new StripeLine({ baseUrl, secretKey, answerMs, clock });
    const charges = new StripeCharges({ clock, networkTransactionIds });
    const followUps = new StripeFollowUps(clock);
    const converse = <T>(
      instruction: Instruction,
      around: Circumstances,
      work: {
        charge: (talk: Talk, charge: ChargeAt) => Promise<T>;
        followUp: (talk: Talk, at: FollowUpAt) => Promise<T>;
      },
    ): Promise<T> | undefined => {
      if (isCharge(instruction)) return line.converse((talk) => work.charge(talk, { instruction, around }));
      if (isFollowUp(instruction)) return line.converse((talk) => work.followUp(talk, { instruction, around }));
      return undefined;
    };

    return {
      send: async (instruction, around) =>
        (await converse<Answer>(instruction, around, {
          charge: (talk, charge) => charges.send(talk, charge),
          followUp: (talk, at) => followUps.send(talk, at),
        })) ?? { word: 'unsent', reason: cannot(instruction) },
      inquire: async (_reference, { instruction, around }) =>
        (await converse(instruction, around, {
          charge: (talk, charge) => charges.inquire(talk, charge),
          followUp: (talk, at) => followUps.inquire(talk, at),
        })) ?? unknown(cannot(instruction)),
      reverse: async (_reference, { instruction, around }) =>
        (await converse(instruction, around, {
          charge: (talk, charge) => charges.reverse(talk, charge),
          followUp: (talk, at) => followUps.reverse(talk, at),
        })) ?? unknown(cannot(instruction)),
      test: () => line.converse((talk) => tryStripe(talk, webhookSecret && noticeUrl)),
      receive: async (notice) => readStripeNotice(notice, webhookSecret, clock.now()),
      traced: () => line.traced(),
      close: async () => line.close(),
    };
  },
});

function isCharge(instruction: Instruction): instruction is ChargeInstruction {
  return (CHARGES as readonly InstructionKind[]).includes(instruction.kind);
}

function isFollowUp(instruction: Instruction): instruction is FollowUpInstruction {
  return (FOLLOW_UPS as readonly InstructionKind[]).includes(instruction.kind);
}

const cannot = ({ kind }: Instruction) => `Stripe is not asked for a ${kind}`;
