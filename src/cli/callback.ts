// `tender callback`: what merchants were told, what they answered, and telling it once more.

import type { Command } from 'commander';
import type { AttemptView, CallbackView, WholeCallbackView } from '../administration/callbacks.ts';
import { minute, properties, table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { Complaint } from './complaint.ts';
import { idOf } from './option-values.ts';

type ListValues = CommonValues & {
  readonly merchant?: string;
  readonly order?: number;
  readonly failed?: boolean;
  readonly due?: boolean;
  readonly before?: number;
};

type ReplayValues = CommonValues & { readonly merchant?: string; readonly failed?: boolean };

/** How much of an answer one line shows. */
const SHOWN_ANSWER = 60;

export function addCallback(program: Command): void {
  const noun = nounCommand(program, 'callback', 'list, show and repeat callbacks to merchants');

  const list = administrationCommand(noun, 'list', 'list callbacks, those of the newest orders first, 100 at a time')
    .option('--merchant <login>', 'only those of this merchant')
    .option('--order <id>', 'only those of this order', idOf)
    .option('--due', 'only those that are still to be taken')
    .option('--failed', 'only those that were given up')
    .option('--before <id>', 'only those of orders older than this one', idOf)
    .action(({ merchant, order, failed, due, before, ...values }: ListValues) => {
      if (failed && due) throw new Complaint('give --due or --failed, not both');
      const state = failed ? 'failed' : due ? 'waiting' : undefined;
      const asked = given({ login: merchant, orderId: order, state, before });
      return answerWith(values, ({ ask }) => ask('listCallbacks', asked), listed);
    });
  withExample(list, 'tender callback list --merchant shop --failed');

  const show = administrationCommand(noun, 'show', 'show everything about a callback, with every try')
    .argument('<id>', 'its id, as lists and the header webhook-id give it')
    .action((callbackId: string, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('showCallback', { callbackId }), whole),
    );
  withExample(show, 'tender callback show 1234567-1-server');

  const replay = administrationCommand(noun, 'replay', 'send a callback once more, or all that were given up')
    .argument('[id]', 'its id')
    .option('--failed', 'all that were given up')
    .option('--merchant <login>', 'with --failed: only those of this merchant')
    .action((callbackId: string | undefined, { failed, merchant, ...values }: ReplayValues) => {
      if ((callbackId === undefined) === !failed) throw new Complaint('give the id of a callback, or --failed');
      if (callbackId !== undefined) {
        if (merchant !== undefined) throw new Complaint('--merchant goes with --failed');
        return answerWith(values, ({ ask }) => ask('replayCallback', { callbackId }), replayed);
      }
      const asked = given({ login: merchant });
      return answerWith(values, ({ ask }) => ask('replayFailedCallbacks', asked), replayedAll);
    });
  withExample(replay, 'tender callback replay 1234567-1-server');
}

function replayed({ callbackId, destination }: CallbackView): string {
  return `Callback ${callbackId} is due now at ${destination}.`;
}

function replayedAll({ replayed }: { readonly replayed: number }): string {
  if (replayed === 0) return 'No callback was given up.';
  return replayed === 1 ? '1 callback is due now.' : `${replayed} callbacks are due now.`;
}

function listed(callbacks: readonly CallbackView[]): string {
  if (callbacks.length === 0) return 'There are no such callbacks.';
  return table(
    ['ID', 'MERCHANT', 'DESTINATION', 'STATE', 'TRIES', 'DUE'],
    callbacks.map(({ callbackId, login, destination, state, attempts, dueAt }) => [
      callbackId,
      login,
      destination,
      state,
      String(attempts),
      minute(dueAt),
    ]),
  );
}

function whole(callback: WholeCallbackView): string {
  const facts = properties([
    ['Callback', callback.callbackId],
    ['Merchant', callback.login],
    ['Order', String(callback.orderId)],
    ['Transaction', String(callback.transaction)],
    ['Goes to', callback.target === 'server' ? 'server_callback_url' : 'notify_url'],
    ['Destination', callback.destination],
    ['State', callback.state],
    ['Due', minute(callback.dueAt)],
    ['Made', minute(callback.createdAt)],
  ]);
  if (callback.log.length === 0) return `${facts}\n\nIt was not tried yet.`;
  const rows = callback.log.map((one) => [one.at, one.address ?? '-', `${one.milliseconds} ms`, heard(one)]);
  return `${facts}\n\n${table(['TRIED', 'ADDRESS', 'TOOK', 'HEARD'], rows)}`;
}

/** What a try to call a merchant brought, on one line. */
export function heard({ status, fault, answer }: AttemptView): string {
  if (status === null) return fault ?? '-';
  const line = (answer ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return `${status} ${line.length > SHOWN_ANSWER ? `${line.slice(0, SHOWN_ANSWER)}…` : line}`.trim();
}
