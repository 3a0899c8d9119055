// The console's frame: who may come in, what the menu offers them, whose forms are taken, and what is told of what was
// refused. The pages have tests of their own.

import { expect, it } from 'vitest';
import { allPages } from '../../src/console/pages.ts';
import { describeGateway } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';

describeGateway('the console', {}, (gateway) => {
  let people = 0;
  const browser = () => new PersonBrowser(() => gateway.adminUrl);
  const signedIn = async (role: string, login?: string) => {
    const [name, own] = [`${role}-${++people}`, browser()];
    await hire(gateway, name, role, login);
    await own.signIn(name, PASSWORD);
    return own;
  };
  const menuOf = (text: string) =>
    [...text.matchAll(/<li><a href="\/console([^"]*)"/g)].map(([, path = '']) => path.replace('/', ''));
  const formPage = allPages.find(({ forms }) => forms !== undefined);

  it('lets nobody in who has not signed in, or has shown too little', async () => {
    for (const path of ['/console', '/console/orders', '/console/no-such-page', '/console/figures.json']) {
      expect(await browser().send(path), path).toMatchObject({ status: 303, headers: { location: '/sign-in' } });
    }
    const { url, token } = await localNote(gateway.dataFolder);
    const { body } = await askBy(url, token, 'addPerson', { name: 'fresh', role: 'administrator' });
    const own = browser();
    await own.form('/first-sign-in', { code: body.answer.code });
    expect(await own.send('/console')).toMatchObject({ status: 303, headers: { location: '/account' } });
  });

  it('is the first page, and says who is here', async () => {
    const own = await signedIn('viewer');
    expect(await own.send('/')).toMatchObject({ status: 303, headers: { location: '/console' } });
    const { status, text, headers } = await own.send('/console');
    expect(status).toBe(200);
    expect(text).toContain(`<strong>viewer-${people}</strong> · viewer`);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
  });

  it('loads at most 100 KB of script on any page', async () => {
    const own = await signedIn('administrator');
    const loaded = new Set<string>();
    for (const { path } of allPages.filter(({ menu }) => menu !== undefined)) {
      const { text } = await own.send(`/console/${path}`);
      for (const [, source = ''] of text.matchAll(/<script[^>]* src="([^"]+)"/g)) loaded.add(source);
    }
    const sizes = await Promise.all(
      [...loaded].map(async (source) => {
        const served = await fetch(new URL(source, gateway.adminUrl));
        expect([source, served.status]).toEqual([source, 200]);
        return (await served.arrayBuffer()).byteLength;
      }),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(100 * 1024);
  });

  it('offers in its menu what its reader may see, and nothing else opens for them', async () => {
    for (const [role, login] of [
      ['viewer'],
      ['operator'],
      ['administrator'],
      ['auditor'],
      ['viewer', 'demo'],
    ] as const) {
      const own = await signedIn(role, login);
      const offered = menuOf((await own.send('/console')).text);
      for (const { path, menu } of allPages.filter((page) => page.menu !== undefined)) {
        const { status } = await own.send(`/console/${path}`);
        expect([role, login, path, menu?.name, status]).toEqual([
          role,
          login,
          path,
          menu?.name,
          offered.includes(path) ? 200 : 403,
        ]);
      }
    }
  });

  it('says that there is nothing where there is nothing', async () => {
    const own = await signedIn('administrator');
    for (const path of ['no-such-page', 'orders//', '__proto__', '%00', '%E0%A4%A', 'x.json']) {
      expect((await own.send(`/console/${path}`)).status, path).toBe(404);
    }
    expect((await own.form('/console/no-such-form', {})).status).toBe(404);
  });

  it('takes forms of its own pages only, with the mark of the session', async () => {
    const own = await signedIn('administrator');
    const path = `/console/${formPage?.path.replace(/:\w+/g, '1')}/${Object.keys(formPage?.forms ?? {})[0]}`;
    const refused = await own.form(path, { mark: 'guessed' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('This form is too old');
    const elsewhere = { headers: { origin: 'https://evil.example' } };
    const foreign = await own.form(path, {}, elsewhere);
    expect(foreign.status).toBe(403);
    expect(foreign.text).not.toContain('class="console"');
  });

  it('repeats no text of an address', async () => {
    const own = await signedIn('viewer');
    const { text } = await own.send('/console?said=%3Cscript%3Eyou-were-paid');
    expect(text).not.toContain('you-were-paid');
    expect((await own.send('/console?said=__proto__')).status).toBe(200);
  });

  it('lets a session end that only its open pages use, and not its reader', async () => {
    const own = await signedIn('viewer');
    const byItself = { 'tender-live': '1' };
    const after = async (minutes: number, headers = {}) => {
      gateway.clock.advance(minutes * 60_000);
      return (await own.send('/console', { headers })).status;
    };
    expect([await after(10), await after(10), await after(10)]).toEqual([200, 200, 200]);
    const origin = { origin: gateway.adminUrl, 'content-type': 'application/x-www-form-urlencoded' };
    gateway.clock.advance(10 * 60_000);
    await own.send('/console/no-such-form', { method: 'POST', headers: { ...origin, ...byItself }, body: 'mark=x' });
    expect([await after(7, byItself), await after(7, byItself), await after(2, byItself)]).toEqual([200, 200, 303]);
    expect(await own.send('/console')).toMatchObject({ status: 303, headers: { location: '/sign-in?said=unused' } });
  });

  it('tells whoever was signed in why they are not any more, and leads back to the page they asked for', async () => {
    const own = await signedIn('viewer');
    const name = `viewer-${people}`;
    const askFor = async (path: string) => (await own.send(path)).headers.location ?? '';
    const signInFrom = async (location: string) => {
      const { text } = await own.send(location);
      const [, to = ''] = /name="to" value="([^"]*)"/.exec(text) ?? [];
      const reply = await own.form('/sign-in', { name, password: PASSWORD, to: to.replaceAll('&amp;', '&') });
      return { text, to: reply.headers.location };
    };

    const page = '/console/orders?status=declined&currency=EUR';
    gateway.clock.advance(15 * 60_000);
    // A page that looks by itself hears of it first.
    await own.send(page, { headers: { 'tender-live': '1' } });
    const unused = await signInFrom(await askFor(page));
    expect([unused.text.includes('because nothing was done for 15 minutes'), unused.to]).toEqual([true, page]);

    for (let minutes = 0; minutes < 12 * 60; minutes += 14) {
      expect((await own.send('/console')).status).toBe(200);
      gateway.clock.advance(14 * 60_000);
    }
    const old = await signInFrom(await askFor('/console/requests'));
    expect([old.text.includes('because you signed in 12 hours ago'), old.to]).toEqual([true, '/console/requests']);

    const elsewhere = browser();
    await elsewhere.signIn(name, PASSWORD);
    await elsewhere.form('/account/sessions/end', {});
    const ended = await signInFrom(await askFor('/account'));
    expect([ended.text.includes('Your session was ended'), ended.to]).toEqual([true, '/account']);

    await elsewhere.signIn(name, PASSWORD);
    await elsewhere.form('/account/password', { current: PASSWORD, chosen: `${PASSWORD} anew` });
    expect(await askFor('/console/orders')).toBe('/sign-in?said=ended&to=%2Fconsole%2Forders');
    expect(await own.form('/sign-in', { name, password: PASSWORD, to: '/console/orders' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('name="to" value="/console/orders"'),
    });
  });

  it('says that nothing was done of what came too late, and leads to the page it was sent from', async () => {
    const own = await signedIn('operator');
    gateway.clock.advance(15 * 60_000);
    const { headers } = await own.form('/console/orders/7/replay', { callbackId: '7-1-server' });
    expect(headers.location).toBe('/sign-in?said=unused&lost=1&to=%2Fconsole%2Forders%2F7');
    expect((await own.send(headers.location ?? '')).text).toContain('What you sent last was not done.');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/sign-out', '/console/../sign-out'])(
    'goes on to none but its own pages: %s',
    async (to) => {
      const own = await signedIn('viewer');
      expect((await own.send(`/sign-in?${new URLSearchParams({ to })}`)).text).not.toContain('name="to"');
      const { headers } = await own.form('/sign-in', { name: `viewer-${people}`, password: PASSWORD, to });
      expect(headers.location).toBe('/console');
    },
  );
});
