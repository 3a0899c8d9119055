// How often the card networks let a merchant try a card again after declines, as dated data; beyond it every attempt
// costs a fee. Action codes are ISO 8583:1993, the networks' own lists are written in the two-digit codes of 1987.

const DAY = 24 * 60 * 60 * 1000;

export type Limit = {
  /** The days between which the limit is in force, as far as they are known. */
  readonly from?: string;
  readonly until?: string;
  /** After this many declines within the window no further attempt is allowed. */
  readonly declines: number;
  readonly windowMs: number;
  /** Whether attempts over other amounts count too. */
  readonly counts: 'same-amount' | 'any-amount';
};

const MASTERCARD: readonly Limit[] = [
  { declines: 10, windowMs: DAY, counts: 'any-amount' },
  { declines: 35, windowMs: 30 * DAY, counts: 'same-amount' },
];

export const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  VISA: [
    { until: '2025-05-25', declines: 15, windowMs: 30 * DAY, counts: 'same-amount' },
    { from: '2025-05-25', declines: 20, windowMs: 30 * DAY, counts: 'same-amount' },
  ],
  MASTERCARD,
  MAESTRO: MASTERCARD,
};

/** How far back limits look: any of them, and those that count attempts over any amount. */
export const WINDOW_MS = 30 * DAY;
export const ANY_AMOUNT_WINDOW_MS = DAY;

// What Visa calls category 1, "the issuer will never approve": 04 07 12 14 15 41 43 46 57. Its stop-payment codes R0,
// R1 and R3 have no action code; a connector that hears them answers 119. No network wants a card tried again that its
// issuer wants withheld, so the list and the whole 200s hold for all of them.
const FINAL: ReadonlySet<string> = new Set([
  '111', // 14 invalid card number
  '118', // 46 closed account
  '119', // 57 not permitted to cardholder
  '902', // 12 invalid transaction
  '908', // 15 no such issuer
]);

/** Whether no attempt on this card may follow, whatever its network. */
export function isFinalDecline(code: string): boolean {
  return FINAL.has(code) || /^2\d\d$/.test(code);
}

/** An attempt that was declined, or may still be. */
export type Attempt = { readonly at: number; readonly minor: bigint; readonly currency: string };

export type AttemptQuestion = {
  readonly brand: string;
  readonly currency: string;
  /** What is to be tried: one amount, or several in turn, each of which may be declined. */
  readonly amounts: readonly bigint[];
  /** How many terminals stand behind the first: each may ask the issuer once more, over any of the amounts. */
  readonly furtherTerminals?: number;
  /** The merchant's earlier attempts on the same card. */
  readonly attempts: readonly Attempt[];
  /** The action codes the card was ever declined with. */
  readonly declineCodes: readonly string[];
  readonly now: number;
};

/** `until`: when the card may be tried again; undefined means never. */
export type Forbidden = { readonly until: number | undefined; readonly because: string };

export function judgeAttempt(question: AttemptQuestion): Forbidden | undefined {
  const final = question.declineCodes.find(isFinalDecline);
  if (final !== undefined) return { until: undefined, because: `its issuer declined it for good with code ${final}` };
  const limits = (LIMITS[question.brand] ?? []).filter((limit) => isInForce(limit, question.now));
  const [worst] = limits.flatMap((limit) => breaches(limit, question)).sort(latestFirst);
  return worst;
}

function isInForce({ from, until }: Limit, now: number): boolean {
  return (from === undefined || now >= Date.parse(from)) && (until === undefined || now < Date.parse(until));
}

function breaches(limit: Limit, question: AttemptQuestion): Forbidden[] {
  const { amounts, attempts, currency, furtherTerminals = 0, now } = question;
  const recent = attempts.filter(({ at }) => at > now - limit.windowMs);
  const judge = (counted: readonly Attempt[], wanted: number): Forbidden[] => {
    const tooMany = counted.length + wanted + furtherTerminals - limit.declines;
    return tooMany <= 0 ? [] : [{ until: freeAgain(limit, counted, tooMany), because: describe(limit) }];
  };
  if (limit.counts === 'any-amount') return judge(recent, amounts.length);
  return [...new Set(amounts)].flatMap((amount) => {
    const same = recent.filter((one) => one.minor === amount && one.currency === currency);
    return judge(same, amounts.filter((one) => one === amount).length);
  });
}

/** When enough of the oldest attempts have left the window; undefined when the limit can never allow as many. */
function freeAgain({ windowMs }: Limit, counted: readonly Attempt[], tooMany: number): number | undefined {
  const times = counted.map(({ at }) => at).sort((a, b) => a - b);
  const last = times[tooMany - 1];
  return last === undefined ? undefined : last + windowMs;
}

function describe({ declines, windowMs, counts }: Limit): string {
  const window = windowMs === DAY ? '24 hours' : `${windowMs / DAY} days`;
  return `${declines} declines within ${window}${counts === 'same-amount' ? ' over the same amount' : ''} are the limit`;
}

function latestFirst(one: Forbidden, other: Forbidden): number {
  return (other.until ?? Number.POSITIVE_INFINITY) > (one.until ?? Number.POSITIVE_INFINITY) ? 1 : -1;
}
