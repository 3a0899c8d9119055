// Books, audit chain, people, vault and sandbox in the console: what each role and a merchant's people see and do
// there, runs that go on by themselves, and texts that stay texts.

import { expect, it } from 'vitest';
import { describeGateway, until } from '../harness.ts';
import { hire, PASSWORD, PersonBrowser } from './person-browser.ts';

const PAGES = [
  'books',
  'books/verify',
  'books/reconcile',
  'books/settlement',
  'audit',
  'people',
  'vault',
  'sandbox',
  'sandbox/bank',
  'sandbox/networks',
];

describeGateway('books, people and sandbox in the console', {}, (gateway) => {
  const open = async (role: string, login?: string) => {
    const name = login === undefined ? role : `${login}-${role}`;
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
    return { name, browser, page: async (path: string) => (await browser.send(`/console/${path}`)).text };
  };
  // Passwords are slow on purpose: whoever has signed in stays.
  const known = new Map<string, ReturnType<typeof open>>();
  const signedIn = (role: string, login?: string) => {
    const key = `${role} ${login}`;
    const person = known.get(key) ?? open(role, login);
    known.set(key, person);
    return person;
  };
  const statuses = async (browser: PersonBrowser) => {
    const all = [];
    for (const path of PAGES) all.push((await browser.send(`/console/${path}`)).status);
    return all;
  };
  /** The page once its last run has ended. */
  const afterRun = async ({ page }: { page: (path: string) => Promise<string> }, path: string) => {
    let text = '';
    await until('the run has ended', async () => {
      text = await page(path);
      return !text.includes('<progress');
    });
    return text;
  };

  it.each([
    ['viewer', [200, 200, 200, 200, 403, 403, 200, 200, 200, 200]],
    ['operator', [200, 200, 200, 200, 403, 403, 200, 200, 200, 200]],
    ['administrator', [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]],
    ['auditor', [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]],
  ])('as %s sees the pages of the role', async (role, expected) => {
    const { browser } = await signedIn(role);
    expect(await statuses(browser)).toEqual(expected);
  });

  it("a merchant's administrator sees their own people and none of the gateway's pages", async () => {
    const { browser, name, page } = await signedIn('administrator', 'demo');
    const other = await signedIn('viewer');
    // Balances, of their own merchant, and people.
    expect(await statuses(browser)).toEqual([200, 403, 403, 403, 403, 200, 403, 403, 403, 403]);
    const text = await page('people');
    const isListed = (one: string) => text.includes(`/console/people/${one}"`);
    expect([isListed(name), isListed(other.name), text.includes('name="login"')]).toEqual([true, false, false]);
    expect((await browser.send(`/console/people/${other.name}`)).status).toBe(422);
    for (const form of ['disable', 'reset', 'unlock', 'end-sessions', 'role']) {
      expect((await browser.form(`/console/people/${other.name}/${form}`, { role: 'viewer' })).status).toBe(422);
    }
    for (const form of ['books/verify/begin', 'books/settlement/clear', 'sandbox/make', 'sandbox/bank/none']) {
      expect((await browser.form(`/console/${form}`, {})).status).toBe(403);
    }
    expect((await other.browser.send('/console')).status).toBe(200);
    const added = await browser.form('/console/people/add', { name: 'own-clerk', role: 'viewer', login: 'seed-1' });
    expect(added.status).toBe(422);
    expect((await browser.form('/console/people/add', { name: 'own-clerk', role: 'viewer' })).status).toBe(200);
    expect(await page('people/own-clerk')).toContain('demo');
  });

  it('verification runs by itself, is found by whoever looks later, and tells the audit chain', async () => {
    await gateway.demo.saleUntilFinal();
    const operator = await signedIn('operator');
    const viewer = await signedIn('viewer');
    expect((await viewer.browser.form('/console/books/verify/begin', {})).status).toBe(403);
    expect(await viewer.page('books/verify')).not.toContain('Verify everything');
    const begun = await operator.browser.form('/console/books/verify/begin', {});
    expect([begun.status, begun.headers.location]).toEqual([303, '/console/books/verify?said=begun']);
    const text = await afterRun(viewer, 'books/verify');
    expect(text).toContain('Everything is as it must be: ');
    expect(text).toContain('by operator');
    const { page } = await signedIn('auditor');
    let audit = '';
    await until('the audit chain tells the end of the run', async () => {
      audit = await page('audit?action=endRun');
      return audit.includes('Everything is as it must be');
    });
    expect(audit).toContain('endRun');
  });

  it('names the orders that differ, with a way to them', async () => {
    const operator = await signedIn('operator');
    const { 'paynet-order-id': orderId } = await gateway.demo.saleUntilFinal();
    await gateway.query(`update orders set captured = captured - 1 where order_id = ${orderId}`);
    await operator.browser.form('/console/books/verify/begin', {});
    const text = await afterRun(operator, 'books/verify');
    await gateway.query(`update orders set captured = captured + 1 where order_id = ${orderId}`);
    expect(text).toContain(`href="/console/orders/${orderId}"`);
    expect(text).toContain('something differs');
  });

  it('reconciles with the books of the bank, and with what it cleared for a day', async () => {
    await gateway.demo.saleUntilFinal();
    const operator = await signedIn('operator');
    await operator.browser.form('/console/books/reconcile/begin', {});
    expect(await afterRun(operator, 'books/reconcile')).toContain('Nothing differs: ');
    const cleared = await operator.browser.form('/console/books/settlement/clear', {});
    const [, date = ''] = /date=([\d-]+)/.exec(cleared.headers.location ?? '') ?? [];
    expect(await operator.page(`books/settlement?date=${date}`)).toContain('Compare with ours');
    const csv = await operator.browser.send(`/console/books/settlement?date=${date}&as=csv`);
    expect([csv.headers['content-type'], csv.text.split('\r\n')[0]]).toEqual([
      'text/csv; charset=utf-8',
      'reference,kind,original,amount,currency,cleared_at',
    ]);
    await operator.browser.form('/console/books/settlement/begin', { date });
    expect(await afterRun(operator, `books/settlement?date=${date}`)).toContain('Nothing differs: ');
    expect((await operator.browser.form('/console/books/settlement/begin', { date: 'soon' })).status).toBe(422);
    expect((await operator.browser.send('/console/books/settlement?date=soon')).status).toBe(422);
  });

  it('the audit chain is checked by an auditor, also against a head that was kept', async () => {
    const auditor = await signedIn('auditor');
    const text = await auditor.page('audit');
    const [, head = ''] = /(\d+:[0-9a-f]{64})/.exec(text) ?? [];
    await auditor.browser.form('/console/audit/check', { auditHead: head });
    expect(await afterRun(auditor, 'audit')).toMatch(/The chain holds from entry 1 to entry \d+\./);
    const other = `${head.split(':')[0]}:${'0'.repeat(64)}`;
    await auditor.browser.form('/console/audit/check', { auditHead: other });
    expect(await afterRun(auditor, 'audit')).toContain('is another one than the one whose hash was kept');
    const refused = await auditor.browser.form('/console/audit/check', { auditHead: '"><script>alert(1)</script>' });
    expect([refused.status, refused.text.includes('<script>alert')]).toEqual([422, false]);
  });

  it('the audit chain is looked through by who, what and when, and its texts stay texts', async () => {
    const administrator = await signedIn('administrator');
    const bad = '<script>alert(1)</script>';
    expect((await administrator.browser.verb('setMerchant', { login: 'demo', name: bad })).status).toBe(200);
    expect(
      (await administrator.browser.verb('addBlock', { everywhere: true, kind: 'email', value: 'x@example.com' }))
        .status,
    ).toBe(200);
    const own = await administrator.page(`audit?who=${administrator.name}`);
    expect(own).toContain('&lt;script&gt;alert(1)');
    expect(own).not.toContain(bad);
    expect([own.includes('addBlock'), own.includes('setMerchant')]).toEqual([true, true]);
    const one = await administrator.page(`audit?who=${administrator.name}&action=addBlock`);
    expect([one.includes('<code>addBlock'), one.includes('<code>setMerchant')]).toEqual([true, false]);
    expect(await administrator.page('audit?until=2001-01-01T00:00')).toContain('Nothing fits');
    expect(await administrator.page('audit?since=2001-01-01T00:00&action=addBlock')).toContain('<code>addBlock');
    const next = await administrator.page(`audit?who=${encodeURIComponent(bad)}`);
    expect(next).not.toContain(bad);
    await administrator.browser.verb('setMerchant', { login: 'demo', name: 'Demo merchant' });
  });

  it('a person is added with a link that is shown once, changed, shut out and let in again', async () => {
    const { browser, page } = await signedIn('administrator');
    const added = await browser.form('/console/people/add', { name: 'nora', role: 'viewer' });
    expect(added.text).toMatch(/first-sign-in#[0-9a-z]+/i);
    expect(await page('people/nora')).not.toMatch(/first-sign-in#/);
    expect((await browser.form('/console/people/nora/role', { role: 'operator' })).status).toBe(303);
    expect((await browser.form('/console/people/nora/disable', {})).status).toBe(303);
    expect(await page('people/nora')).toContain('disabled');
    expect((await browser.form('/console/people/nora/enable', {})).status).toBe(303);
    expect((await browser.form('/console/people/nora/reset', {})).text).toMatch(/first-sign-in#/);
    const again = await browser.form('/console/people/add', { name: 'Nora Ä', role: 'viewer' });
    expect([again.status, again.text.includes('value="Nora Ä"')]).toEqual([422, true]);
    expect((await browser.send('/console/people/nobody')).status).toBe(422);
    const { browser: auditor } = await signedIn('auditor');
    expect((await auditor.form('/console/people/nora/disable', {})).status).toBe(403);
  });

  it('faults of the bank and of the card networks are switched on and off', async () => {
    const operator = await signedIn('operator');
    const set = (path: string, fields: Record<string, string>) =>
      operator.browser.form(`/console/sandbox/${path}`, fields);
    expect((await set('bank/switch', { fault: 'loseAnswerRate', to: 'on' })).status).toBe(303);
    expect(gateway.bank.faults.faults.loseAnswerRate).toBe(1);
    expect(await operator.page('sandbox/bank')).toContain('misbehaves');
    expect((await set('bank/set', { refuseRate: '300' })).status).toBe(422);
    expect(
      (await set('bank/set', { refuseRate: '50', script: 'ok, lose-answer', 'message-instruct': 'yes' })).status,
    ).toBe(303);
    expect(gateway.bank.faults.faults).toMatchObject({ refuseRate: 0.5, loseAnswerRate: 0, messages: ['instruct'] });
    expect((await set('bank/none', {})).status).toBe(303);
    expect(gateway.bank.faults.faults).toMatchObject({ refuseRate: 0, script: [] });
    expect((await set('networks/set', { authentication: 'no-answer', delayMs: '3000' })).status).toBe(303);
    expect(gateway.networks.faults.faults.authentication).toBe('no-answer');
    expect((await set('networks/set', { authentication: 'nonsense', delayMs: '3000' })).status).toBe(422);
    expect((await set('networks/none', {})).status).toBe(303);
    expect(gateway.networks.faults.faults.authentication).toBe('none');
    const viewer = await signedIn('viewer');
    expect((await viewer.browser.form('/console/sandbox/bank/switch', { fault: 'refuseRate', to: 'on' })).status).toBe(
      403,
    );
    expect((await viewer.browser.form('/console/sandbox/networks/none', {})).status).toBe(403);
  });

  it('makes orders like those that are wished for', async () => {
    const operator = await signedIn('operator');
    const kinds: [string, RegExp][] = [
      ['approved', /: approved/],
      ['declined', /: declined/],
      ['in-doubt', /: sent/],
      ['stuck', /: sent/],
      ['challenge', /: sent/],
      ['preauth', /: approved/],
      ['half-returned', /half of it was given back/],
      ['payout', /waits for a confirmation/],
      ['recurring', /recurring payment \d+/],
    ];
    for (const [like, says] of kinds) {
      const reply = await operator.browser.form('/console/sandbox/make', { like, count: '1' });
      expect([like, reply.status]).toEqual([like, 303]);
      const text = await afterRun(operator, 'sandbox');
      expect(text).toMatch(says);
      expect(text).toMatch(/href="\/console\/(orders|recurring)\/\d+"/);
    }
    expect((await operator.browser.form('/console/sandbox/make', { like: 'nothing', count: '1' })).status).toBe(422);
    expect((await operator.browser.form('/console/sandbox/make', { like: 'approved', count: '9999' })).status).toBe(
      422,
    );
  });

  it('the clock is not moved where a bank goes by its own', async () => {
    const { browser, page } = await signedIn('administrator');
    expect(await page('sandbox')).toContain('It cannot be moved here');
    const reply = await browser.form('/console/sandbox/move-clock', { by: '1', unit: 'days' });
    expect([reply.status, reply.text.includes('the clock cannot be moved here')]).toEqual([422, true]);
  });
});
