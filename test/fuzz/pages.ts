// What browsers, card networks and banks reach: pages of orders that exist, with their forms filled in as a payer would
// and then spoilt, and what somebody might make of their addresses.

import { encode, FORM } from '../harness.ts';
import { card } from '../scenarios/form-payer.ts';
import { SCREEN } from '../scenarios/payer.ts';
import type { World } from './good-requests.ts';
import { hostileValue } from './hostile-values.ts';
import { type FuzzRequest, someOf } from './requests.ts';

const PAGES = [
  '/pay/',
  '/view-receipt/101/',
  '/3ds/',
  '/3ds/method/',
  '/3ds/results',
  '/challenge/',
  '/bank/demo-bank',
  '/bank/x',
  '/assets/pages.css',
  '/assets/',
  '/demo',
  '/demo/buy',
  '/',
  '',
];
const ROOT_PAGES = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/postman.json',
  '/demo',
  '/favicon.ico',
  '/robots.txt',
  '/',
];

const HTML = { accept: 'text/html', 'content-type': FORM };
const SPOILT_SHARE = 0.5;

/** A page of an order, as its payer would open it; mostly with a form that is sent. */
export function pageRequest(world: World, base: string): FuzzRequest {
  const { chance, known } = world;
  if (chance.happens(0.3) || known.pages.length === 0) return strangePage(world, base);
  const form = known.forms.length > 0 && chance.happens(0.5) ? chance.oneOf(known.forms) : undefined;
  if (!form) {
    const path = chance.oneOf(known.pages) + (chance.happens(0.2) ? '/state' : '');
    return { label: 'page', method: 'GET', path, headers: HTML, body: '' };
  }
  const fields: Record<string, string> = { ...form.hidden, ...(form.path.includes('/3ds/') ? SCREEN : card) };
  if (chance.happens(SPOILT_SHARE)) {
    for (const name of someOf(chance, Object.keys(fields))) fields[name] = hostileValue(chance, fields[name] ?? '');
  }
  return { label: 'form', method: 'POST', path: form.path, headers: HTML, body: encode(fields) };
}

/** What nobody was sent to. */
function strangePage({ chance, known }: World, base: string): FuzzRequest {
  const basePath = new URL(base).pathname;
  const order = known.orders.sale[0]?.orderId ?? '1';
  const start = chance.happens(0.85) ? basePath + chance.oneOf(PAGES) : chance.oneOf(ROOT_PAGES);
  const tail = chance.happens(0.6) ? encodeURIComponent(hostileValue(chance, order)) : '';
  const query = chance.happens(0.3) ? `?${encode({ [hostileValue(chance, 'q')]: hostileValue(chance, 'x') })}` : '';
  const method = chance.oneOf(['GET', 'GET', 'POST', 'HEAD', 'DELETE']);
  const body = method === 'POST' ? encode({ creq: hostileValue(chance, 'x'), cres: hostileValue(chance, 'e30') }) : '';
  const type = chance.oneOf([FORM, 'application/json', 'text/plain', 'multipart/form-data; boundary=x']);
  return { label: 'strange page', method, path: start + tail + query, headers: { 'content-type': type }, body };
}
