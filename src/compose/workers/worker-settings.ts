// What each of several workers has of what is bounded for all of them.

import { connectionBoundsOf, orderRoomOf, type Settings } from '../settings.ts';

/** The settings of one of so many workers: connections come to them in turn, so each has its part, rounded up. */
export function shareOfSettings(settings: Settings, workers: number): Settings {
  const { all, perBlock } = connectionBoundsOf(settings);
  const part = (bound: number) => Math.ceil(bound / workers);
  return {
    ...settings,
    maxConnections: part(all),
    maxConnectionsPerAddress: part(perBlock),
    ordersInFlight: part(orderRoomOf(settings).most),
  };
}
