// The messages of 3-D Secure: what they are, how they are read and written, and whether they fit together. Pure.

export * from './agreement.ts';
export { readBase64, readBase64Text, writeBase64Url } from './base64.ts';
export * from './browser-fields.ts';
export {
  type Component,
  ERROR_CODES,
  type ErroParts,
  type ErrorCode,
  erroOf,
  isTransactionId,
  mayBeSent,
} from './erro.ts';
export type { FieldFault } from './faults.ts';
export * from './message.ts';
export { readPaRes, writePaRes } from './pares-signature.ts';
export {
  MAX_MESSAGE_CHARACTERS,
  MAX_RANGES_CHARACTERS,
  messageFaults,
  type Reading,
  type ReadingOptions,
  readMessage,
  UnwritableMessage,
  writeMessage,
} from './read-message.ts';
export { readPaReq, readVEReq, readVERes, V1_VERSION, writePaReq, writeVEReq, writeVERes } from './v1-documents.ts';
export { InvalidDocument, type PAReq, type PARes, type VEReq, type VERes } from './v1-messages.ts';
