// Rules over several fields of one form. Whether a field was sent and whether it could be read are two questions:
// a mistyped card number must not be reported as a missing one as well.

import { isExpired } from '../domain/card/card.ts';
import { type Fault, fault } from '../domain/errors.ts';
import type { Money } from '../domain/money/money.ts';
import * as field from './fields.ts';
import type { Rule, Sent, Shape } from './form.ts';

type Read<T> = { readonly [K in keyof T]?: T[K] | undefined };

function demand(fields: Shape, sent: Sent): Fault[] {
  const missing = Object.entries(fields).filter(([property]) => !sent.has(property));
  return missing.map(([, { wire }]) => fault('parameter-required', { field: wire }));
}

/** Fields that must be sent together or not at all. */
function demandTogether(fields: Shape, sent: Sent): Fault[] {
  return Object.keys(fields).some((property) => sent.has(property)) ? demand(fields, sent) : [];
}

function demandExactlyOne(fields: Shape, sent: Sent): Fault[] {
  const names = wires(fields);
  const chosen = Object.entries(fields).filter(([property]) => sent.has(property));
  if (chosen.length === 1) return [];
  if (chosen.length > 1) return contradiction(chosen[1]![1].wire, `send only one of ${names.join(', ')}`);
  return [
    { error: 'parameter-required', field: names[0]!, message: `One of the parameters ${names.join(', ')} is required` },
  ];
}

/** Each of the fields needs all others. */
function eachWithOthers(fields: Shape): Record<string, string[]> {
  const names = wires(fields);
  return Object.fromEntries(names.map((name) => [name, names.filter((other) => other !== name)]));
}

function contradiction(wire: string, hint: string): Fault[] {
  return [fault('parameter-contradicts', { field: wire, hint })];
}

function wires(fields: Shape): string[] {
  return Object.values(fields).map(({ wire }) => wire);
}

function named(fields: Shape): string {
  return wires(fields)
    .map((wire) => `\`${wire}\``)
    .join(', ');
}

function exactlyOne(fields: Shape): Rule<unknown> {
  return {
    says: `Exactly one of ${named(fields)}.`,
    faults: (_, __, sent) => demandExactlyOne(fields, sent),
  };
}

const { expireMonth, expireYear, creditCardNumber, cardRecurringPaymentId, cvv2, amount, currency } = field;
const expiry = { expireMonth, expireYear };

export const cardNotExpired: Rule<Read<{ expireMonth: number; expireYear: number }>> = {
  says: 'The card has not expired.',
  faults: ({ expireMonth: month, expireYear: year }, { now }) => {
    if (month === undefined || year === undefined) return [];
    return isExpired({ month, year }, now) ? [fault('card-expired', { field: expireYear.wire })] : [];
  },
};

export const expiryWhole: Rule<unknown> = {
  says: `${named(expiry)} are sent together.`,
  dependentRequired: eachWithOthers(expiry),
  faults: (_, __, sent) => demandTogether(expiry, sent),
};

const { browserInfo: browserAnnounced, ...browserDetails } = field.browser;

export const browserComplete: Rule<Read<{ browserInfo: boolean }>> = {
  says: `\`${browserAnnounced.wire}=true\` makes all the customer_browser fields required.`,
  faults: ({ browserInfo }, _, sent) => (browserInfo === true ? demand(browserDetails, sent) : []),
};

/** A currency alone may be the trace of a misspelled amount, and leaving the amount out means all of the money. */
export const currencyWithAmount: Rule<unknown> = {
  says: `${named({ amount, currency })} are sent together, or not at all for the whole amount.`,
  dependentRequired: eachWithOthers({ amount, currency }),
  faults: (_, __, sent) => {
    if (sent.has('amount')) return demand({ currency }, sent);
    if (!sent.has('currency')) return [];
    return contradiction(currency.wire, 'send it together with amount, or leave both out for the whole amount');
  },
};

export const payoutTarget = exactlyOne({
  creditCardNumber,
  cardRecurringPaymentId,
  accountNumber: field.bankAccount.accountNumber,
});

const transferSources = { creditCardNumber, cardRecurringPaymentId, depositToCard: field.depositToCard };
const cardDetails = { ...expiry, cvv2 };

export const transferSource: Rule<Read<{ depositToCard: boolean }>> = {
  says: `Exactly one of ${named({ creditCardNumber, cardRecurringPaymentId })} and \`${field.depositToCard.wire}=true\` says where the money comes from; a card number needs ${named(cardDetails)}.`,
  faults: ({ depositToCard }, _, sent) => {
    const isPaying = (property: string) =>
      sent.has(property) && !(property === 'depositToCard' && depositToCard === false);
    const details = sent.has('creditCardNumber') ? demand(cardDetails, sent) : [];
    return [...demandExactlyOne(transferSources, { has: isPaying }), ...details];
  },
};

export const transferTarget = exactlyOne({
  destinationCardNumber: field.destinationCardNumber,
  destinationCardRecurringPaymentId: field.destinationCardRecurringPaymentId,
});

export const transferByReferenceTarget = exactlyOne({
  destinationCardNumber: field.destinationCardNumber,
  destinationCardReferenceId: field.destinationCardReferenceId,
});

const { sendingCardReferenceId, sendingCardNumber, ...sendingCardDetails } = field.sendingCard;
const sendingCards = { sendingCardReferenceId, sendingCardNumber };

export const sendingCardChosen: Rule<unknown> = {
  says: `Exactly one of ${named(sendingCards)}; a card number needs ${named(sendingCardDetails)}.`,
  faults: (_, __, sent) => {
    const details = sent.has('sendingCardNumber') ? demand(sendingCardDetails, sent) : [];
    return [...demandExactlyOne(sendingCards, sent), ...details];
  },
};

export const receivingCardChosen = exactlyOne(field.receivingCard);

export const sourceCardHasExpiry: Rule<Read<{ recurringCardType: 'SRC' | 'DST' }>> = {
  says: `A card money is taken from (\`SRC\`) needs ${named(expiry)}.`,
  faults: ({ recurringCardType }, _, sent) =>
    recurringCardType === 'SRC' ? demand(expiry, sent) : demandTogether(expiry, sent),
};

const { amountFrom, amountTo, amountSequence } = field.recurringAmounts;
const range = { amountFrom, amountTo };

export const recurringAmountsAgree: Rule<Read<{ amountFrom: Money; amountTo: Money }>> = {
  says: `The amount is fixed by \`${amount.wire}\`, by ${named(range)}, by \`${amountSequence.wire}\`, or left open.`,
  faults: ({ amountFrom: least, amountTo: most }, _, sent) => {
    const ranged = sent.has('amountFrom') || sent.has('amountTo');
    const ways = [sent.has('amount'), ranged, sent.has('amountSequence')].filter(Boolean).length;
    if (ways > 1) {
      const second = ranged ? amountFrom : amountSequence;
      return contradiction(second.wire, 'send amount, or amount_from with amount_to, or amount_sequence');
    }
    if (least && most && least.minor > most.minor) {
      return contradiction(amountTo.wire, 'it must not be less than amount_from');
    }
    return demandTogether(range, sent);
  },
};

const { intervalUnit, interval, startDate, finishDate } = field.schedule;

// In a merchant's time zone it may still be yesterday.
const dayBefore = (now: number) => new Date(now - 24 * 60 * 60 * 1000).toISOString().slice(0, 10).replaceAll('-', '');

type Schedule = { recurringCardType: 'SRC' | 'DST'; startDate: string; finishDate: string };

export const scheduleAgrees: Rule<Read<Schedule>> = {
  says: `${named({ intervalUnit, interval })} are sent together, with \`${amount.wire}\` or \`${amountSequence.wire}\`, and only for a card money is taken from; \`${startDate.wire}\` accompanies them and is not in the past.`,
  faults: ({ recurringCardType, startDate: start, finishDate: finish }, { now }, sent) => {
    const faults = demandTogether({ intervalUnit, interval }, sent);
    if (start && start < dayBefore(now)) {
      faults.push(...contradiction(startDate.wire, 'it must not be in the past'));
    }
    if (start && !sent.has('interval')) {
      faults.push(...contradiction(startDate.wire, 'send it only together with interval_unit and interval'));
    }
    if (start && finish && finish < start) {
      faults.push(...contradiction(finishDate.wire, 'it must not be before start_date'));
    }
    if (!sent.has('interval')) return faults;
    if (recurringCardType === 'DST') {
      faults.push(...contradiction(interval.wire, 'only a card with rp_card_type SRC can be charged at intervals'));
    }
    return [...faults, ...demandExactlyOne({ amount, amountSequence }, sent)];
  },
};

export const alternativesWithinAmount: Rule<Read<{ amount: Money; enumerateAmounts: readonly Money[] }>> = {
  says: `\`${field.enumerateAmounts.wire}\` holds no amount above \`${amount.wire}\`.`,
  faults: ({ amount: first, enumerateAmounts = [] }) => {
    const isAbove = first !== undefined && enumerateAmounts.some(({ minor }) => minor > first.minor);
    return isAbove ? contradiction(field.enumerateAmounts.wire, `none of its amounts may be above ${amount.wire}`) : [];
  },
};
