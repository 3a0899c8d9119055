// `tender block`: what orders must have nothing to do with, at one merchant or at all. A card is named by where it was
// used, never by its number, which other users of the machine could see.

import { type Command, Option } from 'commander';
import { BLOCK_KINDS } from '../../domain/screening/screening-lists.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { idOf } from '../option-values.ts';
import { addNoun, tell } from '../verb-command.ts';

type ListValues = CommonValues & {
  readonly merchant?: string;
  readonly everywhere?: boolean;
  readonly kind?: string;
};

type BlockValues = ListValues & {
  readonly bin?: string;
  readonly email?: string;
  readonly address?: string;
  readonly country?: string;
  readonly card?: string;
  readonly cardOfOrder?: number;
  readonly cardReference?: number;
  readonly note?: string;
};

export function addBlockCommands(program: Command): void {
  const noun = addNoun(program, 'block');

  const add = withEntryOptions(administrationCommand(noun, 'add', 'put something on a block list'))
    .option('--note <text>', 'why, for people')
    .action((values: BlockValues) =>
      tell('addBlock', values, { ...listIn(values), ...entryIn(values), ...given({ note: values.note }) }),
    );
  withExample(add, 'tender block add --merchant shop --email @example.com --note "chargebacks in May"');

  const remove = withEntryOptions(administrationCommand(noun, 'remove', 'take something off a block list'))
    .option('--card <name>', 'a card, as the list names it')
    .action((values: BlockValues) => tell('removeBlock', values, { ...listIn(values), ...entryIn(values) }));
  withExample(remove, 'tender block remove --everywhere --country US');

  const list = withListOptions(administrationCommand(noun, 'list', 'list what is blocked, the newest first'))
    .addOption(new Option('--kind <kind>', 'only this').choices(BLOCK_KINDS))
    .action((values: ListValues) => tell('listBlocks', values, { ...listIn(values), ...given({ kind: values.kind }) }));
  withExample(list, 'tender block list --merchant shop');
}

function withListOptions(command: Command): Command {
  return command
    .option('--merchant <login>', "this merchant's own list")
    .option('--everywhere', 'the list for all merchants');
}

function withEntryOptions(command: Command): Command {
  return withListOptions(command)
    .option('--bin <digits>', 'cards that begin with these 6 or 8 digits')
    .option('--email <address>', 'ann@example.com, or all of @example.com')
    .option('--address <address>', 'an internet address or an address range, such as 192.0.2.7 or 192.0.2.0/24')
    .option('--country <code>', 'a country of payers, such as US')
    .option('--card-of-order <id>', 'the card of an order of the merchant', idOf)
    .option('--card-reference <id>', 'the card of a card reference of the merchant', idOf);
}

export function listIn({ merchant, everywhere, cardOfOrder, cardReference }: BlockValues) {
  if (merchant === undefined && !everywhere) {
    throw new Complaint('whose list is missing: --merchant <login> or --everywhere is needed');
  }
  // With a card of the merchant's, it says whose card is blocked everywhere.
  const saysWhose = cardOfOrder !== undefined || cardReference !== undefined;
  if (merchant !== undefined && everywhere && !saysWhose) {
    throw new Complaint(
      "--merchant is one merchant's own list, --everywhere that for all: only one of them can be meant",
    );
  }
  return given({ login: merchant, everywhere });
}

/** The one thing that was named. */
function entryIn({ bin, email, address, country, card, cardOfOrder, cardReference, ...values }: BlockValues) {
  const named = [
    bin === undefined ? undefined : { kind: 'bin', value: bin },
    email === undefined ? undefined : { kind: 'email', value: email },
    address === undefined ? undefined : { kind: 'address', value: address },
    country === undefined ? undefined : { kind: 'country', value: country },
    card === undefined ? undefined : { kind: 'card', value: card },
    cardOfOrder === undefined ? undefined : { kind: 'card', orderId: cardOfOrder },
    cardReference === undefined ? undefined : { kind: 'card', cardReference },
  ].filter((entry) => entry !== undefined);
  const [entry] = named;
  if (!entry || named.length > 1) {
    throw new Complaint(
      'one of --bin, --email, --address, --country, --card-of-order and --card-reference is needed, and only one',
    );
  }
  if (('orderId' in entry || 'cardReference' in entry) && values.merchant === undefined) {
    throw new Complaint('--merchant <login> is needed too: it says whose order or card reference it is');
  }
  return entry;
}
