// Which versions of Node get no more fixes of security holes, for who runs a gateway in production on one of them.

const RECOMMENDED = 24;

/** Below this no version is kept up; odd ones live for half a year only. */
const OLDEST_KEPT_UP = 22;

/** A sentence for the operator when this Node is past its end of life; it works all the same. */
export function endOfLifeLine(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  const isOver = major < OLDEST_KEPT_UP || (major < RECOMMENDED && major % 2 === 1);
  return isOver
    ? `Node ${major} is past its end of life and gets no fixes; Node ${RECOMMENDED} is recommended`
    : undefined;
}
