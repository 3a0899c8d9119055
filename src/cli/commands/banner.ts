// What a started gateway says: where it is, what is in it and, in a sandbox, a first payment ready to be pasted.

import { join } from 'node:path';
import type { RunningGateway, Settings } from '../../compose/index.ts';
import { isReachedFromHereOnly } from '../../domain/public-address.ts';
import { demo } from '../../processing/node/demo.ts';
import { databasePlace } from '../../storage/connection/database-place.ts';
import { nearPath } from '../complaint.ts';
import { DEFAULT_DATA } from '../setting-options.ts';
import type { Style } from '../terminal.ts';

export type BannerParts = { readonly settings: Settings; readonly gateway: RunningGateway; readonly style: Style };

/** What the simulated bank makes of a payment (decisions, D-61). */
const OUTCOMES = [
  ['123, 1234', 'approved'],
  ['111', 'approved without 3-D Secure'],
  ['321', '3-D Secure challenge, on a 3-D Secure endpoint'],
  ['217', 'in doubt, resolved a little later'],
  ['101', 'declined: expired card'],
  ['116', 'declined: insufficient funds'],
  ['119', 'declined: not permitted'],
  ['209', 'declined: stolen card'],
  ['others', 'declined'],
] as const;

export function productionBanner({ settings, gateway, style }: BannerParts): string {
  return [
    `${style.bold('Tender')} takes payments`,
    '',
    ...places(settings, gateway, style),
    row('Banks', 'see "tender terminal list"; an endpoint without a route uses the simulated bank', style),
    '',
  ].join('\n');
}

export function sandboxBanner({ settings, gateway, style }: BannerParts): string {
  return [
    `${style.bold('Tender')} is running as a sandbox: no real money moves`,
    '',
    ...places(settings, gateway, style),
    ...(isReachedFromHereOnly(settings.host) ? [] : [openToOthers(settings, style)]),
    '',
    ...(hasDemo(gateway) ? demoLines(settings, gateway, style) : noDemoLines(style)),
    style.dim('Ctrl-C stops it; the data stays.'),
    '',
  ].join('\n');
}

function places(
  { mode, dataFolder, databaseUrl, bankUrl, networksUrl }: Settings,
  { adminUrl, baseUrl, localUrl }: RunningGateway,
  style: Style,
) {
  return [
    row('Interface', style.bold(baseUrl), style),
    row('Health', `${localUrl}/healthz  ${localUrl}/readyz`, style),
    row('Metrics', `${mode === 'sandbox' ? localUrl : adminUrl}/metrics`, style),
    row('Admin port', adminUrl, style),
    ...(mode === 'sandbox' ? [row('Demo shop', `${localUrl}/demo`, style)] : []),
    row('OpenAPI', `${localUrl}/openapi.json`, style),
    row('People', `${adminUrl}/account`, style),
    row('Data', nearPath(dataFolder), style),
    row('Database', databasePlace(databaseUrl), style),
    ...(bankUrl === undefined ? [] : [row('Bank', bankUrl, style)]),
    ...(networksUrl === undefined ? [] : [row('Networks', networksUrl, style)]),
  ];
}

function openToOthers({ host }: Settings, style: Style): string {
  const warning = `it listens on ${host}: everybody who reaches it may use the demo merchant, whose keys are known`;
  return row('Warning', style.bold(warning), style);
}

function hasDemo({ configuration }: RunningGateway): boolean {
  const merchant = configuration.byLogin(demo.login);
  return merchant?.controlKeys.some(({ key }) => key.reveal() === demo.controlKey) ?? false;
}

function noDemoLines(style: Style): string[] {
  return [style.dim('There is no demo merchant in this database; see "tender merchant list".'), ''];
}

function demoLines(settings: Settings, { baseUrl, configuration }: RunningGateway, style: Style): string[] {
  const { dataFolder } = settings;
  const { merchantId, login, controlKey } = demo;
  // The database may have been made by a version whose demo had less.
  const isThere = (id: number) => configuration.target(String(id))?.merchantId === merchantId;
  const endpoints = demo.endpoints.filter(({ endpointId }) => isThere(endpointId));
  const groups = demo.groups.filter(({ groupId }) => isThere(groupId));
  return [
    style.bold('Demo merchant'),
    row('Login', login, style),
    row('Control key', controlKey, style),
    ...endpoints.map(({ endpointId, currency, name }, index) =>
      row(index === 0 ? 'Endpoints' : '', `${endpointId}  ${currency}  ${name}`, style),
    ),
    ...groups.map(({ groupId, endpointIds }, index) =>
      row(index === 0 ? 'Groups' : '', `${groupId}  ${endpointIds.join(', ')}, chosen by currency`, style),
    ),
    row('Private key', nearPath(join(dataFolder, 'demo-private-key.pem')), style),
    '',
    style.bold('The cvv2 decides what the bank answers'),
    ...OUTCOMES.map(([cvv2, outcome]) => row(cvv2, outcome, style)),
    row('Retries', retriesText(settings), style),
    '',
    style.bold('A first payment'),
    firstSale(baseUrl),
    '',
    style.bold('What became of it'),
    itsStatus(baseUrl),
    '',
    style.bold('Everything that happened to it'),
    itsStory(dataFolder),
    '',
  ];
}

function retriesText({ networkLimits = 'off' }: Settings): string {
  return networkLimits === 'off'
    ? "a declined card may be tried again without end; --network-limits on applies the card networks' limits"
    : "the card networks' limits on trying a declined card again apply";
}

const [{ endpointId: SHOP }] = demo.endpoints;

// openssl is there on Linux and macOS alike; what it prints before the digest differs.
const sha1Of = (text: string) => `$(printf %s "${text}" | openssl dgst -sha1 | sed 's/.* //')`;

/** To be pasted into a shell as it stands. The control covers the amount in minor units: 10.42 signs as 1042. */
function firstSale(baseUrl: string): string {
  const email = 'payer@example.com';
  return `ORDER=first-$(date +%s)
curl -s ${baseUrl}/api/v2/sale/${SHOP} -H 'Accept: application/vnd.pay+json' \\
  -d client_orderid=$ORDER -d amount=10.42 -d currency=USD -d email=${email} -d order_desc=Coffee \\
  -d credit_card_number=4111111111111111 -d expire_month=12 -d expire_year=2034 -d cvv2=123 -d card_printed_name=Payer \\
  -d control=${sha1Of(`${SHOP}\${ORDER}1042${email}${demo.controlKey}`)}`;
}

function itsStatus(baseUrl: string): string {
  return `curl -s ${baseUrl}/api/v2/status/${SHOP} -H 'Accept: application/vnd.pay+json' \\
  -d login=${demo.login} -d client_orderid=$ORDER \\
  -d control=${sha1Of(`${demo.login}\${ORDER}${demo.controlKey}`)}`;
}

/** Pasted in the same folder, or with a path that holds everywhere. */
function itsStory(dataFolder: string): string {
  const where = nearPath(dataFolder) === DEFAULT_DATA ? '' : ` --data ${quoted(dataFolder)}`;
  return `npx tender order show $ORDER --merchant ${demo.login}${where}`;
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const LABEL_WIDTH = 13;

function row(label: string, value: string, style: Style): string {
  return `  ${style.dim(label.padEnd(LABEL_WIDTH))}${value}`;
}
