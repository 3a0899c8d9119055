// What tests of people's pages and of the console share: signing in, and whether a page looks well.

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../scenarios/person-browser.ts';
import { DESKTOP } from './chromium.ts';

export const TABLET = { width: 820, height: 1180 };

/** In the dark only colours differ, and on a narrow screen only the layout: two show as much as four. */
const VIEWS = [
  { colorScheme: 'dark', size: TABLET },
  { colorScheme: 'light', size: DESKTOP },
] as const;

/** Lists whose numbers and dots stand outside of them. */
const CRAMPED_LISTS = `[...document.querySelectorAll('main ol, main ul')].filter((one) => {
  const { listStyleType, paddingInlineStart } = getComputedStyle(one);
  return listStyleType !== 'none' && Number.parseFloat(paddingInlineStart) < 16;
}).map((one) => one.className || one.tagName)`;

/** Signs in as somebody who was hired, and waits for the first page of the console. */
export async function signIn(page: Page, adminUrl: string, name: string): Promise<Page> {
  await page.goto(`${adminUrl}/sign-in`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return page;
}

/**
 * Nothing is wider than the screen, and nothing keeps people with disabilities out, light or dark. With
 * TENDER_SCREENSHOTS a picture of each is kept. The page is a light one of a desktop afterwards.
 */
export async function looksWell(page: Page, name: string, sizes: readonly (typeof VIEWS)[number]['size'][] = []) {
  const folder = process.env.TENDER_SCREENSHOTS;
  await page.evaluate(axe.source);
  expect([name, await page.evaluate(CRAMPED_LISTS)]).toEqual([name, []]);
  for (const { colorScheme, size } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    for (const one of [...sizes, size]) {
      await page.setViewportSize(one);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([name, one.width, width <= one.width]).toEqual([name, one.width, true]);
      const path = `${folder}/${name}-${one.width}-${colorScheme}.png`;
      if (folder !== undefined) await page.screenshot({ path, fullPage: true });
    }
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
    expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  }
}
