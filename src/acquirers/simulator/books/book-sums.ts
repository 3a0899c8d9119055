// What the books know without looking anything up: how much was taken, and which clearings there were. It grows only by
// a clearing a day and by a milestone for thousands of bookings.

import type { Clearing } from '../booking.ts';

export type BookSums = {
  /** How many instructions were taken. */
  taken: number;
  /** When the first of them arrived. */
  firstArrivedAt?: number;
  /** Where the lines begin that the next clearing may clear something of. */
  unclearedFrom: number;
  /** When the latest movement of money from there on arrived, among those without doubt and those with. */
  lastArrivedAt: number;
  lastDoubtAt: number;
  readonly clearings: Clearing[];
  /** Where bookings begin: the first one, and then one of every `MILESTONE_EVERY`. */
  readonly milestones: number[];
};

export const MILESTONE_EVERY = 4096;

export function noSums(): BookSums {
  return { taken: 0, unclearedFrom: 0, lastArrivedAt: 0, lastDoubtAt: 0, clearings: [], milestones: [] };
}
