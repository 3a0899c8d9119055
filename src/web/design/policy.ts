// What a page may load and where its forms may go: only to us, besides the one address a payer is sent back to and, in
// 3-D Secure, the issuer.

export type PolicyParts = {
  /** Origins whose pages may show this one in a frame. */
  readonly frameAncestors?: readonly string[];
  /** Where else a form of the page may be sent. */
  readonly formTarget?: string | undefined;
  /** The issuer's page that a form of this one is sent to, in a frame of this one or in its place. */
  readonly issuer?: { readonly url: string; readonly isFramed: boolean } | undefined;
};

export function contentPolicy({ frameAncestors = [], formTarget, issuer }: PolicyParts = {}): string {
  const target = formTarget === undefined ? '' : ` ${new URL(formTarget).origin}`;
  // Issuers send browsers on to addresses nobody can list.
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
