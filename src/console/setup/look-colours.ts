// The colours of a look that is being chosen: what they make of the pages, light and dark, and why some cannot be
// taken. The rules are those by which a look is saved.

import { readColour, textOn } from '../../domain/merchant/colours.ts';
import { colourFault, darkAccent, PALETTE } from '../../domain/merchant/look.ts';

export const COLOURED_PARTS = ['accent', 'accentDark', 'background'] as const;

type Variables = Readonly<Record<string, string>>;

export type PreviewColours = {
  readonly light: Variables;
  readonly dark: Variables;
  /** What would be refused. */
  readonly faults: readonly string[];
};

/** `given` is what stands in the field of a part. What is no colour changes nothing. */
export function previewColours(given: (part: (typeof COLOURED_PARTS)[number]) => string): PreviewColours {
  const texts = COLOURED_PARTS.map((part) => [part, given(part).trim()] as const).filter(([, text]) => text !== '');
  const read = texts.map(([part, text]) => [part, text, readColour(text)] as const);
  const look: Partial<Record<(typeof COLOURED_PARTS)[number], string>> = Object.fromEntries(
    read.flatMap(([part, , colour]) => (colour === undefined ? [] : [[part, colour]])),
  );
  const accent = look.accent ?? PALETTE.light.accent;
  const dark = darkAccent(look);
  return {
    light: {
      '--accent': accent,
      '--on-accent': textOn(accent),
      '--background': look.background ?? PALETTE.light.background,
    },
    dark: { '--accent': dark, '--on-accent': textOn(dark) },
    faults: read.flatMap(([part, text, colour]) => {
      const fault =
        colour === undefined ? `${text.slice(0, 20)} is no colour such as #2347c5` : colourFault(part, colour);
      return fault === undefined ? [] : [fault];
    }),
  };
}

/** As a stylesheet: the values are colours that were read, or our own. */
export function lookCss(saved: Readonly<Record<string, string>>): string {
  const { light, dark } = previewColours((part) => saved[part] ?? '');
  const rule = (which: string, variables: Variables) => {
    const lines = Object.entries(variables).map(([name, value]) => `  ${name}: ${value};`);
    return `.look-preview.${which} {\n${lines.join('\n')}\n}`;
  };
  return `${rule('light', light)}\n${rule('dark', dark)}\n`;
}
