// How much of a node one merchant may take: so many orders in flight that the others always find room.

export type InFlight = {
  /** Orders in flight on this node, of all merchants and of the one that asks. */
  readonly all: number;
  readonly own: number;
};

export type Room = {
  /** The most orders in flight on a node. */
  readonly most: number;
  /** The percentage of them that one merchant may have. */
  readonly share: number;
};

export const ROOM: Room = { most: 20_000, share: 25 };

/** Work that comes due by itself leaves this part of the room to new orders. */
const CLAIMED_PART = 3 / 4;

/** Whether a further order of the merchant must wait. Any share lets one order pass. */
export function isCrowded({ all, own }: InFlight, { most, share }: Room): boolean {
  return all >= most || own >= Math.max(1, Math.floor((most * share) / 100));
}

/** How many orders may be in flight for more of them to be claimed. */
export function claimedUpTo({ most }: Room): number {
  return Math.max(1, Math.floor(most * CLAIMED_PART));
}
