// What a page may load and where its forms may go: only to us, to the address a payer is sent back to and, in 3-D
// Secure, to the issuer. Browsers apply `form-action` to every redirect that follows, and shops and issuers redirect to
// addresses that nobody can list, so any encrypted address is allowed for these forms.

export type PolicyParts = {
  /** Origins whose pages may show this one in a frame. */
  readonly frameAncestors?: readonly string[];
  /** The merchant's page that receives a form of this page; shops in a sandbox need no certificate. */
  readonly wayBack?: { readonly url: string; readonly sandbox: boolean } | undefined;
  /** The issuer's page that receives a form of this page, in a frame or in its place. */
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
