// Chromium for the tests of pages: the one `npm test` found or installed, driven over its own protocol. Whatever a page
// complains about (a violated content policy, a script that threw) is kept, so that every test can ask for it.

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { embedded } from '../contracts/databases.ts';
import { type GatewayOptions, pause, TestGateway } from '../harness.ts';

const executablePath = process.env.TENDER_TEST_CHROMIUM ?? findChromium();

/** A guard against what never comes: a busy machine takes its time for a page. */
const LIMIT_MS = 3 * 60_000;
/** A page that is open after this time was asked to close for nothing. */
const CLOSE_LIMIT_MS = 2_000;

const ARGS = [
  // The sandbox of Chromium needs rights that test machines do not give.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
  // Otherwise it begins a process for every other page, because ours ask to be kept from others.
  '--renderer-process-limit=2',
  '--disable-site-isolation-trials',
];

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 375, height: 740 };

export class TestBrowser {
  #browser: Browser | undefined;
  readonly #contexts = new Map<BrowserContext, string>();
  /** Whose test is over, by what they were opened with: opening one costs as much as most tests do in it. */
  readonly #free = new Map<string, BrowserContext[]>();
  /** What pages complained about. */
  readonly complaints: string[] = [];

  async open(): Promise<void> {
    this.#browser = await chromium.launch({ executablePath: executablePath as string, args: ARGS });
  }

  /** A browser of its own, as another person's would be. */
  async person(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const kind = JSON.stringify(options);
    const context = this.#free.get(kind)?.pop() ?? (await this.#newContext(options));
    this.#contexts.set(context, kind);
    return context;
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await (this.#browser as Browser).newContext({ viewport: DESKTOP, locale: 'en-GB', ...options });
    context.setDefaultTimeout(LIMIT_MS);
    context.on('page', (page) => this.#listen(page));
    return context;
  }

  async page(options: BrowserContextOptions = {}): Promise<Page> {
    return (await this.person(options)).newPage();
  }

  /**
   * Ends what the last test began: pages are closed and cookies forgotten. Our pages keep nothing else in a browser.
   */
  async endAll(): Promise<void> {
    for (const [context, kind] of this.#contexts) {
      if (await closePages(context)) {
        await context.clearCookies();
        this.#free.set(kind, [...(this.#free.get(kind) ?? []), context]);
      } else {
        await context.close();
      }
    }
    this.#contexts.clear();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }

  #listen(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(`a script threw ${error.message} on ${page.url()}`));
    page.on('console', (message) => {
      const text = message.text();
      // Pages about something that is not there are answered with the status that says so.
      if (message.type() === 'error' && !/status of (403|404|409|410|422)/.test(text)) this.complaints.push(text);
    });
  }
}

/**
 * Whether all pages are closed. Chromium forgets to close one whose next document comes at that moment, and never says
 * so; together with its context it does go.
 */
function closePages(context: BrowserContext): Promise<boolean> {
  const closed = Promise.all(context.pages().map((page) => page.close()));
  return Promise.race([closed.then(() => true), pause(CLOSE_LIMIT_MS).then(() => false)]);
}

/** Scenarios in a browser, with one gateway and one browser for all of them. */
export function describeInBrowser(
  title: string,
  options: GatewayOptions,
  tests: (gateway: TestGateway, browser: TestBrowser) => void,
): void {
  describe.skipIf(executablePath === undefined)(title, () => {
    const gateway = new TestGateway(embedded, options);
    const browser = new TestBrowser();
    beforeAll(async () => {
      await gateway.open();
      await browser.open();
    });
    afterAll(async () => {
      await browser.close();
      await gateway.close();
    });
    tests(gateway, browser);
  });
}
