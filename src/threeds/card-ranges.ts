// The card ranges of a directory server: how a PRes changes them, which range a card is in, and which version of
// EMV 3DS to speak for it.

import { type PRes, VERSIONS, type Version } from './messages/index.ts';

export type CardRange = NonNullable<PRes['cardRangeData']>[number];

/** What is kept of the last PRes. The next PReq sends its serial number, to get only what has changed since. */
export type CardRanges = {
  readonly serialNum: string | undefined;
  readonly dsStartProtocolVersion: string;
  readonly dsEndProtocolVersion: string;
  readonly ranges: readonly CardRange[];
};

/** Without earlier ranges the PRes is the full list, and the action of each range (add, delete) has no meaning. */
export function updatedRanges(earlier: CardRanges | undefined, answer: PRes): CardRanges {
  const changes = answer.cardRangeData ?? [];
  const { serialNum, dsStartProtocolVersion, dsEndProtocolVersion } = answer;
  const ranges = earlier ? changes.reduce(changed, earlier.ranges) : changes;
  return { serialNum: serialNum ?? earlier?.serialNum, dsStartProtocolVersion, dsEndProtocolVersion, ranges };
}

function changed(ranges: readonly CardRange[], change: CardRange): readonly CardRange[] {
  const others = ranges.filter(
    ({ startRange, endRange }) => startRange !== change.startRange || endRange !== change.endRange,
  );
  return change.actionInd === 'D' ? others : [...others, change];
}

/** The newest range that holds the number. A range holds only numbers as long as its own bounds. */
export function rangeOf({ ranges }: CardRanges, cardNumber: string): CardRange | undefined {
  // Texts of digits that are equally long sort like the numbers they stand for.
  return ranges.findLast(
    ({ startRange, endRange }) =>
      startRange.length === cardNumber.length &&
      endRange.length === cardNumber.length &&
      startRange <= cardNumber &&
      cardNumber <= endRange,
  );
}

/** The highest version that this server, the directory server and the issuer all speak, if there is one. */
export function versionFor(directory: CardRanges, range: CardRange): Version | undefined {
  const lowest = [range.acsStartProtocolVersion, range.dsStartProtocolVersion ?? directory.dsStartProtocolVersion];
  const highest = [range.acsEndProtocolVersion, range.dsEndProtocolVersion ?? directory.dsEndProtocolVersion];
  return VERSIONS.findLast(
    (version) =>
      lowest.every((least) => compareVersions(least, version) <= 0) &&
      highest.every((most) => compareVersions(version, most) <= 0),
  );
}

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  for (let place = 0; place < 3; place += 1) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
