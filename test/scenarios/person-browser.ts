// A person's browser, without the browser: keeps cookies, says where its pages are from, and fills in forms as they
// are. It also holds the local command line's way in, and makes people as an administrator would.

import { readFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { fromBase32, totpCode, totpStep } from '../../src/domain/people/totp.ts';

export type PageReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member
  readonly body: any;
};

type Sent = {
  readonly method?: string;
  /** A header given as undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
};

/** `url` is where people sign in. */
export class PersonBrowser {
  readonly #url: () => string;
  /** The cookie as it is sent. */
  cookie: string | undefined;

  constructor(url: () => string) {
    this.#url = url;
  }

  send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<PageReply> {
    const { port, host } = new URL(this.#url());
    const all = { host, cookie: this.cookie, ...headers };
    const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return new Promise((resolve, reject) => {
      const at = { host: '127.0.0.1', port: Number(port || 80), path, method, headers: Object.fromEntries(sent) };
      const call = request(at, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        const [set] = response.headers['set-cookie'] ?? [];
        if (set !== undefined) this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';')[0];
        const isJson = response.headers['content-type'] === 'application/json';
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined });
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Sends a form as the page at its path would; the mark is that of the account page. */
  async form(path: string, fields: Readonly<Record<string, string>>, { headers = {} }: Sent = {}): Promise<PageReply> {
    const mark = /^\/(account|console)\/|^\/sign-out$/.test(path) ? { mark: await this.mark() } : {};
    const type = 'application/x-www-form-urlencoded';
    return this.send(path, {
      method: 'POST',
      headers: { origin: this.#url(), 'content-type': type, ...headers },
      body: new URLSearchParams({ ...mark, ...fields }).toString(),
    });
  }

  async mark(): Promise<string> {
    return /name="mark" value="([^"]+)"/.exec((await this.send('/account')).text)?.[1] ?? '';
  }

  /** Asks for a verb as our own pages would; headers may be changed. */
  verb(name: string, given: object = {}, { headers = {} }: Sent = {}): Promise<PageReply> {
    return this.send(`/admin/api/${name}`, {
      method: 'POST',
      headers: { origin: this.#url(), 'content-type': 'application/json', 'tender-page': '1', ...headers },
      body: JSON.stringify(given),
    });
  }

  signIn(name: string, password: string, code = ''): Promise<PageReply> {
    return this.form('/sign-in', { name, password, code });
  }

  /** Sets up an authenticator app; gives what it shows at a moment. */
  async addApp(now: () => number): Promise<(ahead?: number) => string> {
    await this.form('/account/app/begin', {});
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec((await this.send('/account')).text)?.[1] ?? '';
    const shows = (ahead = 0) => totpCode(fromBase32(secret.replaceAll(' ', '')), totpStep(now()) + ahead);
    const reply = await this.form('/account/app/confirm', { code: shows() });
    if (reply.status !== 303) throw new Error(`the app was not taken: ${reply.status}`);
    return shows;
  }
}

/** Asks for a verb as programs do. */
export function askBy(
  url: string,
  token: string,
  verb: string,
  given: object = {},
  headers: Record<string, string> = {},
) {
  const browser = new PersonBrowser(() => url);
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return browser.send(`/admin/api/${verb}`, { method: 'POST', headers: all, body: JSON.stringify(given) });
}

/** The address and the token that the local command line finds. */
export async function localNote(dataFolder: string): Promise<{ url: string; token: string }> {
  return JSON.parse(await readFile(join(dataFolder, 'admin.json'), 'utf8'));
}

export const PASSWORD = 'tall green kettle';

/** The local command line makes a person, who chooses a password by the one-time code. */
export async function hire(
  at: { adminUrl: string; dataFolder: string },
  name: string,
  role: string,
  login?: string,
): Promise<void> {
  const { url, token } = await localNote(at.dataFolder);
  const { body } = await askBy(url, token, 'addPerson', { name, role, login });
  const browser = new PersonBrowser(() => at.adminUrl);
  await browser.form('/first-sign-in', { code: body.answer.code });
  const reply = await browser.form('/account/password', { chosen: PASSWORD });
  if (reply.status !== 303) throw new Error(`${name} has no password: ${reply.status} ${reply.text}`);
}
