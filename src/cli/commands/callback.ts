// `tender callback`: what merchants were told, what they answered, and telling it once more.

import type { Command } from 'commander';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { idOf } from '../option-values.ts';
import { addNoun, tell } from '../verb-command.ts';

type ListValues = CommonValues & {
  readonly merchant?: string;
  readonly order?: number;
  readonly failed?: boolean;
  readonly due?: boolean;
  readonly before?: number;
};

type ReplayValues = CommonValues & { readonly merchant?: string; readonly failed?: boolean };

export function addCallback(program: Command): void {
  const noun = addNoun(program, 'callback');

  const list = administrationCommand(noun, 'list', 'list callbacks, those of the newest orders first, 100 at a time')
    .option('--merchant <login>', 'only those of this merchant')
    .option('--order <id>', 'only those of this order', idOf)
    .option('--due', 'only those that are still to be taken')
    .option('--failed', 'only those that were given up')
    .option('--before <id>', 'only those of orders older than this one', idOf)
    .action(({ merchant, order, failed, due, before, ...values }: ListValues) => {
      if (failed && due) throw new Complaint('give --due or --failed, not both');
      const state = failed ? 'failed' : due ? 'waiting' : undefined;
      return tell('listCallbacks', values, given({ login: merchant, orderId: order, state, before }));
    });
  withExample(list, 'tender callback list --merchant shop --failed');

  const replay = administrationCommand(noun, 'replay', 'send a callback once more, or all that were given up')
    .argument('[id]', 'its id')
    .option('--failed', 'all that were given up')
    .option('--merchant <login>', 'with --failed: only those of this merchant')
    .action((callbackId: string | undefined, { failed, merchant, ...values }: ReplayValues) => {
      if ((callbackId === undefined) === !failed) throw new Complaint('give the id of a callback, or --failed');
      if (callbackId === undefined) return tell('replayFailedCallbacks', values, given({ login: merchant }));
      if (merchant !== undefined) throw new Complaint('--merchant goes with --failed');
      return tell('replayCallback', values, { callbackId });
    });
  withExample(replay, 'tender callback replay 1234567-1-server');
}
