// Colours as the hosted pages use them, and how well they can be told apart: relative luminance and contrast ratio as
// WCAG 2.2 defines them (success criteria 1.4.3 and 1.4.11).

/** Red, green and blue, as in `#1a7f4e`. */
export type Colour = string;

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;

/** The contrast ratio that text must have, and whatever else a payer must be able to see. */
export const MIN_TEXT_CONTRAST = 4.5;

/** In lower case and with six digits, or undefined when it is no colour; `#1a4` is short for `#11aa44`. */
export function readColour(text: string): Colour | undefined {
  const lower = text.trim().toLowerCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(lower);
  if (short) return `#${[short[1], short[2], short[3]].map((digit) => `${digit}${digit}`).join('')}`;
  return COLOUR.test(lower) ? lower : undefined;
}

function channels(colour: Colour): [number, number, number] {
  const [, red = '00', green = '00', blue = '00'] = COLOUR.exec(colour) ?? [];
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 for equal colours to 21 for black on white. */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever is read more easily on the colour. */
export function textOn(colour: Colour): Colour {
  return contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000';
}

const STEP = 0.04;

/** The colour, made lighter until text of it can be read on the background. */
export function lightenedFor(background: Colour, colour: Colour): Colour {
  let mixed = colour;
  for (let part = 0; part <= 1 && contrast(mixed, background) < MIN_TEXT_CONTRAST; part += STEP) {
    const lighter = channels(colour).map((channel) => Math.round(channel + (255 - channel) * part));
    mixed = `#${Buffer.from(lighter).toString('hex')}`;
  }
  return mixed;
}
