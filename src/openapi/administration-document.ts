// The OpenAPI document of the administrator's door, derived wholly from the list of verbs.

import { verbs } from '../administration/index.ts';
import type { Inputs } from '../administration/verb/inputs.ts';
import type { AnyVerb, Conduct } from '../administration/verb/verb.ts';
import type { ValueSchema } from '../domain/input-kinds.ts';

const INTRODUCTION = `What an administrator can ask a running gateway, on its own machine only.

Every verb is \`POST /{verb}\` with a JSON object and answers \`{"answer": …}\`. Address and token are in \`admin.json\` in the data
folder, which only its owner can read; whoever holds the token may use every verb.

What cannot be taken is answered with HTTP 400 and everything that is wrong with it, and nothing is done.`;

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
    security: [{ token: [] }],
    paths: Object.fromEntries(all.map((verb) => [`/${verb.name}`, { post: describe(verb) }])),
    components: {
      schemas: { Refusal: REFUSAL },
      responses: {
        invalid: refusal('Something about what was given is wrong.'),
        token: refusal('The token is wrong.'),
        failed: refusal('The gateway failed; its log says why.'),
        away: refusal('The database or the bank does not answer.'),
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'The token in `admin.json`.' } },
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
    description: [`For a person who is ${article(role)} ${role}. ${conducts[conduct]}`, ...byCommand].join('\n\n'),
    requestBody: { required: true, content: json(inputsSchema(given)) },
    responses: {
      200: {
        description: 'Done.',
        content: json({ type: 'object', required: ['answer'], properties: { answer: answer.schema } }),
      },
      400: { $ref: '#/components/responses/invalid' },
      401: { $ref: '#/components/responses/token' },
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

function article(role: string): string {
  return /^[aeiou]/.test(role) ? 'an' : 'a';
}

/** `list all merchants` → `List all merchants.` */
export function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}
