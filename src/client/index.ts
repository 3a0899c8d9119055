// What `import … from 'tender/client'` gives: the merchant's side of the interface, without anything of the gateway.

export type { CallOptions } from './called-operation.ts';
export type { ClientReplies, ClientRequests } from './operations.ts';
export { TenderClient, type TenderClientOptions } from './tender-client.ts';
export { type PayerNeed, TenderError, type TenderFault } from './tender-error.ts';
export {
  type CallbackHeaders,
  type ExpectedOrder,
  type RedirectOptions,
  type ToldParams,
  type ToldVerdict,
  type VerifyOptions,
  verifyCallback,
  verifyRedirect,
} from './verify.ts';
export type { OrderAsked, WaitOptions } from './wait-for-end.ts';
