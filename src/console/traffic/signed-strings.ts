// Two signed strings beside each other: which parts of either the other has not, or not there.

export type SignedPiece = { readonly name: string; readonly value: string; readonly differs: boolean };

type Part = Omit<SignedPiece, 'differs'>;

/** What stood between the parts is a part of its own, and always wrong. */
export function differences(expected: readonly Part[], came: readonly Part[], between = '') {
  const common = commonParts(expected, came);
  const marked = (all: readonly Part[], kept: ReadonlySet<number>): SignedPiece[] =>
    all.map((part, index) => ({ ...part, differs: !kept.has(index) }));
  const received = marked(came, new Set(common.map(([, index]) => index)));
  return {
    expected: marked(expected, new Set(common.map(([index]) => index))),
    came:
      between === '' ? received : received.flatMap((part, index) => (index === 0 ? [part] : [stray(between), part])),
  };
}

const stray = (value: string): SignedPiece => ({
  name: 'between',
  value: JSON.stringify(value).slice(1, -1),
  differs: true,
});

const isSame = (a: Part | undefined, b: Part | undefined) => a?.name === b?.name && a?.value === b?.value;

/** The longest list of parts that both have in the same order, as pairs of places. */
function commonParts(a: readonly Part[], b: readonly Part[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const best = isSame(a[i], b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      (lengths[i] as number[])[j] = best;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(a[i], b[j])) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
