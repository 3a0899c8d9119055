// The attack: somebody who works for one merchant asks for what is another merchant's, by every verb there is, in every
// role, with ids that are right. The answer must be that to an id which does not exist, and nothing may change.

import { beforeAll, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import { verbs } from '../../src/administration/index.ts';
import type { AnyVerb } from '../../src/administration/verb/verb.ts';
import { PERSON_ROLES } from '../../src/domain/people/roles.ts';
import { type Client, describeGateway, until } from '../harness.ts';
import { pathOf, walkConsole } from '../scenarios/console-walk.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';
import { createCardReference, createRecurring } from '../scenarios/stored-cards.ts';
import type { TestShop } from '../test-shop.ts';

/** One of everything that a merchant has. */
type Ids = {
  readonly login: string;
  readonly endpointId: number;
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly serialNumber: string;
  readonly callbackId: string;
  readonly recurringPaymentId: number;
  readonly cardReference: number;
  readonly deedId: number;
  readonly keyId: string;
  readonly person: string;
  readonly tokenId: string;
};

/** Of nobody, and of the same form. */
const MISSING: Ids = {
  login: 'shop9999',
  endpointId: 99_999_001,
  orderId: 99_999_002,
  clientOrderId: 'inv-99999999-9999-4999-8999-999999999999',
  serialNumber: '99999999-9999-7999-8999-999999999999',
  callbackId: '99999002-1-server',
  recurringPaymentId: 99_999_003,
  cardReference: 99_999_004,
  deedId: 99_999_005,
  keyId: 'control-99999999',
  person: 'nobody-at-all',
  tokenId: 'tnd_99999999',
};

type Asks = readonly object[];

/** What each verb that is open to people of merchants is asked; `own` is the login of who asks. */
const CASES: Partial<Record<VerbName, (ids: Ids, own: string) => Asks>> = {
  listMerchants: () => [{}],
  listStrangers: ({ endpointId }) => [{}, { endpointId }],
  showStatement: ({ login }) => [{}, { login }],
  showTrial: () => [{}],
  tryRequest: ({ endpointId }) => [{ endpointId, amount: '1.00' }],
  showMerchant: ({ login }) => [{ login }],
  listEndpoints: ({ login }) => [{}, { login }],
  showEndpoint: ({ endpointId }) => [{ endpointId }],
  showLook: ({ endpointId }) => [{ endpointId }],
  setLook: ({ endpointId }) => [{ endpointId, intro: 'Pay me instead' }],
  listGroups: ({ login }) => [{}, { login }],
  addKey: ({ login }) => [{ login, kind: 'control' }],
  listKeys: ({ login }) => [{}, { login }],
  setKey: ({ login, keyId }, own) => [
    { login, keyId, operations: ['SALE'] },
    { login: own, keyId, operations: ['SALE'] },
  ],
  retireKey: ({ login, keyId }, own) => [
    { login, keyId },
    { login: own, keyId },
  ],
  approvePayout: ({ login, orderId }, own) => [
    { login, orderId, reason: 'theirs' },
    { login: own, orderId, reason: 'theirs' },
  ],
  listPayouts: ({ login }) => [{}, { login }],
  captureOrder: ({ orderId }) => [{ orderId, reason: 'theirs' }],
  voidOrder: ({ orderId }) => [{ orderId, reason: 'theirs' }],
  returnOrder: ({ orderId }) => [{ orderId, reason: 'theirs' }],
  listDeeds: ({ login }) => [{}, { login }],
  approveDeed: ({ deedId }) => [{ deedId }],
  rejectDeed: ({ deedId }) => [{ deedId, reason: 'theirs' }],
  listRecurring: ({ login, recurringPaymentId }) => [{}, { login }, { before: recurringPaymentId }],
  showRecurring: ({ recurringPaymentId }) => [{ recurringPaymentId }],
  pauseRecurring: ({ recurringPaymentId }) => [{ recurringPaymentId }],
  resumeRecurring: ({ recurringPaymentId }) => [{ recurringPaymentId }],
  stopRecurring: ({ recurringPaymentId }) => [{ recurringPaymentId }],
  readLogo: ({ endpointId }) => [{ endpointId }],
  listLimits: ({ login, endpointId }) => [{}, { login }, { endpointId }],
  listBalances: ({ login }) => [{ login }],
  listBlocks: ({ login }) => [{ login }],
  listCardReferences: ({ login, cardReference }, own) => [{ login }, { login: own, before: cardReference }],
  deleteCardReference: ({ login, cardReference }, own) => [
    { login, cardReference },
    { login: own, cardReference },
  ],
  listCallbacks: ({ login, orderId }) => [{}, { login }, { orderId }],
  showCallback: ({ callbackId }) => [{ callbackId }],
  replayCallback: ({ callbackId }) => [{ callbackId }],
  replayFailedCallbacks: ({ login }) => [{}, { login }],
  listOrders: ({ login, orderId, clientOrderId, endpointId }, own) => [
    ...[{}, { login }, { orderId }, { clientOrderId }, { endpointId }],
    { login: own, orderId },
  ],
  listRequests: ({ login, orderId }) => [{}, { login }, { orderId }],
  showOrder: ({ login, orderId, clientOrderId }, own) => [
    { orderId },
    { login, orderId },
    { login: own, orderId },
    { login, clientOrderId },
    { login: own, clientOrderId },
  ],
  listLooks: ({ orderId }) => [{ orderId }],
  exportOrders: ({ login, orderId, clientOrderId }) => [{ login }, { orderId }, { clientOrderId }],
  listFilters: () => [{}],
  saveFilter: ({ login, orderId }) => [{ name: 'theirs', query: `login=${login}&orderId=${orderId}` }],
  removeFilter: ({ person: name }) => [{ name }],
  showOverview: ({ login, endpointId }) => [{ login }, { endpointId }],
  showRequest: ({ serialNumber }) => [{ serialNumber }],
  listStuck: () => [{}],
  addPerson: ({ login }) => [{ name: 'somebody-new', role: 'administrator', login }],
  listPeople: () => [{}],
  showPerson: ({ person: name }) => [{ name }],
  setPerson: ({ person: name }) => [
    { name, role: 'viewer' },
    { name, enabled: false },
  ],
  resetPerson: ({ person: name }) => [{ name }],
  unlockPerson: ({ person: name }) => [{ name }],
  endSessions: ({ person: name }) => [{ name }],
  addToken: ({ person: name }) => [{ name, label: 'mine', role: 'viewer', until: '2030-01-01T00:00:00Z' }],
  listTokens: ({ person: name }) => [{}, { name }],
  revokeToken: ({ tokenId }) => [{ tokenId }],
};

/** These are counted from the others, whenever a node has time for it. */
const COUNTED = "'figures', 'terminal_figures', 'answer_times', 'recounted_spans', 'figures_counted'";

const all: readonly AnyVerb[] = verbs;
const open = all.filter(({ merchants }) => merchants === 'own');
const closed = all.filter(({ merchants }) => merchants !== 'own');

/** The id by itself, or a whole UUID: any four digits may be a group of one. */
const idOrUuid = (id: string | number) =>
  new RegExp(`\\b${id}\\b|\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b`, 'g');

const isIn = (id: string | number, text: string) => text.match(idOrUuid(id))?.includes(String(id)) ?? false;

/** A text in which ids are replaced by their names. */
function masked(ids: Ids, reply: unknown): string {
  // The overview is counted anew all the time, and a file of orders is called after its minute.
  let text = JSON.stringify(reply)
    .replace(/"countedAt":"[^"]*"/, '"countedAt":"then"')
    .replace(/"name":"orders-[\dT-]+Z\.csv"/, '"name":"orders-then.csv"');
  for (const [name, id] of Object.entries(ids)) {
    text = text.replaceAll(idOrUuid(id), (found) => (found === String(id) ? `<${name}>` : found));
  }
  return text;
}

it('every verb that is open to people of merchants is tried', () => {
  expect(Object.keys(CASES).sort()).toEqual(open.map(({ name }) => name).sort());
});

describeGateway('who works for another merchant', { settings: { firstId: 77_000_000 } }, (gateway) => {
  let shop: TestShop;
  let theirs: Ids;
  let own: string;
  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    const { status, body } = await askBy(url, token, verb, given);
    if (status !== 200) throw new Error(`${verb}: ${status} ${body.error}`);
    return body.answer;
  };
  const signedIn = async (name: string, role: string, login: string) => {
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
    return browser;
  };

  /** A merchant with one of everything, and people. */
  async function oneOfEverything(client: Client, id: number, person: string): Promise<Ids> {
    const { login } = client;
    const sold = await client.sale({ server_callback_url: shop.url(`/${login}`) }, { endpoint: id });
    const order = await client.untilFinal(sold.body['merchant-order-id'], { endpoint: id });
    await until('the shop was told', async () => {
      const [found] = await gateway.query(`select state from callbacks where merchant_id = ${id}`);
      return found?.state === 'delivered';
    });
    const orderId = Number(order['paynet-order-id']);
    await local('setMerchant', { login, secondPersonAbove: ['1.00 USD'] });
    const { waits } = await local('returnOrder', { orderId, reason: 'for a second person' });
    const recurring = await createRecurring(client, {}, id);
    await gateway.addGroup({ groupId: id + 5_000, endpointIds: [id], merchantId: id });
    await local('setLook', { endpointId: id, intro: `Welcome to ${login}` });
    await local('setLimit', { endpointId: id, kind: 'card', window: '24h', count: 300 });
    await local('addBlock', { login, kind: 'email', value: `@${login}.example`, note: 'between us' });
    const { keyId } = await local('addKey', { login, kind: 'control' });
    await local('addPerson', { name: person, role: 'operator', login });
    const tomorrow = new Date(gateway.clock.now() + 86_400_000).toISOString();
    const { tokenId } = await local('addToken', {
      name: person,
      label: `of ${login}`,
      role: 'viewer',
      until: tomorrow,
    });
    return {
      ...{ login, endpointId: id, orderId, keyId, person, tokenId, deedId: waits.deedId },
      clientOrderId: order['merchant-order-id'],
      serialNumber: sold.body['serial-number'],
      callbackId: `${orderId}-1-server`,
      recurringPaymentId: Number(recurring.body['recurring-payment-id']),
      cardReference: Number((await createCardReference(client, order, id)).body['card-ref-id']),
    };
  }

  /** Every row that says whose it is, and everything about their people. */
  async function stored(): Promise<string[]> {
    const { endpointId: merchantId, person } = theirs;
    const tables = await gateway.query(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'merchant_id'
         and table_name not in ('journal', ${COUNTED}) order by 1`,
    );
    const rows = [];
    for (const { name } of tables) {
      rows.push(
        ...(await gateway.query(`select to_jsonb(t)::text as row from ${name} t where merchant_id = ${merchantId}`)),
      );
    }
    rows.push(
      ...(await gateway.query(`select to_jsonb(t)::text as row from person_tokens t where person = '${person}'`)),
    );
    return rows.map(({ row }) => String(row)).sort();
  }

  beforeAll(async () => {
    shop = await gateway.shop();
    const [mine, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    own = mine.client.login;
    await oneOfEverything(mine.client, mine.id, 'own-operator');
    theirs = await oneOfEverything(other.client, other.id, 'their-operator');
  });

  it('the ids are right: their own people find all of it', async () => {
    const browser = await signedIn('their-administrator', 'administrator', theirs.login);
    for (const { name, conduct } of open.filter(({ conduct }) => conduct === 'read' || conduct === 'cards')) {
      for (const given of CASES[name as VerbName]?.(theirs, theirs.login) ?? []) {
        const reply = await browser.verb(name, given);
        expect([name, conduct, given, reply.status, reply.body?.error]).toEqual([name, conduct, given, 200, undefined]);
      }
    }
    expect((await browser.verb('listOrders')).body.answer.found).toHaveLength(1);
    expect((await browser.verb('listRequests')).body.answer.found.length).toBeGreaterThan(0);
    expect((await browser.verb('listCallbacks')).body.answer.found).toHaveLength(1);
    expect((await browser.verb('listPeople')).body.answer).toHaveLength(2);
    expect((await browser.verb('listDeeds')).body.answer).toMatchObject([{ deedId: theirs.deedId }]);
    expect((await browser.verb('listTokens')).body.answer).toHaveLength(1);
    expect((await browser.verb('listLimits')).body.answer).toHaveLength(1);
  });

  it.each(PERSON_ROLES)('as %s is told what is told of ids that do not exist, and changes nothing', async (role) => {
    const browser = await signedIn(`own-${role}-of-them`, role, own);
    const before = await stored();
    for (const { name } of open) {
      const [asked, missing] = [CASES[name as VerbName]!(theirs, own), CASES[name as VerbName]!(MISSING, own)];
      for (const [index, given] of asked.entries()) {
        const there = await browser.verb(name, given);
        const nowhere = await browser.verb(name, missing[index]);
        const heard = { status: there.status, body: masked(theirs, there.body) };
        expect([name, given, heard]).toEqual([
          ...[name, given],
          { status: nowhere.status, body: masked(MISSING, nowhere.body) },
        ]);
        expect([name, there.status]).toEqual([name, expect.not.toSatisfy((status: number) => status >= 500)]);
        // Of what was not asked by its name nothing is told.
        const text = JSON.stringify(nowhere.body);
        for (const id of Object.values(theirs)) expect([name, id, isIn(id, text)]).toEqual([name, id, false]);
        const isSearch =
          /^(list(Callbacks|Orders|Recurring|Requests|Strangers|CardReferences)|exportOrders|saveFilter|showOverview)$/.test(
            name,
          );
        const isById = Object.keys(given).length > 0 && !isSearch;
        if (role === 'administrator' && isById) expect([name, given, there.status]).toEqual([name, given, 400]);
      }
    }
    for (const { name } of closed) {
      const reply = await browser.verb(name, {});
      expect([name, reply.status, reply.body.error]).toEqual([
        ...[name, 403],
        `this is for people who run the gateway; own-${role}-of-them belongs to a merchant`,
      ]);
    }
    expect(await stored()).toEqual(before);
  });

  it('sees their own balances and block list, without the notes, and nothing of the list for everybody', async () => {
    await local('addBlock', { everywhere: true, kind: 'country', value: 'KP' });
    const browser = await signedIn('own-bookkeeper', 'viewer', own);
    const { balances } = (await browser.verb('listBalances')).body.answer;
    expect([...new Set(balances.map(({ login }: { login: string }) => login))]).toEqual([own]);
    const { body } = await browser.verb('listBlocks', { login: own });
    expect(body.answer).toMatchObject([{ login: own, value: `@${own}.example`, note: null }]);
    for (const given of [{ everywhere: true }, { everywhere: true, login: own }]) {
      const refused = await browser.verb('listBlocks', given);
      const why = 'everywhere: the list for all merchants is for who runs the gateway';
      expect([refused.status, refused.body.error]).toEqual([400, why]);
    }
    const pages = await Promise.all(['books', 'lists?of='].map((path) => browser.send(`/console/${path}`)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[0]?.text).toContain('what the merchant is owed');
    expect(pages[1]?.text).toContain(`@${own}.example`);
    // Forms hide random marks, in which any two letters may stand.
    const shown = pages.map(({ text }) => text.replace(/<input type="hidden"[^>]*>/g, ''));
    expect(shown.map((text) => /between us|clearing|KP|Block something/.test(text))).toEqual([false, false]);
  });

  it('makes people of their own merchant only, and none that are anybody else', async () => {
    const browser = await signedIn('own-chief', 'administrator', own);
    const added = await browser.verb('addPerson', { name: 'own-clerk', role: 'administrator' });
    expect(added.body.answer.person).toMatchObject({ name: 'own-clerk', login: own });
    const taken = await browser.verb('addPerson', { name: theirs.person, role: 'viewer' });
    expect([taken.status, taken.body.error]).toEqual([400, `there is a person "${theirs.person}" already`]);
    const elsewhere = await browser.verb('addPerson', { name: 'third', role: 'viewer', login: theirs.login });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([
      ...[400, `there is no merchant "${theirs.login}"; there are: ${own}`],
    ]);
    const names = (await browser.verb('listPeople')).body.answer.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => !name.startsWith('own-'))).toEqual([]);
  });

  it('is not moved by SQL, neither to another merchant nor to none', async () => {
    const { token } = await local('addToken', {
      ...{ name: 'own-operator', label: 'by hand', role: 'operator' },
      until: new Date(gateway.clock.now() + 86_400_000).toISOString(),
    });
    const orders = async () => (await askBy(gateway.adminUrl, token, 'listOrders')).status;
    expect(await orders()).toBe(200);
    for (const merchant of [String(theirs.endpointId), 'null']) {
      const [was] = await gateway.query(`select merchant_id from people where name = 'own-operator'`);
      await gateway.query(`update people set merchant_id = ${merchant} where name = 'own-operator'`);
      expect([merchant, await orders()]).toEqual([merchant, 401]);
      await gateway.query(`update people set merchant_id = ${was?.merchant_id} where name = 'own-operator'`);
      expect(await orders()).toBe(200);
    }
  });

  it('finds on no page of the console what is theirs, and sends none of their forms', async () => {
    const theirPeople = await signedIn('their-walker', 'administrator', theirs.login);
    const { addresses, forms, faults } = await walkConsole(theirPeople);
    expect(faults).toEqual([]);
    const named = addresses.filter((address) => Object.values(theirs).some((id) => isIn(id, address)));
    // Otherwise nothing of theirs was found, and the rest proves nothing.
    expect(named.length).toBeGreaterThan(5);
    expect(forms.length).toBeGreaterThan(5);

    const browser = await signedIn('own-walker', 'administrator', own);
    const before = await stored();
    for (const address of addresses) {
      const { status, text } = await browser.send(address);
      const isTheirs = Object.values(theirs).some((id) => isIn(id, pathOf(address)));
      expect([address, isTheirs, status]).toEqual([
        ...[address, isTheirs],
        expect.toSatisfy((got: number) => (isTheirs ? got >= 400 && got < 500 : got < 500)),
      ]);
      for (const id of Object.values(theirs).filter((one) => !isIn(one, address))) {
        expect([address, id, isIn(id, text)]).toEqual([address, id, false]);
      }
    }
    for (const { action, fields } of forms) {
      const { status } = await browser.form(action, fields);
      expect([action, status]).toEqual([action, expect.toSatisfy((got: number) => got < 500)]);
    }
    expect(await stored()).toEqual(before);
  });
});
