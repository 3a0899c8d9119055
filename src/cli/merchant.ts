// `tender merchant`: who may sign in.

import type { Command } from 'commander';
import { toldOnce } from '../administration/keys.ts';
import type { MerchantView } from '../administration/merchants.ts';
import { properties, table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  mustChange,
  nounCommand,
} from './administration-command.ts';
import { listOf } from './option-values.ts';

type MerchantValues = CommonValues & {
  readonly name?: string;
  readonly allowAddress?: string[];
  readonly allowOperation?: string[];
};

export function addMerchant(program: Command): void {
  const noun = nounCommand(program, 'merchant', 'add, list and change merchants');

  withMerchantOptions(administrationCommand(noun, 'add <login>', 'add a merchant, with a control key'))
    .option('--no-key', 'make no control key')
    .action((login: string, values: MerchantValues & { readonly key: boolean }) =>
      answerWith(
        values,
        ({ ask }) => ask('addMerchant', { login, key: values.key, ...changesIn(values) }),
        ({ merchant, key }) =>
          [
            `Added merchant ${merchant.login} (id ${merchant.merchantId}).`,
            ...(key ? toldOnce(key) : []),
            `Next: tender endpoint add ${merchant.login} --currency USD`,
          ].join('\n'),
      ),
    );

  withMerchantOptions(administrationCommand(noun, 'set <login>', 'change a merchant')).action(
    (login: string, values: MerchantValues) =>
      answerWith(values, ({ ask }) => ask('setMerchant', { login, ...mustChange(changesIn(values)) }), whole),
  );

  administrationCommand(noun, 'list', 'list all merchants').action((values: CommonValues) =>
    answerWith(values, ({ ask }) => ask('listMerchants'), listed),
  );

  administrationCommand(noun, 'show <login>', 'show everything about a merchant').action(
    (login: string, values: CommonValues) => answerWith(values, ({ ask }) => ask('showMerchant', { login }), whole),
  );

  for (const [verb, enabled] of [
    ['disable', false],
    ['enable', true],
  ] as const) {
    const description = enabled ? 'take requests of a merchant again' : 'refuse all requests of a merchant';
    administrationCommand(noun, `${verb} <login>`, description).action((login: string, values: CommonValues) =>
      answerWith(
        values,
        ({ ask }) => ask('setMerchant', { login, enabled }),
        () => `Merchant ${login} is ${verb}d.`,
      ),
    );
  }
}

function withMerchantOptions(command: Command): Command {
  return command
    .option('--name <text>', 'name for people')
    .option('--allow-address <list>', 'network addresses requests may come from; "" allows any', listOf)
    .option('--allow-operation <list>', 'operations that may be called, such as SALE,STATUS; "" allows all', listOf);
}

function changesIn({ name, allowAddress, allowOperation }: MerchantValues) {
  return given({ name, allowedAddresses: allowAddress, allowedOperations: allowOperation });
}

const stateOf = ({ enabled }: MerchantView) => (enabled ? 'enabled' : 'disabled');

function listed(merchants: readonly MerchantView[]): string {
  if (merchants.length === 0) return 'There are no merchants; add one with: tender merchant add <login>';
  return table(
    ['ID', 'LOGIN', 'NAME', 'STATE', 'ENDPOINTS', 'GROUPS'],
    merchants.map((merchant) => [
      String(merchant.merchantId),
      merchant.login,
      merchant.name,
      stateOf(merchant),
      merchant.endpointIds.join(' ') || '-',
      merchant.groupIds.join(' ') || '-',
    ]),
  );
}

function whole(merchant: MerchantView): string {
  return properties([
    ['Login', merchant.login],
    ['Id', String(merchant.merchantId)],
    ['Name', merchant.name],
    ['State', stateOf(merchant)],
    ['Addresses', merchant.allowedAddresses.join(', ') || 'any'],
    ['Operations', merchant.allowedOperations.join(', ') || 'all'],
    ['Endpoints', merchant.endpointIds.join(', ') || 'none'],
    ['Groups', merchant.groupIds.join(', ') || 'none'],
  ]);
}
