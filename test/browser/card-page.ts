// What a payer does on the hosted form, as tests say it.

import type { Locator, Page } from 'playwright-core';
import { CARD } from '../harness.ts';

export type Typed = { number?: string; expiry?: string; cvv?: string; name?: string };

export const DECLINED: Typed = { cvv: '116' };

/** Fills a card in as browsers do that know it, and leaves the rest of the form alone. */
export async function fillIn(page: Page, card: Typed = {}): Promise<void> {
  await enter(page, card, (field, text) => field.fill(text));
}

/** Types a card as people do, key by key. */
export async function typeIn(page: Page, card: Typed = {}): Promise<void> {
  await enter(page, card, (field, text) => field.pressSequentially(text));
}

async function enter(
  page: Page,
  { number = CARD, expiry = '1231', cvv = '123', name = 'Ann Example' }: Typed,
  into: (field: Locator, text: string) => Promise<void>,
): Promise<void> {
  await into(page.locator('#credit_card_number'), number);
  if (await page.locator('#expiry').count()) {
    await into(page.locator('#expiry'), expiry);
    await into(page.locator('#cvv2'), cvv);
  }
  await page.locator('#card_printed_name').fill(name);
}

export async function pay(page: Page, typed: Typed = {}): Promise<void> {
  await fillIn(page, typed);
  await send(page);
}

export async function send(page: Page): Promise<void> {
  await page.locator('form[data-card-form] button[type=submit]').click();
}

export const heading = (page: Page) => page.locator('h1').first();

/** Once the page says this. */
export async function says(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: false }).first().waitFor();
}
