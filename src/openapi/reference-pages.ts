// The pages of docs/reference, printed from the code they describe. `scripts/generate.mjs` writes them.

import type { ConnectorField } from '../acquirers/connector.ts';
import { connectors } from '../acquirers/index.ts';
import { needOf } from '../administration/terminals/connectors.ts';
import { meaningOf } from '../domain/acquirer/action-codes.ts';
import { terminalSettings } from '../domain/acquirer/terminal-settings.ts';
import { errors } from '../domain/errors.ts';
import { COMPARING_COMMANDS, exitCodes } from '../domain/exit-codes.ts';
import { endpointSettings } from '../domain/merchant/endpoint-settings.ts';
import { lookSettings } from '../domain/merchant/look.ts';
import { merchantSettings } from '../domain/merchant/merchant-settings.ts';
import type { Setting } from '../domain/merchant/setting.ts';
import { helpOf, optionOf, settingText } from '../domain/merchant/setting-spelling.ts';
import { networkSettings } from '../domain/three-d-secure/card-network.ts';
import { callbackParameters, finalRedirectParameters } from '../notifications/build.ts';
import { type Field, otherSpellings } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { ResponseSchema } from '../operations/response.ts';
import { administrationParagraphs } from './administration-page.ts';
import { postmanCollection } from './postman-collection.ts';
import { ADDITION, signing, signingText } from './signing-text.ts';
import { MAX_COLUMNS, wrapped } from './wrapped.ts';

const PRINTED = '<!-- Printed by scripts/generate.mjs. Do not edit. -->';

/** The collection of the pages is of no gateway in particular; a gateway serves its own. */
const ANYWHERE = { baseUrl: 'http://localhost:8080/paynet', version: 'interface' };

/** File name → text. */
export function referencePages(): Record<string, string> {
  return {
    'operations.md': operationsPage(),
    'callbacks.md': callbacksPage(),
    'errors.md': errorsPage(),
    'action-codes.md': actionCodesPage(),
    'settings.md': settingsPage(),
    'exit-codes.md': exitCodesPage(),
    'connectors.md': connectorsPage(),
    'postman_collection.json': `${JSON.stringify(postmanCollection(ANYWHERE), null, 2)}\n`,
    'administration.md': printedPage('Administration', ...administrationParagraphs(markdownTable)),
  };
}

/** A page that is printed from the code. */
export function printedPage(title: string, ...paragraphs: string[]): string {
  return wrapped(`${[PRINTED, `# ${title}`, ...paragraphs].join('\n\n')}\n`);
}

export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const shown = rows.map((cells) => (line(cells).length > MAX_COLUMNS ? withoutLongest(cells) : { cells, below: [] }));
  const below = shown.flatMap((row) => row.below);
  const whole = [line(heads), line(heads.map(() => '---')), ...shown.map(({ cells }) => line(cells))].join('\n');
  return below.length === 0 ? whole : `${whole}\n\n${below.join('\n')}`;
}

/** A row of a table cannot be broken: what is too wide for it stands in a list below. */
function withoutLongest(cells: readonly string[]): { readonly cells: string[]; readonly below: string[] } {
  const [name = '', ...others] = cells;
  const longest = others.reduce((one, other) => (other.length > one.length ? other : one), '');
  return {
    cells: [name, ...others.map((cell) => (cell === longest ? 'see below' : cell))],
    below: [`- ${name}: ${longest}`],
  };
}

function operationsPage(): string {
  const all: readonly Operation[] = operations;
  return printedPage(
    'Operations',
    ...operationRules(),
    contents(all),
    ...all.map(operationSection),
    '## Replies',
    REPLIES,
    ...repliesOf(all).map(responseSection),
  );
}

const REPLIES =
  'Flat objects of strings. A field that is not known is absent. Every reply has `type` and `serial-number`, which identifies the request.';

function repliesOf(all: readonly Operation[]): ResponseSchema[] {
  return [...new Map(all.map(({ response }) => [response.name, response])).values()];
}

/** What holds for every operation, and a list that leads to a page of its own for each: `operations/sale.md`. */
export function operationsOverview(): string {
  const all: readonly Operation[] = operations;
  const lines = all.map((one) => `- [${one.name}](operations/${one.name.toLowerCase()}.md): ${one.summary}`);
  return printedPage('Operations', ...operationRules(), '## All operations', lines.join('\n'));
}

/** The page of one operation: how it is called, `more`, its fields, and the reply that it gives. */
export function operationPage(operation: Operation, more: readonly string[]): string {
  const [, ...section] = operationSection(operation).split('\n\n').slice(0, -1);
  const at = section.findIndex((paragraph) => paragraph.startsWith('|'));
  const [called, fields] = [section.slice(0, at), section.slice(at)];
  const { name, response } = operation;
  return printedPage(name, ...called, ...more, '## Fields', ...fields, '## Reply', REPLIES, responseSection(response));
}

function operationRules(): string[] {
  return [
    'Every operation is `POST {base}{path}/{endpointId}` with the header `Accept: application/vnd.pay+json` and a form body. Unless it says otherwise, an endpoint group may stand for the endpoint: `{path}/{groupId}` or `{path}/group/{groupId}`. Any field may be spelled with `_` or `-`.',
    'A request that makes an order may be sent again: `client_orderid` is unique, and the same values give the same order. CAPTURE, RETURN, VOID and PAYOUT_V4_PAY have no such id: give each the header `Idempotency-Key` (at most 255 characters, kept seven days), and the same key and values give the stored reply. A RETURN without one is known by its bytes: for 24 hours after it was accepted, a RETURN of its order with the same body is the same request, gets the same reply and moves nothing. A second return of the same amount is meant by another `Idempotency-Key` or by any other byte, best by its `comment`.',
    'RETURN of a partly captured preauthorization gives back what was captured, all of it if no amount is sent. A larger amount, or `return_type=cancel`, means what is still held.',
    `**Control signature.** ${signing.control}`,
    `**OAuth 1.0a.** ${signing.oauth} \`oauth_consumer_key\` is the merchant's login.`,
    `**Strict signing.** ${signing.strict}`,
    '**Legacy replies.** An endpoint that has them answers a request without `Accept`, or whose `Accept` takes `*/*`, a `text/` or an `application/` type other than `application/vnd.pay+json`, as older services do: form-encoded `name=value` pairs, a line feed after each, joined by `&`, always with HTTP 200. In a group the endpoint decides that the currency picks; a request without a currency is answered so if any endpoint of the group has legacy replies.',
  ];
}

function contents(all: readonly Operation[]): string {
  return all.map(({ name, summary }) => `- [${name}](#${name.toLowerCase()}): ${summary}`).join('\n');
}

function operationSection(operation: Operation): string {
  const { name, path, summary, request, response, groups } = operation;
  const lines = [`## ${name}`, summary, ...(operation.isAddition ? [ADDITION] : [])];
  lines.push(`\`POST ${path}/{endpointId}\`${groups ? '' : ' (an endpoint only, no group)'}`);
  lines.push(`Signature: ${signingText(operation)}`);
  lines.push(markdownTable(['Field', 'Need', 'Length', 'Meaning'], Object.values(request.fields).map(fieldRow)));
  if (request.rules.length > 0) lines.push(request.rules.map(({ says }) => `- ${says}`).join('\n'));
  lines.push(`Reply: [${response.name}](#${response.name.toLowerCase()})`);
  return lines.join('\n\n');
}

function fieldRow({ wire, required, maxLength, description }: Field<unknown>): string[] {
  return [`\`${wire}\`${furtherNames(wire)}`, required ? 'required' : 'optional', String(maxLength), description];
}

/** Other names that differ by more than `_` and `-`, because the page explains those two once for all names. */
function furtherNames(wire: string): string {
  const plain = (name: string) => name.replaceAll('-', '_');
  const further = otherSpellings(wire).filter((name) => !name.includes('-') && plain(name) !== plain(wire));
  return further.length === 0 ? '' : ` (also ${further.map((name) => `\`${name}\``).join(', ')})`;
}

function responseSection({ name, type, fields }: ResponseSchema): string {
  return [`### ${name}`, `\`type\` is \`${type}\`.`, meanings('Field', fields)].join('\n\n');
}

/** A table of names and their meanings. */
function meanings(head: string, documented: Readonly<Record<string, string>>): string {
  return markdownTable(
    [head, 'Meaning'],
    Object.entries(documented).map(([name, says]) => [`\`${name}\``, says]),
  );
}

function callbacksPage(): string {
  return printedPage(
    'Callbacks',
    'When a transaction becomes final, the addresses sent as `server_callback_url` and `notify_url` are called with GET and these query parameters, in this order. All of them are always there, except `amount-signed`; what is not known is empty. `error_code` is an [action code](action-codes.md) or one of our [errors](errors.md).',
    meanings('Parameter', callbackParameters),
    '## Final redirect',
    "At the end of a hosted form or of 3-D Secure, the payer's browser posts a part of the same parameters to the merchant's redirect URL:",
    finalRedirectParameters.map((name) => `\`${name}\``).join(', '),
  );
}

export const ERRORS_INTRODUCTION =
  'A refused request answers with HTTP 400 and `type` = `validation-error`, a failure of the service with HTTP 500 and `type` = `error`. Where HTTP has a status of its own it is that: 404 with code 18, 405 with 19, 417 with 17, 408 and 431 with 16. `error-code` is the number below, and `errors` lists everything that is wrong. Numbers do not change.';

function errorsPage(): string {
  const rows = Object.entries(errors).map(([name, { code, text }]) => [
    String(code),
    name,
    text.replace('{field}', '*field*').replace('{hint}', '…'),
  ]);
  return printedPage(
    'Errors',
    ERRORS_INTRODUCTION,
    markdownTable(['Code', 'Name', 'Message'], rows),
    'A declined payment is not an error: its `error-code` is an [action code](action-codes.md).',
  );
}

function actionCodesPage(): string {
  const codes = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'));
  // No card network uses x98, so it shows the sentence for codes that have none of their own.
  const ofRange = (code: string) => meaningOf(`${code.charAt(0)}98`);
  const own = codes.filter((code) => meaningOf(code) !== ofRange(code));
  const ranges = [...'0123456789'].map((digit) => [`${digit}00–${digit}99`, meaningOf(`${digit}98`)]);
  return printedPage(
    'Action codes',
    'Why a payment was declined: the ISO 8583:1993 action code in `error-code`, and its sentence in `error-message`.',
    markdownTable(
      ['Code', 'Meaning'],
      own.map((code) => [code, meaningOf(code)]),
    ),
    'Any other code is told by its range.',
    markdownTable(['Range', 'Meaning'], ranges),
  );
}

function exitCodesPage(): string {
  const commands = COMPARING_COMMANDS.map((name) => `\`tender ${name}\``).join(', ');
  return printedPage(
    'Exit codes',
    'What a command tells a script when it ends. Whatever is not 0 comes with one line on standard error, except an answer of a command that compares.',
    markdownTable(
      ['Code', 'Name', 'Meaning'],
      Object.entries(exitCodes).map(([name, { code, says }]) => [String(code), name, says]),
    ),
    `Commands that compare are ${commands}: there 1 is an answer, and whatever keeps them from answering is 2, 3 or 4.`,
    'A server that ends by a signal has 0 when it finished what was in flight, and 1 when a second signal ended it at once.',
  );
}

function settingsPage(): string {
  return printedPage(
    'Settings',
    "What `tender merchant`, `tender endpoint`, `tender endpoint look`, `tender terminal` and `tender network` set. With `--json` a setting has the name below. Amounts are in major units of the endpoint's currency, lists are separated by commas.",
    '## Merchants',
    settingsTable(merchantSettings),
    'A merchant is disabled by `tender merchant disable` and enabled by `tender merchant enable`.',
    '## Endpoints',
    settingsTable(endpointSettings),
    'An endpoint is disabled by `--disable`.',
    '## Looks of hosted pages',
    settingsTable(lookSettings),
    'Beside these, a look has a logo and texts of its own for any language.',
    '## Terminals',
    settingsTable(terminalSettings),
    'A terminal is disabled by `tender terminal disable` and enabled by `tender terminal enable`. Beside these, it has the settings of its [connector](connectors.md).',
    '## Card networks',
    settingsTable(networkSettings),
    'Beside these, the directory server of a card brand has an address and certificates.',
  );
}

function connectorsPage(): string {
  return printedPage(
    'Connectors',
    'A terminal is a connector with its settings. `tender terminal add <name> --connector <connector>` takes settings by `--set <name=value>`, and secrets by `--secret-file <name=path>`, `--secret-env <name=variable>` or `--secret-stdin <name>`; lists are separated by commas, flags are `on` or `off`. What every terminal has is among the [settings](settings.md).',
    ...connectors.flatMap(({ name, says, does, partial, settings }) => [
      `## ${name}`,
      `Reaches ${says}. It carries out ${does.join(', ')}; in parts: ${partial.join(', ') || 'nothing'}.`,
      markdownTable(['Setting', 'Need', 'Takes', 'Meaning'], Object.entries(settings).map(connectorRow)),
    ]),
  );
}

function connectorRow([name, { kind, says, secret, optional, default: first }]: [string, ConnectorField]): string[] {
  const required = !optional && first === undefined;
  return [`\`${name}\``, needOf({ required, secret, default: first }), kind.what, says];
}

function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map((one) => [`\`${one.name}\``, optionCell(one), helpOf(one), firstCell(one)]);
  return markdownTable(['Name', 'Option', 'Meaning', 'At first'], rows);
}

function optionCell(setting: Setting): string {
  const { enum: words } = setting.kind.schema as { readonly enum?: readonly string[] };
  const option = optionOf(words ? { ...setting, takes: words.join('|') } : setting);
  return option === undefined ? '' : `\`${option}\``;
}

function firstCell(setting: Setting): string {
  const { first, default: value, kind } = setting;
  return first ?? settingText(setting, value === kind.none?.value ? undefined : value);
}
