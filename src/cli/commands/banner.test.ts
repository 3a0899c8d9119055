import { describe, expect, it } from 'vitest';
import type { RunningGateway, Settings } from '../../compose/index.ts';
import { Secret } from '../../domain/secret.ts';
import { demo } from '../../processing/node/demo.ts';
import { styleOf } from '../terminal.ts';
import { sandboxBanner } from './banner.ts';

const settings = { mode: 'sandbox', host: '127.0.0.1', port: 8080, dataFolder: '/data' } as Settings;

/** What a sandbox says whose database has these ids, by merchant. */
function said(owners: Readonly<Record<string, number>>, host = settings.host): string {
  const configuration = {
    byLogin: () => ({ controlKeys: [{ key: new Secret(demo.controlKey) }] }),
    target: (id: string) => (owners[id] === undefined ? undefined : { merchantId: owners[id] }),
  };
  const gateway = { baseUrl: 'http://localhost:8080/paynet', localUrl: 'http://localhost:8080', configuration };
  return sandboxBanner({
    settings: { ...settings, host },
    gateway: gateway as unknown as RunningGateway,
    style: styleOf({}),
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
    expect(said({}, host)).toContain(`it listens on ${host}: everybody who reaches it may use the demo merchant`);
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('of nothing when only this machine reaches it, at %s', (host) => {
    expect(said({}, host)).not.toContain('Warning');
  });
});
