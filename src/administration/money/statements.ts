// A merchant's statement: by currency and day what was taken, returned and paid out, and what its balance was.

import { readBy } from '../../domain/input-kinds.ts';
import type { Account } from '../../domain/money/ledger.ts';
import { balanceStatement } from '../../domain/money/statement.ts';
import { firstMoment } from '../../domain/search/order-search.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import { givenCurrency } from '../merchants/endpoints.ts';
import { type Answered, aList, aNumber, anAmount, anObject, aText } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { textTable } from '../verb/table.ts';
import { defineReading } from '../verb/verb.ts';

const DAY_MS = 24 * 60 * 60_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;
/** Everything from the first day until now is read, also for a statement that ends long ago. */
const FARTHEST_DAYS = 800;

/** What is a merchant's: what it is owed, and what of it is on its way out. */
const OWN_ACCOUNTS: readonly Account[] = ['merchant', 'reserved'];

const sums = {
  taken: anAmount(),
  returned: anAmount('Voided and returned: nothing, or less.'),
  chargedBack: anAmount('Nothing, or less.'),
  paidOut: anAmount('With what is on its way, without what came back: nothing, or less.'),
};

const statementAnswer = anObject({
  login: aText(),
  from: aText('The first day, in UTC.'),
  to: aText('The last day.'),
  currencies: aList(
    anObject({
      currency: aText(),
      opening: anAmount('The balance before the first day.'),
      closing: anAmount('The balance when the last day was over.'),
      ...sums,
      reserved: anAmount('For payouts that are on their way now.'),
      days: aList(
        anObject({ day: aText(), ...sums, bookings: aNumber(), balance: anAmount('When the day was over.') }),
        'Days on which nothing was booked are left out.',
      ),
    }),
  ),
});

const day = readBy('a day such as 2027-01-31', (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && typeof firstMoment.read(text, undefined) === 'number' ? text : undefined,
);

export const showStatement = defineReading({
  name: 'showStatement',
  command: 'merchant statement',
  summary: "show what a merchant's balance did, day by day",
  merchants: 'own',
  example: 'tender merchant statement --merchant shop --from 2027-01-01 --to 2027-01-31',
  given: {
    login: mayGive(merchantLogin, 'the merchant; may be left out by its own people', { as: '--merchant <login>' }),
    currency: mayGive(givenCurrency, 'only this currency', { as: '--currency <code>' }),
    from: mayGive(day, `the first day, in UTC (default: ${USUAL_DAYS} days)`, { as: '--from <day>' }),
    to: mayGive(day, 'the last day (default: today)', { as: '--to <day>' }),
  },
  answer: statementAnswer,
  run: async ({ login, currency, ...given }, { accounts, clock, configuration, merchantId: own }) => {
    const all = await configuration.read();
    const name = login ?? all.merchants.find(({ merchantId }) => merchantId === own)?.login;
    if (name === undefined) throw new InvalidInput('login is missing: the login of a merchant is needed');
    const { merchantId } = merchantOf(name, all);
    const to = given.to ?? dayOf(clock.now());
    const from = given.from ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
    const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (length < 1) throw new InvalidInput('from: the first day must not be later than the last');
    if (length > MOST_DAYS) throw new InvalidInput(`from: a statement has ${MOST_DAYS} days at most`);
    const since = Date.parse(from);
    if (clock.now() - since > FARTHEST_DAYS * DAY_MS) {
      throw new InvalidInput(`from: the first day of a statement is at most ${FARTHEST_DAYS} days ago`);
    }
    const held = await accounts.movements({ merchantId, accounts: OWN_ACCOUNTS, currency, since });
    const heldIn = (account: Account, code: string) =>
      held.find((one) => one.account === account && one.currency === code);
    const codes = [...new Set(held.map((one) => one.currency))];
    return {
      ...{ login: name, from, to },
      currencies: codes.map((code) => {
        const money = (minor: bigint) => ({ minor, currency: code });
        const moneys = <T extends object>(amounts: T) =>
          Object.fromEntries(
            Object.entries(amounts).map(([key, one]) => [key, typeof one === 'bigint' ? money(one) : one]),
          ) as { [K in keyof T]: T[K] extends bigint ? ReturnType<typeof money> : T[K] };
        const { balance = 0n, booked = [] } = heldIn('merchant', code) ?? {};
        const { days, totals, ...ends } = balanceStatement(booked, balance, to);
        return {
          currency: code,
          ...moneys(ends),
          ...moneys(totals),
          reserved: money(heldIn('reserved', code)?.balance ?? 0n),
          days: days.map(({ count, ...one }) => ({ ...moneys(one), bookings: count })),
        };
      }),
    };
  },
  show: statementText,
});

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

function statementText({ login, from, to, currencies }: Answered<typeof statementAnswer>): string {
  const head = `Merchant ${login}, ${from} to ${to}`;
  if (currencies.length === 0) return `${head}\n\nNothing is booked.`;
  const tables = currencies.map((one) => {
    const rows = one.days.map((each) => [
      each.day,
      each.taken,
      each.returned,
      each.chargedBack,
      each.paidOut,
      each.balance,
    ]);
    const first = ['before', '', '', '', '', one.opening];
    const last = ['together', one.taken, one.returned, one.chargedBack, one.paidOut, one.closing];
    const names = [one.currency, 'TAKEN', 'RETURNED', 'CHARGED BACK', 'PAID OUT', 'BALANCE'];
    return textTable(names, [first, ...rows, last]);
  });
  return [head, ...tables].join('\n\n');
}
