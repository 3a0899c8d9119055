// What a started gateway says: where it is, what is in it and, in a sandbox, a first payment ready to be pasted.

import { join } from 'node:path';
import type { RunningGateway, Settings } from '../../compose/index.ts';
import { isReachedFromHereOnly } from '../../domain/address/public-address.ts';
import { demo, demoIn, demoOutcomes } from '../../processing/node/demo.ts';
import { DEMO_ADMINISTRATOR, type FirstSignIn } from '../../processing/people/first-administrator.ts';
import { databasePlace } from '../../storage/connection/database-place.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import { nearPath } from '../complaint.ts';
import { DEFAULT_DATA } from '../setting-options.ts';
import type { Style } from '../terminal.ts';

export type BannerParts = {
  readonly settings: Settings;
  readonly gateway: RunningGateway;
  readonly style: Style;
  /** Who can sign in. */
  readonly first: FirstSignIn;
};

export function productionBanner({ settings, gateway, style, first }: BannerParts): string {
  const nobody = 'nobody can sign in yet; "tender person add <name> --role administrator" makes the first';
  return [
    `${style.bold('Tender')} ${PACKAGE_VERSION} takes payments`,
    '',
    ...places(settings, gateway, style),
    ...(first.step === 'nobody' ? [row('Warning', style.bold(nobody), style)] : []),
    row('Banks', 'see "tender terminal list"; an endpoint without a route uses the simulated bank', style),
    '',
  ].join('\n');
}

/** What a newcomer needs first comes last: there the eye is when the lines have run by. */
export function sandboxBanner({ settings, gateway, style, first }: BannerParts): string {
  return [
    `${style.bold('Tender')} ${PACKAGE_VERSION} is running as a sandbox: no real money moves`,
    '',
    ...places(settings, gateway, style),
    ...(isReachedFromHereOnly(settings.host) ? [] : [openToOthers(settings, style)]),
    '',
    ...demoLines(settings, gateway, style),
    style.bold('Open in a browser'),
    row('Start here', style.bold(`${gateway.localUrl}/`), style),
    row('Demo shop', `${gateway.localUrl}/demo`, style),
    ...(settings.docs === 'off' ? [] : [row('Docs', `${gateway.localUrl}/docs/`, style)]),
    ...signInLines(first, settings, gateway).map((line, index) => row(index === 0 ? 'Sign in' : '', line, style)),
    '',
    style.dim('Ctrl-C stops it; the data stays.'),
    '',
  ].join('\n');
}

function signInLines({ step, link }: FirstSignIn, { dataFolder }: Settings, { adminUrl }: RunningGateway): string[] {
  const reset = tenderCommand(`person reset ${DEMO_ADMINISTRATOR}`, dataFolder);
  const add = tenderCommand(`person add ${DEMO_ADMINISTRATOR} --role administrator`, dataFolder);
  const page = `${adminUrl}/`;
  if (link !== undefined) {
    return [link, `as the administrator "${DEMO_ADMINISTRATOR}"; it works once, within a day, and then you choose how`];
  }
  switch (step) {
    case 'nobody':
      return [page, `nobody has an account yet; a one-time link: ${add}`];
    case 'waiting':
      return [page, `as the administrator "${DEMO_ADMINISTRATOR}"; a one-time link: ${reset}`];
    case 'chosen':
      return [page, `as the administrator "${DEMO_ADMINISTRATOR}"; a new one-time link: ${reset}`];
    default:
      return [page];
  }
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
    row('OpenAPI', `${localUrl}/openapi.json`, style),
    row('Console', `${adminUrl}/console`, style),
    row('Data', nearPath(dataFolder), style),
    row('Database', databasePlace(databaseUrl), style),
    ...(bankUrl === undefined ? [] : [row('Bank', new URL(bankUrl).origin, style)]),
    ...(networksUrl === undefined ? [] : [row('Networks', networksUrl, style)]),
  ];
}

function openToOthers({ host }: Settings, style: Style): string {
  const warning = `it listens on ${host}: everybody who reaches it may use the demo merchant, whose keys are known`;
  return row('Warning', style.bold(warning), style);
}

function demoLines(settings: Settings, { baseUrl, configuration }: RunningGateway, style: Style): string[] {
  const { dataFolder } = settings;
  const { login, controlKey } = demo;
  const there = demoIn(configuration);
  if (!there) return [style.dim('There is no demo merchant in this database; see "tender merchant list".'), ''];
  return [
    style.bold('Demo merchant'),
    row('Login', login, style),
    row('Control key', controlKey, style),
    ...there.endpoints.map(({ endpointId, currency, name }, index) =>
      row(index === 0 ? 'Endpoints' : '', `${endpointId}  ${currency}  ${name}`, style),
    ),
    ...there.groups.map(({ groupId, endpointIds }, index) =>
      row(index === 0 ? 'Groups' : '', `${groupId}  ${endpointIds.join(', ')}, chosen by currency`, style),
    ),
    row('Private key', nearPath(join(dataFolder, 'demo-private-key.pem')), style),
    '',
    style.bold('The cvv2 decides what the bank answers'),
    ...demoOutcomes.map(([cvv2, outcome]) => row(cvv2, outcome, style)),
    row('Retries', retriesText(settings), style),
    '',
    style.bold('A first payment'),
    firstSale(baseUrl),
    '',
    style.bold('What became of it'),
    itsStatus(baseUrl),
    '',
    style.bold('Everything that happened to it'),
    tenderCommand(`order show $ORDER --merchant ${demo.login}`, dataFolder),
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
function tenderCommand(words: string, dataFolder: string): string {
  const where = nearPath(dataFolder) === DEFAULT_DATA ? '' : ` --data ${quoted(dataFolder)}`;
  return `npx tender ${words}${where}`;
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const LABEL_WIDTH = 13;

function row(label: string, value: string, style: Style): string {
  return `  ${style.dim(label.padEnd(LABEL_WIDTH))}${value}`;
}
