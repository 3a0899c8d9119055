// The reference pages of the two modules that shops import, `tender/client` and `tender/testing`: every name that they
// export, with its declaration and what the source says above it. `scripts/generate.mjs` writes them.

import { posix } from 'node:path';
import { clientMethods } from './client-source.ts';
import { wrapped } from './wrapped.ts';

/** The text of a file of the repository. */
type ReadsSource = (path: string) => string;

/** Types as long as the interface: the pages of the operations tell the same. */
const ELSEWHERE = ['ClientReplies', 'ClientRequests'];

/** Name of the file in docs/reference → text. */
export function modulePages(read: ReadsSource): Record<string, string> {
  return {
    'client.md': page([
      '# tender/client',
      "Every name that `import … from 'tender/client'` gives: the merchant's side of the interface, for Node, Bun and Deno. " +
        '[Your first shop](../guides/your-first-shop.md) uses it.',
      '## Methods of TenderClient',
      'Each takes the fields of its operation by their names there, `login` and `control` left out, and answers with its ' +
        'reply. A refusal is thrown as a `TenderError`.',
      methodTable(),
      ...declarations('src/client/index.ts', read),
    ]),
    'testing.md': page([
      '# tender/testing',
      "Every name that `import … from 'tender/testing'` gives: a whole sandbox inside a test suite. " +
        '[Testing in your CI](../guides/testing-in-ci.md) has a test to copy.',
      ...declarations('src/testing/index.ts', read),
    ]),
  };
}

function page(parts: readonly string[]): string {
  return wrapped(`${parts.join('\n\n')}\n`);
}

function methodTable(): string {
  const rows = clientMethods().map(
    ({ method, operation: { name } }) => `| \`client.${method}\` | [${name}](operations.md#${name.toLowerCase()}) |`,
  );
  return ['| Method | Operation |', '|---|---|', ...rows].join('\n');
}

type Exported = { readonly name: string; readonly source: string; readonly as: string };

function declarations(index: string, read: ReadsSource): string[] {
  return exportsIn(index, read(index))
    .filter(({ as }) => !ELSEWHERE.includes(as))
    .toSorted((a, b) => Number(/^[A-Z]/.test(a.as)) - Number(/^[A-Z]/.test(b.as)) || (a.as < b.as ? -1 : 1))
    .flatMap((one) => {
      const { comment, code } = declarationOf(one, read(one.source));
      return [`## ${one.as}`, ...(comment === '' ? [] : [comment]), `\`\`\`ts\n${code}\n\`\`\``];
    });
}

function exportsIn(index: string, text: string): Exported[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((one) => one.trim().replace(/^type /, ''))
      .filter((one) => one !== '')
      .map((one) => {
        const [name = '', as = name] = one.split(' as ');
        return { name, as, source: posix.join(posix.dirname(index), from) };
      }),
  );
}

/** The comment above a declaration in sentences, and what a reader of the types needs of it. */
function declarationOf({ name, as, source }: Exported, text: string): { comment: string; code: string } {
  const found = new RegExp(
    `^(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:async )?(type|function|class|const) ${name}\\b`,
    'm',
  ).exec(text);
  if (!found) throw new Error(`${source} does not declare ${name} as a page could show it`);
  const [whole, above = '', kind] = found;
  const rest = text.slice(found.index + above.length);
  const code = kind === 'class' ? classShape(rest) : kind === 'function' ? signature(rest) : typeShape(rest);
  if (code === '') throw new Error(`${source}: the end of ${whole} is not found`);
  return { comment: plainComment(above), code: code.replace(name, as) };
}

/** Up to the end of the statement: a semicolon at the end of a line that is not inside anything. */
function typeShape(text: string): string {
  const [shape = ''] = /^export type [\s\S]*?;$(?!\n(?: |\}))/m.exec(text) ?? [];
  return shape.replace(/^export /, '');
}

function signature(text: string): string {
  const [shape = ''] = /^export [\s\S]*?(?= \{$)/m.exec(text) ?? [];
  return `${shape.replace(/^export (async )?/, '')};`;
}

/** Its fields and methods, without what is private and without how they are done. */
function classShape(text: string): string {
  const [head = ''] = /^export class [^{]*\{/.exec(text) ?? [];
  const [inside = ''] = /^[\s\S]*?^\}$/m.exec(text.slice(head.length)) ?? [];
  const members = inside.matchAll(
    /^( {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?( {2}(?!private|protected|#|\/)(?:override )?(?:readonly )?\w[^\n]*?(?:;| \{))$/gm,
  );
  const shown = [...members]
    .filter(([, , member = '']) => !/#|constructor\(details/.test(member))
    .map(([, comment = '', member = '']) => comment + member.replace(/ \{$/, ';').replace('override ', ''));
  return [head.replace(/^export /, ''), ...shown, '}'].join('\n');
}

function plainComment(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .replaceAll(/^ ?\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
