// Headers of which a request may have one only. Node keeps the first of some and joins others, so that a proxy in front
// and we could read different ones: whoever asks twice is refused instead.

/** In lower case. Content-Length is refused by Node itself when its values differ. */
const SINGLE = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'tender-caller',
  'x-signature',
]);

const LENGTHS = new Set([...SINGLE].map((name) => name.length));

/** The first header that is there twice and may not be; `raw` has names and values in turn. */
export function repeatedHeader(raw: readonly string[]): string | undefined {
  let seen: string[] | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!LENGTHS.has(name.length)) continue;
    const plain = name.toLowerCase();
    if (!SINGLE.has(plain)) continue;
    if (seen?.includes(plain)) return plain;
    seen ??= [];
    seen.push(plain);
  }
  return undefined;
}
