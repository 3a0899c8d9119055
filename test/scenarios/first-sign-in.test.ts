// Who signs in to a gateway first. A sandbox whose terminal a person sees makes its administrator by itself; every
// other gateway waits for the command that makes one.

import { beforeAll, expect, it } from 'vitest';
import { DEMO_ADMINISTRATOR, type FirstSignIn } from '../../src/processing/people/first-administrator.ts';
import { auditStore } from '../../src/storage/audit.ts';
import { DEMO_MERCHANT_ID, describeGateway } from '../harness.ts';
import { askBy, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';

const codeOf = ({ link }: FirstSignIn) => link?.split('#')[1] ?? '';

describeGateway('the first sign-in to a sandbox', {}, (gateway) => {
  const browser = () => new PersonBrowser(() => gateway.adminUrl);
  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return (await askBy(url, token, verb, given)).body.answer;
  };
  const opens = async (start: FirstSignIn) => (await browser().form('/first-sign-in', { code: codeOf(start) })).status;

  it('makes nobody where nobody sees its terminal', async () => {
    expect(await gateway.firstSignIn(false)).toEqual({ step: 'nobody', link: undefined });
    expect(await local('listPeople')).toEqual([]);
  });

  it('makes an administrator without a password, with a link that the next start replaces', async () => {
    const first = await gateway.firstSignIn(true);
    expect(first.step).toBe('add');
    expect(first.link).toMatch(/^http:\/\/localhost:\d+\/first-sign-in#[0-9a-f-]+$/);
    expect(await local('listPeople')).toMatchObject([
      { name: DEMO_ADMINISTRATOR, role: 'administrator', enabled: true, password: false, passkeys: 0 },
    ]);
    expect(await gateway.firstSignIn(false)).toEqual({ step: 'waiting', link: undefined });
    const second = await gateway.firstSignIn(true);
    expect(second.step).toBe('renew');
    expect(await opens(first)).toBe(403);
    expect(await opens(second)).toBe(303);
    expect(await opens(second)).toBe(403);
  });

  it('invites anew whoever used the link and chose nothing, and ends what they had open', async () => {
    const own = browser();
    await own.form('/first-sign-in', { code: codeOf(await gateway.firstSignIn(true)) });
    expect((await own.send('/account')).status).toBe(200);
    expect((await gateway.firstSignIn(true)).step).toBe('renew');
    expect((await own.send('/account')).headers.location).toBe('/sign-in?said=ended&to=%2Faccount');
  });

  it('keeps the link to the terminal: no log and no entry of the audit chain has it', async () => {
    const code = codeOf(await gateway.firstSignIn(true));
    expect(code).toMatch(/^[0-9a-f]{5}(-[0-9a-f]{5}){7}$/);
    const entries = await auditStore(gateway.database).list({ before: undefined, limit: 100 });
    const own = entries.filter(({ who }) => who === 'the start of the sandbox').map(({ action }) => action);
    expect([own.at(-1), own[0]]).toEqual(['addPerson', 'resetPerson']);
    expect(gateway.log.join('') + JSON.stringify(entries)).not.toContain(code.slice(0, 11));
  });

  it('lets the administrator work with a password alone, from the moment it is chosen', async () => {
    const own = browser();
    await own.form('/first-sign-in', { code: codeOf(await gateway.firstSignIn(true)) });
    expect((await own.send('/account')).text).toContain('Choose a password, or add a passkey.');
    expect((await own.verb('listMerchants')).status).toBe(403);
    expect((await own.form('/account/password', { chosen: PASSWORD })).status).toBe(303);
    expect((await own.verb('listMerchants')).status).toBe(200);
    const { text } = await own.send('/account');
    expect(text).toContain('What there is');
    expect(text).toContain(`href="${gateway.origin.replace('127.0.0.1', 'localhost')}/"`);
  });

  it('makes no link for an administrator who has a way in', async () => {
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'chosen', link: undefined });
    expect(await gateway.firstSignIn(false)).toEqual({ step: 'chosen', link: undefined });
  });

  it('says nothing once somebody was made by hand', async () => {
    await local('addPerson', { name: 'ann', role: 'administrator' });
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'others', link: undefined });
    await local('resetPerson', { name: DEMO_ADMINISTRATOR });
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'others', link: undefined });
  });
});

describeGateway('somebody called admin who was made by hand', {}, (gateway) => {
  it('keeps the link that was made for them', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    const given = { name: DEMO_ADMINISTRATOR, role: 'administrator' };
    const { code } = (await askBy(url, token, 'addPerson', given)).body.answer;
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'others', link: undefined });
    const own = new PersonBrowser(() => gateway.adminUrl);
    expect((await own.form('/first-sign-in', { code })).status).toBe(303);
  });
});

describeGateway('the first sign-in in production', {}, (gateway) => {
  beforeAll(async () => {
    // Everybody knows the demo merchant's key, so production does not start with it.
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
  });

  const ask = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return (await askBy(url, token, verb, given)).body.answer;
  };

  it('waits for the command that makes the first administrator', async () => {
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'nobody', link: undefined });
    expect(await ask('listPeople')).toEqual([]);
    const { code } = await ask('addPerson', { name: 'ann', role: 'administrator' });
    expect(await gateway.firstSignIn(true)).toEqual({ step: 'others', link: undefined });
    const own = new PersonBrowser(() => gateway.adminUrl);
    await own.form('/first-sign-in', { code });
    expect((await own.form('/account/password', { chosen: PASSWORD })).status).toBe(303);
    // A password is one factor: it lets nobody work.
    expect((await own.verb('listMerchants')).status).toBe(403);
    expect((await own.send('/account')).text).not.toContain('What there is');
  });

  it('shows a stranger nothing at its address', async () => {
    for (const path of ['/', '/paynet', '/paynet/']) {
      const reply = await fetch(gateway.origin + path);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 404, 'application/vnd.pay+json']);
      expect(await reply.text()).not.toMatch(/tender|version|html/i);
    }
  });
});
