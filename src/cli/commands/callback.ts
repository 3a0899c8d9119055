// `tender callback`: what merchants were told, what they answered, and telling it once more.

import type { Command } from 'commander';
import { listCallbacks } from '../../administration/callbacks.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { addNoun, tell, withInputs } from '../verb-command.ts';

type ListValues = CommonValues & { readonly failed?: boolean; readonly due?: boolean; readonly delivered?: boolean };

type ReplayValues = CommonValues & { readonly merchant?: string; readonly failed?: boolean };

export function addCallback(program: Command): void {
  const noun = addNoun(program, 'callback');

  const list = administrationCommand(noun, 'list', listCallbacks.summary);
  const takes = ['login', 'orderId', 'from', 'to', 'after', 'limit'];
  const read = withInputs(list, listCallbacks, takes);
  list
    .option('--due', 'only those that are still to be taken')
    .option('--failed', 'only those that were given up')
    .option('--delivered', 'only those that were taken')
    .action((...called: unknown[]) => {
      const { values, changes } = read(called);
      return tell('listCallbacks', values, given({ ...changes, state: stateOf(values) }));
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

function stateOf({ due, failed, delivered }: ListValues) {
  const states = [due && 'waiting', failed && 'failed', delivered && 'delivered'].filter(Boolean);
  if (states.length > 1) throw new Complaint('give one of --due, --failed and --delivered');
  return states[0];
}
