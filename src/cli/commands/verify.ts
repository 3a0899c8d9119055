// `tender verify`: holds the database to everything that must be true of it. Exit code 0 when it is, 1 when something
// is not, 2 when it could not be looked at.

import type { Command } from 'commander';
import {
  checkedText,
  unreplayedText,
  type Verified,
  verdictOf,
  verifyWhole,
} from '../../administration/books/whole-verification.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import { administrationCommand, type CommonValues, given, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { holdArchives } from '../archives/archive-sources.ts';
import { ArchivedEvents } from '../archives/archived-events.ts';
import { goneOrders, replayed } from '../archives/replays.ts';
import type { OpenerValues } from '../file-keys.ts';
import { withProgress } from '../progress-line.ts';
import { say } from '../terminal.ts';

type VerifyValues = CommonValues & OpenerValues & { readonly auditHead?: string; readonly archives?: string };

export function addVerify(program: Command): void {
  const command = administrationCommand(
    program,
    'verify',
    'check every invariant of the database, on a running gateway or a stopped one',
  )
    .option('--audit-head <head>', 'a head that "tender audit list" printed earlier: nothing up to it may have changed')
    .option(
      '--archives <folder>',
      'the folder of the files that "tender archive make" wrote: hold them to the database',
    )
    .option('--passphrase-file <path>', 'archives are under the passphrase in the first line of this file')
    .option('--private-key <path>', 'archives were made for the owner of this private key: PEM')
    .action(async ({ auditHead, archives, json, passphraseFile, privateKey, ...values }: VerifyValues) => {
      const opener = { ...(passphraseFile && { passphraseFile }), ...(privateKey && { privateKey }) };
      const verified = await asAdministrator(values, (administrator) =>
        archives === undefined
          ? verifyDatabase(administrator, auditHead)
          : verifyWithArchives(administrator, { auditHead, folder: archives, opener }),
      );
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

type WithArchives = {
  readonly auditHead: string | undefined;
  readonly folder: string;
  readonly opener: OpenerValues;
};

/** Files first: what is wrong with one tells why orders cannot be played again. */
async function verifyWithArchives(
  { ask }: Administrator,
  { auditHead, folder, opener }: WithArchives,
): Promise<Verified> {
  const listed = await ask('listArchives');
  const held = await holdArchives(folder, listed, opener);
  const events = new ArchivedEvents(held.events);
  try {
    const verified = await withProgress((progress) =>
      verifyWhole(
        async (from) => replayed(await ask('verifyStoredPart', given({ from, auditHead })), events, held),
        progress,
      ),
    );
    const ofFiles = [...held.findings, ...(await goneOrders(events, verified))];
    const violations = [...ofFiles, ...verified.violations];
    const checked = { ...verified.checked, archives: listed.length };
    return { ...verified, checked, violations, ok: verified.ok && ofFiles.length === 0 };
  } finally {
    await events.close();
  }
}

function told(verified: Verified): string {
  const { violations, waiting, moreWaiting } = verified;
  const unreplayed = unreplayedText(verified);
  const line = ({ place, cause }: VerificationFinding) => `${place}: ${cause}`;
  return [
    `Checked ${checkedText(verified)}.`,
    ...waiting.map(line),
    ...violations.map(line),
    ...(unreplayed === undefined ? [] : [`${unreplayed}; "tender verify --archives" plays them again.`]),
    ...(moreWaiting === 0 ? [] : [`${moreWaiting} more wait for a person.`]),
    `${verdictOf(verified)}.`,
  ].join('\n');
}
