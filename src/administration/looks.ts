// How the hosted pages of an endpoint look: the merchant's name, logo, colours and own words. Colours are taken only if
// they can be read, logos only if they are pictures.

import { createHash } from 'node:crypto';
import {
  LANGUAGES,
  LOOK_TEXTS,
  type Look,
  type LookText,
  logoTypeOf,
  lookSettings,
  type Worded,
} from '../domain/merchant/look.ts';
import type { Logo } from '../storage/looks.ts';
import type { AdministrationParts } from './administration.ts';
import { endpointOf } from './endpoints.ts';
import { type Given, textOf, Unfit, wordOf } from './given.ts';
import { changesIn } from './settings.ts';

const MAX_TEXT = 300;
const MAX_LOGO = 40 * 1024;

/** Takes something away. */
const NONE = 'none';

export type LookView = Look & { readonly endpointId: number };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function lookVerbs({ configuration, looks, vocabulary, changed }: AdministrationParts) {
  return {
    async showLook(given: Given): Promise<LookView> {
      const all = await configuration.read();
      const { endpointId } = endpointOf(given, all);
      return { endpointId, ...all.looks.get(endpointId) };
    },

    async setLook(given: Given): Promise<LookView> {
      const before = await configuration.read();
      const endpoint = endpointOf(given, before);
      const { endpointId } = endpoint;
      const { logo: oldLogo, ...old } = before.looks.get(endpointId) ?? {};
      const look = withTexts({ ...old, ...changesIn(lookSettings, given, { vocabulary }) }, given);
      const logo = logoOf(given);
      await looks.set(endpoint, look, logo);
      await changed();
      const isKept = logo === 'same' && oldLogo !== undefined;
      const shownLogo = typeof logo === 'object' ? { type: logo.type, digest: logo.digest } : isKept && oldLogo;
      return { endpointId, ...look, ...(shownLogo ? { logo: shownLogo } : {}) };
    },
  };
}

function withTexts(old: Look, given: Given): Look {
  const language = wordOf(given, 'language', LANGUAGES) ?? 'all';
  const texts: Mutable<Partial<Record<LookText, Worded>>> = { ...old.texts };
  for (const which of LOOK_TEXTS) {
    if (given[which] === undefined) continue;
    const { [language]: _, ...others } = texts[which] ?? {};
    const isTakenAway = given[which] === NONE;
    texts[which] = isTakenAway ? others : { ...others, [language]: textOf(given, which, MAX_TEXT) };
  }
  return { ...old, texts };
}

/** In base64, as JSON can carry it. */
function logoOf({ logo }: Given): Logo | 'none' | 'same' {
  if (logo === undefined) return 'same';
  if (logo === NONE) return 'none';
  const bytes = Buffer.from(typeof logo === 'string' ? logo : '', 'base64');
  if (bytes.length > MAX_LOGO) throw new Unfit(`logo: at most ${MAX_LOGO / 1024} KiB are taken`);
  const type = logoTypeOf(bytes);
  if (type === undefined) throw new Unfit('logo: a PNG, JPEG or WebP picture is needed');
  return { type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
}
