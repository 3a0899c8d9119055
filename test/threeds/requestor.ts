// A 3DS server and a browser for tests, over real HTTP: the server takes RReqs as the directory sends them and whatever
// browsers post to it; the browser fills in the forms of pages as a payer would. Everything that passed can be looked
// at in order.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AReq,
  type RReq,
  type RRes,
  readMessage,
  type Version,
  writeMessage,
} from '../../src/threeds/messages/index.ts';
import type { TranscriptEntry } from '../../src/threeds/simulator/transcript.ts';
import { unescaped } from '../html-text.ts';

export type Posted = { readonly path: string; readonly form: URLSearchParams };

export class TestRequestor {
  readonly results: RReq[] = [];
  readonly posted: Posted[] = [];
  /** In the order in which they arrived: `RReq`, or the path a browser posted to. */
  readonly arrived: string[] = [];
  readonly #server = createServer((request, response) => {
    void this.#take(request).then((body) => response.end(body));
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<string> {
    const body = (await request.toArray()).join('');
    if (request.url !== '/results') {
      this.arrived.push(request.url ?? '');
      this.posted.push({ path: request.url ?? '', form: new URLSearchParams(body) });
      return 'thank you';
    }
    const reading = readMessage('RReq', body, { component: 'S' });
    if (reading.outcome !== 'message') return writeMessage(reading.erro);
    this.arrived.push('RReq');
    this.results.push(reading.message);
    return writeMessage(receipt(reading.message));
  }
}

function receipt({ messageVersion, threeDSServerTransID, acsTransID, dsTransID, challengeCancel }: RReq): RRes {
  const resultsStatus = challengeCancel === '05' ? '02' : '01';
  return { messageType: 'RRes', messageVersion, threeDSServerTransID, acsTransID, dsTransID, resultsStatus };
}

export type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly html: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** Posts a form and looks at the page that comes back. */
export async function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Page> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  const html = await response.text();
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '';
  return {
    status: response.status,
    headers: response.headers,
    url,
    html,
    action: action === '' ? '' : new URL(unescaped(action), url).href,
    fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)])),
  };
}

/** Sends the page's form on, as its script or the payer would. */
export function submit({ action, fields }: Page, more: Readonly<Record<string, string>> = {}): Promise<Page> {
  return postForm(action, { ...fields, ...more });
}

/** The names of the messages that passed, with their ways: `3ds-server → directory AReq`. */
export function namesIn(transcript: readonly TranscriptEntry[]): string[] {
  return transcript.map(({ from, to, name }) => `${from} → ${to} ${name}`);
}

/** The last message of this name. */
export function messageIn(transcript: readonly TranscriptEntry[], name: string): Readonly<Record<string, unknown>> {
  const entry = transcript.findLast((each) => each.name === name);
  if (entry === undefined) throw new Error(`no ${name} has passed`);
  return entry.message;
}

/** A payment of 10.42 USD in a browser. */
export function areqOf(
  { url }: { readonly url: string },
  acctNumber: string,
  differs: Partial<AReq> & { readonly messageVersion?: Version } = {},
): AReq {
  const version = differs.messageVersion ?? '2.2.0';
  return {
    messageType: 'AReq',
    messageVersion: version,
    threeDSServerTransID: crypto.randomUUID(),
    deviceChannel: '02',
    messageCategory: '01',
    threeDSServerRefNumber: 'TENDER-TEST',
    threeDSServerURL: `${url}/results`,
    threeDSRequestorID: 'requestor-1',
    threeDSRequestorName: 'Coffee shop',
    threeDSRequestorURL: 'https://shop.example',
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    acctNumber,
    cardExpiryDate: '3012',
    acquirerBIN: '400001',
    acquirerMerchantID: 'merchant-1',
    mcc: '5814',
    merchantCountryCode: '840',
    merchantName: 'Coffee & <Cake>',
    purchaseAmount: '1042',
    purchaseCurrency: '840',
    purchaseExponent: '2',
    purchaseDate: '20270131180000',
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Test/1.0',
    browserLanguage: 'en',
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '800',
    browserScreenWidth: '600',
    browserTZ: '-60',
    notificationURL: `${url}/notify`,
    ...(version === '2.2.0' && { browserJavascriptEnabled: true }),
    ...differs,
  };
}
