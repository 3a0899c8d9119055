// The request that a person wants signed or checked, as given: an operation with fields, a body in a file, or a pasted
// command of curl.

import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { type FormBody, readFormBody } from '../../http/form-body.ts';
import { operations } from '../../operations/index.ts';
import type { ControlAuth, OAuthAuth, Operation } from '../../operations/operation.ts';
import { demo } from '../../processing/node/demo.ts';
import type { Pair } from '../../signing/oauth1.ts';
import { findRunning } from '../administrator.ts';
import { Complaint } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import { DEFAULT_DATA } from '../setting-options.ts';
import { addHeader, type CurlRequest, dataOf, readCurl } from './curl-command.ts';

export type RequestValues = {
  readonly field?: readonly string[];
  readonly dataUrlencode?: readonly string[];
  readonly body?: string;
  readonly curl?: string;
  readonly header?: readonly string[];
  readonly endpoint?: string;
  readonly baseUrl?: string;
  readonly login?: string;
  readonly demo?: true;
  readonly data?: string;
};

export type GivenRequest = {
  readonly operation: Operation;
  /** How it is signed, also where a signature is not required. */
  readonly auth: ControlAuth | OAuthAuth;
  readonly pathId: string;
  readonly url: string;
  readonly login: string | undefined;
  readonly pairs: readonly Pair[];
  readonly form: FormBody;
  /** As it is sent. */
  readonly body: string;
  readonly authorization: string | undefined;
  readonly strict: string | undefined;
};

const DEFAULT_BASE = 'http://localhost:8080/paynet';
const STDIN = '-';

const gathered = (one: string, earlier: readonly string[] = []) => [...earlier, one];

export function withRequestOptions(command: Command): Command {
  return command
    .argument('[operation]', 'the name of the operation, such as sale, or its URL; a command of curl tells it')
    .option('-d, --field <name=value>', 'a field, encoded as in the body, as curl takes it; may be repeated', gathered)
    .option('--data-urlencode <name=value>', 'a field whose value is yet to be encoded; may be repeated', gathered)
    .option('--body <file>', 'the whole body, as it is sent; - for standard input')
    .option('--curl <file>', 'a command of curl that sends it; - for standard input')
    .option('-H, --header <line>', 'a header, such as "Authorization: OAuth …"; may be repeated', headerLine)
    .option('--endpoint <id>', 'the endpoint or group at the end of the path (with --demo: 101)', endpointId)
    .option(
      '--base-url <url>',
      `the public address of the interface (default: with --demo, that of the gateway that runs; else ${DEFAULT_BASE})`,
    )
    .option('--login <login>', "the merchant's login (with --demo: demo)")
    .option('--demo', 'sign as the demo merchant of a sandbox, whose keys are no secret');
}

function headerLine(line: string, earlier: readonly string[] = []): readonly string[] {
  if (!line.includes(':')) throw new InvalidArgumentError('A header is written "Name: value".');
  return [...earlier, line];
}

function endpointId(value: string): string {
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError('An id is a whole number above 0.');
  return value;
}

export async function requestOf(named: string | undefined, values: RequestValues): Promise<GivenRequest> {
  const curl = values.curl === undefined ? undefined : readCurl(await textIn(values.curl));
  const place = await placeOf(named, values, curl);
  const body = await bodyOf(values, curl);
  const form = readFormBody(Buffer.from(body));
  const wrong = form.faults.map(({ message }) => message);
  if (wrong.length > 0) throw new Complaint(wrong.join('; '));
  const headers = new Map(curl?.headers);
  for (const line of values.header ?? []) addHeader(headers, line);
  const { auth } = place.operation;
  return {
    ...place,
    auth: auth.scheme === 'open' ? auth.ifSigned : auth,
    login: values.login ?? form.parameters.get('login') ?? (values.demo ? demo.login : undefined),
    pairs: form.sent,
    form,
    body,
    authorization: headers.get('authorization'),
    strict: headers.get('x-signature'),
  };
}

async function bodyOf(values: RequestValues, curl: CurlRequest | undefined): Promise<string> {
  const { field = [], dataUrlencode = [], body } = values;
  const whole = body === undefined ? [] : [(await textIn(body)).replace(/\r?\n$/, '')];
  const encoded = dataUrlencode.map((one) => dataOf('--data-urlencode', one));
  return [curl?.body ?? '', ...whole, ...field.map((one) => dataOf('-d', one)), ...encoded]
    .filter((one) => one !== '')
    .join('&');
}

async function textIn(file: string): Promise<string> {
  return file === STDIN ? text(process.stdin) : readGivenText(file);
}

type Place = Pick<GivenRequest, 'operation' | 'pathId' | 'url'>;

/** From the name of an operation, or from the URL that a command calls. */
async function placeOf(
  named: string | undefined,
  values: RequestValues,
  curl: CurlRequest | undefined,
): Promise<Place> {
  const called = curl?.url ?? (named?.includes('://') ? named : undefined);
  if (called !== undefined) return placeIn(called, values);
  if (named === undefined) throw new Complaint('name an operation, such as sale, or give a command by --curl');
  const operation = operationNamed(named);
  const pathId = values.endpoint ?? (values.demo ? String(demo.endpoints[0].endpointId) : undefined);
  if (pathId === undefined) throw new Complaint('name the endpoint by --endpoint');
  const baseUrl = values.baseUrl ?? (values.demo && (await runningAddress(values.data)));
  return { operation, pathId, url: `${baseOf({ ...values, ...(baseUrl && { baseUrl }) })}${operation.path}/${pathId}` };
}

/** The public address of the gateway that runs on the data folder, as merchants sign it; undefined when none does. */
async function runningAddress(data = DEFAULT_DATA): Promise<string | undefined> {
  const running = await findRunning({ data });
  const { publicAddress } = (await running?.ask('showInstallation').catch(() => undefined)) ?? {};
  return publicAddress ?? undefined;
}

function placeIn(called: string, values: RequestValues): Place {
  if (!URL.canParse(called)) throw new Complaint(`${called} is not a whole address`);
  const { origin, pathname } = new URL(called);
  const [, prefix = '', path = '', group = '', pathId = ''] =
    /^(.*?)(\/api\/.*?)(\/group)?\/(\d+)\/?$/.exec(pathname) ?? [];
  const operation = all.find((one) => one.path === path);
  if (!operation) throw new Complaint(`${pathname} is no operation: it ends as /api/v2/sale/101 does`);
  const base = values.baseUrl === undefined ? `${origin}${prefix}` : baseOf(values);
  return { operation, pathId, url: `${base}${path}${group}/${pathId}` };
}

function baseOf({ baseUrl = DEFAULT_BASE }: RequestValues): string {
  if (!URL.canParse(baseUrl)) throw new Complaint('--base-url takes an address such as https://pay.example/paynet');
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
}

const all: readonly Operation[] = operations;

/** `sale`, `SALE`, `v4/sale` and `/api/v4/sale` are names; `SALE` is before others that end like it. */
function operationNamed(name: string): Operation {
  const plain = name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^\/?(api\/)?/, '');
  const found =
    all.find((one) => one.name.toLowerCase().replaceAll('_', '-') === plain) ??
    all.find((one) => one.path === `/api/${plain}`) ??
    all.find((one) => one.path.endsWith(`/${plain}`));
  if (found) return found;
  throw new Complaint(
    `there is no operation "${name}"; names are ${all.map((one) => one.name.toLowerCase()).join(', ')}`,
  );
}
