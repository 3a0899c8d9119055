// Below {base}/3ds/: the payer's way through 3-D Secure, what browsers bring back from issuers, and the directory server's results.
// Whoever has an order's link may walk its way; what the browser brings decides nothing, so nobody else is asked for.

import type { PayerAuthentication } from '../../processing/three-d-secure/payer-authentication.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { browserPage, document, type Html, handOverPage, messagePage, methodDonePage, waitPage } from './pages.ts';

/** The pages' own files, under a name that changes with the version of this route. */
const FILES: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  'assets/pages-1.js': { type: 'text/javascript; charset=utf-8', body: SCRIPT },
  'assets/pages-1.css': { type: 'text/css; charset=utf-8', body: STYLE },
};

const A_DAY = 'public, max-age=86400';

export function threeDSecureRoute(payers: PayerAuthentication, baseUrl: () => string): WebRoute {
  return { prefix: '/3ds/', handle: (request) => new Visit(payers, baseUrl(), request).reply() };
}

/** Where a form of a page may lead besides our own address. */
type Around = { readonly formTo?: string; readonly framesFrom?: string; readonly framedBy?: string };

class Visit {
  readonly #payers: PayerAuthentication;
  readonly #base: string;
  readonly #request: WebRequest;

  constructor(payers: PayerAuthentication, base: string, request: WebRequest) {
    this.#payers = payers;
    this.#base = base;
    this.#request = request;
  }

  async reply(): Promise<WebReply> {
    const { rest, method } = this.#request;
    const file = FILES[rest];
    if (file) return { status: 200, headers: { 'Content-Type': file.type, 'Cache-Control': A_DAY }, body: file.body };
    if (rest === 'results') return this.#results();
    const [, notify, token = '', continues] = /^(notify\/)?([\w-]+)(\/continue)?$/.exec(rest) ?? [];
    const found = await this.#payers.find(token);
    if (found === 'foreign') return this.#message(404, 'Nothing here', 'This link is not one of ours.');
    if (found === 'gone')
      return this.#message(410, 'Too late', 'This link is no longer good. Please go back to the shop.');
    if (notify && method === 'POST') return this.#notified(token);
    if (continues && method === 'POST') return this.#continued(token);
    return this.#shown(token);
  }

  /** From the directory server. */
  async #results(): Promise<WebReply> {
    const { method, body } = this.#request;
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: '' };
    const answer = await this.#payers.takeNetworkResult(body.toString('utf8'));
    return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: answer };
  }

  /** What the payer has to do now. */
  async #shown(token: string): Promise<WebReply> {
    const turn = await this.#payers.turn(token);
    switch (turn.kind) {
      case 'elsewhere':
        return this.#away(`/pay/${token}`);
      case 'wait':
        return this.#page(waitPage());
      case 'method-url': {
        const action = `${this.#base}/3ds/${token}/continue`;
        const framesFrom = turn.method && new URL(turn.method.url).origin;
        return this.#page(
          browserPage({ action, method: turn.method }),
          framesFrom ? { framesFrom, formTo: framesFrom } : {},
        );
      }
      case 'challenge':
        return this.#handOver(turn.acsUrl, { creq: turn.creq });
      case 'pareq': {
        const fields = { PaReq: turn.pareq, TermUrl: `${this.#base}/3ds/notify/${token}`, MD: turn.merchantData };
        return this.#handOver(turn.acsUrl, fields);
      }
    }
  }

  #handOver(action: string, fields: Readonly<Record<string, string>>): WebReply {
    return this.#page(handOverPage({ action, fields }), { formTo: new URL(action).origin });
  }

  /** The browser has told what it is. */
  async #continued(token: string): Promise<WebReply> {
    const { headers, address } = this.#request;
    const form = this.#form();
    const told = (name: string) => form.get(name) ?? undefined;
    await this.#payers.continue(token, {
      acceptHeader: headers.accept ?? '*/*',
      userAgent: headers['user-agent'] ?? 'unknown',
      language: told('language') ?? headers['accept-language'] ?? 'en',
      ip: address,
      javascriptEnabled: told('javascriptEnabled') ?? 'false',
      javaEnabled: told('javaEnabled'),
      colorDepth: told('colorDepth'),
      screenHeight: told('screenHeight'),
      screenWidth: told('screenWidth'),
      timeZone: told('timeZone'),
    });
    return this.#away(`/3ds/${token}`);
  }

  /** From the issuer, by the browser. Field names are theirs, and written in several ways. */
  async #notified(token: string): Promise<WebReply> {
    const form = this.#form();
    const field = (...names: string[]) => names.map((name) => form.get(name)).find((value) => value !== null);
    const methodData = field('threeDSMethodData');
    if (methodData !== undefined && methodData !== null) {
      await this.#payers.methodDone(token, methodData);
      // The hidden frame may stand in a page of the merchant.
      return this.#page(methodDonePage(), { framedBy: '*' });
    }
    const cres = field('cres', 'cRes', 'CRes', 'erro', 'error');
    if (cres) await this.#payers.challengeDone(token, cres);
    const pares = field('PaRes', 'paRes', 'pares');
    if (pares) await this.#payers.paresCame(token, { text: pares, merchantData: field('MD', 'md') ?? undefined });
    return this.#away(`/3ds/${token}`);
  }

  #form(): URLSearchParams {
    return new URLSearchParams(this.#request.body.toString('utf8'));
  }

  /** A GET, so that a reload sends nothing again. */
  #away(path: string): WebReply {
    return { status: 303, headers: { Location: this.#base + path }, body: '' };
  }

  #message(status: number, title: string, text: string): WebReply {
    return { ...this.#page(messagePage(title, text)), status };
  }

  #page(html: Html, { formTo, framesFrom, framedBy = "'self'" }: Around = {}): WebReply {
    const policy = [
      "default-src 'none'",
      "base-uri 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `frame-src ${framesFrom === undefined ? "'none'" : `'self' https: ${framesFrom}`}`,
      // Issuers send browsers on to addresses nobody can list.
      `form-action 'self'${formTo === undefined ? '' : ` https: ${formTo}`}`,
      `frame-ancestors ${framedBy}`,
    ];
    const assets = { script: `${this.#base}/3ds/assets/pages-1.js`, style: `${this.#base}/3ds/assets/pages-1.css` };
    return {
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy.join('; ') },
      body: document(html, assets),
    };
  }
}
