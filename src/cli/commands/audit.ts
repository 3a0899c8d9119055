// `tender audit`: who changed what, and whether the chain is the one whose heads were kept elsewhere. Exit code 1 when
// it is not.

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { FROM_AUDIT, verifyWhole } from '../../administration/books/whole-verification.ts';
import { counted } from '../../administration/verb/table.ts';
import type { AuditHead } from '../../domain/audit.ts';
import { headFindings, headsIn } from '../../domain/audit-heads.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';
import { addNoun } from '../verb-command.ts';

type AuditVerifyValues = CommonValues & { readonly heads: string };

type VerifiedHeads = {
  readonly ok: boolean;
  readonly heads: number;
  readonly entries: number;
  readonly findings: readonly string[];
};

export function addAudit(program: Command): void {
  const noun = addNoun(program, 'audit');
  const command = administrationCommand(
    noun,
    'verify',
    'hold the audit chain against heads that were sent elsewhere with --audit-heads',
  )
    .requiredOption('--heads <file>', 'a file with such heads, or a log of the machine that got them')
    .action(async ({ heads, json, ...values }: AuditVerifyValues) => {
      const kept = headsIn(await readFile(heads, 'utf8'));
      if (kept.length === 0) throw new Complaint(`${heads} holds no head of an audit chain`);
      const verified = await asAdministrator(values, (administrator) => verifyHeads(administrator, kept));
      say(json ? JSON.stringify(verified, null, 2) : told(verified));
      if (!verified.ok) process.exitCode = 1;
    });
  withExample(command, 'tender audit verify --heads /mnt/elsewhere/audit-heads');
}

async function verifyHeads({ ask }: Administrator, kept: readonly AuditHead[]): Promise<VerifiedHeads> {
  const hashes = new Map<number, string>();
  for (let after: number | undefined; ; ) {
    const page = await ask('listAuditHashes', given({ after }));
    for (const { seq, hash } of page) hashes.set(seq, hash);
    const last = page.at(-1);
    if (!last) break;
    after = last.seq;
  }
  const findings = [...headFindings(kept, hashes), ...(await chainFindings(ask))];
  return { ok: findings.length === 0, heads: kept.length, entries: hashes.size, findings };
}

/** What is wrong with the chain itself. */
export async function chainFindings(ask: Administrator['ask']): Promise<string[]> {
  const { violations } = await withProgress((progress) =>
    verifyWhole((from) => ask('verifyPart', { from }), progress, FROM_AUDIT),
  );
  return violations.map(({ place, cause }) => `${place} ${cause}`);
}

function told({ ok, heads, entries, findings }: VerifiedHeads): string {
  return [
    `Held ${counted(heads, 'head')} against ${entries} audit entries.`,
    ...findings,
    ok ? 'The chain is the one whose heads were kept.' : 'The chain is not the one whose heads were kept.',
  ].join('\n');
}
