// `tender stuck`: transactions that wait for a person, because the bank never said what became of them.

import { type Command, Option } from 'commander';
import { OUTCOMES, type SettledView, type StuckView } from '../administration/stuck.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf, momentOf } from './option-values.ts';
import { minute, table } from './table.ts';

type SettleValues = CommonValues & { readonly as: string; readonly note: string };

export function addStuck(program: Command): void {
  const noun = nounCommand(program, 'stuck', 'list and settle transactions the bank gave no answer about');

  const list = administrationCommand(noun, 'list', 'list what waits for a person, the longest first, 100 at a time')
    .option('--after <moment>', 'only what waits since later than this', momentOf)
    .action(({ after, ...values }: CommonValues & { readonly after?: string }) =>
      answerWith(values, ({ ask }) => ask('listStuck', given({ after })), listed),
    );
  withExample(list, 'tender stuck list');

  const settle = administrationCommand(noun, 'settle', 'book what the bank told you about a transaction')
    .argument('<order>', 'the id of the order', idOf)
    .argument('<transaction>', 'its number within the order', idOf)
    .addOption(
      new Option('--as <outcome>', 'approved: money moved; declined: it did not; reversed: it did and went back')
        .choices(OUTCOMES)
        .makeOptionMandatory(),
    )
    .requiredOption('--note <text>', 'where you have it from; kept with the order and in the audit chain')
    .action((orderId: number, seq: number, { as: outcome, note, ...values }: SettleValues) =>
      answerWith(values, ({ ask }) => ask('settleStuck', { orderId, seq, outcome, note }), settled),
    );
  withExample(settle, "tender stuck settle 225233353367552 1 --as approved --note 'bank e-mail of 3 May'");
}

function settled({ orderId, seq, stage }: SettledView): string {
  return `Order ${orderId}, transaction ${seq} is ${stage} now.`;
}

function listed(stuck: readonly StuckView[]): string {
  if (stuck.length === 0) return 'Nothing waits for a person.';
  return table(
    [
      'ORDER',
      'TRANSACTION',
      'TYPE',
      'AMOUNT',
      'MERCHANT',
      "MERCHANT'S ID",
      "BANK'S REFERENCE",
      'WAITS SINCE',
      'BECAUSE',
    ],
    stuck.map((one) => [
      String(one.orderId),
      String(one.seq),
      one.type,
      `${one.amount} ${one.currency}`,
      one.login,
      one.clientOrderId,
      one.reference,
      minute(one.stuckAt),
      one.reason ?? '-',
    ]),
  );
}
