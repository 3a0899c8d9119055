// The port to the holder of the key-encryption key: a file by default, or a key management service.

export type KeyProvider = {
  /** Encrypts a data key; the answer names the key-encryption key that was used. */
  wrap(dataKey: Buffer): Promise<{ wrapped: Buffer; kekId: string }>;
  unwrap(wrapped: Buffer, kekId: string): Promise<Buffer>;
  /** Makes a new key-encryption key current; older ones stay readable until nothing is wrapped under them. */
  rotate(): Promise<string>;
};
