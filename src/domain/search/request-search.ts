// What people look for among requests and callbacks, as data.

import type { TimeRange } from './order-search.ts';

export type RequestSearch = TimeRange & {
  readonly orderId: number | undefined;
  readonly operation: string | undefined;
  readonly httpStatus: number | undefined;
  readonly errorCode: number | undefined;
  /** Only those that were refused. */
  readonly refused: boolean | undefined;
  /** The last part of the path: an endpoint or a group. */
  readonly pathId: string | undefined;
};

export type CallbackSearch<State extends string = string> = TimeRange & {
  readonly orderId: number | undefined;
  readonly state: State | undefined;
};
