// `tender card`: the references merchants have for stored cards.

import type { Command } from 'commander';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf } from './option-values.ts';

export function addCard(program: Command): void {
  const noun = nounCommand(program, 'card', 'delete the references merchants have for stored cards');

  const remove = administrationCommand(noun, 'delete', 'delete a card reference for good; orders paid with it stay')
    .argument('<login>', 'the merchant')
    .argument('<reference>', 'the card reference, or the id of a recurring payment whose card shall go', idOf)
    .action((login: string, cardReference: number, values: CommonValues) =>
      answerWith(
        values,
        ({ ask }) => ask('deleteCardReference', { login, cardReference }),
        ({ card }) => `Deleted card reference ${cardReference} of merchant ${login}, card ${card}.`,
      ),
    );
  withExample(remove, 'tender card delete shop 1234567');
}
