import { describe, expect, it } from 'vitest';
import type { Administration } from '../administration/administration.ts';
import { Secret } from '../domain/secret.ts';
import type { SignedIn } from '../web/people/account-forms.ts';
import type { WebRequest } from '../web/route.ts';
import { type ConsoleParts, consolePages } from './console.ts';
import { allPages } from './pages.ts';

type Session = SignedIn['session'];

const SESSION = { kind: 'session', reach: 'whole', person: { name: 'ann', role: 'operator' } } as unknown as Session;
const VIEWER = { ...SESSION, person: { ...SESSION.person, role: 'viewer' } } as Session;

/** Takes orders away as a file, of which every lot says that there is another; gives it lot by lot. */
async function fileOf(again: () => Promise<Session | undefined>) {
  const asked: string[] = [];
  const administration = {
    has: () => true,
    denial: (verb: string, { person }: Session) =>
      verb === 'exportOrders' && person.role === 'viewer' ? 'not for viewers' : undefined,
    ask: async (verb: string, _: object, by: Session) => {
      asked.push(`${verb} by a ${by.person.role}`);
      return verb === 'exportOrders' ? { name: 'orders.csv' } : { found: [], next: 'further' };
    },
  } as unknown as Administration;
  const parts = { administration, assets: {}, clock: { now: () => 0 }, mode: 'production' } as unknown as ConsoleParts;
  const signedIn: SignedIn = { session: SESSION, cookie: new Secret('x'), mark: 'm', again };
  const request = { method: 'GET', rest: 'console/orders/export.csv', query: new URLSearchParams(), headers: {} };
  const reply = await consolePages(parts)(signedIn, request as WebRequest);
  const lots = reply.stream?.[Symbol.asyncIterator]() as AsyncIterator<string>;
  return { asked, lots };
}

describe('a file that is taken away', () => {
  it.each<[string, Session | undefined, RegExp]>([
    ['signed out or disabled', undefined, /not signed in any more/],
    ['without the role', VIEWER, /not for viewers/],
    ['with one factor only', { ...SESSION, reach: 'setup' } as Session, /not signed in any more/],
  ])('ends at the next lot once its reader is %s', async (_, later, why) => {
    let now: Session | undefined = SESSION;
    const { asked, lots } = await fileOf(async () => now);
    for (let lot = 1; lot <= 3; lot++) expect((await lots.next()).done).toBe(false);
    now = later;
    await expect(lots.next()).rejects.toThrow(why);
    expect(asked).toEqual(['exportOrders by a operator', ...Array(2).fill('listOrders by a operator')]);
  });
});

describe('a card number in a search', () => {
  const NUMBER = '4111 1111 1111 1111';
  const CUT = /^[^?]*\?\w+=411111\*{6}1111$/;

  const sent = async (method: 'GET' | 'POST', path: string, fields: Record<string, string>) => {
    const administration = { denial: () => undefined, ask: async () => Promise.reject(new Error('asked')) };
    const parts = { administration, assets: {}, clock: { now: () => 0 }, mode: 'sandbox' } as unknown as ConsoleParts;
    const given = new URLSearchParams(fields);
    const isForm = method === 'POST';
    const request = {
      ...{ method, rest: path === '' ? 'console' : `console/${path}`, query: isForm ? new URLSearchParams() : given },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(isForm ? given.toString() : ''),
    };
    const signedIn: SignedIn = { session: SESSION, cookie: new Secret('x'), mark: 'm', again: async () => SESSION };
    const { status, headers } = await consolePages(parts)(signedIn, request as unknown as WebRequest);
    return { status, to: decodeURIComponent(String(headers.Location ?? headers.location ?? '')) };
  };

  const paths = allPages.filter(({ path }) => !path.includes(':') && !path.endsWith('.csv')).map(({ path }) => path);

  it.each(paths)('leads to an address of /%s with its ends alone, before anything is asked', async (path) => {
    for (const name of ['login', 'text', 'errorCode', 'clientOrderId']) {
      const found = await sent('POST', path === '' ? 'search' : `${path}/search`, { [name]: NUMBER, empty: ' ' });
      expect([name, found.status]).toEqual([name, 303]);
      expect(found.to.replaceAll(' ', '+')).toMatch(CUT);
      if (path === 'orders') continue; // it knows which filters there are
      const came = await sent('GET', path, { [name]: NUMBER });
      expect([name, came.status]).toEqual([name, 303]);
      expect(came.to).toMatch(CUT);
    }
  });

  it('changes nothing that is none, and is no search where there is no page', async () => {
    const plain = await sent('POST', 'requests/search', { login: 'shop', clientOrderId: '1799999999994' });
    expect(plain).toEqual({ status: 303, to: '/console/requests?login=shop&clientOrderId=1799999999994' });
    expect((await sent('POST', 'requests/search', {})).to).toBe('/console/requests');
  });
});
