import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseError } from '../storage/database.ts';
import { type Administration, type AdministrationParts, administration } from './administration.ts';
import type { AdministrationStores } from './parts.ts';
import { InvalidInput } from './verb/invalid-input.ts';

/** Everything that happened, in its order. */
let happened: string[];
/** What fails, by the words it happens under. */
let failing: Map<string, Error>;
let office: Administration;

async function happens(what: string): Promise<void> {
  await new Promise(setImmediate);
  const error = failing.get(what);
  if (error) throw error;
  happened.push(what);
}

function stores(place: string): Partial<AdministrationStores> {
  const card = { bin: '411111', lastFour: '1111', brand: 'VISA', expireMonth: 1, expireYear: 2030, holder: undefined };
  return {
    audit: {
      append: ({ who, action, subject, details }: Record<string, string>) =>
        happens(`${place}: ${who} told of ${action}, ${subject}, ${details}`),
    },
    cardReferences: {
      list: async () => happens(`${place}: listed`).then(() => []),
      find: async () => card,
      remove: async () => happens(`${place}: removed`).then(() => true),
    },
    configuration: { read: async () => ({ merchants: [{ merchantId: 1, login: 'shop' }] }) },
  } as unknown as Partial<AdministrationStores>;
}

beforeEach(() => {
  happened = [];
  failing = new Map();
  office = administration({
    ...stores('outside'),
    clock: { now: () => 0, sleep: async () => {} },
    bank: { clear: () => happens('cleared').then(() => ({ date: '2027-01-01', at: 0, lines: 0 })) },
    changed: () => happens('changed'),
    inTransaction: async <T>(work: (inside: AdministrationStores) => Promise<T>) => {
      const done = await work(stores('inside') as AdministrationStores);
      await happens('committed');
      return done;
    },
  } as unknown as AdministrationParts);
});

const clear = (given = {}) => office.ask('clearBank', given, 'ann');
const remove = () => office.ask('deleteCardReference', { login: 'shop', cardReference: 7 }, 'ann');

describe('the audit chain is told', () => {
  const toldOfClearing = 'outside: ann told of clearBank, gateway, {}';

  it('before a deed that no transaction covers', async () => {
    await clear();
    expect(happened).toEqual([toldOfClearing, 'cleared']);
  });

  it('that such a deed failed', async () => {
    failing.set('cleared', new Error('the bank is closed'));
    await expect(clear()).rejects.toThrow('the bank is closed');
    expect(happened).toEqual([toldOfClearing, 'outside: ann told of clearBank failed, gateway, {}']);
  });

  it('nothing of such a deed when what is given cannot be taken, and without being told it is not done', async () => {
    await expect(clear({ more: 1 })).rejects.toThrow(InvalidInput);
    failing.set(toldOfClearing, new Error('no chain'));
    await expect(clear()).rejects.toThrow('no chain');
    expect(happened).toEqual([]);
  });

  it('of a look at cards, or nothing is shown', async () => {
    const list = () => office.ask('listCardReferences', { login: 'shop' }, 'ann');
    const told = 'outside: ann told of listCardReferences, merchant shop, {"login":"shop"}';
    await list();
    expect(happened).toEqual(['outside: listed', told]);
    failing.set(told, new Error('no chain'));
    await expect(list()).rejects.toThrow('no chain');
  });

  it('of a change and of what it changed, in its transaction, and the gateway learns of it after that', async () => {
    await remove();
    expect(happened).toEqual([
      'inside: removed',
      expect.stringMatching(/^inside: ann told of deleteCardReference, card reference 7, .*1111"/),
      'committed',
      'changed',
    ]);
  });

  it('nothing of a change that was refused', async () => {
    failing.set('inside: removed', new InvalidInput('gone'));
    await expect(remove()).rejects.toThrow('gone');
    expect(happened).toEqual([]);
  });
});

describe('administrators', () => {
  it('are served one after another, whatever became of the one before', async () => {
    failing.set('cleared', new Error('the bank is closed'));
    const all = await Promise.allSettled([remove(), clear(), remove()]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(happened.map((one) => one.split(/[ :]/)[0])).toEqual([
      ...['inside', 'inside', 'committed', 'changed'],
      ...['outside', 'outside'],
      ...['inside', 'inside', 'committed', 'changed'],
    ]);
  });

  it('who took the same number as another are tried again, but not for ever', async () => {
    failing.set('committed', new DatabaseError('taken', { sqlState: '23505' }));
    await expect(remove()).rejects.toThrow('taken');
    expect(happened.filter((one) => one === 'inside: removed')).toHaveLength(5);
  });
});
