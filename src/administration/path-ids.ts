// The numbers in paths: endpoints and groups share one number space.

import type { Configuration } from '../storage/configuration.ts';
import { InvalidInput } from './verb/invalid-input.ts';

const FIRST_ID = 101;

/** The id that was asked for, or the next above all others. */
export function newPathId(wanted: number | undefined, { endpoints, groups }: Configuration): number {
  const taken = [...endpoints.map((one) => one.endpointId), ...groups.map((one) => one.groupId)];
  if (wanted === undefined) return Math.max(FIRST_ID - 1, ...taken) + 1;
  if (!taken.includes(wanted)) return wanted;
  const kind = endpoints.some((one) => one.endpointId === wanted) ? 'an endpoint' : 'a group';
  throw new InvalidInput(`${wanted} is ${kind} already; endpoints and groups share their numbers`);
}
