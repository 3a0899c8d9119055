// The vault and the installation, to look at: what is done about them is done on the gateway's own machine.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, block, facts, moment, mono, panel } from '../pieces/values.ts';

type VaultView = AnswerTo<'showVault'>;
type ShownKey = {
  readonly dataKeyId: number;
  readonly purpose: string;
  readonly state: string;
  readonly values: number | undefined;
  readonly kekId: string;
  readonly createdAt: string;
};
type InstallationView = AnswerTo<'showInstallation'>;
type Certificate = InstallationView['certificates'][number];
type Tampered = AnswerTo<'listTampered'>[number];

const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_DAYS = 30;

export const vaultPage = definePage({
  path: 'vault',
  needs: 'showVault',
  menu: { section: 'Set-up', name: 'Vault' },
  async show({ ask, may, now }) {
    const tampered = await ask('listTampered');
    return {
      title: 'Vault and installation',
      body: html`${panel('keys', 'Keys', keysOf(await ask('showVault'), now), { wide: true })}
${panel('records', 'Records that give power', recordsOf(tampered), { wide: true })}
${may('showInstallation') && installationOf(await ask('showInstallation'), now)}`,
    };
  },
});

function keysOf({ dataKeys, currentDataKeyId, digestKeys }: VaultView, now: number): Html {
  const sealing = dataKeys.map((key) => {
    const state = key.dataKeyId === currentDataKeyId ? 'current' : 'old';
    return { ...key, purpose: 'seal', state };
  });
  const rows: ShownKey[] = [...sealing, ...digestKeys.map((key) => ({ ...key, values: undefined }))];
  return html`<p>No key is ever shown. Card numbers are sealed under data keys; these are wrapped under a key that is not
in the database.</p>
${tableOf<ShownKey>({
  label: 'All keys',
  columns: {
    Key: ({ dataKeyId }) => String(dataKeyId),
    For: ({ purpose }) => PURPOSES[purpose] ?? purpose,
    State: ({ state }) => badge(state, state === 'current' ? 'good' : state === 'coming' ? 'waiting' : 'plain'),
    'Sealed under it': { of: ({ values }) => values?.toLocaleString('en') ?? '–', kind: 'number' },
    Age: { of: ({ createdAt }) => daysText(now - Date.parse(createdAt)), kind: 'number' },
    Since: ({ createdAt }) => moment(createdAt),
    'Wrapped under': ({ kekId }) => mono(kekId),
  },
  rows,
  otherwise: 'There are no keys.',
})}
${dataKeys.length > 1 && html`<p>Values are being sealed anew; the old key goes when nothing needs it any more.</p>`}
${commands('Changing keys', [
  ['tender vault rotate', 'a new data key, under which everything is sealed anew'],
  ['tender vault rotate --kek', 'a new key-encryption key; data keys are wrapped anew'],
  ['tender vault status', 'the same as this table'],
])}`;
}

const PURPOSES: Readonly<Record<string, string>> = {
  seal: 'sealing values',
  lookup: 'recognising equal cards',
  links: 'links of payers',
  marks: 'keys that merchants choose',
  records: 'signing what gives power',
};

function recordsOf(tampered: readonly Tampered[]): Html {
  return html`<p>Merchants, keys, endpoints, limits, terminals and people carry a mark of the administration: what somebody
else wrote into the database is not used.</p>
${tableOf<Tampered>({
  label: 'Records that somebody else wrote',
  columns: { Record: ({ place }) => place, 'What is wrong': { of: ({ cause }) => cause, kind: 'wide' } },
  rows: tampered,
  otherwise: 'Every record is as the administration wrote it. What somebody else writes would be listed here.',
})}
${tampered.length > 0 && commands('What to do', [['tender record sign', 'accepts every record as it is now']])}`;
}

function installationOf(view: InstallationView, now: number): Html {
  const { version, node, mode, publicAddress, localAddress, certificates, settings, pageAssets } = view;
  const size = pageAssets.reduce((bytes, one) => bytes + one.bytes, 0);
  return html`${panel(
    'installation',
    'Installation',
    facts([
      ['Version', version],
      ['Node', node],
      ['Mode', mode],
      ['Address of the interface', publicAddress ?? undefined],
      ['On this machine', localAddress ?? undefined],
      ['What the payment page loads', `${pageAssets.length} files, ${Math.ceil(size / 1024)} KB`],
    ]),
  )}
${panel('certificates', 'Certificates', certificatesOf(certificates, now), { wide: true })}
${panel(
  'settings',
  'Settings that matter for security',
  facts(settings.map(({ name, value }) => [name, value ?? 'not set'] as const)),
)}
${panel('evidence', 'Evidence for auditors', commandBlock('Evidence for auditors', EVIDENCE))}`;
}

function certificatesOf(certificates: readonly Certificate[], now: number): Html {
  return tableOf<Certificate>({
    label: 'Certificates that are served',
    columns: {
      'Shown at': ({ servedAt }) => servedAt,
      Subject: { of: ({ subject }) => subject, kind: 'wide' },
      Issuer: { of: ({ issuer }) => issuer, kind: 'wide' },
      'Ends at': ({ validUntil }) => html`${moment(validUntil)} ${endBadge(Date.parse(validUntil) - now)}`,
    },
    rows: certificates,
    otherwise: 'This gateway serves no TLS itself: a proxy before it does, or it is reached from this machine only.',
  });
}

function endBadge(leftMs: number): Piece {
  if (leftMs <= 0) return badge('ended', 'bad');
  return leftMs < SOON_DAYS * DAY_MS && badge('soon', 'waiting');
}

function daysText(ms: number): string {
  const days = Math.max(0, Math.floor(ms / DAY_MS));
  return days === 1 ? '1 day' : `${days} days`;
}

type Commands = readonly (readonly [command: string, says: string])[];

const EVIDENCE: Commands = [['tender evidence', 'writes all of this, and proofs, into a folder']];

const commands = (title: string, all: Commands) => html`<h3>${title}</h3>
${commandBlock(title, all)}`;

/** What they do stands in a column of its own. Its panel has the title already, so that this is told apart. */
function commandBlock(title: string, all: Commands): Html {
  const longest = Math.max(...all.map(([command]) => command.length));
  return block(all.map(([command, says]) => `${command.padEnd(longest)}   # ${says}`).join('\n'), `Commands: ${title}`);
}
