// The rows of a file in parts, because the administrators' door takes 128 KiB at once.

const MAX_PART_BYTES = 100_000;

/** Each part fits into one request and has no more rows than `most`. Of no rows it is one empty part. */
export function* rowParts<Row>(rows: Iterable<Row>, most: number): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (part.length === most || bytes + size > MAX_PART_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  yield part;
}
