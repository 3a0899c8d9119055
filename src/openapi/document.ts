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
    info: { title: 'Tender', version, description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    paths: Object.fromEntries(
      all.map((operation) => [`${operation.path}/{endpointId}`, { post: describe(operation) }]),
    ),
    components: {
      parameters: { endpointId: ENDPOINT_ID, accept: ACCEPT, idempotencyKey: IDEMPOTENCY_KEY },
      schemas: { ...requestSchemas(all), ...responseSchemas(all) },
      responses: {
        validationError: answer(validationErrorResponse, 'The request was refused; nothing was done.'),
        serverError: answer(serverErrorResponse, 'The service failed; ask STATUS before trying again.'),
      },
      securitySchemes: {
        'HMAC-SHA1': oauthScheme('HMAC-SHA1', 'the control key'),
        'RSA-SHA256': oauthScheme('RSA-SHA256', "the merchant's private key of at least 2048 bits"),
      },
    },
  };
}

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
  const { name, path, summary, schema, response } = operation;
  const example = examples[name];
  return {
    operationId: operationId(name),
    'x-operation-name': name,
    tags: [
      path
        .split('/')
        .slice(2, path.includes('/3ds/') ? 4 : 3)
        .join('/'),
    ],
    summary,
    description: description(operation),
    ...(operation.isAddition && { 'x-addition': true }),
    ...security(operation),
    parameters: ['endpointId', 'accept', ...(takesKey(operation) ? ['idempotencyKey'] : [])].map((parameter) => ({
      $ref: `#/components/parameters/${parameter}`,
    })),
    requestBody: {
      required: true,
      content: { [FORM_TYPE]: { schema: schemaRef(schema), ...(example && { example: example.request }) } },
    },
    responses: {
      200: answer(response, 'Taken.', example?.reply),
      400: { $ref: '#/components/responses/validationError' },
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

/** OpenAPI has no security scheme for a control, which is a field of the body, so the description explains it. */
function security({ auth }: Operation): object {
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  if (scheme.scheme === 'control') return {};
  const methods = scheme.method === 'either' ? ['HMAC-SHA1', 'RSA-SHA256'] : [scheme.method];
  const signed = methods.map((method) => ({ [method]: [] }));
  return { security: auth.scheme === 'open' ? [{}, ...signed] : signed };
}

function requestSchemas(all: readonly Operation[]): Record<string, JsonSchema> {
  return Object.fromEntries(all.map(({ schema, request }) => [schema, formJsonSchema(request.fields)]));
}

function responseSchemas(all: readonly Operation[]): Record<string, JsonSchema> {
  const schemas = [...all.map(({ response }) => response), serverErrorResponse];
  const described = schemas.map((schema) => [schema.name, responseJsonSchema(schema)] as const);
  return Object.fromEntries([...described, [validationErrorResponse.name, validationErrorJsonSchema()]]);
}

function formJsonSchema(fields: Shape): JsonSchema {
  const list = Object.values(fields);
  return {
    type: 'object',
    required: list.filter(({ required }) => required).map(({ wire }) => wire),
    properties: Object.fromEntries(list.map((field) => [field.wire, fieldJsonSchema(field)])),
  };
}

function fieldJsonSchema({ wire, description, schema }: Field<unknown>): JsonSchema {
  const others = otherSpellings(wire).map((spelling) => `\`${spelling}\``);
  const also = others.length > 0 ? ` Also spelled ${others.join(', ')}.` : '';
  return { ...schema, description: description + also };
}

function answer(schema: ResponseSchema, description: string, example?: object): object {
  return { description, content: { [MEDIA_TYPE]: { schema: schemaRef(schema.name), ...(example && { example }) } } };
}

function schemaRef(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** `TDS_UPLOAD_CRES_RESULT` → `tdsUploadCresResult`. */
function operationId(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
