// What the books say of every merchant, account and currency. The accounts of a currency add up to nothing, because
// every booking takes from one what it gives to another.

import { instant } from '../../domain/input-kinds.ts';
import { loginOf, merchantIdsOf, onlyMerchant } from '../lookups.ts';
import { givenCurrency } from '../merchants/endpoints.ts';
import { type Answered, aList, aMoment, anAmount, anObject, aText } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { textTable } from '../verb/table.ts';
import { defineReading } from '../verb/verb.ts';

const balancesAnswer = anObject({
  at: aMoment('The moment they are told of.'),
  balances: aList(
    anObject({
      login: aText(),
      account: aText(
        'merchant: what the merchant is owed; clearing: between us and banks; reserved: for payouts on their way; ' +
          "transit: between a sender's card and a receiver's.",
      ),
      currency: aText(),
      balance: anAmount(),
    }),
  ),
  totals: aList(anObject({ currency: aText(), total: anAmount() }), 'Each is nothing when the books are right.'),
});

export const listBalances = defineReading({
  name: 'listBalances',
  summary: 'show what the books say of merchants, by account and currency',
  merchants: 'own',
  example: 'tender balance --merchant shop --currency EUR --at 2027-01-31T18:00:00Z',
  given: {
    login: onlyMerchant,
    currency: mayGive(givenCurrency, 'only this currency', { as: '--currency <code>' }),
    at: mayGive(instant, 'as they were then, by their entries; now when left out', { as: '--at <moment>' }),
  },
  answer: balancesAnswer,
  run: async ({ login, currency, at }, { accounts, clock, configuration }) => {
    const all = await configuration.read();
    const found = await accounts.list({ merchantIds: merchantIdsOf(login, all), currency, at });
    const sums = new Map<string, bigint>();
    for (const one of found) sums.set(one.currency, (sums.get(one.currency) ?? 0n) + one.balance);
    return {
      at: at ?? clock.now(),
      balances: found.map(({ merchantId, account, currency, balance: minor }) => {
        return { login: loginOf(merchantId, all), account, currency, balance: { minor, currency } };
      }),
      totals: [...sums].map(([currency, minor]) => ({ currency, total: { minor, currency } })),
    };
  },
  show: balancesText,
});

function balancesText({ balances, totals }: Answered<typeof balancesAnswer>): string {
  if (balances.length === 0) return 'Nothing is booked.';
  const rows = balances.map(({ login, account, currency, balance }) => [login, account, currency, balance]);
  const ends = totals.map(({ currency, total }) => ['all', 'together', currency, total]);
  return textTable(['MERCHANT', 'ACCOUNT', 'CURRENCY', 'BALANCE'], [...rows, ...ends]);
}
