// Forms that bring files (RFC 7578), as browsers write them: a text is read as it is, a file as base64, because that is
// how verbs take one. Whatever else is wrong about a body, it then has fewer fields.

const MAX_PARTS = 50;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Undefined when the body is of another type. */
export function multipartFields(contentType: string | undefined, body: Buffer): [string, string][] | undefined {
  const boundary = /^multipart\/form-data;.*\bboundary="?([\w'()+,./:=?-]{1,70})"?/i.exec(contentType ?? '')?.[1];
  if (boundary === undefined) return undefined;
  return partsOf(body, Buffer.from(`--${boundary}`)).flatMap(fieldOf);
}

/** What stands between the marks, without the line ends that belong to them. */
function partsOf(body: Buffer, mark: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = body.indexOf(mark);
  while (from !== -1 && parts.length < MAX_PARTS) {
    const to = body.indexOf(mark, from + mark.length);
    if (to === -1) break;
    parts.push(body.subarray(from + mark.length + 2, to - 2));
    from = to;
  }
  return parts;
}

function fieldOf(part: Buffer): [string, string][] {
  const end = part.indexOf(HEAD_END);
  if (end === -1) return [];
  const head = part.subarray(0, end).toString('utf8');
  const content = part.subarray(end + HEAD_END.length);
  const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) return [];
  return [[name, content.toString(/;\s*filename="/i.test(head) ? 'base64' : 'utf8')]];
}
