// `tender verify`: holds the database to everything that must be true of it. Exit code 0 when it is, 1 when something
// is not, 2 when it could not be looked at.

import type { Command } from 'commander';
import { checkedText, type Verified, verdictOf, verifyWhole } from '../../administration/books/whole-verification.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';

type VerifyValues = CommonValues & { readonly auditHead?: string };

export function addVerify(program: Command): void {
  const command = administrationCommand(
    program,
    'verify',
    'check every invariant of the database, on a running gateway or a stopped one',
  )
    .option('--audit-head <head>', 'a head that "tender audit list" printed earlier: nothing up to it may have changed')
    .action(async ({ auditHead, json, ...values }: VerifyValues) => {
      const verified = await asAdministrator(values, (administrator) => verifyDatabase(administrator, auditHead));
      say(json ? JSON.stringify(verified, null, 2) : told(verified));
      if (!verified.ok) process.exitCode = 1;
    });
  withExample(
    command,
    'tender verify --audit-head 42:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  );
}

export function verifyDatabase({ ask }: Administrator, auditHead?: string): Promise<Verified> {
  return withProgress((progress) => verifyWhole((from) => ask('verifyPart', given({ from, auditHead })), progress));
}

function told(verified: Verified): string {
  const { violations, waiting, moreWaiting } = verified;
  const line = ({ place, cause }: VerificationFinding) => `${place}: ${cause}`;
  return [
    `Checked ${checkedText(verified)}.`,
    ...waiting.map(line),
    ...violations.map(line),
    ...(moreWaiting === 0 ? [] : [`${moreWaiting} more wait for a person.`]),
    `${verdictOf(verified)}.`,
  ].join('\n');
}
