// Addresses of banks that a payer's browser may be sent to.

/** Browsers and servers take addresses of this length. */
const MAX_LENGTH = 4_096;

/** Whether it is a page of the web: other schemes could run a script or open a program on the payer's machine. */
export function isWebAddress(url: string): boolean {
  return url.length <= MAX_LENGTH && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
