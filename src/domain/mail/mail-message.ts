// A message as it is sent: headers and two bodies, plain text and HTML. Every value of a header is either plain ASCII
// of a few characters or encoded, and bodies are base64: no text of a merchant or payer adds a header or ends a body.

import { isMailAddress, mailDomainOf } from './mail-address.ts';

export type MailContent = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
};

export type MailMessage = MailContent & {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  /** The same for the same message, so that whoever gets it twice can tell. */
  readonly id: string;
  readonly at: number;
};

const END = '\r\n';
/** Bytes of text in an encoded word, which has 75 characters at most. */
const WORD_BYTES = 42;
const LINE_CHARACTERS = 76;
/** Longer names and subjects are of no use to a reader. */
const LONGEST_HEADER = 200;

export function writeMail({ from, to, id, at, subject, text, html, language }: MailMessage): string {
  if (!isMailAddress(from.address) || !isMailAddress(to)) throw new Error('A message needs plain addresses');
  if (!/^[\w.-]{1,100}$/.test(id)) throw new Error('A message needs a plain id');
  const boundary = `part-${id}`;
  const headers = [
    `From: ${mailHeader(from.name)} <${from.address}>`,
    `To: <${to}>`,
    `Subject: ${mailHeader(subject)}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${mailDomainOf(from.address)}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Language: ${plainWord(language)}`,
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ];
  const parts = [
    ['text/plain', text],
    ['text/html', html],
  ].map(([type, body = '']) => [`--${boundary}`, ...bodyHeaders(type), '', ...bodyLines(body)].join(END));
  return [...headers, '', ...parts, `--${boundary}--`, ''].join(END);
}

function bodyHeaders(type = ''): string[] {
  return [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64'];
}

/** Base64 has no dot, so no line can end the message. */
function bodyLines(text: string): string[] {
  const lines = text.replaceAll(/\r?\n/g, END);
  return (
    Buffer.from(lines, 'utf8')
      .toString('base64')
      .match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? []
  );
}

function plainWord(text: string): string {
  return /^[\w-]{1,20}$/.test(text) ? text : 'en';
}

/** Words of letters and digits as they are, everything else as encoded words (RFC 2047). */
export function mailHeader(text: string): string {
  const shown = [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, LONGEST_HEADER);
  const whole = shown.join('');
  if (whole.length <= 60 && /^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(whole)) return whole;
  const words: string[] = [''];
  for (const character of shown) {
    const last = words.at(-1) as string;
    if (Buffer.byteLength(last + character) > WORD_BYTES) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`).join(`${END} `);
}
