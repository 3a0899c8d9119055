// A primary and a synchronous standby, whoever promotes it.

export type FailoverCluster = {
  /** Names both servers, so that a gateway finds the primary. */
  readonly url: string;
  /** Ends the primary without a word, as when its machine loses power. */
  killPrimary(): Promise<void>;
  /** Resolves when the standby takes writes. */
  promoted(): Promise<void>;
  /** Brings back the server that was killed, as the standby of the other, and waits until commits wait for it. */
  rejoined(): Promise<void>;
};
