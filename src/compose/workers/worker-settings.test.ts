import { expect, it } from 'vitest';
import type { Settings } from '../settings.ts';
import { shareOfSettings } from './worker-settings.ts';

it('divides among workers what is bounded for all of them', () => {
  const base: Settings = { mode: 'production', host: '127.0.0.1', port: 0, dataFolder: '/data' };
  const given = { ...base, maxConnections: 1_001, maxConnectionsPerAddress: 10, strangerLimit: 300 };
  expect(shareOfSettings(given, 4)).toEqual({
    ...given,
    maxConnections: 251,
    maxConnectionsPerAddress: 3,
    ordersInFlight: 5_000,
  });
});
