// The simulated bank of a test: how it misbehaves with the next payments.

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
};

export function testBank(set: (faults: string) => Promise<unknown>): TestBank {
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
  };
}
