// A payer's browser as the scenarios need it, over real HTTP: it follows redirects, reads forms, fills them in and
// sends them, and keeps every address it went to. It runs no script.

import { type ReplyBody, until } from '../harness.ts';
import { unescaped } from '../html-text.ts';

export type Form = {
  readonly action: string;
  readonly fields: Record<string, string>;
  readonly target: string | undefined;
};

export type Page = {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly forms: readonly Form[];
};

const HEADERS = {
  accept: 'text/html,application/xhtml+xml',
  'accept-language': 'en-GB,en;q=0.9',
  'user-agent': 'Mozilla/5.0 (a payer of the tests)',
};

const MAX_REDIRECTS = 5;

/** What the page's script would tell of a browser. */
export const SCREEN = {
  javascriptEnabled: 'true',
  javaEnabled: 'false',
  language: 'en-GB',
  colorDepth: '24',
  screenHeight: '900',
  screenWidth: '1440',
  timeZone: '-120',
};

export class Payer {
  /** Every address the browser was at. */
  readonly visited: string[] = [];
  readonly seen: string[] = [];

  async open(url: string): Promise<Page> {
    return this.#go(url, { method: 'GET' });
  }

  async send({ action, fields }: Form, more: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams({ ...fields, ...more });
    return this.#go(action, { method: 'POST', body });
  }

  /** Opens a page, again while it asks to wait. */
  async openWhenReady(url: string): Promise<Page> {
    let page = await this.open(url);
    await until('the page does not ask to wait', async () => {
      if (!page.text.includes('http-equiv="refresh"')) return true;
      page = await this.open(url);
      return false;
    });
    return page;
  }

  async #go(url: string, init: RequestInit): Promise<Page> {
    let next = url;
    let options = init;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      this.visited.push(next);
      const response = await fetch(next, { ...options, headers: HEADERS, redirect: 'manual' });
      const text = await response.text();
      this.seen.push(text);
      const location = response.headers.get('location');
      // The hosted pages are another part's: what matters here is that the browser is sent there.
      if (location === null || location.includes('/pay/')) {
        const at = location ?? next;
        return { url: at, status: response.status, headers: response.headers, text, forms: formsIn(text, next) };
      }
      next = new URL(location, next).href;
      options = { method: 'GET' };
    }
    throw new Error(`too many redirects from ${url}`);
  }
}

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

function formsIn(html: string, base: string): Form[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', inside = '']) => {
    const inputs = [...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
    return {
      action: new URL(attribute(tag, 'action') ?? '', base).href,
      fields: Object.fromEntries(
        inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']),
      ),
      target: attribute(tag, 'target'),
    };
  });
}

export function formOf(page: Page, place = 0): Form {
  const form = page.forms[place];
  if (!form) throw new Error(`there is no form on ${page.url}: ${page.status} ${page.text}`);
  return form;
}

/** The page of the simulated issuer, answered; back comes the page that sends the browser on. */
export async function answerIssuer(payer: Payer, question: Page, ...answers: string[]): Promise<Page> {
  let page = question;
  for (const answer of answers) {
    const told = answer === 'cancel' ? { do: 'cancel' } : { do: 'confirm', password: answer };
    page = await payer.send(formOf(page), told);
  }
  return page;
}

/** Through our page to the issuer and back with these answers; the page the browser ends at. */
export async function passChallenge(payer: Payer, status: ReplyBody, ...answers: string[]): Promise<Page> {
  const handOver = await payer.openWhenReady(status['redirect-to']);
  const question = await payer.send(formOf(handOver));
  const end = await payer.send(formOf(await answerIssuer(payer, question, ...answers)));
  // The issuer's word may still be on its way.
  return end.status === 303 ? end : payer.openWhenReady(status['redirect-to']);
}

/**
 * Posts what STATUS gave to the issuer, as a page of the merchant would, and answers with what the issuer sends back.
 */
export async function throughIssuer(status: ReplyBody, ...answers: string[]): Promise<Record<string, string>> {
  const payer = new Payer();
  const fields: Record<string, string> =
    status['tds-status'] === 'pareq'
      ? { PaReq: status['tds-pareq'], MD: status['tds-md'], TermUrl: 'https://shop.example/back' }
      : { creq: status['tds-creq'] };
  const question = await payer.send({ action: status['tds-acs-url'], fields, target: undefined });
  return formOf(await answerIssuer(payer, question, ...answers)).fields;
}
