// Colours comments and strings of code, which is what a reader looks for; it knows nothing more of any language.

import { escapeHtml } from '../web/design/html.ts';

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const HASH_COMMENT = /(?<=^|\s)#.*$/;
const SLASH_COMMENT = /(?<=^|\s)\/\/.*$/;

const COMMENTS: Readonly<Record<string, RegExp>> = {
  sh: HASH_COMMENT,
  bash: HASH_COMMENT,
  python: HASH_COMMENT,
  ruby: HASH_COMMENT,
  yaml: HASH_COMMENT,
  ini: HASH_COMMENT,
  ts: SLASH_COMMENT,
  typescript: SLASH_COMMENT,
  js: SLASH_COMMENT,
  php: SLASH_COMMENT,
  json: SLASH_COMMENT,
};

/** The code as markup. Languages it does not know stay as they are. */
export function highlighted(code: string, language: string): string {
  const comment = COMMENTS[language];
  if (!comment) return escapeHtml(code);
  const marks = new RegExp(`(?<comment>${comment.source})|(?<string>${STRING.source})`, 'gm');
  let done = 0;
  let written = '';
  for (const match of code.matchAll(marks)) {
    const kind = match.groups?.comment === undefined ? 'string' : 'comment';
    written += `${escapeHtml(code.slice(done, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    done = match.index + match[0].length;
  }
  return written + escapeHtml(code.slice(done));
}
