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

/** Markdown with the programs in the place of the comments. */
export function withExamples(files: Files, text: string): string {
  return text.replace(/^<!-- examples: ([\w-]+) -->$/gm, (_, topic: string) =>
    examplesOf(files, topic)
      .map(({ name, fence, code }) => `**${name}**\n\n\`\`\`${fence}\n${code}\n\`\`\``)
      .join('\n\n'),
  );
}
