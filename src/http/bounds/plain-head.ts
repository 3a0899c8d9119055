// The head of a request as nearly all are, read from its bytes alone. It is read only where everybody reads it alike: a
// POST in HTTP/1.1 of plain lines, with one host, one length in digits and nothing else that says where it ends or what
// becomes of the connection. Whatever is written in another way is left to Node's parser.

export type PlainHead = {
  readonly path: string;
  /** How many headers it has. */
  readonly headers: number;
  /** Bytes of the whole request, of its head and of its body. */
  readonly size: number;
};

/** Longer heads are left to the parser as well. */
const MOST_BYTES = 4096;
const END = '\r\n\r\n';

const LINES = /^POST (\/[!-~]*) HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+\r\n$/;
const LENGTHS = /\r\ncontent-length[^\r]*/gi;
/** Less than a megabyte: so much of a body is read for nothing, so that its connection lives on. */
const LENGTH = /^\r\ncontent-length:[ \t]*(\d{1,6})[ \t]*$/i;
const HOSTS = /\r\nhost:/gi;
const OTHERWISE = /\r\n(?:transfer-encoding|expect|upgrade|(?:proxy-)?connection(?!:[ \t]*keep-alive[ \t]*\r\n))/i;

/** The head at the beginning of these bytes; undefined where it is not whole or not plain. */
export function plainHead(bytes: Buffer): PlainHead | undefined {
  const end = bytes.indexOf(END);
  if (end < 0 || end > MOST_BYTES) return undefined;
  const head = bytes.toString('latin1', 0, end + END.length);
  const path = LINES.exec(head)?.[1];
  if (path === undefined || OTHERWISE.test(head)) return undefined;
  if (head.match(HOSTS)?.length !== 1) return undefined;
  const lengths = head.match(LENGTHS);
  const length = lengths?.length === 1 ? LENGTH.exec(lengths[0])?.[1] : undefined;
  if (length === undefined) return undefined;
  return { path, headers: linesOf(head) - 2, size: head.length + Number(length) };
}

/** Lines of a head, the first and the empty one at the end included. */
function linesOf(head: string): number {
  let lines = 0;
  for (let at = head.indexOf('\r\n'); at >= 0; at = head.indexOf('\r\n', at + 2)) lines += 1;
  return lines;
}
