// The page of docs/reference about the verbs of administration.

import { verbs } from '../administration/index.ts';
import type { Input } from '../administration/verb/inputs.ts';
import type { AnyVerb } from '../administration/verb/verb.ts';
import type { ValueSchema } from '../domain/input-kinds.ts';
import { conducts, sentence } from './administration-document.ts';

type Table = (heads: readonly string[], rows: readonly (readonly string[])[]) => string;

/** The paragraphs of the page; `table` prints rows. */
export function administrationParagraphs(table: Table): string[] {
  const all: readonly AnyVerb[] = verbs;
  return [
    'Every verb is `POST /admin/api/{verb}` at the administrators\' address of a running gateway, with a JSON object and the header `Authorization: Bearer {token}`, where the token is a personal one (guide to people). Who lacks the role gets HTTP 403, which names it; an auditor may use every verb that changes nothing. People of a merchant may use those verbs that say so, and find only what is their merchant\'s own. The answer is `{"answer": …}`; what cannot be taken is HTTP 400 with everything that is wrong. `GET /admin/api/openapi.json` describes it all for programs.',
    all.map(({ name, summary }) => `- [${name}](#${name.toLowerCase()}): ${sentence(summary)}`).join('\n'),
    ...all.map((verb) => section(verb, table)),
  ];
}

function section(verb: AnyVerb, table: Table): string {
  const { name, summary, role, conduct, command, given, answer, merchants } = verb;
  const inputs = Object.entries(given);
  const members = Object.keys(membersOf(answer.schema));
  return [
    `## ${name}`,
    sentence(summary),
    `Role: ${role}${merchants === 'own' ? ', also of a merchant' : ''}. ${conducts[conduct]}${command === undefined ? '' : ` Command: \`tender ${command}\`.`}`,
    inputs.length === 0 ? 'Takes nothing.' : table(['Takes', 'Need', 'Kind', 'Meaning'], inputs.map(inputRow)),
    ...(members.length === 0
      ? []
      : [
          `Answers${answer.schema.type === 'array' ? ' a list of' : ''}: ${members.map((one) => `\`${one}\``).join(', ')}.`,
        ]),
  ].join('\n\n');
}

function inputRow([name, { kind, required, says }]: [string, Input<unknown>]): string[] {
  return [`\`${name}\``, required ? 'required' : 'optional', valuesOf(kind.schema), sentence(says)];
}

function valuesOf(schema: ValueSchema): string {
  const { type, enum: words, anyOf } = schema as { type?: string; enum?: readonly string[]; anyOf?: ValueSchema[] };
  if (anyOf) return anyOf.map(valuesOf).join(' or ');
  return words ? words.map((word) => `\`${word}\``).join(', ') : (type ?? 'any');
}

function membersOf(schema: Readonly<Record<string, unknown>>): object {
  const { properties = {}, items } = schema as {
    readonly properties?: object;
    readonly items?: { properties?: object };
  };
  return items?.properties ?? properties;
}
