// `tender balance`: what the books say.

import type { Command } from 'commander';
import { listBalances } from '../../administration/money/balances.ts';
import { administrationCommand, withExample } from '../administration-command.ts';
import { tell, withInputs } from '../verb-command.ts';

export function addBalance(program: Command): void {
  const command = administrationCommand(program, 'balance', listBalances.summary);
  const read = withInputs(command, listBalances);
  command.action((...called: unknown[]) => {
    const { values, changes } = read(called);
    return tell('listBalances', values, changes);
  });
  withExample(command, listBalances.example ?? '');
}
