// Programs in docs/examples that pages show: one of each language side by side. A page asks for them by a comment such
// as `examples: sale`, so that the Markdown stays readable elsewhere too.

import { escapeHtml } from '../web/design/html.ts';
import { codeBlock } from './markdown.ts';

/** The name people know, the folder, the ending of its files, and what Markdown calls it. */
const LANGUAGES = [
  { name: 'curl', folder: 'curl', ending: 'sh', fence: 'sh' },
  { name: 'TypeScript', folder: 'typescript', ending: 'ts', fence: 'ts' },
  { name: 'PHP', folder: 'php', ending: 'php', fence: 'php' },
  { name: 'Python', folder: 'python', ending: 'py', fence: 'python' },
  { name: 'Ruby', folder: 'ruby', ending: 'rb', fence: 'ruby' },
] as const;

type Example = { readonly name: string; readonly fence: string; readonly code: string };

type Files = ReadonlyMap<string, Buffer>;

function examplesOf(files: Files, topic: string): Example[] {
  return LANGUAGES.flatMap(({ name, folder, ending, fence }) => {
    const file = files.get(`docs/examples/${folder}/${topic}.${ending}`);
    return file ? [{ name, fence, code: file.toString('utf8').trimEnd() }] : [];
  });
}

/** Everything is shown one below the other; the script of the pages makes a choice of it. */
export function exampleMarkup(files: Files, topic: string): string {
  const figures = examplesOf(files, topic).map(
    ({ name, fence, code }) => `<figure><figcaption>${escapeHtml(name)}</figcaption>${codeBlock(code, fence)}</figure>`,
  );
  if (figures.length === 0) throw new Error(`a page asks for the examples "${topic}", which docs/examples lacks`);
  return `<div class="examples" data-examples>${figures.join('\n')}</div>\n`;
}

/** Where Markdown is read as it is, two languages stand behind the comment, and this behind them. */
const END_OF_PRINTED = '<!-- end of examples -->';
const PRINTED = ['curl', 'TypeScript'];
const ASKED = new RegExp(`^<!-- examples: ([\\w-]+) -->$(?:(?:(?!<!-- )[\\s\\S])*^${END_OF_PRINTED}$)?`, 'gm');

function inMarkdown(all: readonly Example[]): string {
  return all.map(({ name, fence, code }) => `**${name}**\n\n\`\`\`${fence}\n${code}\n\`\`\``).join('\n\n');
}

/** The text of a guide with fresh programs behind each comment: `npm run generate` writes it. */
export function withPrintedExamples(files: Files, text: string): string {
  return text.replace(ASKED, (_, topic: string) => {
    const printed = examplesOf(files, topic).filter(({ name }) => PRINTED.includes(name));
    return `<!-- examples: ${topic} -->\n\n${inMarkdown(printed)}\n\n${END_OF_PRINTED}`;
  });
}

/** The text without what is printed behind the comments: pages show all languages in their place. */
export function withoutPrinted(text: string): string {
  return text.replace(ASKED, (_, topic: string) => `<!-- examples: ${topic} -->`);
}

/** Markdown with the programs of all languages, and whole files, in the place of the comments. */
export function withExamples(files: Files, text: string): string {
  return text
    .replace(ASKED, (_, topic: string) => inMarkdown(examplesOf(files, topic)))
    .replace(/^<!-- file: ([\w./-]+) -->$/gm, (_, path: string) => {
      const { fence, code } = fileShown(files, path);
      return `\`\`\`${fence}\n${code}\n\`\`\``;
    });
}

/** A whole file of the repository, as a page shows it. */
export function fileMarkup(files: Files, path: string): string {
  const { fence, code } = fileShown(files, path);
  return codeBlock(code, fence);
}

function fileShown(files: Files, path: string): Pick<Example, 'fence' | 'code'> {
  const file = files.get(path);
  if (!file) throw new Error(`a page shows the file ${path}, which is not there`);
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return { fence: ending === 'mjs' ? 'js' : ending, code: file.toString('utf8').trimEnd() };
}
