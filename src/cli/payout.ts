// `tender payout`: payouts that wait for somebody's word.

import type { Command } from 'commander';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf } from './option-values.ts';

export function addPayout(program: Command): void {
  const noun = nounCommand(program, 'payout', 'approve payouts that wait for a confirmation');
  const approve = administrationCommand(noun, 'approve', 'make a payout that waits, in the place of its merchant')
    .argument('<login>', 'the merchant')
    .argument('<order>', 'the id the service gave the order', idOf)
    .action((login: string, orderId: number, values: CommonValues) =>
      answerWith(
        values,
        ({ ask }) => ask('approvePayout', { login, orderId }),
        () => `Payout ${orderId} of merchant ${login} is approved and on its way.`,
      ),
    );
  withExample(approve, 'tender payout approve shop 1234567890');
}
