// `tender audit`: who changed what and who looked at cards, from the hash-chained log.

import type { Command } from 'commander';
import type { AuditView } from '../administration/audit.ts';
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

export function addAudit(program: Command): void {
  const noun = nounCommand(program, 'audit', 'see who changed what and who looked at cards');

  const list = administrationCommand(
    noun,
    'list',
    'list the entries of the audit chain, the newest first, 100 at a time',
  )
    .option('--before <number>', 'only those before this one', idOf)
    .action(({ before, ...values }: CommonValues & { readonly before?: number }) =>
      answerWith(values, ({ ask }) => ask('listAudit', given({ before })), listed),
    );
  withExample(list, 'tender audit list');
}

function listed({ head, entries }: AuditView): string {
  const rows = entries.map(({ seq, at, who, action, subject, details }) => [
    String(seq),
    minute(at),
    who,
    action,
    subject,
    JSON.stringify(details),
  ]);
  return [
    entries.length === 0
      ? 'There are no such entries.'
      : table(['NUMBER', 'AT', 'WHO', 'ACTION', 'SUBJECT', 'DETAILS'], rows),
    '',
    `Head ${head}`,
    'Keep it somewhere else: "tender verify --audit-head <head>" then shows whether anything up to it was changed or cut off.',
  ].join('\n');
}
