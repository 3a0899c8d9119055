// The pages of error codes as Markdown: what the message says, why it comes about and what to do about it.

import { errorAdvice } from '../domain/error-remedies.ts';
import { type ErrorName, errors } from '../domain/errors.ts';
import { ERRORS_INTRODUCTION, markdownTable, printedPage } from '../openapi/reference-pages.ts';

/** The pages that explain more, by the first code they are about; a code belongs to the last that is not above it. */
const READ_ON: readonly (readonly [from: number, text: string])[] = [
  [1, 'Fields and their lengths: [operations](../operations.md).'],
  [10, 'Endpoints and their limits: [settings](../settings.md).'],
  [20, 'How requests are signed: [signatures worked through](../../guides/signatures.md).'],
  [30, 'What can be done with an order when: [operations](../operations.md).'],
  [50, 'Stored cards and subscriptions: [recurring payments](../../guides/recurring-payments.md).'],
  [60, 'Addresses that are called: [callbacks](../../guides/callbacks.md).'],
  [70, 'What is counted and blocked: [card testing](../../guides/card-testing.md).'],
  [90, 'What the service takes at all: [operating](../../guides/operating.md).'],
];

/** Page name → text. */
export function errorPages(): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(errors) as ErrorName[]).map((name) => [String(errors[name].code), errorPageOf(name)]),
  );
}

function errorPageOf(name: ErrorName): string {
  const { code, text } = errors[name];
  const { cause, remedy } = errorAdvice[name];
  const [, readOn = ''] = READ_ON.findLast(([from]) => from <= code) ?? [];
  return printedPage(
    `Error ${code}: ${name}`,
    `A reply with \`error-code\` = \`${code}\` says:`,
    `> ${messageOf(text)}`,
    '## Why it comes',
    cause,
    '## What to do',
    remedy,
    '## To read on',
    `${readOn} All codes: [errors](../errors.md).`,
  );
}

/** The list of all codes, each with a link to its page. */
export function errorsOverview(): string {
  const rows = Object.entries(errors).map(([name, { code, text }]) => [
    `[${code}](errors/${code}.md)`,
    `[${name}](errors/${code}.md)`,
    messageOf(text),
  ]);
  return printedPage(
    'Errors',
    ERRORS_INTRODUCTION,
    markdownTable(['Code', 'Name', 'Message'], rows),
    'A declined payment is not an error: its `error-code` is an [action code](action-codes.md).',
  );
}

function messageOf(text: string): string {
  return text.replace('{field}', '*field*').replace('{hint}', '…');
}
