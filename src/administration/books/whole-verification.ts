// The whole verification: asks for part after part, as the command line and the console both do, and puts together what
// was found.

import { BEFORE_ALL } from '../../domain/audit.ts';
import { headText } from '../../domain/audit-heads.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import type { ProgressWatch } from '../../domain/progress-text.ts';
import type { VerifiedPart } from '../verify.ts';

export type AskVerifyPart = (from: string | undefined) => Promise<VerifiedPart>;

export type Verified = {
  readonly ok: boolean;
  readonly checked: Readonly<Record<string, number>>;
  readonly violations: readonly VerificationFinding[];
  /** What a person has to settle; no violation. */
  readonly waiting: readonly VerificationFinding[];
};

/** More than anybody reads. */
const MOST_FINDINGS = 10_000;

/** Where the audit chain begins, as a part of its own. */
export const FROM_AUDIT = `audit:${headText(BEFORE_ALL)}`;

/** From the beginning, or only what follows `begin`. */
export async function verifyWhole(ask: AskVerifyPart, watch: ProgressWatch, begin?: string): Promise<Verified> {
  const findings: VerificationFinding[] = [];
  const checked: Record<string, number> = {};
  let orders: number | undefined;
  watch.show({ doing: 'Verifying' });
  for (let from: string | null | undefined = begin; from !== null && findings.length < MOST_FINDINGS; ) {
    const part: VerifiedPart = await ask(from);
    const { what } = part.checked;
    const done = (checked[what] ?? 0) + part.checked.count;
    checked[what] = done;
    findings.push(...part.findings);
    orders = part.total ?? orders;
    watch.show({ doing: `Verifying ${what}`, done, total: what === 'orders' ? orders : undefined });
    from = part.next;
  }
  const violations = findings.filter(({ kind }) => kind === 'violation');
  const waiting = findings.filter(({ kind }) => kind === 'waiting');
  return { ok: violations.length === 0, checked, violations, waiting };
}
