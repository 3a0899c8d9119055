import { describe, expect, it } from 'vitest';
import type { RunningGateway, Settings } from '../../compose/index.ts';
import { Secret } from '../../domain/secret.ts';
import { demo } from '../../processing/node/demo.ts';
import type { FirstSignIn } from '../../processing/people/first-administrator.ts';
import { styleOf } from '../terminal.ts';
import { productionBanner, sandboxBanner } from './banner.ts';

const settings = { mode: 'sandbox', host: '127.0.0.1', port: 8080, dataFolder: '/data' } as Settings;

/** What a sandbox says whose database has these ids, by merchant. */
function said(
  owners: Readonly<Record<string, number>>,
  { host = settings.host, first = { step: 'others', link: undefined } }: { host?: string; first?: FirstSignIn } = {},
): string {
  const configuration = {
    byLogin: () => ({ controlKeys: [{ key: new Secret(demo.controlKey) }] }),
    target: (id: string) => (owners[id] === undefined ? undefined : { merchantId: owners[id] }),
  };
  const gateway = {
    baseUrl: 'http://localhost:8080/paynet',
    localUrl: 'http://localhost:8080',
    adminUrl: 'http://localhost:9080',
    configuration,
  };
  return sandboxBanner({
    settings: { ...settings, host },
    gateway: gateway as unknown as RunningGateway,
    style: styleOf({}),
    first,
  });
}

describe('what a started sandbox says of the demo', () => {
  it('names the endpoints and groups that the database has', () => {
    const text = said({ 101: 1, 103: 1, 105: 1, 201: 1 });
    for (const line of ['101  USD', '103  USD', '105  EUR', '201  103, 105']) expect(text).toContain(line);
  });

  it('names none that is missing or belongs to somebody else', () => {
    const text = said({ 101: 1, 105: 7 });
    for (const id of ['102  ', '105  ', '200  ', '201  ']) expect(text).not.toContain(id);
  });
});

describe('a started sandbox warns', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'gateway.example'])('when others reach it, at %s', (host) => {
    expect(said({}, { host })).toContain(`it listens on ${host}: everybody who reaches it may use the demo merchant`);
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('of nothing when only this machine reaches it, at %s', (host) => {
    expect(said({}, { host })).not.toContain('Warning');
  });
});

describe('what a start says of who signs in first', () => {
  const LINK = 'http://localhost:9080/first-sign-in#abcde';
  const RESET = 'npx tender person reset admin --data /data';

  it.each<[FirstSignIn['step'], string | undefined, string[]]>([
    ['add', LINK, [LINK, 'as the administrator "admin"; it works once']],
    ['renew', LINK, [LINK, 'as the administrator "admin"; it works once']],
    [
      'nobody',
      undefined,
      ['nobody has an account yet', 'npx tender person add admin --role administrator --data /data'],
    ],
    ['waiting', undefined, [`a one-time link: ${RESET}`]],
    ['chosen', undefined, [`a new one-time link: ${RESET}`]],
  ])('%s', (step, link, texts) => {
    const text = said({}, { first: { step, link } });
    for (const part of ['http://localhost:9080/', ...texts]) expect(text).toContain(part);
  });

  it('nothing about anybody once people are made by hand', () => {
    expect(said({}, { first: { step: 'others', link: undefined } })).not.toMatch(/npx tender person/);
  });

  it('in production only that there is nobody', () => {
    const gateway = { baseUrl: 'https://pay.example/paynet', localUrl: 'http://localhost:8080', adminUrl: 'http://a' };
    const told = (step: FirstSignIn['step']) =>
      productionBanner({
        settings: { ...settings, mode: 'production' },
        gateway: gateway as unknown as RunningGateway,
        style: styleOf({}),
        first: { step, link: undefined },
      });
    expect(told('nobody')).toContain('nobody can sign in yet; "tender person add <name> --role administrator"');
    for (const step of ['chosen', 'others', 'waiting'] as const) expect(told(step)).not.toContain('person add');
  });
});
