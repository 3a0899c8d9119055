// What a page may load and where its forms may go: only to us, besides the address a payer is sent back to and, in 3-D
// Secure, the issuer. Browsers hold `form-action` against every redirect that follows, and shops and issuers send
// browsers on to addresses nobody can list: so these may be anywhere, encrypted.

export type PolicyParts = {
  /** Origins whose pages may show this one in a frame. */
  readonly frameAncestors?: readonly string[];
  /** The merchant's page that a form of this one is sent to; in a sandbox shops need no certificate. */
  readonly wayBack?: { readonly url: string; readonly sandbox: boolean } | undefined;
  /** The issuer's page that a form of this one is sent to, in a frame of this one or in its place. */
  readonly issuer?: { readonly url: string; readonly isFramed: boolean } | undefined;
};

export function contentPolicy({ frameAncestors = [], wayBack, issuer }: PolicyParts = {}): string {
  const target = wayBack === undefined ? '' : ` https: ${wayBack.sandbox ? 'http:' : new URL(wayBack.url).origin}`;
  const issuers = issuer === undefined ? '' : ` https: ${new URL(issuer.url).origin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(issuer?.isFramed ? [`frame-src 'self'${issuers}`] : []),
    `form-action 'self'${target}${issuers}`,
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}
