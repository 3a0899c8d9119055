// How the hosted pages of an endpoint look: the merchant's name, logo, own words, and colours that can be read.

import { line, Misread, readBy } from '../input-kinds.ts';
import { type Colour, contrast, lightenedFor, MIN_TEXT_CONTRAST, readColour } from './colours.ts';
import { type SettingKind, type SettingsOf, setting } from './setting.ts';
import { clearable } from './setting-kinds.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The text above the form, and the one below it that says whom to ask. */
export const LOOK_TEXTS = ['intro', 'help'] as const;
export type LookText = (typeof LOOK_TEXTS)[number];

/** One text for all languages, and others for some of them. */
export type Worded = Partial<Record<Language | 'all', string>>;

export const lookSettings = [
  setting('name', clearable(line(60)), {
    says: 'what the pages call the merchant',
    unset: "the merchant's",
  }),
  setting('accent', colour('accent'), {
    takes: 'colour',
    says: 'buttons and links, such as #2347c5',
    unset: "Tender's",
  }),
  setting('accentDark', colour('accentDark'), {
    takes: 'colour',
    title: 'Accent, dark',
    says: 'the same on dark pages, such as #9db4ff',
    unset: 'from the accent',
  }),
  setting('background', colour('background'), {
    takes: 'colour',
    says: 'behind everything, on light pages',
    unset: "Tender's",
  }),
] as const;

export type Look = Partial<SettingsOf<typeof lookSettings>> & {
  readonly texts?: Partial<Record<LookText, Worded>>;
  readonly logo?: { readonly type: LogoType; readonly digest: string };
};

/** The colours of the pages where a merchant chose no others; the stylesheet has the same. */
export const PALETTE = {
  light: { surface: '#ffffff', background: '#f4f5f8', ink: '#1a1d26', muted: '#565d6d', accent: '#2347c5' },
  dark: { surface: '#1b1f2a', background: '#11141b', accent: '#9db4ff' },
} as const;

type ColouredPart = 'accent' | 'accentDark' | 'background';

function colour(part: ColouredPart): SettingKind<Colour | undefined, Colour | null> {
  const kind = readBy('a colour such as #2347c5, or none,', readColour);
  return clearable({
    ...kind,
    read: (value, context) => {
      const read = kind.read(value, context);
      const fault = read instanceof Misread ? undefined : colourFault(part, read);
      return fault === undefined ? read : new Misread(fault);
    },
  });
}

/** Why a colour cannot be used, or undefined. */
export function colourFault(part: ColouredPart, colour: Colour): string | undefined {
  const { light, dark } = PALETTE;
  const pairs: Record<typeof part, readonly Colour[]> = {
    accent: [light.surface, light.background],
    accentDark: [dark.surface, dark.background],
    background: [light.ink, light.muted],
  };
  const ratio = Math.min(...pairs[part].map((other) => contrast(colour, other)));
  if (ratio >= MIN_TEXT_CONTRAST) return undefined;
  const beside = part === 'background' ? 'with the text on it' : `with a ${part === 'accent' ? 'light' : 'dark'} page`;
  const better = part === 'accent' ? 'darker' : 'lighter';
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  return `${colour} has a contrast of ${shown} ${beside}; at least ${MIN_TEXT_CONTRAST} is needed, so choose a ${better} one`;
}

/** The accent of dark pages: the one chosen for them, or the accent of light pages made light enough. */
export function darkAccent({ accent, accentDark }: Look): Colour {
  if (accentDark) return accentDark;
  return accent ? lightenedFor(PALETTE.dark.surface, accent) : PALETTE.dark.accent;
}

export function lookText({ texts }: Look, which: LookText, language: Language): string | undefined {
  return texts?.[which]?.[language] ?? texts?.[which]?.all;
}

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** Tells the type by the first bytes, not by the file's name. SVG is not taken: it may hold scripts. */
export function logoTypeOf(bytes: Uint8Array): LogoType | undefined {
  const begins = (at: number, ...expected: number[]) => expected.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  return begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50) ? 'image/webp' : undefined;
}
