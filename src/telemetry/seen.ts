// What somebody who watches a sandbox is shown as it happens. Nothing of cards is in it, and nobody waits for it.

export type Seen =
  | {
      readonly kind: 'request';
      readonly at: number;
      /** Undefined where the path names none. */
      readonly operation: string | undefined;
      readonly orderId: string | undefined;
      readonly httpStatus: number;
      /** Such as `approved`, or the error's message. */
      readonly outcome: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'bank';
      readonly at: number;
      readonly instruction: string;
      readonly orderId: string | undefined;
      readonly outcome: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'callback';
      readonly at: number;
      readonly orderId: string;
      readonly destination: string;
      readonly outcome: string;
      readonly isTaken: boolean;
      readonly milliseconds: number;
    };

export type Watches = (seen: Seen) => void;
