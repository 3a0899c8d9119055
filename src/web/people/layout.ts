// What all pages for people have in common: the document, its headers, and the notices on top.

import type { Assets } from '../design/assets.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import { contentPolicy } from '../design/policy.ts';
import type { WebReply } from '../route.ts';

export type PeoplePage = {
  readonly title: string;
  readonly body: Piece;
  readonly status?: number;
  /** The person who is signed in, and the mark their forms bring along. */
  readonly signedIn?: { readonly name: string; readonly role: string; readonly mark: string } | undefined;
};

export function peoplePage(assets: PeopleAssets, { title, body, status = 200, signedIn }: PeoplePage): WebReply {
  const asset = (name: string) => `/assets/${name}`;
  const document = html`<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Tender</title>
<link rel="icon" href="${asset(assets.icon)}">
<link rel="stylesheet" href="${asset(assets.stylesheet)}">
<link rel="stylesheet" href="${asset(assets.ownStylesheet)}">
<script src="${asset(assets.script)}" defer></script>
</head>
<body>
<div class="frame">
<header class="people-header"><p class="brand">Tender</p>${signedIn && whoIsHere(signedIn)}</header>
<main>${body}</main>
</div>
</body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentPolicy(),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
  return { status, headers, body: `<!doctype html>\n${document}` };
}

export type PeopleAssets = Assets & { readonly ownStylesheet: string };

function whoIsHere({ name, role, mark }: NonNullable<PeoplePage['signedIn']>): Html {
  return html`<form class="here" method="post" action="/sign-out">${markField(mark)}
<span><strong>${name}</strong> · ${role}</span><button class="quiet small" type="submit">Sign out</button></form>`;
}

/** Every form of a signed-in person has it. */
export function markField(mark: string): Html {
  return html`<input type="hidden" name="mark" value="${mark}">`;
}

/** Something that went wrong, read aloud at once. */
export function trouble(text: string | undefined): Piece {
  return text !== undefined && html`<p class="notice bad" role="alert" tabindex="-1" data-focus>${text}</p>`;
}

/** Something that was done. */
export function done(text: string | undefined): Piece {
  return text !== undefined && html`<p class="notice good" role="status">${text}</p>`;
}

type FieldOptions = {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly value?: string;
  readonly numeric?: boolean;
  readonly required?: boolean;
};

export function formField(options: FieldOptions): Html {
  const { name, label, type = 'text', autocomplete, hint, value = '', numeric = false, required = true } = options;
  const described = hint === undefined ? '' : html` aria-describedby="${name}-hint"`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" autocapitalize="none"
spellcheck="false"${numeric && html` inputmode="numeric"`}${required && html` required`}${described}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}</div>`;
}
