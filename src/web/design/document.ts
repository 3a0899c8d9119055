// The document around every page that is not a payer's: its head, and the headers it is sent with.

import type { WebReply } from '../route.ts';
import { type Html, html, type Piece } from './html.ts';
import { contentPolicy } from './policy.ts';

export type DocumentParts = {
  readonly title: string;
  /** Where its files are: `/assets`. */
  readonly assetPath: string;
  readonly icon: string;
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly body: Piece;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export function documentReply({ status = 200, headers, ...parts }: DocumentParts): WebReply & { body: string } {
  const always = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentPolicy(),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
  return { status, headers: { ...always, ...headers }, body: `<!doctype html>\n${documentOf(parts)}` };
}

function documentOf({ title, assetPath, icon, stylesheets, scripts, body }: DocumentParts): Html {
  return html`<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" href="${assetPath}/${icon}">
${stylesheets.map((name) => html`<link rel="stylesheet" href="${assetPath}/${name}">\n`)}
${scripts.map((name) => html`<script src="${assetPath}/${name}" defer></script>\n`)}
</head>
<body>
${body}
</body>
</html>
`;
}
