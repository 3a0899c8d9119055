// Below {base}/sandbox/issuer/: the pages of the simulated issuers inside this process, so that a browser that reaches
// the gateway reaches them too. Only what payers see is here: who commands the card networks asks them at their port.

import type { WebReply, WebRequest, WebRoute } from '../route.ts';

export const ISSUERS_PATH = '/sandbox/issuer';
/** The simulated issuers remember some of what strangers send. */
const MAX_BYTES = 16 * 1024;

/** `path` is the path at the issuers themselves, such as `/acs/challenge`. */
export type IssuerPages = (
  request: Pick<WebRequest, 'method'> & {
    readonly path: string;
    readonly body: string;
    readonly languages: string | undefined;
  },
) => Promise<WebReply>;

export function issuersRoute(pages: IssuerPages): WebRoute {
  return {
    prefix: `${ISSUERS_PATH}/`,
    maxBytes: MAX_BYTES,
    handle: ({ method, rest, body, headers }) =>
      pages({ method, path: `/${rest}`, body: body.toString('utf8'), languages: headers['accept-language'] }),
  };
}
