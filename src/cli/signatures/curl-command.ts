// A command of curl as people paste it: its words read as a shell would, and the request that it makes. Only what such
// a request needs is understood; variables, files and further commands are not.

import { Complaint } from '../complaint.ts';

export type CurlRequest = {
  readonly url: string | undefined;
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** Options that say nothing of the request, and those among them that take a value. */
const WITHOUT_VALUE = /^(?:-[svikLfSg#]+|--(?:silent|verbose|include|insecure|location|fail|show-error|compressed))$/;
const WITH_VALUE = /^(?:-[moAbwe]|--(?:max-time|output|user-agent|cookie|write-out|referer|connect-timeout|cacert))$/;
const DATA = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--data-urlencode)$/;
const SPACE = /\s/;

export function readCurl(text: string): CurlRequest {
  const [program, ...words] = shellWords(text);
  if (program !== 'curl') throw new Complaint('a pasted command must begin with curl');
  const headers = new Map<string, string>();
  const data: string[] = [];
  let url: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const [option, joined] = optionIn(words[at] as string);
    const value = () => joined ?? words[++at] ?? missing(option);
    if (DATA.test(option)) data.push(dataOf(option, value()));
    else if (option === '-H' || option === '--header') addHeader(headers, value());
    else if (option === '-X' || option === '--request') mustBePost(value());
    else if (option === '--url') url = value();
    else if (WITH_VALUE.test(option)) value();
    else if (!option.startsWith('-')) url = option;
    else if (!WITHOUT_VALUE.test(option)) throw new Complaint(`option ${option} of curl is not understood here`);
  }
  return { url, headers, body: data.join('&') };
}

/** `-d`, as curl takes it: the text as it is, or with its value encoded. */
export function dataOf(option: string, text: string): string {
  if (text.startsWith('@')) throw new Complaint(`${option} ${text}: give the file by --body`);
  if (option !== '--data-urlencode') return text;
  const equals = text.indexOf('=');
  return equals < 0 ? encodedValue(text) : `${text.slice(0, equals + 1)}${encodedValue(text.slice(equals + 1))}`;
}

export function encodedValue(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function missing(option: string): never {
  throw new Complaint(`option ${option} of curl lacks its value`);
}

function mustBePost(method: string): void {
  if (method !== 'POST') throw new Complaint(`operations are called with POST, not ${method}`);
}

export function addHeader(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Complaint('a header is written "Name: value"');
  headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
}

/** `--data=x` and `-dx` have their value beside them. */
function optionIn(word: string): [option: string, value?: string] {
  const long = /^(--[a-z-]+)=(.*)$/s.exec(word);
  if (long) return [long[1] as string, long[2] as string];
  const short = /^(-[dHX])(.+)$/s.exec(word);
  return short ? [short[1] as string, short[2] as string] : [word];
}

const DOUBLE_QUOTED_ESCAPES = '"\\$`\n';
const ANSI_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The words of one simple command of a POSIX shell. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const add = (more: string) => {
    word = (word ?? '') + more;
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (SPACE.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === '\\') {
      at += 1;
      // A line that goes on.
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      else if (text[at] !== '\n') add(text[at] ?? '');
    } else if (letter === "'" || (letter === '$' && text[at + 1] === "'")) {
      const isAnsi = letter === '$';
      const [quoted, end] = singleQuoted(text, at + (isAnsi ? 2 : 1), isAnsi);
      add(quoted);
      at = end;
    } else if (letter === '"') {
      const [quoted, end] = doubleQuoted(text, at + 1);
      add(quoted);
      at = end;
    } else if ('|;<>`$&()'.includes(letter)) {
      throw new Complaint(`${letter} means something to the shell: put what it stands for in its place`);
    } else add(letter);
  }
  if (word !== undefined) words.push(word);
  return words;
}

function singleQuoted(text: string, from: number, isAnsi: boolean): [string, end: number] {
  let quoted = '';
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "'") return [quoted, at];
    if (isAnsi && letter === '\\') {
      at += 1;
      const next = text[at] ?? '';
      quoted += ANSI_ESCAPES[next] ?? next;
    } else quoted += letter;
  }
  throw new Complaint("a quotation mark ' is not closed");
}

function doubleQuoted(text: string, from: number): [string, end: number] {
  let quoted = '';
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') return [quoted, at];
    if (letter === '$' || letter === '`') {
      throw new Complaint(`${letter} means something to the shell: put what it stands for in its place`);
    }
    if (letter === '\\' && DOUBLE_QUOTED_ESCAPES.includes(text[at + 1] ?? 'x')) {
      at += 1;
      quoted += text[at] === '\n' ? '' : text[at];
    } else quoted += letter;
  }
  throw new Complaint('a quotation mark " is not closed');
}

type Sent = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pairs: readonly (readonly [name: string, value: string])[];
};

/** The command that sends a request, one field a line. */
export function writtenCurl({ url, headers, pairs }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quotedWord(`${name}: ${value}`)}`);
  // Encoded here, so that the bytes are those that were signed: curl would write a space otherwise.
  const fields = pairs.map(([name, value]) => `-d ${quotedWord(`${encodedValue(name)}=${encodedValue(value)}`)}`);
  return [`curl ${quotedWord(url)}`, ...lines, ...fields].join(' \\\n  ');
}

function quotedWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
