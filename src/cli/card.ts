// `tender card`: the references merchants have for stored cards.

import type { Command } from 'commander';
import type { ListedCardReference } from '../administration/cards.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf } from './option-values.ts';
import { minute, table } from './table.ts';

export function addCard(program: Command): void {
  const noun = nounCommand(program, 'card', 'list and delete the references merchants have for stored cards');

  const list = administrationCommand(noun, 'list', "list a merchant's card references, the newest first, 100 at a time")
    .argument('<login>', 'the merchant')
    .option('--before <reference>', 'only those older than this one', idOf)
    .action((login: string, { before, ...values }: CommonValues & { readonly before?: number }) =>
      answerWith(values, ({ ask }) => ask('listCardReferences', given({ login, before })), listed),
    );
  withExample(list, 'tender card list shop');

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

function listed(references: readonly ListedCardReference[]): string {
  if (references.length === 0) return 'There are no such card references.';
  return table(
    ['REFERENCE', 'CARD', 'BRAND', 'EXPIRES', 'HOLDER', 'MADE'],
    references.map(({ cardReference, card, brand, expires, holder, createdAt }) => [
      String(cardReference),
      card,
      brand,
      expires ?? '-',
      holder ?? '-',
      minute(createdAt),
    ]),
  );
}
