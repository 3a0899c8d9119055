import { describe, expect, it } from 'vitest';
import { pageAt, pageWith } from './addresses.ts';
import { definePage } from './page.ts';

const shown = async () => ({ title: '', body: '' });
const page = (path: string, more: object = {}) => definePage({ path, needs: 'listOrders', show: shown, ...more });
const forms = { return: async () => ({ to: '/' }) };
const data = { figures: async () => ({}) };
const pages = [
  page('', { data }),
  page('orders', { data }),
  page('orders/new'),
  page('orders/:orderId', { forms }),
  page('merchants/:login/keys', { forms }),
];

const found = (one: ReturnType<typeof pageAt>) => one && [one.page.path, one.params, one.word];

describe('pageAt', () => {
  it.each([
    ['', ['', {}, undefined]],
    ['orders', ['orders', {}, undefined]],
    ['orders/new', ['orders/new', {}, undefined]],
    ['orders/17', ['orders/:orderId', { orderId: '17' }, undefined]],
    ['merchants/a%20b%2Fc/keys', ['merchants/:login/keys', { login: 'a b/c' }, undefined]],
    ['orders/', undefined],
    ['orders/17/return', undefined],
    ['merchants//keys', undefined],
    ['orders/%00', undefined],
    ['orders/%E0%A4%A', undefined],
    ['nothing', undefined],
    ['__proto__', undefined],
  ])('finds for %j %j', (path, expected) => {
    expect(found(pageAt(pages, path))).toEqual(expected);
  });
});

describe('pageWith', () => {
  it.each([
    ['orders/17/return', 'forms', ['orders/:orderId', { orderId: '17' }, 'return']],
    ['merchants/x/keys/return', 'forms', ['merchants/:login/keys', { login: 'x' }, 'return']],
    ['orders/17/toString', 'forms', undefined],
    ['orders/17/hasOwnProperty', 'forms', undefined],
    ['orders/17/other', 'forms', undefined],
    ['orders/return', 'forms', undefined],
    ['figures.json', 'data', ['', {}, 'figures']],
    ['orders/figures.json', 'data', ['orders', {}, 'figures']],
    ['orders/17/figures.json', 'data', undefined],
  ] as const)('finds for %j of %s %j', (path, kind, expected) => {
    expect(found(pageWith(pages, path, kind))).toEqual(expected);
  });
});
