// `tender group`: one id for several endpoints, among which the currency chooses.

import type { Command } from 'commander';
import type { GroupView } from '../administration/groups.ts';
import { table } from '../administration/verb/table.ts';
import { administrationCommand, answerWith, type CommonValues, given, nounCommand } from './administration-command.ts';
import { idOf, idsOf } from './option-values.ts';

type GroupValues = CommonValues & { readonly endpoints: number[]; readonly id?: number };

export function addGroup(program: Command): void {
  const noun = nounCommand(program, 'group', 'add and list endpoint groups');

  administrationCommand(noun, 'add <login>', 'put endpoints of a merchant under one id')
    .requiredOption('--endpoints <ids>', 'endpoints of different currencies, such as 101,104', idsOf)
    .option('--id <number>', 'its id in the path; the next free one when left out', idOf)
    .action((login: string, values: GroupValues) =>
      answerWith(
        values,
        ({ ask }) => ask('addGroup', { login, endpointIds: values.endpoints, ...given({ groupId: values.id }) }),
        (group) => `Added group ${group.groupId} to merchant ${login}: ${members(group)}.`,
      ),
    );

  administrationCommand(noun, 'list [login]', 'list the groups of a merchant, or all').action(
    (login: string | undefined, values: CommonValues) =>
      answerWith(values, ({ ask }) => ask('listGroups', given({ login })), listed),
  );
}

function members({ endpoints }: GroupView): string {
  return endpoints.map(({ endpointId, currency }) => `${endpointId} ${currency}`).join(', ');
}

function listed(groups: readonly GroupView[]): string {
  if (groups.length === 0) return 'There are no groups; add one with: tender group add <login> --endpoints 101,102';
  const rows = groups.map((group) => [String(group.groupId), group.login, members(group)]);
  return table(['ID', 'MERCHANT', 'ENDPOINTS'], rows);
}
