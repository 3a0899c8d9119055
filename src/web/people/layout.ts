// What all pages for people have in common: the frame, its headers, and the notices on top.

import type { ServedFiles } from '../design/assets.ts';
import { documentReply } from '../design/document.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply } from '../route.ts';

export type PeoplePage = {
  readonly title: string;
  readonly body: Piece;
  readonly status?: number;
  /** The person who is signed in, and the mark their forms bring along. */
  readonly signedIn?: { readonly name: string; readonly role: string; readonly mark: string } | undefined;
};

export function peoplePage(assets: PeopleAssets, { title, body, status, signedIn }: PeoplePage): WebReply {
  return documentReply({
    title: `${title} · Tender`,
    assetPath: '/assets',
    icon: assets.icon,
    stylesheets: [assets.stylesheet, assets.ownStylesheet],
    scripts: [assets.script],
    status,
    headers: PEOPLE_HEADERS,
    body: html`<div class="frame">
<header class="people-header"><p class="brand">${signedIn ? html`<a href="/console">Tender</a>` : 'Tender'}</p>${signedIn && whoIsHere(signedIn)}</header>
<main>${body}</main>
</div>`,
  });
}

/** What every page of people is sent with. */
export const PEOPLE_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** The script is another one than payers get. */
export const PEOPLE_FILES = {
  stylesheet: 'src/web/design/pages.css',
  ownStylesheet: 'src/web/design/people.css',
  script: 'dist/people.js',
  icon: 'src/web/design/icon.svg',
} as const;

export type PeopleAssets = ServedFiles<typeof PEOPLE_FILES>;

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
