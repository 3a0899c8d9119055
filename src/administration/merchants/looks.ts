// How the hosted pages of an endpoint look: the merchant's name, logo, colours and own words. Colours are taken only if
// they can be read, logos only if they are pictures.

import { createHash } from 'node:crypto';
import { type InputKind, id, line, Misread, word } from '../../domain/input-kinds.ts';
import {
  LANGUAGES,
  LOGO_TYPES,
  LOOK_TEXTS,
  type Look,
  type LookText,
  logoTypeOf,
  lookSettings,
  type Worded,
} from '../../domain/merchant/look.ts';
import type { Logo } from '../../storage/looks.ts';
import { endpointOf } from '../lookups.ts';
import { type Answered, aNumber, anObject, aText, aWord, orAbsent, orNull, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { properties } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { changesIn, settingInputs, settingLines } from './settings.ts';

const MAX_TEXT = 300;
const MAX_LOGO = 40 * 1024;

/** Takes something away. */
const NONE = 'none';

const worded = orAbsent(
  anObject(
    each(['all', ...LANGUAGES], () => orAbsent(aText())),
    'One text for all languages, and others for some.',
  ),
);

const lookView = anObject({
  endpointId: told(aNumber(), 'endpoint'),
  ...each(
    lookSettings.map(({ name }) => name),
    () => orAbsent(told(aText())),
  ),
  texts: orAbsent(anObject(each(LOOK_TEXTS, () => worded))),
  logo: orAbsent(anObject({ type: aWord(LOGO_TYPES), digest: aText() })),
});

type LookView = Answered<typeof lookView>;

/** In base64, as JSON can carry it. */
const picture: InputKind<Logo | typeof NONE> = {
  schema: { type: 'string', contentEncoding: 'base64' },
  what: 'a PNG, JPEG or WebP picture',
  spelling: 'text',
  read: (value) => {
    if (value === NONE) return NONE;
    const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
    if (bytes.length > MAX_LOGO) return new Misread(`at most ${MAX_LOGO / 1024} KiB are taken`);
    const type = logoTypeOf(bytes);
    if (type === undefined) return new Misread('a PNG, JPEG or WebP picture is needed');
    return { type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
  },
};

const theEndpoint = mustGive(id, 'its id', { as: '<id>', told: 'endpoint', what: 'the id of an endpoint' });

export const showLook = defineReading({
  name: 'showLook',
  summary: 'show how the hosted pages of an endpoint look',
  merchants: 'own',
  given: { endpointId: theEndpoint },
  answer: lookView,
  run: async ({ endpointId }, { configuration }) => {
    const all = await configuration.read();
    return { ...all.looks.get(endpointOf(endpointId, all).endpointId), endpointId };
  },
  show: whole,
});

export const setLook = defineVerb({
  name: 'setLook',
  summary: 'change how the hosted pages of an endpoint look',
  merchants: 'own',
  role: 'administrator',
  conduct: 'change',
  given: {
    endpointId: theEndpoint,
    ...settingInputs(lookSettings),
    logo: mayGive(picture, 'a PNG, JPEG or WebP picture of at most 40 KiB, or none', { as: '--logo <file>' }),
    intro: mayGive(line(MAX_TEXT), 'a line above the form, or none', { as: '--intro <text>', told: true }),
    help: mayGive(line(MAX_TEXT), 'a line below the form: whom to ask, or none', {
      as: '--help-text <text>',
      told: true,
    }),
    language: mayGive(word(LANGUAGES), 'the texts are for this language alone', {
      as: '--language <code>',
      told: true,
    }),
  },
  answer: lookView,
  run: async ({ endpointId, logo, intro, help, language, ...given }, parts) => {
    const before = await parts.configuration.read();
    const { logo: oldLogo, ...old } = before.looks.get(endpointId) ?? {};
    const texts = withTexts(old.texts, { intro, help }, language ?? 'all');
    const look = { ...old, ...changesIn(lookSettings, given, parts), texts };
    await parts.looks.set(endpointOf(endpointId, before), look, logo ?? 'same');
    if (logo === undefined) return { endpointId, ...look, logo: oldLogo };
    return { endpointId, ...look, logo: logo === NONE ? undefined : { type: logo.type, digest: logo.digest } };
  },
  show: whole,
});

export const readLogo = defineReading({
  name: 'readLogo',
  summary: 'read the logo of the hosted pages of an endpoint',
  merchants: 'own',
  given: { endpointId: theEndpoint },
  answer: orNull(anObject({ type: aWord(LOGO_TYPES), picture: aText('In base64.') }, 'Null where it has none.')),
  run: async ({ endpointId }, { configuration, looks }) => {
    const all = await configuration.read();
    const { logo } = all.looks.get(endpointOf(endpointId, all).endpointId) ?? {};
    const found = logo && (await looks.logo(endpointId, logo.digest));
    return found && { type: found.type, picture: found.bytes.toString('base64') };
  },
});

function withTexts(
  old: Look['texts'],
  given: Readonly<Record<LookText, string | undefined>>,
  language: keyof Worded,
): NonNullable<Look['texts']> {
  const texts = { ...old };
  for (const which of LOOK_TEXTS) {
    const text = given[which];
    if (text === undefined) continue;
    const { [language]: _, ...others } = texts[which] ?? {};
    texts[which] = text === NONE ? others : { ...others, [language]: text };
  }
  return texts;
}

function whole(look: LookView): string {
  const { endpointId, logo, texts } = look;
  const [name = ['Name', ''], ...others] = settingLines(lookSettings, look);
  const titles = { intro: 'Intro', help: 'Help' };
  return properties([
    ['Endpoint', String(endpointId)],
    name,
    ['Logo', logo ? `${logo.type} ${logo.digest}` : 'none'],
    ...others,
    ...LOOK_TEXTS.flatMap((which) =>
      Object.entries<string | undefined>(texts?.[which] ?? {}).map(
        ([language, text]) => [`${titles[which]} (${language})`, text ?? ''] as const,
      ),
    ),
  ]);
}

function each<Name extends string, Shape>(names: readonly Name[], shape: () => Shape): Readonly<Record<Name, Shape>> {
  // Object.fromEntries has lost which names they are.
  return Object.fromEntries(names.map((name) => [name, shape()])) as Record<Name, Shape>;
}
