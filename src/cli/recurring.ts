// `tender recurring`: recurring payments, as an operator looks after them.

import { type Command, Option } from 'commander';
import type { RecurringView, WholeRecurringView } from '../administration/recurring.ts';
import { minute, properties, table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf } from './option-values.ts';

type ListValues = CommonValues & { readonly merchant?: string; readonly state?: string; readonly before?: number };

const STATES = ['active', 'paused', 'suspended', 'stopped', 'finished'];

const CHANGES = [
  ['pause', 'pauseRecurring', 'charge nothing until it is resumed', 'paused'],
  ['resume', 'resumeRecurring', 'go on with the first day to come; what fell into the pause is not charged', 'resumed'],
  ['stop', 'stopRecurring', 'charge nothing any more, for ever', 'stopped'],
] as const;

export function addRecurring(program: Command): void {
  const noun = nounCommand(program, 'recurring', 'list, show, pause, resume and stop recurring payments');

  const list = administrationCommand(noun, 'list', 'list recurring payments, the newest first, 100 at a time')
    .option('--merchant <login>', 'only those of this merchant')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--before <id>', 'only those older than this one', idOf)
    .action(({ merchant, state, before, ...values }: ListValues) =>
      answerWith(values, ({ ask }) => ask('listRecurring', given({ login: merchant, state, before })), listed),
    );
  withExample(list, 'tender recurring list --merchant shop --state suspended');

  const show = administrationCommand(noun, 'show', 'show everything about a recurring payment, with its last charges')
    .argument('<id>', 'its id', idOf)
    .action((recurringPaymentId: number, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('showRecurring', { recurringPaymentId }), whole),
    );
  withExample(show, 'tender recurring show 1234567');

  for (const [word, verb, description, done] of CHANGES) {
    const command = administrationCommand(noun, word, description)
      .argument('<id>', 'its id', idOf)
      .action((recurringPaymentId: number, values: CommonValues) =>
        answerWith(
          values,
          ({ ask }) => ask(verb, { recurringPaymentId }),
          (payment) => `Recurring payment ${recurringPaymentId} is ${done}${whatNext(payment)}.`,
        ),
      );
    withExample(command, `tender recurring ${word} 1234567`);
  }
}

function whatNext({ state, nextRunAt }: RecurringView): string {
  if (state === 'finished') return ' and finished: no day is left to charge';
  return nextRunAt === null ? '' : `; the next charge is due ${minute(nextRunAt)}`;
}

function listed(payments: readonly RecurringView[]): string {
  if (payments.length === 0) return 'There are no such recurring payments.';
  return table(
    ['ID', 'MERCHANT', 'ENDPOINT', 'STATE', 'AMOUNT', 'EVERY', 'NEXT'],
    payments.map((payment) => [
      String(payment.recurringPaymentId),
      payment.login,
      String(payment.endpointId),
      payment.state,
      amountOf(payment),
      everyOf(payment),
      minute(payment.nextRunAt),
    ]),
  );
}

function whole(payment: WholeRecurringView): string {
  const facts = properties([
    ['Recurring payment', String(payment.recurringPaymentId)],
    ['Merchant', payment.login],
    ['Endpoint', String(payment.endpointId)],
    ["Merchant's id", payment.clientOrderId],
    ['Direction', payment.direction === 'from-card' ? 'from the card' : 'to the card'],
    ['Card', payment.card ?? 'deleted'],
    ['State', payment.note === null ? payment.state : `${payment.state}: ${payment.note}`],
    ['Amount', amountOf(payment)],
    ['Every', everyOf(payment)],
    ['Next', minute(payment.nextRunAt)],
    ['Ends', minute(payment.endsAt)],
    ['Made', minute(payment.createdAt)],
  ]);
  if (payment.charges.length === 0) return `${facts}\n\nNothing was charged yet.`;
  const rows = payment.charges.map(({ orderId, clientOrderId, amount, stage, declineCode, createdAt }) => [
    String(orderId),
    clientOrderId,
    amount,
    declineCode === null ? stage : `${stage} ${declineCode}`,
    minute(createdAt),
  ]);
  return `${facts}\n\n${table(['ORDER', "MERCHANT'S ID", 'AMOUNT', 'STATUS', 'MADE'], rows)}`;
}

function amountOf({ amountKind, amounts, currency }: RecurringView): string {
  if (amountKind === 'open') return `any ${currency}`;
  return `${amounts.join(amountKind === 'range' ? ' to ' : ', ')} ${currency}`;
}

function everyOf({ every }: RecurringView): string {
  if (every === null) return 'when asked for';
  return every.interval === 1 ? every.unit : `${every.interval} ${every.unit}s`;
}
