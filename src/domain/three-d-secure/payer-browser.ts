// What 3-D Secure wants to know of the payer's browser. The merchant sends it with the order or with an upload, or the
// browser itself at a page of ours. Values are cut to what the protocol has room for.

export type PayerBrowser = {
  readonly acceptHeader: string;
  readonly userAgent: string;
  readonly language: string;
  readonly ip?: string;
  readonly javascriptEnabled: boolean;
  /** Only known of a browser that runs JavaScript. */
  readonly screen?: {
    readonly javaEnabled: boolean;
    readonly colorDepth: string;
    readonly height: string;
    readonly width: string;
    /** Minutes from its local time to UTC. */
    readonly timeZone: string;
  };
};

/** What is known of the browser so far, from whichever source; all of it is text, as it comes from a form. */
export type ToldOfBrowser = {
  readonly acceptHeader?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly language?: string | undefined;
  readonly ip?: string | undefined;
  readonly javascriptEnabled?: string | undefined;
  readonly javaEnabled?: string | undefined;
  readonly colorDepth?: string | undefined;
  readonly screenHeight?: string | undefined;
  readonly screenWidth?: string | undefined;
  readonly timeZone?: string | undefined;
};

const LONGEST_HEADER = 2048;
const LONGEST_LANGUAGE = 8;
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48] as const;

/** Sent for an unknown screen, because version 2.1.0 requires these values. */
const NO_SCREEN = { javaEnabled: false, colorDepth: '24', height: '0', width: '0', timeZone: '0' } as const;

/** The browser, or the names of the properties that are missing. */
export function payerBrowser(told: ToldOfBrowser): PayerBrowser | readonly (keyof ToldOfBrowser)[] {
  const [acceptHeader, userAgent, language] = [told.acceptHeader, told.userAgent, told.language].map(headerText);
  const missing = (['acceptHeader', 'userAgent', 'language'] as const).filter((name) => !headerText(told[name]));
  if (!acceptHeader || !userAgent || !language) return missing;
  const screen = screenOf(told);
  const ip = told.ip?.trim();
  return {
    acceptHeader,
    userAgent,
    language: languageTag(language),
    ...(ip ? { ip } : {}),
    // Only a script can tell the screen's size, so a browser that sent it runs JavaScript unless it says otherwise.
    javascriptEnabled: screen !== undefined && told.javascriptEnabled !== 'false',
    ...(screen ? { screen } : {}),
  };
}

/** 3-D Secure messages allow no control characters: a browser that sends some must not make the request impossible. */
export function headerText(text = ''): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_HEADER);
}

/** As the version wants it: 2.1.0 knows no browser without a screen. */
export function screenFor(version: '2.1.0' | '2.2.0', browser: PayerBrowser): PayerBrowser['screen'] {
  if (version === '2.2.0') return browser.javascriptEnabled ? browser.screen : undefined;
  return browser.screen ?? NO_SCREEN;
}

function screenOf(told: ToldOfBrowser): PayerBrowser['screen'] {
  const [colorDepth, height, width, timeZone] = [told.colorDepth, told.screenHeight, told.screenWidth, told.timeZone];
  if (!isNumber(colorDepth, /^\d{1,2}$/) || !isNumber(height, /^\d{1,6}$/) || !isNumber(width, /^\d{1,6}$/)) {
    return undefined;
  }
  if (!isNumber(timeZone, /^[+-]?\d{1,4}$/)) return undefined;
  return { javaEnabled: told.javaEnabled === 'true', colorDepth: depthOf(Number(colorDepth)), height, width, timeZone };
}

function isNumber(text: string | undefined, shape: RegExp): text is string {
  return text !== undefined && shape.test(text);
}

/** The nearest depth the protocol knows that is not above: many screens have 30. */
function depthOf(bits: number): string {
  return String(COLOR_DEPTHS.findLast((depth) => depth <= bits) ?? COLOR_DEPTHS[0]);
}

/** The first of an Accept-Language list, or a tag as it is; a long tag is shortened to its language. */
function languageTag(text: string): string {
  const [first = ''] = text.split(/[,;]/, 1);
  const tag = first.trim();
  if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag)) return 'en';
  return tag.length <= LONGEST_LANGUAGE ? tag : (tag.split('-', 1)[0] as string);
}
