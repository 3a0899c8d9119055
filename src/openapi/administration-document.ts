// The OpenAPI document of the administrator's door, derived wholly from the list of verbs.

import { verbs } from '../administration/index.ts';
import type { Inputs } from '../administration/verb/inputs.ts';
import type { AnyVerb, Conduct } from '../administration/verb/verb.ts';
import type { ValueSchema } from '../domain/input-kinds.ts';
import { whoMay } from '../domain/people/roles.ts';

const INTRODUCTION = `What people and their programs can ask a running gateway.

Every verb is \`POST /{verb}\` with a JSON object and answers \`{"answer": …}\`. A program brings a personal token
(\`tender token add\`, or your account page); a page of the gateway brings the cookie of somebody who signed in, with
\`Content-Type: application/json\`, its own \`Origin\` and the header \`tender-page\`. The token in \`admin.json\` in the data
folder is for commands of the same user on the same machine only.

Each verb says which role it needs; who has less is answered with HTTP 403. What cannot be taken is answered with HTTP 400
and everything that is wrong with it, and nothing is done.`;

/** What each conduct of a verb means for the audit chain. */
export const conducts: Readonly<Record<Conduct, string>> = {
  read: 'Changes nothing.',
  cards: 'Changes nothing, shows something of cards, and leaves an entry in the audit chain.',
  outside: 'Is told to the audit chain first, and once more if it fails.',
  change: 'Is done with its entry in the audit chain in one transaction.',
};

export function administrationDocument({ version }: { version: string }): object {
  const all: readonly AnyVerb[] = verbs;
  return {
    openapi: '3.1.0',
    info: { title: 'Tender, for administrators', version, description: INTRODUCTION },
    security: [{ token: [] }, { session: [] }],
    paths: Object.fromEntries(all.map((verb) => [`/${verb.name}`, { post: describe(verb) }])),
    components: {
      schemas: { Refusal: REFUSAL },
      responses: {
        invalid: refusal('Something about what was given is wrong.'),
        token: refusal('The token is wrong, or nobody is signed in.'),
        role: refusal('The person or the token may not use this verb; it says who may.'),
        failed: refusal('The gateway failed; its log says why.'),
        away: refusal('The database or the bank does not answer.'),
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal token.' },
        session: { type: 'apiKey', in: 'cookie', name: 'tender-person', description: 'Somebody who signed in.' },
      },
    },
  };
}

const REFUSAL: ValueSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What is wrong, for a person.' },
    faults: { type: 'array', items: { type: 'string' }, description: 'Each fault by itself, when there are several.' },
  },
};

function refusal(description: string): object {
  return { description, content: json({ $ref: '#/components/schemas/Refusal' }) };
}

function describe({ name, summary, role, conduct, command, given, answer }: AnyVerb): object {
  const byCommand = command === undefined ? [] : [`By command: \`tender ${command}\`.`];
  return {
    operationId: name,
    summary: sentence(summary),
    description: [`For ${whoMay({ role, conduct })}. ${conducts[conduct]}`, ...byCommand].join('\n\n'),
    requestBody: { required: true, content: json(inputsSchema(given)) },
    responses: {
      200: {
        description: 'Done.',
        content: json({ type: 'object', required: ['answer'], properties: { answer: answer.schema } }),
      },
      400: { $ref: '#/components/responses/invalid' },
      401: { $ref: '#/components/responses/token' },
      403: { $ref: '#/components/responses/role' },
      500: { $ref: '#/components/responses/failed' },
      503: { $ref: '#/components/responses/away' },
    },
  };
}

function inputsSchema(inputs: Inputs): ValueSchema {
  const entries = Object.entries(inputs);
  return {
    type: 'object',
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    properties: Object.fromEntries(
      entries.map(([name, { kind, says }]) => [name, { ...kind.schema, description: sentence(says) }]),
    ),
    additionalProperties: false,
  };
}

function json(schema: ValueSchema): object {
  return { 'application/json': { schema } };
}

/** `list all merchants` → `List all merchants.` */
export function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}
