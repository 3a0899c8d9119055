import { describe, expect, it } from 'vitest';
import type { VerbParts } from '../parts.ts';
import { narrowedTo } from './merchant-scope.ts';

const rows = [{ merchantId: 1 }, { merchantId: 2 }];

/** Parts that answer with rows of two merchants, whatever they are asked. */
const parts = {
  clock: { now: () => 7 },
  configuration: {
    read: async () => ({
      merchants: rows,
      endpoints: [
        { merchantId: 1, endpointId: 101 },
        { merchantId: 2, endpointId: 102 },
      ],
      groups: [
        { merchantId: 1, groupId: 201, endpointIds: [101, 102] },
        { merchantId: 2, groupId: 202, endpointIds: [102] },
      ],
      keys: rows,
      looks: new Map([
        [101, 'own'],
        [102, 'other'],
      ]),
      screening: { limits: rows, blocks: rows },
      terminals: ['a terminal'],
      networks: ['a network'],
      tampered: ['a row'],
    }),
    addKey: async () => 'added',
    setMerchant: async () => 'set',
  },
  terminals: { add: async () => 'added' },
  dataKeyUse: async () => ['a key'],
  somethingNew: { list: async () => rows },
  looks: {},
  rules: { limits: async () => rows, setLimit: async () => 'set' },
  staff: { people: {}, tokens: {}, failures: {} },
} as unknown as VerbParts & { somethingNew: { list(): Promise<unknown> } };

const narrowed = () => narrowedTo(1, parts) as typeof parts;

describe('what the people of a merchant reach', () => {
  it('has of the configuration only what is their own', async () => {
    expect(await narrowed().configuration.read()).toEqual({
      version: undefined,
      merchants: [{ merchantId: 1 }],
      shards: [],
      endpoints: [{ merchantId: 1, endpointId: 101 }],
      groups: [{ merchantId: 1, groupId: 201, endpointIds: [101] }],
      keys: [{ merchantId: 1 }],
      looks: new Map([[101, 'own']]),
      screening: { limits: [{ merchantId: 1 }], blocks: [{ merchantId: 1 }] },
      terminals: [],
      networks: [],
      tampered: [],
      broken: new Set(),
      counters: new Map(),
    });
    expect(await narrowed().rules.limits()).toEqual([{ merchantId: 1 }]);
  });

  it.each<[string, (of: typeof parts) => unknown]>([
    ['a part of the gateway', ({ terminals }) => terminals.add({} as never, 0)],
    ['a part that is a function', ({ dataKeyUse }) => dataKeyUse()],
    ['a part that nobody narrowed', ({ somethingNew }) => somethingNew.list()],
    ['a method that nobody narrowed', ({ rules }) => rules.setLimit({} as never)],
    ['a change of the merchant', ({ configuration }) => configuration.setMerchant({} as never)],
    ["a key of another's", ({ configuration }) => configuration.addKey({ merchantId: 2 } as never, 0)],
  ])('is closed for %s', (_, reach) => {
    expect(() => reach(narrowed())).toThrow();
  });

  it.each([
    ['sandbox', undefined, ['101', '201']],
    ['sandbox', ['102'], []],
    ['sandbox', ['101', '102'], ['101']],
    ['production', undefined, []],
    ['production', ['101'], []],
  ] as const)('has in a %s, of what strangers sent to %s, only what came to %s', async (mode, pathIds, reached) => {
    const timelines = {
      strangers: async (query: { pathIds: unknown }) => query.pathIds,
      findRequest: async (pathId: string) => ({ merchantId: undefined, pathId }),
    };
    const { timelines: own } = narrowedTo(1, { ...parts, mode, timelines } as unknown as VerbParts);
    expect(await own.strangers({ pathIds } as never)).toEqual(reached);
    expect((await own.findRequest('101')) !== undefined).toBe(mode === 'sandbox');
    expect(await own.findRequest('102')).toBeUndefined();
  });

  it('has no account of another’s, and no callback of another’s order', async () => {
    const accounts = { list: async (query: unknown) => query, movements: async () => [] };
    const trial = { callback: async () => 'told' };
    const own = narrowedTo(1, { ...parts, accounts, trial } as unknown as VerbParts);
    expect(await own.accounts.list({ merchantIds: [1, 2], currency: undefined, at: undefined })).toMatchObject({
      merchantIds: [1],
    });
    expect(() => own.accounts.movements({ merchantId: 2 } as never)).toThrow(/another merchant/);
    expect(() => own.trial?.callback({ merchantId: 2, orderId: 1 })).toThrow(/another merchant/);
  });

  const both = { merchantIds: [1, 2] } as never;
  const theirs = { merchantId: 2, orderId: 2 } as never;
  /** Stores that answer with what they are asked, by the merchants in it. */
  const stores = () => {
    const ofQuery = async ({ merchantIds }: { merchantIds: unknown }) => merchantIds;
    const ofList = async (merchantIds: unknown) => merchantIds;
    const ofOrder = async (key: unknown) => key;
    return narrowedTo(1, {
      ...parts,
      callbacks: { search: ofQuery, attempts: ofOrder },
      figures: { read: ofQuery, unfinished: ofList, callbacks: ofList },
      orders: { findOrderView: ofOrder },
      timelines: {
        search: ofQuery,
        requests: ofQuery,
        read: ofOrder,
        merchantOf: (_: number, ids: unknown) => ofList(ids),
      },
      unfinished: { countStuck: ofList, listWaitingPayouts: ofList },
    } as unknown as VerbParts);
  };

  it.each<[string, (of: VerbParts) => unknown]>([
    ['callbacks', ({ callbacks }) => callbacks.search(both)],
    ['figures', ({ figures }) => figures.read(both)],
    ['figures of unfinished orders', ({ figures }) => figures.unfinished([1, 2])],
    ['figures of callbacks', ({ figures }) => figures.callbacks([1, 2])],
    ['orders', ({ timelines }) => timelines.search(both)],
    ['requests', ({ timelines }) => timelines.requests(both)],
    ['whose an order is', ({ timelines }) => timelines.merchantOf(2, [1, 2])],
    ['what is stuck', ({ unfinished }) => unfinished.countStuck([1, 2])],
    ['payouts', ({ unfinished }) => unfinished.listWaitingPayouts([1, 2], 1)],
  ])('looks for %s among their own alone, whichever merchants a verb names', async (_, search) => {
    expect(await search(stores())).toEqual([1]);
  });

  it('has no order of another’s, whichever a verb names', async () => {
    const { callbacks, orders, timelines } = stores();
    expect(await orders.findOrderView(theirs)).toBeUndefined();
    expect(() => timelines.read(theirs, 1)).toThrow(/another merchant/);
    expect(() => callbacks.attempts(theirs, 1)).toThrow(/another merchant/);
  });

  it('has what is nobody’s', () => {
    expect([narrowed().clock.now(), narrowed().merchantId]).toEqual([7, 1]);
  });
});
