// `tender evidence`: writes what an assessor asks for into a folder. Exit code 0 when nothing in it is bad, 1 when
// something is, 2 when it could not be written.

import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { AnswerTo } from '../../administration/administration.ts';
import { counted } from '../../administration/verb/table.ts';
import { systemClock } from '../../domain/clock.ts';
import { osUser } from '../../http/admin/admin-note.ts';
import { PACKAGE_ROOT } from '../../storage/connection/package-root.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { type Administrator, asAdministrator } from '../administrator.ts';
import { nearPath } from '../complaint.ts';
import { keysEvidence, peopleEvidence, settingsEvidence } from '../evidence/evidence-answers.ts';
import { EvidenceFolder } from '../evidence/evidence-folder.ts';
import { evidenceSummary } from '../evidence/evidence-summary.ts';
import { lookAtPage } from '../evidence/served-page.ts';
import { type SettingValues, webAddressOf, withDataSettings } from '../setting-options.ts';
import { say } from '../terminal.ts';
import { chainFindings } from './audit.ts';
import { scanPlaces } from './scan.ts';
import { verifyDatabase } from './verify.ts';

type EvidenceValues = SettingValues & { readonly page?: string; readonly scan: boolean; readonly wal?: string };

type Installation = AnswerTo<'showInstallation'>;

export function addEvidence(program: Command): void {
  const command = withDataSettings(
    describedCommand(
      program,
      'evidence <folder>',
      'write what an assessor asks for into a new folder',
      'Writes what an assessor asks for into a new folder: scripts and headers of the payment page, keys and their ages, people and roles, settings, a scan for card numbers, the audit chain, the records, the bill of materials. No secret is in it.',
    ),
  )
    .option(
      '--page <url>',
      'look at the payment page through this public address (default: where the gateway itself listens)',
      webAddressOf,
    )
    .option('--no-scan', 'leave out the scan for card numbers, which reads the whole database')
    .option('--wal <folder>', "the folder of PostgreSQL's write-ahead log, for the scan")
    .action(run);
  withExample(command, 'tender evidence evidence-2027-03');
}

async function run(given: string, { page, scan, wal, ...values }: EvidenceValues): Promise<void> {
  const folder = await EvidenceFolder.make(resolve(given));
  const now = systemClock.now();
  const installation = await asAdministrator(values, async (administrator) => {
    const found = await administrator.ask('showInstallation');
    await addPage(folder, found, page);
    await addAnswers(folder, administrator, found, now);
    await addChecks(folder, administrator);
    return found;
  });
  // The database of a stopped gateway is opened by one at a time.
  if (scan) await addScanResult(folder, { ...values, ...(wal === undefined ? {} : { wal }) });
  else say('scan.json: left out');
  const bill = { file: 'sbom.cdx.json', ok: true, says: 'the bill of materials (CycloneDX) of this package' };
  await folder.copy(bill, join(PACKAGE_ROOT, 'dist', bill.file));
  const { version, node, mode, publicAddress } = installation;
  const facts = { version, node, mode, publicAddress, host: hostname(), askedBy: `${osUser()}@${hostname()}` };
  await folder.end('summary.md', evidenceSummary({ at: new Date(now).toISOString(), ...facts }, folder.lines));
  say(`The evidence is in ${nearPath(resolve(given))}.`);
  if (!folder.isGood) process.exitCode = 1;
}

/** As it is served where a gateway runs, else as the code would send it. */
async function addPage(folder: EvidenceFolder, installation: Installation, given: string | undefined): Promise<void> {
  const { pageAssets, pageHeaders, localAddress } = installation;
  const base = (given ?? localAddress)?.replace(/\/$/, '');
  const isLocal = given === undefined;
  const served = base === undefined ? undefined : await lookAtPage({ base, isLocal }, pageAssets);
  const findings = served?.findings ?? [];
  const ok = findings.length === 0;
  const counts = counted(pageAssets.filter(({ kind }) => kind === 'script').length, 'script');
  const how = served ? `looked at as served by ${base}` : 'from the package, because no gateway runs';
  const wrong = ok ? '' : `; ${findings.join('; ')}`;
  await folder.add(
    { file: 'scripts.json', ok, says: `${counts}, ${counted(pageAssets.length, 'file')} in all, ${how}${wrong}` },
    {
      servedBy: base ?? null,
      findings,
      files: pageAssets.map((one) => ({ ...one, isServedAsInPackage: served?.isSame.get(one.path) ?? null })),
    },
  );
  const headers = served?.headers ?? pageHeaders;
  await folder.add(
    { file: 'headers.json', ok, says: `${counted(Object.keys(headers).length, 'header')} of the payment page, ${how}` },
    { servedBy: base ?? null, headers },
  );
}

async function addAnswers(
  folder: EvidenceFolder,
  { ask }: Administrator,
  installation: Installation,
  now: number,
): Promise<void> {
  const keys = await keysEvidence(ask, installation, now);
  const sealing = keys.vault.sealing.length + keys.vault.digests.length;
  const keysSay = `${counted(sealing, 'key')} of the vault, ${counted(keys.merchants.length, 'key')} of merchants`;
  await folder.add({ file: 'keys.json', ok: true, says: keysSay }, keys);
  const staff = await peopleEvidence(ask);
  const counts = staff.people.length === 1 ? '1 person' : `${staff.people.length} people`;
  await folder.add(
    { file: 'people.json', ok: true, says: `${counts}, ${counted(staff.tokens.length, 'token')}` },
    staff,
  );
  const settings = await settingsEvidence(ask, installation);
  const ofAll = `${counted(settings.installation.length, 'setting')}, ${counted(settings.endpoints.length, 'endpoint')}`;
  await folder.add({ file: 'settings.json', ok: true, says: ofAll }, settings);
}

async function addChecks(folder: EvidenceFolder, administrator: Administrator): Promise<void> {
  const { ask } = administrator;
  const { head } = await ask('listAudit');
  const breaks = await chainFindings(ask);
  const isWhole = breaks.length === 0;
  const entries = Number(head.split(':')[0]);
  const chain = `${entries} entries, ${isWhole ? 'the chain is whole' : 'the chain is broken'}`;
  await folder.add({ file: 'audit.json', ok: isWhole, says: chain }, { ok: isWhole, head, entries, findings: breaks });
  const tampered = await ask('listTampered');
  const isOurs = tampered.length === 0;
  const records = isOurs
    ? 'every signed record is as it was written'
    : `${counted(tampered.length, 'record')} tampered`;
  await folder.add({ file: 'records.json', ok: isOurs, says: records }, { ok: isOurs, tampered });
  const verified = await verifyDatabase(administrator);
  const checked = Object.entries(verified.checked).map(([what, count]) => `${count} ${what}`);
  const says = `${checked.join(', ')}: ${counted(verified.violations.length, 'violation')}`;
  await folder.add({ file: 'verify.json', ok: verified.ok, says }, verified);
}

async function addScanResult(folder: EvidenceFolder, values: SettingValues & { wal?: string }): Promise<void> {
  const { data, databaseUrl, wal } = values;
  const scanned = await scanPlaces([], {
    data,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(wal === undefined ? {} : { wal }),
  });
  const left = scanned.left.map((one) => `; not looked at: ${one}`).join('');
  const says = `${counted(scanned.findings.length, 'finding')} in ${scanned.looked.join(', ')}${left}`;
  await folder.add({ file: 'scan.json', ok: scanned.ok, says }, { ...scanned, count: scanned.findings.length });
}
