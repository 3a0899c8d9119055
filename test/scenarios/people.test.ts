// People at the administrators' address: how they come in, what their role lets them do, and what the audit chain says
// of them afterwards.

import { beforeEach, expect, it } from 'vitest';
import { auditStore } from '../../src/storage/audit.ts';
import { DEMO_MERCHANT_ID, describeGateway, until } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describeGateway('people', {}, (gateway) => {
  let people = 0;
  const browser = () => new PersonBrowser(() => gateway.adminUrl);
  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return askBy(url, token, verb, given);
  };
  const newPerson = async (role: string) => {
    const name = `${role}-${++people}`;
    await hire(gateway, name, role);
    return name;
  };
  const signedIn = async (role: string) => {
    const [name, own] = [await newPerson(role), browser()];
    const reply = await own.signIn(name, PASSWORD);
    expect([reply.status, reply.headers.location]).toEqual([303, '/console']);
    return { name, own };
  };
  const lastAudit = async () => (await auditStore(gateway.database).list({ before: undefined, limit: 1 }))[0];

  beforeEach(() => gateway.query('delete from sign_in_failures'));

  it('there is nobody at first, and no password that everybody knows', async () => {
    expect((await local('listPeople')).body.answer).toEqual([]);
    for (const name of ['admin', 'root', 'administrator']) {
      expect((await browser().signIn(name, name)).status).toBe(403);
    }
    expect((await browser().send('/account')).headers.location).toBe('/sign-in');
  });

  it('the first administrator is made by the local command line, and chooses a password by a link that works once', async () => {
    const { answer } = (await local('addPerson', { name: 'first', role: 'administrator' })).body;
    expect(answer.link).toBe(`${gateway.adminUrl}/first-sign-in#${answer.code}`);
    const own = browser();
    expect((await own.form('/first-sign-in', { code: '0'.repeat(40) })).status).toBe(403);
    expect((await own.form('/first-sign-in', { code: answer.code.toUpperCase() })).status).toBe(303);
    expect((await own.verb('listMerchants')).status).toBe(403);
    const common = await own.form('/account/password', { chosen: 'Password1234' });
    expect([common.status, common.text.includes('one of the first that are tried')]).toEqual([422, true]);
    expect((await own.form('/account/password', { chosen: PASSWORD })).status).toBe(303);
    expect((await browser().form('/first-sign-in', { code: answer.code })).status).toBe(403);
    const anew = browser();
    await anew.signIn('first', PASSWORD);
    expect((await anew.verb('listMerchants')).status).toBe(200);
  });

  it('a link ends after a day', async () => {
    const { answer } = (await local('addPerson', { name: 'late', role: 'viewer' })).body;
    gateway.clock.advance(DAY_MS);
    expect((await browser().form('/first-sign-in', { code: answer.code })).status).toBe(403);
  });

  it.each([
    ['viewer', [200, 403, 403, 403, 403]],
    ['operator', [200, 403, 200, 403, 403]],
    ['administrator', [200, 200, 200, 200, 200]],
    ['auditor', [200, 200, 403, 403, 200]],
  ])('as %s may do what the role says, and is told who may do the rest', async (role, statuses) => {
    const { name, own } = await signedIn(role);
    const deeds: [string, object][] = [
      ['listMerchants', {}],
      ['listAudit', {}],
      ['addBlock', { everywhere: true, kind: 'email', value: `${name}@example.com` }],
      ['setMerchant', { login: 'demo', name: 'Demo merchant' }],
      ['listPeople', {}],
    ];
    const replies = [];
    for (const [verb, given] of deeds) replies.push(await own.verb(verb, given));
    expect(replies.map(({ status }) => status)).toEqual(statuses);
    const change = replies[3]?.body;
    if (role !== 'administrator') {
      const article = /^[ao]/.test(role) ? 'an' : 'a';
      expect(change).toEqual({ error: `this needs an administrator; ${name} is ${article} ${role}` });
    }
  });

  it('are named in the audit chain by what was checked, whatever they say of themselves', async () => {
    const { name, own } = await signedIn('administrator');
    const says = { 'tender-caller': 'somebody%20else' };
    await own.verb('setMerchant', { login: 'demo', name: 'One' }, { headers: says });
    expect((await lastAudit())?.who).toMatch(new RegExp(`^${name} by session [0-9a-f]{8}$`));
    const made = await local('addToken', { name, label: 't', role: 'administrator', until: inDays(1) });
    const { token, tokenId } = made.body.answer;
    await askBy(gateway.adminUrl, token, 'setMerchant', { login: 'demo', name: 'Two' }, says);
    expect((await lastAudit())?.who).toBe(`${name} by token ${tokenId}`);
    const { url, token: shared } = await localNote(gateway.dataFolder);
    await askBy(url, shared, 'setMerchant', { login: 'demo', name: 'Three' }, says);
    expect((await lastAudit())?.who).toMatch(/^local \S+ \(says: somebody else\)$/);
    await own.form('/account/sessions/end', {});
    expect(await lastAudit()).toMatchObject({ action: 'endSessions', subject: `person ${name}` });
    expect((await lastAudit())?.who).toMatch(new RegExp(`^${name} by session`));
  });

  it('that use the wrong password too often must wait, also those who do not exist, and are told the same', async () => {
    const name = await newPerson('viewer');
    const says = async (who: string, password = 'wrong wrong wrong') => {
      const { status, headers, text } = await browser().signIn(who, password);
      return { status, wait: headers['retry-after'], text: text.replaceAll(who, 'NAME') };
    };
    // On a busy machine passwords take longer to check than the wait is.
    await gateway.clock.standStillFor(async () => {
      for (let failures = 0; failures < 5; failures++) {
        const [known, unknown] = [await says(name), await says('nobody')];
        expect(known).toEqual(unknown);
        expect(known.status).toBe(403);
      }
      expect(await says(name, PASSWORD)).toMatchObject({ status: 429, wait: '5' });
      expect(await says('nobody')).toEqual(await says(name));
    });
    gateway.clock.advance(5_000);
    expect((await says(name, PASSWORD)).status).toBe(303);
    expect((await says(name)).status).toBe(403);
  });

  it('are locked out for half an hour after ten failures, until an administrator unlocks them', async () => {
    const name = await newPerson('viewer');
    for (let failures = 0; failures < 10; failures++) {
      expect((await browser().signIn(name, 'wrong wrong wrong')).status).toBe(403);
      gateway.clock.advance(2 * MINUTE_MS);
    }
    // The answer does not wait for the audit chain, so that its time tells no names.
    await until('the lock is told', async () => (await lastAudit())?.action === 'lockOut');
    expect(await lastAudit()).toMatchObject({ action: 'lockOut', subject: `person ${name}` });
    expect((await browser().signIn(name, PASSWORD)).status).toBe(429);
    expect((await local('showPerson', { name })).body.answer).toMatchObject({ locked: true });
    gateway.clock.advance(27 * MINUTE_MS);
    expect((await browser().signIn(name, PASSWORD)).status).toBe(429);
    expect((await local('unlockPerson', { name })).status).toBe(200);
    expect((await browser().signIn(name, PASSWORD)).status).toBe(303);
  });

  it('have sessions that end: without a request, after half a day, by signing out, and by an administrator', async () => {
    const { name, own } = await signedIn('viewer');
    gateway.clock.advance(14 * MINUTE_MS);
    expect((await own.verb('listMerchants')).status).toBe(200);
    gateway.clock.advance(15 * MINUTE_MS);
    expect(await own.verb('listMerchants')).toMatchObject({ status: 401, body: { error: 'sign in first' } });
    await own.signIn(name, PASSWORD);
    for (let minutes = 0; minutes < 12 * 60; minutes += 14) {
      expect((await own.verb('listMerchants')).status).toBe(200);
      gateway.clock.advance(14 * MINUTE_MS);
    }
    expect((await own.verb('listMerchants')).status).toBe(401);
    await own.signIn(name, PASSWORD);
    const { cookie } = own;
    expect((await own.form('/sign-out', {})).headers.location).toBe('/sign-in?said=signed-out');
    own.cookie = cookie;
    expect((await own.verb('listMerchants')).status).toBe(401);
    await own.signIn(name, PASSWORD);
    expect((await local('endSessions', { name })).body.answer).toEqual({ ended: 1 });
    expect((await own.verb('listMerchants')).status).toBe(401);
    await own.signIn(name, PASSWORD);
    await local('setPerson', { name, enabled: false });
    expect((await own.verb('listMerchants')).status).toBe(401);
    expect((await own.signIn(name, PASSWORD)).status).toBe(403);
  });

  it('get a new session at every sign-in, and none that somebody else has chosen', async () => {
    const { name, own } = await signedIn('viewer');
    const first = own.cookie;
    await own.signIn(name, PASSWORD);
    expect(own.cookie).not.toBe(first);
    const old = browser();
    old.cookie = first;
    expect((await old.verb('listMerchants')).status).toBe(401);
    const victim = browser();
    victim.cookie = 'tender-person=chosen-by-a-stranger';
    await victim.signIn(name, PASSWORD);
    expect(victim.cookie).not.toContain('chosen-by-a-stranger');
    expect(await gateway.query('select 1 from person_sessions where octet_length(digest) <> 32')).toEqual([]);
  });

  it('cannot be made to act by a page of somebody else', async () => {
    const { name, own } = await signedIn('administrator');
    const foreign: Record<string, string | undefined>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: undefined },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'tender-page': undefined },
    ];
    for (const headers of foreign) {
      expect((await own.verb('setMerchant', { login: 'demo', name: 'Forged' }, { headers })).status).toBe(403);
    }
    expect((await own.verb('showMerchant', { login: 'demo' })).body.answer.name).not.toBe('Forged');
    const elsewhere = { headers: { origin: 'https://evil.example' } };
    expect((await own.form('/account/sessions/end', {}, elsewhere)).status).toBe(403);
    expect((await own.form('/account/password', { mark: 'guessed', chosen: 'x' })).status).toBe(403);
    expect((await own.form('/sign-out', {}, elsewhere)).status).toBe(403);
    expect((await browser().form('/sign-in', { name, password: PASSWORD }, elsewhere)).status).toBe(403);
    expect((await own.verb('listMerchants')).status).toBe(200);
  });

  it('have a cookie that scripts and other sites do not get, and that is for https alone where that is used', async () => {
    const { name } = await signedIn('viewer');
    const cookieOf = async (own: PersonBrowser) => (await own.signIn(name, PASSWORD)).headers['set-cookie']?.[0];
    expect(await cookieOf(browser())).toMatch(
      /^tender-person=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    await gateway.restart({ adminUrl: 'https://admin.example' });
    const port = (await localNote(gateway.dataFolder)).url.split(':')[2];
    const own = new PersonBrowser(() => `http://localhost:${port}`);
    const form = new URLSearchParams({ name, password: PASSWORD }).toString();
    const headers = { origin: 'https://admin.example', 'content-type': 'application/x-www-form-urlencoded' };
    const { headers: answered } = await own.send('/sign-in', { method: 'POST', headers, body: form });
    expect(answered['set-cookie']?.[0]).toMatch(
      /^__Host-tender-person=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    await gateway.restart();
  });

  it('with an authenticator app need its code, each of them once', async () => {
    const { name, own } = await signedIn('viewer');
    // On a busy machine the app would show its next code meanwhile.
    const shows = await gateway.clock.standStillFor(async () => {
      const shows = await own.addApp(() => gateway.clock.now());
      expect((await browser().signIn(name, PASSWORD)).status).toBe(403);
      expect((await browser().signIn(name, PASSWORD, shows())).status).toBe(403);
      return shows;
    });
    gateway.clock.advance(MINUTE_MS);
    const code = shows();
    expect((await browser().signIn(name, 'wrong wrong wrong', code)).status).toBe(403);
    expect((await browser().signIn(name, PASSWORD, code)).status).toBe(303);
    expect((await browser().signIn(name, PASSWORD, code)).status).toBe(403);
    const [row] = await gateway.query(
      `select encode(totp_sealed, 'escape') as sealed from people where name = '${name}'`,
    );
    expect(String(row?.sealed)).not.toMatch(/[A-Z2-7]{32}/);
    gateway.clock.advance(MINUTE_MS);
    expect((await local('rotateDataKey')).status).toBe(200);
    expect((await browser().signIn(name, PASSWORD, shows())).status).toBe(303);
  });

  it('make tokens that end, can be revoked, and are for what they say', async () => {
    const { name, own } = await signedIn('operator');
    const page = await own.form('/account/tokens/add', { 'token-label': 'nightly', role: 'viewer', days: '30' });
    const token = /<code>(tnd_[0-9a-f]{8}_[\w-]+)<\/code>/.exec(page.text)?.[1] ?? '';
    const ask = (verb: string, given: object = {}, by = token) => askBy(gateway.adminUrl, by, verb, given);
    expect((await ask('listMerchants')).status).toBe(200);
    const block = { everywhere: true, kind: 'email', value: 'token@example.com' };
    expect(await ask('addBlock', block)).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/not meant for this verb/) },
    });
    const another = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    expect((await ask('listMerchants', {}, another)).status).toBe(401);
    const [row] = await gateway.query(`select * from person_tokens where person = '${name}'`);
    expect(JSON.stringify(row)).not.toContain(token.slice(20));
    gateway.clock.advance(30 * DAY_MS);
    expect((await ask('listMerchants')).status).toBe(401);

    const given = { name, label: 'blocks', verbs: ['addBlock'], until: inDays(31) };
    const made = (await local('addToken', given)).body.answer;
    expect((await ask('addBlock', block, made.token)).status).toBe(200);
    expect((await ask('listMerchants', {}, made.token)).status).toBe(403);
    await local('setPerson', { name, role: 'viewer' });
    expect((await ask('addBlock', block, made.token)).status).toBe(403);
    await local('setPerson', { name, role: 'operator' });
    expect((await local('revokeToken', { tokenId: made.tokenId })).status).toBe(200);
    expect((await ask('addBlock', block, made.token)).status).toBe(401);
  });

  it('cannot get more by a token: neither for ever, nor for others, nor to make people', async () => {
    const { name, own } = await signedIn('administrator');
    const wanted = { name, label: 'x', role: 'administrator' };
    const faults = async (given: object) => (await own.verb('addToken', { ...wanted, ...given })).body;
    expect(await faults({})).toMatchObject({ error: expect.stringContaining('until is missing') });
    expect(await faults({ until: inDays(400) })).toEqual({ error: 'a token ends within a year' });
    expect(await faults({ until: inDays(-1) })).toEqual({ error: 'a token must end in the future' });
    expect(await faults({ until: inDays(1), name: 'first' })).toMatchObject({
      error: expect.stringMatching(/made by its owner/),
    });
    expect(await faults({ until: inDays(1), role: undefined, verbs: ['noVerb'] })).toMatchObject({
      error: expect.stringMatching(/no verb/),
    });
    const { token } = (await own.verb('addToken', { ...wanted, until: inDays(1) })).body.answer;
    for (const verb of ['addPerson', 'setPerson', 'resetPerson', 'addToken']) {
      const reply = await askBy(gateway.adminUrl, token, verb, { name: 'eve', role: 'administrator' });
      expect(reply).toMatchObject({ status: 403, body: { error: expect.stringMatching(/somebody who signed in/) } });
    }
    await local('setPerson', { name, enabled: false });
    expect((await askBy(gateway.adminUrl, token, 'listMerchants')).status).toBe(401);
  });

  it('lose every way in by a reset, and get a new link', async () => {
    const { name, own } = await signedIn('viewer');
    await own.addApp(() => gateway.clock.now());
    const until = inDays(1);
    const { token } = (await local('addToken', { name, label: 'x', role: 'viewer', until })).body.answer;
    const { answer } = (await local('resetPerson', { name })).body;
    expect((await own.verb('listMerchants')).status).toBe(401);
    expect((await askBy(gateway.adminUrl, token, 'listMerchants')).status).toBe(401);
    expect((await browser().signIn(name, PASSWORD)).status).toBe(403);
    expect((await browser().form('/first-sign-in', { code: answer.code })).status).toBe(303);
  });

  it('are counted when they sign in, and when they cannot', async () => {
    const name = await newPerson('viewer');
    await browser().signIn(name, PASSWORD);
    await browser().signIn(name, 'wrong wrong wrong');
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(metrics).toMatch(/tender_sign_ins_total\{outcome="signed in"\} [1-9]/);
    expect(metrics).toMatch(/tender_sign_ins_total\{outcome="refused"\} [1-9]/);
  });

  it('elsewhere cannot use the token of the local command line, not even with it in hand', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    const { port } = new URL(url);
    const ask = (headers: Record<string, string>) =>
      askBy(`http://127.0.0.1:${port}`, token, 'listMerchants', {}, headers);
    expect((await ask({})).status).toBe(200);
    expect((await ask({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(401);
    expect((await ask({ host: 'evil.example' })).status).toBe(401);
    await gateway.restart({ adminHost: '0.0.0.0' });
    const note = await localNote(gateway.dataFolder);
    expect((await askBy(note.url, note.token, 'listMerchants')).status).toBe(200);
    expect((await askBy(gateway.adminUrl, note.token, 'listMerchants', {}, { host: 'localhost' })).status).toBe(401);
    expect(new URL(note.url).port).not.toBe(new URL(gateway.adminUrl).port);
    await gateway.restart();
  });

  it('in production work with two factors only', async () => {
    const { name, own } = await signedIn('administrator');
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    expect((await own.signIn(name, PASSWORD)).status).toBe(303);
    const before = own.cookie;
    expect(await own.verb('listMerchants')).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/passkey or an authenticator/) },
    });
    expect((await own.form('/account/tokens/add', { 'token-label': 'x', role: 'viewer', days: '30' })).status).toBe(
      403,
    );
    const shows = await own.addApp(() => gateway.clock.now());
    expect(own.cookie).not.toBe(before);
    expect((await own.verb('listMerchants')).status).toBe(200);
    gateway.clock.advance(MINUTE_MS);
    const anew = browser();
    expect((await anew.signIn(name, PASSWORD)).status).toBe(403);
    await anew.signIn(name, PASSWORD, shows());
    expect((await anew.verb('listMerchants')).status).toBe(200);
  });

  function inDays(days: number): string {
    return new Date(gateway.clock.now() + days * DAY_MS).toISOString();
  }
});

// As dear as in production, so that the work is most of what is measured.
describeGateway('people with dear passwords', { passwords: 'dear' }, (gateway) => {
  it('that do not exist cost as much time as those who do', async () => {
    await hire(gateway, 'known', 'viewer');
    const took = async (who: string) => {
      await gateway.query('delete from sign_in_failures');
      const start = performance.now();
      await new PersonBrowser(() => gateway.adminUrl).signIn(who, 'wrong wrong wrong');
      return performance.now() - start;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      known.push(await took('known'));
      unknown.push(await took('nobody-at-all'));
    }
    // A name that is answered without any work would take a hundredth of the time.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
  });
});
