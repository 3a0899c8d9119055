// The messages of 3-D Secure: what they are, how they are read and written, and whether they fit together. Pure.

export * from './agreement.ts';
export * from './base64.ts';
export * from './browser-fields.ts';
export * from './erro.ts';
export type { FieldFault } from './faults.ts';
export * from './message.ts';
export * from './pares-signature.ts';
export * from './read-message.ts';
export { readPaReq, readVEReq, readVERes, V1_VERSION, writePaReq, writeVEReq, writeVERes } from './v1-documents.ts';
export { InvalidDocument, type PAReq, type PARes, type VEReq, type VERes } from './v1-messages.ts';
