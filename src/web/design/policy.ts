// What a page may load and where its forms may go: only to us, besides the one address a payer is sent back to.

export type PolicyParts = {
  /** Origins whose pages may show this one in a frame. */
  readonly frameAncestors?: readonly string[];
  /** Where else a form of the page may be sent. */
  readonly formTarget?: string | undefined;
};

export function contentPolicy({ frameAncestors = [], formTarget }: PolicyParts = {}): string {
  const target = formTarget === undefined ? '' : ` ${new URL(formTarget).origin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${target}`,
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}
