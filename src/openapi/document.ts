// The OpenAPI document of the interface, derived wholly from the list of operations.

import { asyncResponse } from '../operations/acknowledgement.ts';
import {
  serverErrorResponse,
  validationErrorJsonSchema,
  validationErrorResponse,
} from '../operations/error-replies.ts';
import { type Field, type JsonSchema, otherSpellings, type Shape } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { MEDIA_TYPE, type ResponseSchema, responseJsonSchema } from '../operations/response.ts';
import { createRecurringPaymentResponse } from '../operations/v4/create-recurring-payment.ts';
import { examples } from './examples.ts';
import { LICENSE } from './license.ts';
import { ADDITION, signing, signingText } from './signing-text.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

const INTRODUCTION = `Take and move card payments. Every operation is a form post to an endpoint.

**Spellings.** A field may be written with \`_\` or \`-\`; the other accepted names are listed with each field.

**Repeating.** A request that makes an order may be sent again as often as you like: \`client_orderid\` is unique, and
the same values give the same order. What changes an order has no such id: send \`Idempotency-Key\` with every CAPTURE,
RETURN, VOID and PAYOUT_V4_PAY. A RETURN without it is known by its bytes: the same body within 24 hours is the same
request, and a second return of the same amount changes any byte of it, best the \`comment\`.

**Control signature.** ${signing.control}

**OAuth 1.0a.** ${signing.oauth}

**Strict signing.** ${signing.strict}

**Replies** are flat objects of strings. A field that is not known is absent.`;

const oauthScheme = (method: string, key: string) => ({
  type: 'http',
  scheme: 'OAuth',
  description: `OAuth 1.0a, ${method}, signed with ${key}. \`oauth_consumer_key\` is the merchant's login.`,
});

export function openApiDocument({ baseUrl, version }: { baseUrl: string; version: string }): object {
  const all: readonly Operation[] = operations;
  return {
    openapi: '3.1.0',
    info: { title: 'Tender', version, description: INTRODUCTION, contact: contactAt(baseUrl), license: LICENSE },
    servers: [{ url: baseUrl, description: 'The public address of this gateway.' }],
    tags: [...new Set(all.map(tagOf))].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths: Object.fromEntries(
      all.map((operation) => [`${operation.path}/{endpointId}`, { post: describe(operation) }]),
    ),
    components: {
      headers: { retryAfter: { description: 'In seconds.', schema: { type: 'integer', minimum: 1 } } },
      parameters: { endpointId: ENDPOINT_ID, accept: ACCEPT, idempotencyKey: IDEMPOTENCY_KEY },
      schemas: { ...requestSchemas(all), ...responseSchemas(all) },
      responses: {
        validationError: answer(validationErrorResponse, REFUSED, REFUSAL_EXAMPLE),
        notFound: answer(validationErrorResponse, 'There is no operation at this path (error 18).'),
        notPost: {
          ...answer(validationErrorResponse, 'Operations are called with POST (error 19).'),
          headers: { Allow: { description: 'POST.', schema: { type: 'string' } } },
        },
        tooMany: {
          ...answer(
            validationErrorResponse,
            'Too many requests without a right signature came from this address range.',
          ),
          headers: { 'Retry-After': { $ref: '#/components/headers/retryAfter' } },
        },
        serverError: answer(serverErrorResponse, 'The service failed; ask STATUS before trying again.'),
      },
      securitySchemes: {
        'HMAC-SHA1': oauthScheme('HMAC-SHA1', 'the control key'),
        'RSA-SHA256': oauthScheme('RSA-SHA256', "the merchant's private key of at least 2048 bits"),
      },
    },
  };
}

/** Whoever runs the gateway: the document knows of them where it is served. */
function contactAt(baseUrl: string): object {
  return { name: 'Whoever runs this gateway', url: new URL(baseUrl).origin };
}

const TAGS: Readonly<Record<string, string>> = {
  '3ds/v1': 'Results of 3-D Secure that a merchant uploads.',
  v2: 'Payments, what follows them, stored cards and status.',
  v4: 'Payouts, transfers and recurring payments, signed by OAuth 1.0a, and what goes with them.',
};

function tagOf({ path }: Operation): string {
  const depth = path.includes('/3ds/') ? 4 : 3;
  return path.split('/').slice(2, depth).join('/');
}

const REFUSED =
  'The request was refused; nothing was done. A body of more than 128 KiB is refused so too, with error 7.';

const REFUSAL_EXAMPLE = {
  type: 'validation-error',
  'serial-number': '3d671629-a410-4a5d-9288-b38ceadd41f2',
  'merchant-order-id': 'inv-1001',
  'error-code': '1',
  'error-message': 'Parameter email is required',
  errors: [{ field: 'email', code: '1', message: 'Parameter email is required' }],
};

/** Replies of endpoints with legacy replies: the fields of the reply above as pairs, a line feed after each. */
const LEGACY_REPLY = {
  schema: {
    type: 'string',
    description:
      'Only of an endpoint with legacy replies, when `Accept` is left out or takes another type than ours: the fields of the reply as form-encoded `name=value` pairs, a line feed after each, joined by `&`. It is always HTTP 200, also for what is refused.',
  },
  example: 'type=async-response\n&serial-number=3d671629-a410-4a5d-9288-b38ceadd41f2\n&paynet-order-id=1\n',
};

const ENDPOINT_ID = {
  name: 'endpointId',
  in: 'path',
  required: true,
  description: 'The endpoint the order runs on.',
  schema: { type: 'integer', format: 'int64', minimum: 1 },
};

const ACCEPT = {
  name: 'Accept',
  in: 'header',
  required: true,
  schema: { type: 'string', enum: [MEDIA_TYPE] },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names the request for seven days: sent again with the same values it gets the stored reply and nothing is done twice; with other values it is refused. Without it, an equal CAPTURE or VOID sent again is another one, and a RETURN of the same bytes is the same one for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function describe(operation: Operation): object {
  const { name, summary, schema, response, request } = operation;
  const example = examples[name];
  return {
    operationId: operationId(name),
    'x-operation-name': name,
    tags: [tagOf(operation)],
    summary,
    description: description(operation),
    ...(operation.isAddition && { 'x-addition': true }),
    ...security(operation),
    parameters: ['endpointId', 'accept', ...(takesKey(operation) ? ['idempotencyKey'] : [])].map((parameter) => ({
      $ref: `#/components/parameters/${parameter}`,
    })),
    requestBody: {
      required: true,
      content: {
        [FORM_TYPE]: { schema: schemaRef(schema), ...(example && { example: typed(example.request, request.fields) }) },
      },
    },
    responses: {
      200: withLegacy(answer(response, 'Taken.', example?.reply)),
      400: { $ref: '#/components/responses/validationError' },
      404: { $ref: '#/components/responses/notFound' },
      405: { $ref: '#/components/responses/notPost' },
      429: { $ref: '#/components/responses/tooMany' },
      500: { $ref: '#/components/responses/serverError' },
    },
  };
}

/**
 * Whether the operation makes or changes an order, and so takes an idempotency key. The uploads of 3-D Secure need
 * none, nor does a recurring payment, which is known by its client_orderid alone.
 */
export function takesKey({ path, response, again }: Operation): boolean {
  if (response === createRecurringPaymentResponse) return false;
  return again !== undefined || (response === asyncResponse && !path.includes('/3ds/'));
}

function description(operation: Operation): string {
  const { name, path, groups, request } = operation;
  const named = [`Operation \`${name}\`.`, ...(operation.isAddition ? [ADDITION] : [])];
  const lines = [...named, signingText(operation), ...request.rules.map(({ says }) => says)];
  if (groups) lines.push(`An endpoint group's id may stand for \`endpointId\`, also as \`${path}/group/{id}\`.`);
  else lines.push('Takes the id of an endpoint, not of an endpoint group.');
  return lines.join('\n\n');
}

/**
 * OpenAPI has no security scheme for a control, which is a field of the body: there is none at the level of HTTP, and
 * the description and `x-control` explain it.
 */
function security({ auth }: Operation): object {
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  if (scheme.scheme === 'control') {
    const { formula, over } = scheme;
    return { security: [], 'x-control': { formula, over, required: auth.scheme !== 'open' } };
  }
  const methods = scheme.method === 'either' ? ['HMAC-SHA1', 'RSA-SHA256'] : [scheme.method];
  const signed = methods.map((method) => ({ [method]: [] }));
  return { security: auth.scheme === 'open' ? [{}, ...signed] : signed };
}

function requestSchemas(all: readonly Operation[]): Record<string, JsonSchema> {
  return Object.fromEntries(all.map(({ schema, request }) => [schema, formJsonSchema(request)]));
}

function responseSchemas(all: readonly Operation[]): Record<string, JsonSchema> {
  const schemas = [...all.map(({ response }) => response), serverErrorResponse];
  const described = schemas.map((schema) => [schema.name, responseJsonSchema(schema)] as const);
  return Object.fromEntries([...described, [validationErrorResponse.name, validationErrorJsonSchema()]]);
}

function formJsonSchema({ fields, rules }: Operation['request']): JsonSchema {
  const list = Object.values(fields);
  const dependent = Object.assign({}, ...rules.map((rule) => rule.dependentRequired ?? {}));
  return {
    type: 'object',
    required: list.filter(({ required }) => required).map(({ wire }) => wire),
    properties: Object.fromEntries(list.map((field) => [field.wire, fieldJsonSchema(field)])),
    ...(Object.keys(dependent).length > 0 && { dependentRequired: dependent }),
  };
}

/** An empty field is one that was not sent. */
function fieldJsonSchema({ wire, description, schema: plain, required }: Field<unknown>): JsonSchema {
  const schema = required && plain.type === 'string' && !plain.enum ? { minLength: 1, ...plain } : plain;
  const others = otherSpellings(wire).map((spelling) => `\`${spelling}\``);
  const also = others.length > 0 ? ` Also spelled ${others.join(', ')}.` : '';
  return { ...schema, description: description + also };
}

type Answer = { readonly description: string; readonly content: Readonly<Record<string, object>> };

function withLegacy({ description, content }: Answer): Answer {
  return { description, content: { ...content, 'text/html': LEGACY_REPLY } };
}

/** The values of an example in the types of their fields: a form holds texts, a schema numbers and flags. */
function typed(values: Readonly<Record<string, string>>, fields: Shape): Record<string, unknown> {
  const typeOf = (name: string) => Object.values(fields).find(({ wire }) => wire === name)?.schema.type;
  const read = (name: string, text: string) => {
    const type = typeOf(name);
    if (type === 'number' || type === 'integer') return Number(text);
    return type === 'boolean' ? text === 'true' : text;
  };
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, read(name, text)]));
}

function answer(schema: ResponseSchema, description: string, example?: object): Answer {
  return { description, content: { [MEDIA_TYPE]: { schema: schemaRef(schema.name), ...(example && { example }) } } };
}

function schemaRef(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** `TDS_UPLOAD_CRES_RESULT` → `tdsUploadCresResult`. */
function operationId(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
