// The attack: a NUL character in what anybody can send to the pages on which people sign in, and in the forms of an
// account. No database takes it, so a page that let it pass would break; fuzzing found it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';
import { hire, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';

const NUL = 'a\0b';

describeGateway('a NUL character on the pages of people', {}, (gateway) => {
  let ann: PersonBrowser;

  beforeAll(async () => {
    await hire(gateway, 'ann', 'administrator');
    ann = new PersonBrowser(() => gateway.adminUrl);
    await ann.signIn('ann', PASSWORD);
  });

  afterAll(() => {
    expect(gateway.log.filter((line) => line.includes('a page broke'))).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['/sign-in', { name: NUL, password: PASSWORD, code: '' }],
    ['/sign-in', { name: 'ann', password: NUL, code: '' }],
    ['/sign-in', { name: 'ann', password: PASSWORD, code: NUL }],
    ['/first-sign-in', { code: NUL }],
  ])('at %s is refused as anything wrong is: %o', async (path, fields) => {
    const stranger = new PersonBrowser(() => gateway.adminUrl);
    const { status } = await stranger.form(path, fields);
    expect(status).toBeLessThan(500);
    expect(stranger.cookie === undefined || fields.name === 'ann').toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['password', { chosen: `${PASSWORD}${NUL}`, current: NUL }],
    ['app/confirm', { code: NUL }],
    ['passkeys/remove', { passkey: NUL }],
    ['tokens/add', { label: NUL, days: NUL, role: NUL }],
    ['tokens/revoke', { token: NUL }],
  ])('in the form %s of an account breaks nothing', async (action, fields) => {
    expect((await ann.form(`/account/${action}`, fields)).status).toBeLessThan(500);
  });

  it.each(['/sign-in/passkey', '/account/passkeys/add'])('in the JSON for %s breaks nothing', async (path) => {
    const answer = { id: NUL, rawId: NUL, type: 'public-key', response: { clientDataJSON: NUL } };
    const headers = { origin: gateway.adminUrl, 'content-type': 'application/json', 'tender-page': '1' };
    const body = JSON.stringify({ mark: await ann.mark(), label: NUL, answer });
    expect((await ann.send(path, { method: 'POST', headers, body })).status).toBeLessThan(500);
  });
});
