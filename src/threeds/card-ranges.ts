// The card ranges of a directory server: what a PRes changes in them, which range a card is in, and the version to
// speak.

import { type PRes, VERSIONS, type Version } from './messages/index.ts';

export type CardRange = NonNullable<PRes['cardRangeData']>[number];

/** Everything kept from the last PRes: the next PReq sends the serial number to get only what has changed. */
export type CardRanges = {
  readonly serialNum: string | undefined;
  readonly dsStartProtocolVersion: string;
  readonly dsEndProtocolVersion: string;
  readonly ranges: readonly CardRange[];
};

/** Without earlier ranges the PRes is the full list, and its actions say nothing. */
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

/** The newest range that holds the number; ranges of another length do not, whatever their first digits. */
export function rangeOf({ ranges }: CardRanges, cardNumber: string): CardRange | undefined {
  // Digits of equal length compare like the numbers they write.
  return ranges.findLast(
    ({ startRange, endRange }) =>
      startRange.length === cardNumber.length &&
      endRange.length === cardNumber.length &&
      startRange <= cardNumber &&
      cardNumber <= endRange,
  );
}

/** The highest version that this server, the directory server and the issuer speak; none when there is none. */
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
