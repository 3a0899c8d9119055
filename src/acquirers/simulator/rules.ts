// How the simulated bank judges an instruction (decisions, D-61). Pure: the same instruction always gets the same verdict.

export type Verdict =
  | { readonly word: 'approve' }
  | { readonly word: 'decline'; readonly code: string }
  /** Taken, but nobody can say yet what will become of it; approved in the end. */
  | { readonly word: 'hold' };

export type Case = {
  readonly minor: bigint;
  readonly cvv?: string | undefined;
  /** Whether the payer proved to be the cardholder (3-D Secure). */
  readonly authenticated?: boolean;
};

const APPROVE: Verdict = { word: 'approve' };
const HOLD: Verdict = { word: 'hold' };
const decline = (code: string): Verdict => ({ word: 'decline', code });

const DO_NOT_HONOUR = decline('100');

/** Digits that say the same whether they come as the security code or as the end of the amount. */
const BY_DIGITS: ReadonlyMap<string, Verdict> = new Map([
  ['101', decline('101')],
  ['116', decline('116')],
  ['119', decline('119')],
  ['209', decline('209')],
  ['217', HOLD],
]);

const APPROVED_CVVS: ReadonlySet<string> = new Set(['123', '1234', '111']);
const AUTHENTICATED_CVV = '321';

export function judge({ minor, cvv, authenticated = false }: Case): Verdict {
  if (cvv === undefined) return BY_DIGITS.get(lastThreeDigits(minor)) ?? APPROVE;
  if (APPROVED_CVVS.has(cvv)) return APPROVE;
  if (cvv === AUTHENTICATED_CVV) return authenticated ? APPROVE : DO_NOT_HONOUR;
  return BY_DIGITS.get(cvv) ?? DO_NOT_HONOUR;
}

function lastThreeDigits(minor: bigint): string {
  return (minor % 1000n).toString();
}
