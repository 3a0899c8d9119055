// `tender limit`: how often and how much the same card, e-mail address or network address may pay at an endpoint.

import { type Command, Option } from 'commander';
import type { EndpointLimitsView } from '../administration/screening-administration.ts';
import { table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { idOf, wholeNumberOf } from './option-values.ts';

type LimitValues = CommonValues & {
  readonly per: string;
  readonly window: string;
  readonly count?: number;
  readonly amount?: string;
};

export function addLimit(program: Command): void {
  const noun = nounCommand(program, 'limit', 'limit how often and how much the same payer may pay at an endpoint');

  const set = withLimitOptions(administrationCommand(noun, 'set', 'set a limit, in place of one with the same window'))
    .option('--count <number>', 'how many orders', wholeNumberOf)
    .option('--amount <amount>', 'how much money, in major units of its currency (500.00)')
    .action((endpointId: number, { per, window, count, amount, ...values }: LimitValues) =>
      answerWith(
        values,
        ({ ask }) => ask('setLimit', { endpointId, kind: per, window, ...given({ count, amount }) }),
        (limits) => listed([limits]),
      ),
    );
  withExample(set, 'tender limit set 101 --per card --window 24h --count 3 --amount 500.00');

  const remove = withLimitOptions(administrationCommand(noun, 'remove', 'remove a limit')).action(
    (endpointId: number, { per, window, ...values }: LimitValues) =>
      answerWith(
        values,
        ({ ask }) => ask('removeLimit', { endpointId, kind: per, window }),
        (limits) => listed([limits]),
      ),
  );
  withExample(remove, 'tender limit remove 101 --per card --window 24h');

  const duplicates = administrationCommand(
    noun,
    'duplicates',
    'stop the same card from paying the same amount again for a while',
  )
    .argument('<endpoint>', 'its id', idOf)
    .argument('<window>', 'for how long, such as 90s, 30m, 24h or 7d, or none')
    .action((endpointId: number, window: string, values: CommonValues) =>
      answerWith(
        values,
        ({ ask }) => ask('setDuplicateGuard', { endpointId, window }),
        (limits) => listed([limits]),
      ),
    );
  withExample(duplicates, 'tender limit duplicates 101 10m');

  const list = administrationCommand(noun, 'list', 'list the limits of an endpoint, of a merchant, or all')
    .argument('[endpoint]', 'its id', idOf)
    .option('--merchant <login>', 'those of this merchant')
    .action((endpointId: number | undefined, { merchant, ...values }: CommonValues & { readonly merchant?: string }) =>
      answerWith(values, ({ ask }) => ask('listLimits', given({ endpointId, login: merchant })), listed),
    );
  withExample(list, 'tender limit list --merchant shop');
}

function withLimitOptions(command: Command): Command {
  const per = new Option('--per <what>', 'what is counted: the same card, e-mail address or network address');
  return command
    .argument('<endpoint>', 'its id', idOf)
    .addOption(per.choices(['card', 'email', 'address']).makeOptionMandatory())
    .requiredOption('--window <time>', 'how far back it counts, such as 90s, 30m, 24h or 7d');
}

function listed(endpoints: readonly EndpointLimitsView[]): string {
  const rows = endpoints.flatMap(rowsOf);
  if (rows.length === 0) {
    return 'There are no limits; set one with: tender limit set <endpoint> --per card --window 24h --count 3';
  }
  return table(['ENDPOINT', 'MERCHANT', 'PER', 'WINDOW', 'COUNT', 'AMOUNT'], rows);
}

function rowsOf({ endpointId, login, currency, limits, duplicateWindow }: EndpointLimitsView): string[][] {
  const first = [String(endpointId), login];
  const rows = limits.map(({ kind, window, count, amount }) => [
    ...first,
    kind,
    window,
    count === null ? '-' : String(count),
    amount === null ? '-' : `${amount} ${currency}`,
  ]);
  if (duplicateWindow !== null) rows.push([...first, 'card and amount', duplicateWindow, '1', '-']);
  return rows;
}
