// The documentation as a browser, a program or a language model asks for it, in a sandbox and in production.

import { expect, it } from 'vitest';
import { DEMO, DEMO_MERCHANT_ID, describeGateway, MEDIA_TYPE } from '../harness.ts';

describeGateway('the documentation', {}, (gateway) => {
  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, gateway.origin), { redirect: 'manual', ...init });

  it('is at /docs, page by page, under a policy without anything inline', async () => {
    const short = await get('/docs');
    expect([short.status, short.headers.get('location')]).toEqual([301, '/docs/']);
    for (const path of ['', 'guides/sandbox', 'reference/operations/sale', 'reference/errors/20', 'search?q=sale']) {
      const page = await get(`/docs/${path}`);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; script-src/);
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('names the address at which it runs in what people copy', async () => {
    for (const path of ['guides/your-first-shop', 'guides/first-payment.md', 'examples/shop/start.mjs']) {
      const text = await (await get(`/docs/${path}`)).text();
      const { port } = new URL(gateway.origin);
      expect([path, text.includes(`:${port}/paynet`), text.includes(':8080/')]).toEqual([path, true, false]);
    }
  });

  it('gives the Markdown of every page, and a list of them to language models', async () => {
    const twin = await get('/docs/guides/sandbox.md');
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await twin.text()).toMatch(/^# The sandbox\n/);
    const list = await (await get('/llms.txt')).text();
    expect(list).toBe(await (await get('/docs/llms.txt')).text());
    const links = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(30);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  it('keeps what carries a digest in its name for ever, and lets pages be asked for again', async () => {
    const page = await get('/docs/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const [, asset = ''] = /href="\.\/(assets\/docs-[^"]+\.css)"/.exec(await page.text()) ?? [];
    expect((await get(`/docs/${asset}`)).headers.get('cache-control')).toContain('immutable');
  });

  it('says so on a page when something is not there, and serves nothing from beside its folder', async () => {
    const outside = ['..%2f..%2fpackage.json', '%2e%2e/tender.js', '../tender.js', 'assets/../../tender.js', '404'];
    for (const path of ['nothing', 'guides/none', 'index.html', ...outside]) {
      const reply = await get(`/docs/${path}`);
      const body = await reply.text();
      expect([path, reply.status]).toEqual([path, 404]);
      expect(body).not.toContain('Built from sources');
    }
    expect(await (await get('/docs/nothing')).text()).toContain('Nothing is here');
    expect((await get('/docs/', { method: 'POST' })).status).toBe(405);
  });

  it('is named by what a sandbox refuses', async () => {
    const { status, headers } = await gateway.demo.post('/api/v2/sale/101', {}, { headers: { Accept: MEDIA_TYPE } });
    expect([status, headers.link]).toEqual([400, '</docs/reference/errors/20>; rel="help"']);
    expect((await get('/docs/reference/errors/20')).status).toBe(200);
    expect((await gateway.demo.sale({})).headers.link).toBeUndefined();
  });

  it("tells whoever tries it the demo merchant's keys", async () => {
    const facts = (await (await get('/docs/sandbox.json')).json()) as Record<string, unknown>;
    expect(facts).toMatchObject({ basePath: '/paynet', login: DEMO.login, controlKey: DEMO.key });
    expect(facts.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('is served by production only when it is asked to, without a key and without a word in refusals', async () => {
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production', docs: undefined });
    for (const path of ['/docs', '/docs/', '/llms.txt', '/docs/sandbox.json']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    await gateway.restart({ mode: 'production', docs: 'on' });
    expect((await get('/docs/guides/sandbox')).status).toBe(200);
    expect(await (await get('/docs/sandbox.json')).text()).toBe('{}');
    const { status, headers } = await gateway.demo.post('/api/v2/sale/101', {}, { headers: { Accept: MEDIA_TYPE } });
    expect([status, headers.link]).toEqual([400, undefined]);
    await gateway.restart({ mode: 'sandbox', docs: 'off' });
    expect((await get('/docs/')).status).toBe(404);
    expect(await (await get('/')).text()).not.toContain('/docs');
  });
});
