// The bank's first look at an instruction: its verdict, and what goes into the books.

import { isCardNumber } from '../../domain/card/card.ts';
import type { Money } from '../../domain/money/money.ts';
import type { ChargeInstruction, EligibilityQuestion, FollowUpInstruction, Instruction, Push } from '../acquirer.ts';
import { INVALID_AMOUNT, INVALID_TARGET, INVALID_TRANSACTION } from './bank-codes.ts';
import type { Subject } from './booking.ts';
import { type Ground, objectionTo } from './caps.ts';
import { cardDigits, targetDigitsOf } from './digits.ts';
import { APPROVE, decline, HOLD, judgeAllowed, judgeInstruction, type Verdict } from './rules.ts';
import { canReceive, isAnsweredLate, isNeverTold } from './test-cards.ts';

/** The code of ISO 4217 for "no currency involved". */
const NO_MONEY: Money = { minor: 0n, currency: 'XXX' };

export function subjectOf(instruction: Instruction): Subject {
  const { kind, reference } = instruction;
  switch (kind) {
    case 'eligibility': {
      const { sending, receiving } = instruction;
      const card = sending && cardDigits(sending);
      return { kind, reference, amount: NO_MONEY, card, to: receiving && cardDigits(receiving) };
    }
    case 'push':
      return { kind, reference, amount: instruction.amount, to: targetDigitsOf(instruction.to) };
    case 'capture':
    case 'cancel':
    case 'void':
    case 'refund':
      return { kind, reference, original: instruction.original, amount: instruction.amount };
    default:
      return {
        kind,
        reference,
        amount: instruction.amount,
        card: cardDigits(instruction.card),
        eci: instruction.authentication?.eci,
      };
  }
}

/** `groundOf` finds the bookings that a follow-up depends on. */
export function verdictOn(instruction: Instruction, groundOf: (original: string) => Ground): Verdict {
  switch (instruction.kind) {
    case 'eligibility':
      return onEligibility(instruction);
    case 'push':
      return onPush(instruction);
    case 'capture':
    case 'cancel':
    case 'void':
    case 'refund':
      return onFollowUp(instruction, groundOf(instruction.original));
    default:
      return onCharge(instruction);
  }
}

function onCharge({ kind, amount: { minor }, card, authentication }: ChargeInstruction): Verdict {
  const isPossible = kind === 'verification' ? minor === 0n : minor > 0n;
  if (!isPossible) return decline(INVALID_AMOUNT);
  const verdict = judgeInstruction({ minor, cvv: card.cvv?.reveal(), authenticated: isProved(authentication) });
  return verdict.word === 'approve' && isNeverTold(card.number.reveal()) ? HOLD : verdict;
}

/** Whether the issuer confirms the authentication and gives its proof. */
function isProved(authentication: ChargeInstruction['authentication']): boolean {
  return authentication?.cavv !== undefined && ['Y', 'A'].includes(authentication.status);
}

function onFollowUp(followUp: FollowUpInstruction, ground: Ground): Verdict {
  const objection = objectionTo(followUp, ground);
  return objection === undefined ? judgeAllowed(followUp.amount.minor) : decline(objection);
}

function onPush({ amount: { minor }, to }: Push): Verdict {
  if (minor <= 0n) return decline(INVALID_AMOUNT);
  return canReceive(to) ? judgeInstruction({ minor }) : decline(INVALID_TARGET);
}

function onEligibility({ sending, receiving }: EligibilityQuestion): Verdict {
  const numbers = [sending, receiving].flatMap((card) => (card ? [card.number.reveal()] : []));
  if (numbers.length === 0) return decline(INVALID_TRANSACTION);
  if (!numbers.every(isCardNumber)) return decline(INVALID_TARGET);
  return numbers.some(isAnsweredLate) ? HOLD : APPROVE;
}
