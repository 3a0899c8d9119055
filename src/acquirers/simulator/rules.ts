// How the simulated bank judges new instructions, by the security code or the last digits of the amount. The rules are
// pure: the same case always gets the same verdict. Follow-ups are judged by `caps.ts`.

export type Verdict =
  | { readonly word: 'approve' }
  | { readonly word: 'decline'; readonly code: string }
  /** Accepted, but the outcome is not known yet; it is approved in the end. */
  | { readonly word: 'hold' };

export type Case = {
  readonly minor: bigint;
  readonly cvv?: string | undefined;
  /** Whether the payer proved to be the cardholder (3-D Secure). */
  readonly authenticated?: boolean;
};

export const APPROVE: Verdict = { word: 'approve' };
export const HOLD: Verdict = { word: 'hold' };
export const decline = (code: string): Verdict => ({ word: 'decline', code });

const DO_NOT_HONOUR = decline('100');

const DOUBTFUL_DIGITS = '217';

/** Digits that mean the same as the security code and as the last digits of the amount. */
const BY_DIGITS: ReadonlyMap<string, Verdict> = new Map([
  ['101', decline('101')],
  ['116', decline('116')],
  ['119', decline('119')],
  ['209', decline('209')],
  // The bank itself fails: another one may be asked.
  ['909', decline('909')],
  [DOUBTFUL_DIGITS, HOLD],
]);

const APPROVED_CVVS: ReadonlySet<string> = new Set(['123', '1234', '111']);
const AUTHENTICATED_CVV = '321';

export function judgeInstruction({ minor, cvv, authenticated = false }: Case): Verdict {
  if (cvv === undefined) return BY_DIGITS.get(lastThreeDigits(minor)) ?? APPROVE;
  if (APPROVED_CVVS.has(cvv)) return APPROVE;
  if (cvv === AUTHENTICATED_CVV) return authenticated ? APPROVE : DO_NOT_HONOUR;
  return BY_DIGITS.get(cvv) ?? DO_NOT_HONOUR;
}

/** The verdict on a follow-up that the caps allow: approved, but an amount that ends with 217 is in doubt first. */
export function judgeAllowed(minor: bigint): Verdict {
  return lastThreeDigits(minor) === DOUBTFUL_DIGITS ? HOLD : APPROVE;
}

function lastThreeDigits(minor: bigint): string {
  return (minor % 1000n).toString();
}
