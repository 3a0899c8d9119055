// `tender verify`: holds the database to everything that must be true of it. Exit code 0 when it is, 1 when something
// is not, 2 when it could not be looked at.

import type { Command } from 'commander';
import { counted } from '../../administration/verb/table.ts';
import type { VerifiedPart } from '../../administration/verify.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';

type VerifyValues = CommonValues & { readonly auditHead?: string };

export type Verified = {
  readonly ok: boolean;
  readonly checked: Readonly<Record<string, number>>;
  readonly violations: readonly VerificationFinding[];
  /** What a person has to settle; no violation. */
  readonly waiting: readonly VerificationFinding[];
};

/** More than anybody reads. */
const MOST_FINDINGS = 10_000;

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

export async function verifyDatabase({ ask }: Administrator, auditHead?: string): Promise<Verified> {
  const findings: VerificationFinding[] = [];
  const checked: Record<string, number> = {};
  let orders: number | undefined;
  await withProgress(async (progress) => {
    progress.show({ doing: 'Verifying' });
    for (let from: string | null | undefined; from !== null && findings.length < MOST_FINDINGS; ) {
      const part: VerifiedPart = await ask('verifyPart', given({ from, auditHead }));
      const { what } = part.checked;
      const done = (checked[what] ?? 0) + part.checked.count;
      checked[what] = done;
      findings.push(...part.findings);
      orders = part.total ?? orders;
      progress.show({ doing: `Verifying ${what}`, done, total: what === 'orders' ? orders : undefined });
      from = part.next;
    }
  });
  const violations = findings.filter(({ kind }) => kind === 'violation');
  const waiting = findings.filter(({ kind }) => kind === 'waiting');
  return { ok: violations.length === 0, checked, violations, waiting };
}

function told({ checked, violations, waiting }: Verified): string {
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`);
  const line = ({ place, cause }: VerificationFinding) => `${place}: ${cause}`;
  return [
    `Checked ${counts.join(', ')}.`,
    ...waiting.map(line),
    ...violations.map(line),
    violations.length === 0 ? 'Everything is as it must be.' : `${counted(violations.length, 'violation')}.`,
  ].join('\n');
}
