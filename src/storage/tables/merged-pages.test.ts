import { expect, it } from 'vitest';
import { mergedPages, type WalkedPage } from './merged-pages.ts';

const merged = (limit: number, ...pages: WalkedPage<number, number>[]) =>
  mergedPages(pages, { keyValues: (key) => [key], keyOf: (row) => row, limit });

it('has the newest rows of all, as many as fit', () => {
  const whole = { found: [9, 5, 1], next: undefined };
  const other = { found: [8, 6], next: undefined };
  expect(merged(10, whole, other)).toEqual({ found: [9, 8, 6, 5, 1], next: undefined });
  expect(merged(3, whole, other)).toEqual({ found: [9, 8, 6], next: 6 });
});

it('ends where a list was cut off: rows of that list may lie behind', () => {
  const cut = { found: [9], next: 7 };
  expect(merged(10, cut, { found: [8, 7, 2], next: undefined })).toEqual({ found: [9, 8, 7], next: 7 });
  expect(merged(10, cut, { found: [8], next: 3 })).toEqual({ found: [9, 8], next: 7 });
});

it('says nothing of more where nothing is', () => {
  expect(merged(1)).toEqual({ found: [], next: undefined });
});
