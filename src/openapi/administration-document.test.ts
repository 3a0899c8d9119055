import { describe, expect, it } from 'vitest';
import { nouns, verbs } from '../administration/index.ts';
import type { AnyVerb } from '../administration/verb/verb.ts';
import { administrationDocument } from './administration-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read here as a stranger would
const document: any = JSON.parse(JSON.stringify(administrationDocument({ version: '1.2.3' })));

const all: readonly AnyVerb[] = verbs;

const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

type Schema = {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
};

/** What is wrong with a schema in the eyes of common tools. */
function wrongIn(schema: Schema, place: string): string[] {
  const { type, properties = {}, required = [], items, anyOf = [], enum: words } = schema;
  return [
    ...(type === undefined || TYPES.includes(type) ? [] : [`${place}: type ${type}`]),
    ...required
      .filter((name) => !(name in properties))
      .map((name) => `${place}: ${name} is required and not described`),
    ...(type === 'array' && !items ? [`${place}: a list of nothing`] : []),
    ...(words && new Set(words).size !== words.length ? [`${place}: the same word twice`] : []),
    ...Object.entries(properties).flatMap(([name, one]) => wrongIn(one, `${place}.${name}`)),
    ...(items ? wrongIn(items, `${place}[]`) : []),
    ...anyOf.flatMap((one, index) => wrongIn(one, `${place}|${index}`)),
  ];
}

describe('the OpenAPI document of administration', () => {
  it('names its version and how to be let in', () => {
    // A personal token of a program, or the session of somebody who signed in.
    const security = [{ token: [] }, { session: [] }];
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' }, security });
    expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('describes every verb once', () => {
    expect(Object.keys(document.paths)).toEqual(all.map(({ name }) => `/admin/api/${name}`));
    expect(new Set(Object.keys(document.paths)).size).toBe(all.length);
  });

  it.each(all.map((verb) => [verb.name, verb] as const))('describes what %s takes and answers', (name, verb) => {
    const { operationId, requestBody, responses } = document.paths[`/admin/api/${name}`].post;
    expect(operationId).toBe(name);
    const taken = requestBody.content['application/json'].schema;
    expect(Object.keys(taken.properties)).toEqual(Object.keys(verb.given));
    const answered = responses[200].content['application/json'].schema;
    expect([...wrongIn(taken, 'given'), ...wrongIn(answered, 'answer')]).toEqual([]);
  });

  it.each(all.map((verb) => [verb.name, verb] as const))(
    'says who may use %s, and whether it can be repeated',
    (_, verb) => {
      const { description, parameters = [], responses, tags } = document.paths[`/admin/api/${verb.name}`].post;
      const isChange = verb.conduct === 'change' || verb.conduct === 'outside';
      expect(description).toMatch(verb.merchants ? /^For an? .*, also of a merchant, for what/ : /^For an? [a-z ]+\. /);
      expect(parameters).toHaveLength(isChange ? 1 : 0);
      const statuses = ['200', '400', '401', '403', '404', ...(isChange ? ['409'] : []), '413', '429', '500', '503'];
      expect(Object.keys(responses)).toEqual(statuses);
      const known = document.tags.map(({ name }: { name: string }) => name);
      expect([tags.length, known.includes(tags[0])]).toEqual([1, true]);
    },
  );

  it('says of a key what true means, also where the command has only a word for no', () => {
    const { properties } = document.paths['/admin/api/addMerchant'].post.requestBody.content['application/json'].schema;
    expect(properties.key).toMatchObject({ type: 'boolean', description: 'Make a control key, also when left out.' });
  });

  it('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThan(all.length);
    for (const path of new Set(references)) {
      expect([path, typeof path.split('/').reduce((node, step) => node?.[step], document)]).toEqual([path, 'object']);
    }
  });
});

describe('the list of verbs', () => {
  it('reads by no other name than list, show, read, export or verify, and changes by none of them', () => {
    const looks = all.filter(({ conduct }) => conduct === 'read' || conduct === 'cards').map(({ name }) => name);
    expect(all.map(({ name }) => name).filter((name) => /^(list|show|read|export|verify)[A-Z]/.test(name))).toEqual(
      looks,
    );
  });

  it('lets a viewer change nothing but searches of their own', () => {
    const changed = all.filter(({ role, conduct }) => role === 'viewer' && conduct !== 'read').map(({ name }) => name);
    expect(changed).toEqual(['saveFilter', 'removeFilter']);
  });

  it('gives each command two words of its own, the first of them a noun', () => {
    const commands = all.flatMap(({ command, further = [] }) =>
      [command ?? [], ...further.map(({ words }) => words)].flat(),
    );
    expect(new Set(commands).size).toBe(commands.length);
    expect(
      commands.filter((words) => !((words.split(' ')[0] ?? '') in nouns) || words.split(' ').length !== 2),
    ).toEqual([]);
  });

  it('asks by command only for what is said how', () => {
    const silent = all.filter(({ command }) => command !== undefined);
    const wrong = silent.flatMap(({ name, given }) =>
      Object.entries(given)
        .filter(([, { as, required }]) => as === undefined && required)
        .map(([input]) => `${name}.${input}`),
    );
    expect(wrong).toEqual([]);
  });
});
