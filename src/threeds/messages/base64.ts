// Base64 as 3-D Secure uses it: both alphabets are read, padded or not; base64url without padding is written.

/** Undefined when the text is not base64. Blanks may be plus signs of a decoded form; line breaks are skipped. */
export function readBase64(text: string, mostBytes: number): Buffer | undefined {
  if (text.length > mostBytes * 2 + 4) return undefined;
  const joined = text
    .replace(/[\r\n\t]/g, '')
    .replaceAll(' ', '+')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const match = /^([A-Za-z0-9+/]*)={0,2}$/.exec(joined);
  const digits = match?.[1] ?? '';
  if (digits === '' || digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, 'base64');
  return bytes.length <= mostBytes ? bytes : undefined;
}

/** The decoded text, when the bytes are UTF-8. */
export function readBase64Text(text: string, mostBytes: number): string | undefined {
  const bytes = readBase64(text, mostBytes);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function writeBase64Url(text: string | Buffer): string {
  return (typeof text === 'string' ? Buffer.from(text) : text).toString('base64url');
}
