// The OpenAPI document of the administrators' interface, derived wholly from the list of verbs.

import { nouns, verbs } from '../administration/index.ts';
import type { Inputs } from '../administration/verb/inputs.ts';
import type { AnyVerb, Conduct } from '../administration/verb/verb.ts';
import type { ValueSchema } from '../domain/input-kinds.ts';
import { whoMay } from '../domain/people/roles.ts';
import { LICENSE } from './license.ts';

const CONTACT = { name: 'The administrators of this gateway' };

const INTRODUCTION = `What people and their programs can ask a running gateway.

Every verb is \`POST /admin/api/{verb}\` with a JSON object and answers \`{"answer": …}\`. A program brings a personal token
(\`tender token add\`, or your account page); a page of the gateway brings the cookie of somebody who signed in, with
\`Content-Type: application/json\`, its own \`Origin\` and the header \`tender-page\`. The token in \`admin.json\` in the data
folder is for commands of the same user on the same machine only.

Each verb says which role it needs; who has less is answered with HTTP 403. People of a merchant may use the verbs that
say so, and find only what is their merchant's: whatever is another's is answered as if it did not exist. What cannot be
taken is answered with HTTP 400 and everything that is wrong with it, and nothing is done.

A change with the header \`Idempotency-Key\` is done once: for a day the same person gets the same answer to the same
request with the same key, and HTTP 409 to another request with it.`;

/** What each conduct of a verb means for the audit chain. */
export const conducts: Readonly<Record<Conduct, string>> = {
  read: 'Changes nothing.',
  cards: 'Changes nothing, shows something of cards, and leaves an entry in the audit chain.',
  outside: 'Is told to the audit chain first, and once more if it fails.',
  change: 'Is done with its entry in the audit chain in one transaction.',
  begun: 'Goes on with what the same person has begun, of which the audit chain tells.',
};

export function administrationDocument({ version }: { version: string }): object {
  const all: readonly AnyVerb[] = verbs;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tender, for administrators',
      version,
      description: INTRODUCTION,
      contact: CONTACT,
      license: LICENSE,
    },
    security: [{ token: [] }, { session: [] }],
    servers: [{ url: '/', description: "The administrators' address of a gateway." }],
    tags: [...new Set(all.map(tagOf))].map((name) => ({ name, description: sentence(tagText(name)) })),
    paths: Object.fromEntries(all.map((verb) => [`${PREFIX}${verb.name}`, { post: describe(verb) }])),
    components: {
      schemas: { Refusal: REFUSAL },
      parameters: { repeatKey: REPEAT_KEY },
      responses: {
        invalid: refusal('Something about what was given is wrong.'),
        token: refusal('The token is wrong, or nobody is signed in.'),
        role: refusal('The person or the token may not use this verb; it says who may.'),
        unknown: refusal('This gateway has no such verb.'),
        conflict: refusal('The idempotency-key was used for another request, or for one whose end is not known.'),
        large: refusal('The request is too large.'),
        much: {
          ...refusal('Too many requests of the same person are under way.'),
          headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
        },
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

const PREFIX = '/admin/api/';

const REPEAT_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Chosen anew for each change: asked for again with it, the change is done once.',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[!-~]+$' },
};

/** The noun that a verb is about: that of its command, or the last word of its name. */
function tagOf({ name, command }: AnyVerb): string {
  if (command !== undefined) return command.split(' ', 1)[0] as string;
  const words = name
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');
  return Object.keys(nouns).find((noun) => words.some((word) => word === noun || word === `${noun}s`)) ?? 'gateway';
}

function tagText(tag: string): string {
  return tag in nouns ? nouns[tag as keyof typeof nouns] : 'look after the gateway itself';
}

/** Who may use a verb, as a sentence. */
export function whoMayText({ role, conduct, merchants }: AnyVerb): string {
  const also = merchants === 'own' ? ", also of a merchant, for what is the merchant's own" : '';
  return `For ${whoMay({ role, conduct })}${also}.`;
}

function describe(verb: AnyVerb): object {
  const { name, summary, conduct, command, given, answer } = verb;
  const byCommand = command === undefined ? [] : [`By command: \`tender ${command}\`.`];
  const isChange = conduct === 'change' || conduct === 'outside';
  return {
    operationId: name,
    tags: [tagOf(verb)],
    summary: sentence(summary),
    description: [`${whoMayText(verb)} ${conducts[conduct]}`, ...byCommand].join('\n\n'),
    ...(isChange ? { parameters: [{ $ref: '#/components/parameters/repeatKey' }] } : {}),
    requestBody: { required: true, content: json(inputsSchema(given)) },
    responses: {
      200: {
        description: 'Done.',
        content: json({ type: 'object', required: ['answer'], properties: { answer: answer.schema } }),
      },
      400: { $ref: '#/components/responses/invalid' },
      401: { $ref: '#/components/responses/token' },
      403: { $ref: '#/components/responses/role' },
      404: { $ref: '#/components/responses/unknown' },
      ...(isChange ? { 409: { $ref: '#/components/responses/conflict' } } : {}),
      413: { $ref: '#/components/responses/large' },
      429: { $ref: '#/components/responses/much' },
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
