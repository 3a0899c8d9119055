// The simulated bank of a test: how it misbehaves with the next payments, and what it has booked.

/** One instruction in the books of the bank. */
export type BankBooking = {
  /** Such as `sale`, `capture` or `return`. */
  readonly kind: string;
  /** `held` means in doubt; `reversed` was approved or held before, and moved nothing in the end. */
  readonly outcome: 'approved' | 'declined' | 'held' | 'reversed';
  /** In minor units: `1042` is 10.42 USD. */
  readonly minor: bigint;
  readonly currency: string;
  readonly reference: string;
};

export type BookingsAsked = {
  /** Only those of this order. */
  readonly client_orderid?: string;
};

export type TestBank = {
  /** The next payments are booked, and the gateway never hears of it: it asks until it knows. */
  loseAnswer(times?: number): Promise<void>;
  /** The next payments never arrive at the bank, and the gateway waits in vain. */
  loseRequest(times?: number): Promise<void>;
  /** The bank refuses the next connections. */
  refuse(times?: number): Promise<void>;
  /** The next payments are answered so much later. */
  delayAnswer(ms: number, times?: number): Promise<void>;
  /** Any faults, as the guide to misbehaving banks lists them; nothing lets it behave again. */
  faults(faults?: Readonly<Record<string, unknown>>): Promise<void>;
  /** What it has booked, oldest first: the proof that a repeated request was charged once. */
  bookings(asked?: BookingsAsked): Promise<readonly BankBooking[]>;
};

export type TestBankParts = {
  set(faults: string): Promise<unknown>;
  books(): AsyncIterable<BankBooking>;
  /** The gateway's id of the merchant's order; undefined where it has none. */
  orderIdOf(clientOrderId: string): Promise<string | undefined>;
};

export function testBank({ set, books, orderIdOf }: TestBankParts): TestBank {
  const faults: TestBank['faults'] = async (given = {}) => {
    await set(JSON.stringify(given));
  };
  const script = (word: string, times = 1) => faults({ messages: ['instruct'], script: [`${times}*${word}`] });
  return {
    loseAnswer: (times) => script('lose-answer', times),
    loseRequest: (times) => script('lose-request', times),
    refuse: (times) => script('refuse', times),
    delayAnswer: (ms, times) => script(`late-answer=${ms}`, times),
    faults,
    bookings: async ({ client_orderid } = {}) => {
      const orderId = client_orderid === undefined ? undefined : await orderIdOf(client_orderid);
      if (client_orderid !== undefined && orderId === undefined) return [];
      const found: BankBooking[] = [];
      for await (const one of books()) {
        // Our references begin with the order's id.
        if (orderId === undefined || one.reference.startsWith(`${orderId}-`)) found.push(one);
      }
      return found;
    },
  };
}
