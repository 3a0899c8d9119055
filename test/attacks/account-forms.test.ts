// The attack: a session that was taken over, and words that a page, a form or a verb should not meet. The current
// password could be guessed as often as one liked, `?done=constructor` showed the insides of the language, and deeply
// nested JSON broke whatever it was given to.

import { beforeAll, beforeEach, expect, it } from 'vitest';
import { auditStore } from '../../src/storage/audit.ts';
import { describeGateway, until } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';

const MINUTE_MS = 60_000;
const GUESS = 'not the tall green kettle';
const CHOSEN = 'a thief chooses this one';

describeGateway('who took a session over', {}, (gateway) => {
  const NAME = 'ann';
  const taken = new PersonBrowser(() => gateway.adminUrl);
  const change = (current: string) => taken.form('/account/password', { current, chosen: CHOSEN });
  const audit = async (limit = 1) => auditStore(gateway.database).list({ before: undefined, limit });

  beforeAll(() => hire(gateway, NAME, 'administrator'));
  beforeEach(async () => {
    await gateway.query('delete from sign_in_failures');
    expect((await taken.signIn(NAME, PASSWORD)).status).toBe(303);
  });

  it('cannot find the password by trial: tries are counted with those of strangers', async () => {
    await gateway.clock.standStillFor(async () => {
      for (let guesses = 0; guesses < 5; guesses++) {
        expect((await change(GUESS)).text).toContain('The current password is wrong.');
      }
      expect((await change(PASSWORD)).text).toContain('There were too many tries.');
      const elsewhere = new PersonBrowser(() => gateway.adminUrl);
      expect((await elsewhere.signIn(NAME, PASSWORD)).status).toBe(429);
    });
  });

  it('locks the name at last, which the audit chain tells', async () => {
    for (let guesses = 0; guesses < 10; guesses++) {
      expect((await change(GUESS)).text).toContain('The current password is wrong.');
      gateway.clock.advance(2 * MINUTE_MS);
    }
    await until('the lock is told', async () => (await audit())[0]?.action === 'lockOut');
    gateway.clock.advance(10 * MINUTE_MS);
    expect((await taken.signIn(NAME, PASSWORD)).status).toBe(429);
  });

  it('and the owner, who knows it, takes no try from themselves', async () => {
    for (const current of [PASSWORD, CHOSEN, CHOSEN, CHOSEN, CHOSEN, CHOSEN, CHOSEN]) {
      expect((await change(current)).status).toBe(303);
    }
    expect((await taken.form('/account/password', { current: CHOSEN, chosen: PASSWORD })).status).toBe(303);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('is shown nothing by done=%s', async (word) => {
    const { status, text } = await taken.send(`/account?done=${word}`);
    expect(status).toBe(200);
    expect(text).not.toContain('native code');
    expect(text).not.toContain('class="notice good"');
  });

  it.each([
    ['passkeys/remove', { passkey: 'a\0b' }],
    ['passkeys/remove', { passkey: 'x'.repeat(100_000) }],
    ['tokens/revoke', { token: 'a\0b' }],
    ['tokens/revoke', { token: 'x'.repeat(100_000) }],
  ])('writes nothing into the audit chain by %s of what is not there', async (action, fields) => {
    const before = (await audit())[0]?.seq;
    expect((await taken.form(`/account/${action}`, fields)).status).toBe(303);
    expect((await audit())[0]?.seq).toBe(before);
  });
});

describeGateway('a verb with odd JSON', {}, (gateway) => {
  const ask = async (verb: string, body: string) => {
    const { url, token } = await localNote(gateway.dataFolder);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return new PersonBrowser(() => url).send(`/admin/api/${verb}`, { method: 'POST', headers, body });
  };
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['60,000 lists within each other', `{"login":${nested(60_000)}}`],
    ['20,000 objects within each other', `{"login":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
    ['20 lists within each other', `{"login":${nested(20)}}`],
  ])('of %s is refused by name', async (_, body) => {
    for (const verb of ['listOrders', 'addMerchant', 'addBlock']) {
      const reply = await ask(verb, body);
      expect([reply.status, reply.text.length < 2_000]).toEqual([400, true]);
      expect(reply.body.error).toContain('login: at most 16 lists or objects within each other are taken');
    }
  });

  it('of 12,000 names is answered in a few words', async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `"k${index}":1`);
    const reply = await ask('listOrders', `{${names.join(',')}}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toContain('"k0" is not taken here');
    expect(reply.body.error).toContain('11980 more are not taken here');
    expect(reply.text.length).toBeLessThan(10_000);
  });

  it('of __proto__ and constructor changes nothing, and is named', async () => {
    const reply = await ask('listOrders', '{"__proto__":{"login":"demo"},"constructor":{"prototype":{"x":1}}}');
    expect(reply.body.faults).toEqual([
      expect.stringContaining('"__proto__" is not taken here'),
      expect.stringContaining('"constructor" is not taken here'),
    ]);
    expect(({} as Record<string, unknown>).login ?? ({} as Record<string, unknown>).x).toBeUndefined();
    expect((await askBy((await localNote(gateway.dataFolder)).url, 'wrong', 'listOrders')).status).toBe(401);
  });
});
