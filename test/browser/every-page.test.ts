// Every page, in light and in dark, from the left and from the right: without a violation axe-core finds, fitting a
// phone, and breaking no content policy, and with every picture there. `npm run screenshots` runs this too, and keeps
// pictures.

import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ChallengingBank } from '../scenarios/challenging-bank.ts';
import { DESKTOP, describeInBrowser, PHONE, type TestBrowser } from './chromium.ts';
import { challengePages, everyPage, type Shown } from './every-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** In the dark only colours differ. */
const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const pictures = process.env.TENDER_SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

const VIEWS = [
  { view: 'desktop', viewport: DESKTOP, locale: 'en-GB' },
  { view: 'phone', viewport: PHONE, locale: 'ar' },
  // Pictures are taken of every combination; for the rest two show as much as four.
  ...(pictures
    ? [
        { view: 'desktop', viewport: DESKTOP, locale: 'ar' },
        { view: 'phone', viewport: PHONE, locale: 'en-GB' },
      ]
    : []),
];

const BROKEN_IMAGES = '[...document.images].filter((one) => one.naturalWidth === 0).map((one) => one.src)';

/** Buttons that touch what stands above them. */
const CROWDED = `[...document.querySelectorAll('button, a.button')].filter((one) => {
  const above = one.previousElementSibling;
  if (!above || one.offsetParent === null || above.offsetParent === null) return false;
  const gap = one.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
  return gap > -1 && gap < 6;
}).map((one) => one.textContent)`;

/** What is wrong with a field, where it stands apart from what was said before about the same field. */
const APART = `[...document.querySelectorAll('.hint + .fault:not(:empty)')].filter((one) => {
  return one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom > 4.5;
}).map((one) => one.id)`;

/** The names of the order, when they are not in the middle although they take more than one line. */
const ASKEW = `[...document.querySelectorAll('.order-id')].map((one) => getComputedStyle(one).textAlign)
  .filter((one) => one !== 'center')`;

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

async function violations(page: Page, runOnly: (typeof RULES)['light']): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations: found } = await page.evaluate<{ violations: Violation[] }>(`axe.run(document, ${options})`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

/** As if it had just been opened: a page for each would cost more than all that is looked for on it. */
async function asNew(page: Page): Promise<void> {
  await page.unrouteAll();
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: 'light' });
}

function lookAtAll(browser: TestBrowser, pages: Record<string, () => Promise<Shown>>): void {
  const views: Page[] = [];

  beforeAll(async () => {
    for (const { view, viewport, locale } of VIEWS) {
      const page = await browser.page({ viewport, locale, isMobile: view === 'phone' });
      // On a busy machine the way back comes before the page was looked at: to a shop that shows nothing.
      await page.context().route('https://shop.example/**', (route) => route.fulfill({ status: 204 }));
      views.push(page);
    }
  });
  afterEach(() => expect(browser.complaints.splice(0)).toEqual([]));

  it.each(Object.keys(pages))('%s', async (name) => {
    const { address, withoutScript, first } = await (pages[name] as (typeof pages)[string])();
    for (const [index, { view, viewport, locale }] of VIEWS.entries()) {
      const page = views[index] as Page;
      await asNew(page);
      if (withoutScript)
        await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
      // The way back of the page before may come in between, once.
      await page.goto(address).catch(() => page.goto(address));
      await first?.(page);
      // What it waited for can be there before the style of the page it led to.
      await page.waitForLoadState();
      await page.evaluate(AXE);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const label = [name, view, colorScheme, locale.slice(0, 2)].join('-');
        if (pictures) await page.screenshot({ path: join(pictures, `${label}.png`), fullPage: true });
        expect(await violations(page, RULES[colorScheme]), label).toEqual([]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(viewport.width);
      expect(await page.evaluate(BROKEN_IMAGES), name).toEqual([]);
      expect(await page.evaluate(CROWDED), `${name} on a ${view}`).toEqual([]);
      expect(await page.evaluate(APART), `${name} on a ${view}`).toEqual([]);
      expect(await page.evaluate(ASKEW), name).toEqual([]);
    }
  });
}

describeInBrowser('every page', { acquirerTimeoutMs: 60_000, leaseMs: 90_000 }, (gateway, browser) =>
  lookAtAll(browser, everyPage(gateway)),
);

const bank = new ChallengingBank();

describeInBrowser('every page of a challenge', { terminals: [bank.terminal()] }, (gateway, browser) => {
  beforeAll(() => bank.open());
  afterAll(() => bank.close());
  lookAtAll(browser, challengePages(gateway));
});
