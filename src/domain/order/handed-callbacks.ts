// Callbacks that a listener takes in the place of the addresses orders name: what is handed over, and what it answers.

/** A listener that has not asked for so long is gone, in true time: a sandbox's clock may jump. */
export const LISTENS_MS = 4_000;

/** Whose callbacks somebody listens to; all of them where nothing is named. */
export type ListenedTo = {
  readonly merchantId?: number | undefined;
  readonly endpointIds?: readonly number[] | undefined;
  /** The person who listens, whom alone callbacks are handed to; undefined for the local command line. */
  readonly listens?: string | undefined;
};

export type ListenerAsking = { readonly listenerId: string } & Pick<ListenedTo, 'listens'>;

export type HandedCallback = {
  readonly handedId: string;
  readonly callbackId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What became of a callback that was handed over: the status of HTTP, or why there is none. The shop's page stays. */
export type HandedAnswer = {
  readonly handedId: string;
  readonly status?: number | undefined;
  readonly fault?: string | undefined;
};

export type ListenerDesk = {
  /** The id of a new listener; undefined when too many listen already. */
  open(to: ListenedTo): string | undefined;
  /** Takes answers, and hands over what waits; undefined when they have no such listener, or not any more. */
  ask(by: ListenerAsking, answers: readonly HandedAnswer[]): HandedCallback[] | undefined;
  close(listenerId: string): void;
  /** Answers the next calls about an order, by its merchant's id for it, with nothing, so that it is told late. */
  holdBack(clientOrderId: string, calls: number): void;
};
