// What the client knows of an operation, and what may be given along with a call.

export type CalledOperation = SignedOperation & {
  /** How the same request is known when it comes again: by its order, by a key, or it changes nothing. */
  readonly repeats: 'by-order' | 'by-key' | 'freely';
  /** Whether it makes an order that STATUS finds. */
  readonly toldByStatus: boolean;
};

/** What a signature depends on. */
export type SignedOperation = {
  /** The specification's name, which strict signatures cover. */
  readonly name: string;
  readonly path: string;
  readonly auth: CallAuth;
  /** Whether the request carries the merchant's login. */
  readonly hasLogin: boolean;
  readonly amounts: readonly string[];
  readonly amountLists: readonly string[];
};

export type CallAuth =
  | { readonly scheme: 'control'; readonly over: readonly string[] }
  | { readonly scheme: 'oauth'; readonly method: 'HMAC-SHA1' | 'RSA-SHA256' | 'either' };

export type CallOptions = {
  /** Ends the call early; what was sent may have been carried out all the same. */
  readonly signal?: AbortSignal;
  /** Names a capture, return, void or confirmation, so that it is done once however often it is sent. */
  readonly idempotencyKey?: string;
};
