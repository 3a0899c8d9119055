// The source of src/client/operations.ts, printed from the list of operations: the types of requests and replies, and a
// method for each operation. `scripts/generate.mjs` writes it.

import { asyncResponse } from '../operations/acknowledgement.ts';
import { canonicalName, type Field, type Shape } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { Auth, ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';
import type { ResponseSchema } from '../operations/response.ts';
import { clientExamples } from './client-examples.ts';
import { takesKey } from './document.ts';
import { MAX_COLUMNS } from './wrapped.ts';

const HEAD = `// Printed by scripts/generate.mjs. Do not edit. Every operation of the interface as a method, with the types of its
// request and reply, by wire names exactly as in the reference.
`;

// All others are absent when they are not known.
const CERTAIN: Readonly<Record<string, readonly string[]>> = {
  AsyncResponse: ['merchant-order-id', 'paynet-order-id', 'end-point-id', 'status'],
  AsyncCheckoutFormRedirect: ['merchant-order-id', 'paynet-order-id', 'end-point-id', 'status', 'redirect-url'],
  StatusResponse: ['merchant-order-id', 'paynet-order-id', 'end-point-id', 'status', 'transaction-type', 'order-stage'],
  CardRefAsyncResponse: ['merchant-order-id', 'paynet-order-id', 'status', 'card-ref-id'],
  CardRefV4AsyncResponse: ['merchant-order-id', 'paynet-order-id', 'status', 'card-ref-id', 'recurring-payment-id'],
  CardInfoAsyncResponse: ['bin', 'last-four-digits', 'card-type'],
  CreateRecurringPaymentResponse: ['merchant-order-id', 'status', 'recurring-payment-id'],
  ProcessRecurringPaymentResponse: ['merchant-order-id', 'paynet-order-id', 'status'],
};

/** Values the client adds by itself. */
const ADDED = ['login', 'control'];

/** Amounts in a list, which no schema tells from other text. */
const AMOUNT_LISTS = ['enumerate_amounts', 'amount_sequence'];

/** The fields that every reply of this response has. */
export function certainFields(response: string): readonly string[] {
  return CERTAIN[response] ?? [];
}

type Method = { readonly method: string; readonly operation: Operation };

/** Names methods after paths; the later of two with the same name carries its version: payout and payoutV4. */
export function clientMethods(): readonly Method[] {
  const taken = new Set<string>();
  return (operations as readonly Operation[]).map((operation) => {
    const [version = '', ...words] = operation.path.replace(/^\/api\/(3ds\/)?/, '').split('/');
    const plain = camel(words.join('-'));
    const method = taken.has(plain) ? plain + version.toUpperCase() : plain;
    taken.add(method);
    return { method, operation };
  });
}

export function clientSource(): string {
  const methods = clientMethods();
  const responses = [...new Map(methods.map(({ operation: { response } }) => [response.name, response])).values()];
  return [
    HEAD,
    "import type { CalledOperation, CallOptions } from './called-operation.ts';\n",
    'export type ClientRequests = {',
    ...methods.map(({ method, operation }) => requestType(method, operation)),
    '};\n',
    ...responses.map(replyType),
    'export type ClientReplies = {',
    ...methods.map(({ method, operation }) => `  readonly ${method}: ${operation.response.name};`),
    '};\n',
    'export const OPERATIONS = {',
    ...methods.map(({ method, operation }) => callSource(method, operation)),
    '} as const satisfies Readonly<Record<keyof ClientRequests, CalledOperation>>;\n',
    'export abstract class ClientOperations {',
    '  protected abstract call<Name extends keyof ClientRequests>(',
    '    name: Name,',
    '    request: ClientRequests[Name],',
    '    options?: CallOptions,',
    '  ): Promise<ClientReplies[Name]>;\n',
    methods.map(({ method, operation }) => methodSource(method, operation)).join('\n\n'),
    '}\n',
  ].join('\n');
}

function requestType(method: string, { summary, request }: Operation): string {
  const fields = Object.values(request.fields as Shape).filter(({ wire }) => !ADDED.includes(wire));
  return [
    comment(summary, 2),
    `  readonly ${method}: {`,
    ...fields.flatMap((field) => [
      comment(field.description, 4),
      `    readonly ${named(field.wire)}${field.required ? '' : '?'}: ${typeOf(field)};`,
    ]),
    '  };',
  ].join('\n');
}

function typeOf({ schema, required }: Field<unknown>): string {
  const values = Array.isArray(schema.enum)
    ? schema.enum.map((word) => `'${word}'`).join(' | ')
    : BY_KIND[kindOf(schema)];
  return required ? `${values}` : `${values} | undefined`;
}

const BY_KIND = { integer: 'number | string', boolean: "boolean | 'true' | 'false'", text: 'string' } as const;

function kindOf({ type }: Field<unknown>['schema']): keyof typeof BY_KIND {
  return type === 'integer' || type === 'boolean' ? type : 'text';
}

function replyType({ name, fields, type }: ResponseSchema): string {
  const certain = certainFields(name);
  return [
    `type ${name} = {`,
    `  readonly type: '${type}';`,
    "  /** Identifies the request; quote it to support. */\n  readonly 'serial-number': string;",
    ...Object.entries(fields).flatMap(([field, meaning]) => [
      comment(meaning, 2),
      `  readonly ${named(field)}${certain.includes(field) ? '' : '?'}: string;`,
    ]),
    '};\n',
  ].join('\n');
}

function callSource(method: string, operation: Operation): string {
  const { name, path, response, again } = operation;
  const fields: readonly Field<unknown>[] = Object.values(operation.request.fields);
  const wires = fields.map(({ wire }) => wire);
  const auth = signedBy(operation.auth);
  const over = auth.scheme === 'control' ? auth.over : [];
  const hasLogin = over.includes('login') || fields.some(({ wire, required }) => wire === 'login' && required);
  const repeats = again ? 'by-order' : takesKey(operation) ? 'by-key' : 'freely';
  const amounts = fields.filter(({ schema }) => schema.type === 'number').map(({ wire }) => wire);
  return [
    `  ${method}: {`,
    `    name: '${name}',`,
    `    path: '${path}',`,
    `    auth: ${authSource(auth, fields)},`,
    `    hasLogin: ${hasLogin},`,
    `    repeats: '${repeats}',`,
    `    toldByStatus: ${again !== undefined && response === asyncResponse},`,
    `    amounts: ${listSource(amounts)},`,
    `    amountLists: ${listSource(AMOUNT_LISTS.filter((wire) => wires.includes(wire)))},`,
    '  },',
  ].join('\n');
}

function signedBy(auth: Auth): ControlAuth | OAuthAuth {
  return auth.scheme === 'open' ? auth.ifSigned : auth;
}

/** The values of a formula as the operation spells them. */
function authSource(auth: ControlAuth | OAuthAuth, fields: readonly Field<unknown>[]): string {
  if (auth.scheme === 'oauth') return `{ scheme: 'oauth', method: '${auth.method}' }`;
  const spelled = (name: string) => fields.find(({ wire }) => canonicalName(wire) === name)?.wire ?? name;
  const line = `{ scheme: 'control', over: ${listSource(auth.over.map(spelled))} }`;
  if (line.length <= MAX_COLUMNS - '    auth: ,'.length) return line;
  return `{\n      scheme: 'control',\n      over: ${listSource(auth.over.map(spelled))},\n    }`;
}

function listSource(words: readonly string[]): string {
  return `[${words.map((word) => `'${word}'`).join(', ')}]`;
}

function methodSource(method: string, { summary }: Operation): string {
  const example = clientExamples[method]?.trim().split('\n') ?? [];
  const requests = `request: ClientRequests['${method}']`;
  const head = `  ${method}(${requests}, options?: CallOptions): Promise<ClientReplies['${method}']> {`;
  const wide = `  ${method}(\n    ${requests},\n    options?: CallOptions,\n  ): Promise<ClientReplies['${method}']> {`;
  return [
    '  /**',
    ...broken(summary, MAX_COLUMNS - 5).map((line) => `   * ${line}`),
    '   *',
    '   * @example',
    ...example.map((line) => `   * ${line}`.trimEnd()),
    '   */',
    head.length <= MAX_COLUMNS ? head : wide,
    `    return this.call('${method}', request, options);`,
    '  }',
  ].join('\n');
}

/** `create-card-ref` → `createCardRef`. */
function camel(words: string): string {
  return words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function named(wire: string): string {
  return /^\w+$/.test(wire) && !/^\d/.test(wire) ? wire : `'${wire}'`;
}

function comment(text: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const line = `${pad}/** ${text} */`;
  if (line.length <= MAX_COLUMNS) return line;
  const lines = broken(text, MAX_COLUMNS - indent - 3);
  return [`${pad}/**`, ...lines.map((one) => `${pad} * ${one}`), `${pad} */`].join('\n');
}

function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
