// Below {base}/3ds/: the payer's way through 3-D Secure, what browsers bring back from issuers, and the directory
// server's results. The link of an order is enough to use its pages, because nothing that a browser brings decides the
// authentication.

import type { Language } from '../../domain/merchant/look.ts';
import type { ToldOfBrowser } from '../../domain/three-d-secure/payer-browser.ts';
import type { Checkout, PayerOrder } from '../../processing/checkout/checkout.ts';
import type { PayerAuthentication } from '../../processing/three-d-secure/payer-authentication.ts';
import { chooseLanguage, knownLanguage } from '../checkout/language.ts';
import { type PageContext, pageContext } from '../checkout/layout.ts';
import { brokenPage, noticePage, outcomePage, waitPage } from '../checkout/outcome-pages.ts';
import type { Assets } from '../design/assets.ts';
import { seeOther, type WebReply, type WebRequest, type WebRoute } from '../route.ts';
import { knownSenders } from './known-senders.ts';
import { methodDonePage, methodPage, methodReturnPage } from './method-pages.ts';
import { browserPage, handOverPage } from './pages.ts';

export type ThreeDSecureRouteParts = {
  readonly payers: PayerAuthentication;
  readonly checkout: Pick<Checkout, 'find'>;
  readonly assets: Assets;
  readonly basePath: string;
  /** The public base URL: issuers send browsers back to it. */
  readonly baseUrl: () => string;
  /** Whose results are heard: subjects or fingerprints of certificates; everybody's when left out. */
  readonly resultsFrom?: readonly string[] | undefined;
  /** Told of results that are not. */
  readonly unheard: (from: string) => void;
};

export function threeDSecureRoute(parts: ThreeDSecureRouteParts): WebRoute {
  const { resultsFrom, unheard } = parts;
  const isKnown = resultsFrom ? knownSenders(resultsFrom) : () => true;
  return {
    prefix: '/3ds/',
    refusal: ({ rest, certificate, address }) => {
      if (rest !== RESULTS || isKnown(certificate)) return undefined;
      unheard(certificate?.subject ?? certificate?.fingerprint ?? address);
      return { status: 403, headers: {}, body: '' };
    },
    handle: (request) => answer(parts, request),
    broken: (request) => brokenPage({ ...parts, prefix: '/3ds/' }, request),
  };
}

/** Where the directory server sends results. */
const RESULTS = 'results';

async function answer(parts: ThreeDSecureRouteParts, request: WebRequest): Promise<WebReply> {
  if (request.rest === RESULTS) return results(parts, request);
  const [, above, token = '', below] =
    /^(?:(notify|method)\/)?([\w-]+)(?:\/(continue|state))?$/.exec(request.rest) ?? [];
  const order = await parts.checkout.find(token);
  const visit = new Visit(parts, request, { token, isKnown: order !== 'foreign' });
  if (order === 'foreign') return visit.notice({ status: 404, title: 'foreignTitle', text: 'foreignText' });
  if (order.state === 'gone') return visit.over(order);
  if (below === 'state') return visit.state();
  if (request.method === 'POST' && above === 'notify') return visit.notified();
  if (request.method === 'POST' && above === 'method') return visit.examined();
  if (request.method === 'POST' && below === 'continue') return visit.continued();
  return visit.shown(order);
}

async function results({ payers }: ThreeDSecureRouteParts, { method, body }: WebRequest): Promise<WebReply> {
  if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: '' };
  const said = await payers.takeNetworkResult(body.toString('utf8'));
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: said };
}

/** The state for which the wait page keeps waiting. */
const WAITING = 'wait';

class Visit {
  readonly #parts: ThreeDSecureRouteParts;
  readonly #request: WebRequest;
  readonly #token: string;
  readonly #form: URLSearchParams;
  /** The language that the payer switched to: it goes along to the issuer and back, and on to the result. */
  readonly #chosen: Language | undefined;
  readonly #context: PageContext;

  constructor(
    parts: ThreeDSecureRouteParts,
    request: WebRequest,
    { token, isKnown }: { token: string; isKnown: boolean },
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#token = token;
    this.#form = new URLSearchParams(request.body.toString('utf8'));
    this.#chosen =
      knownLanguage(request.query.get('lang') ?? '') ?? readSession(this.#form.get('threeDSSessionData') ?? '');
    const { assets, basePath } = parts;
    const language = chooseLanguage(this.#chosen ?? null, request.headers['accept-language']);
    const path = isKnown ? `${basePath}/3ds/${token}` : undefined;
    this.#context = pageContext({ language, assets, basePath, path });
  }

  notice(about: Parameters<typeof noticePage>[1]): WebReply {
    return noticePage(this.#context, about);
  }

  over(order: PayerOrder): WebReply {
    return outcomePage(this.#context, order);
  }

  async state(): Promise<WebReply> {
    const { kind } = await this.#parts.payers.turn(this.#token);
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ state: kind }) };
  }

  /** The page for what the payer has to do now. */
  async shown(order: PayerOrder): Promise<WebReply> {
    const context = this.#context;
    const turn = await this.#parts.payers.turn(this.#token);
    switch (turn.kind) {
      case 'elsewhere':
        return this.#away('pay');
      case 'wait':
        return waitPage(context, order, { state: WAITING, isLong: false });
      case 'method-url': {
        const action = this.#withLanguage(`${context.path}/continue`);
        return browserPage(context, order, { action, method: turn.method.isOurs ? undefined : turn.method });
      }
      case 'challenge': {
        const session = this.#chosen && { threeDSSessionData: writeSession(this.#chosen) };
        return handOverPage(context, order, { url: turn.acsUrl, fields: { creq: turn.creq, ...session } });
      }
      case 'pareq': {
        const TermUrl = this.#withLanguage(`${this.#parts.baseUrl()}/3ds/notify/${this.#token}`);
        const fields = { PaReq: turn.pareq, TermUrl, MD: turn.merchantData };
        return handOverPage(context, order, { url: turn.acsUrl, fields });
      }
    }
  }

  /** Takes the facts that the browser sent about itself. */
  async continued(): Promise<WebReply> {
    await this.#parts.payers.continue(this.#token, this.#browser());
    return this.#away('3ds');
  }

  /** Our own method page: it asks the browser to describe itself, and then reports back as an issuer's would. */
  async examined(): Promise<WebReply> {
    const data = this.#form.get('threeDSMethodData') ?? '';
    if (!this.#form.has('javascriptEnabled')) return methodPage(this.#context, { data, action: this.#request.rest });
    const back = await this.#parts.payers.methodSeen(this.#token, data, this.#browser());
    return back ? methodReturnPage(this.#context, back) : methodDonePage(this.#context);
  }

  /** What the browser's headers and the form's fields tell of it. */
  #browser(): ToldOfBrowser {
    const { headers, address } = this.#request;
    // Without a script the fields are empty.
    const told = (name: string) => this.#form.get(name) || undefined;
    return {
      acceptHeader: headers.accept || '*/*',
      userAgent: headers['user-agent'] || 'unknown',
      language: told('language') ?? (headers['accept-language'] || 'en'),
      ip: address,
      javascriptEnabled: told('javascriptEnabled') ?? 'false',
      javaEnabled: told('javaEnabled'),
      colorDepth: told('colorDepth'),
      screenHeight: told('screenHeight'),
      screenWidth: told('screenWidth'),
      timeZone: told('timeZone'),
    };
  }

  /** Takes what the browser brings from the issuer. Issuers spell the field names in several ways. */
  async notified(): Promise<WebReply> {
    const { payers } = this.#parts;
    const field = (...names: string[]) =>
      names.map((name) => this.#form.get(name)).find((value) => value !== null) ?? undefined;
    const methodData = field('threeDSMethodData');
    if (methodData !== undefined) {
      await payers.methodDone(this.#token, methodData);
      return methodDonePage(this.#context);
    }
    await payers.browserBack(this.#token, {
      cres: field('cres', 'cRes', 'CRes', 'erro', 'error'),
      pares: field('PaRes', 'paRes', 'pares'),
      merchantData: field('MD', 'md'),
    });
    return this.#away('3ds');
  }

  #away(to: 'pay' | '3ds'): WebReply {
    return seeOther(this.#withLanguage(`${this.#parts.baseUrl()}/${to}/${this.#token}`));
  }

  #withLanguage(address: string): string {
    return this.#chosen === undefined ? address : `${address}?lang=${this.#chosen}`;
  }
}

/** EMV 3DS lets us send session data to the issuer, which comes back unchanged: base64url of the language. */
function writeSession(language: Language): string {
  return Buffer.from(language).toString('base64url');
}

function readSession(text: string): Language | undefined {
  return knownLanguage(Buffer.from(text, 'base64url').toString('latin1'));
}
