// Links to what has a page here, and states in a word.

import { html } from '../../web/design/html.ts';
import { badge } from '../pieces/values.ts';

export const merchantLink = ({ login }: { readonly login: string }) =>
  html`<a href="/console/merchants/${encodeURIComponent(login)}">${login}</a>`;

export const endpointLink = ({ endpointId }: { readonly endpointId: number }) =>
  html`<a href="/console/endpoints/${endpointId}">${endpointId}</a>`;

export const terminalLink = (name: string) =>
  html`<a href="/console/terminals/${encodeURIComponent(name)}">${name}</a>`;

export const onOrOff = ({ enabled }: { readonly enabled: boolean }) =>
  enabled ? badge('enabled', 'good') : badge('disabled', 'bad');
