// The whole verification: asks for part after part, as the command line and the console both do, and puts together what
// was found.

import { BEFORE_ALL } from '../../domain/audit.ts';
import { headText } from '../../domain/audit-heads.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import type { ProgressWatch } from '../../domain/progress-text.ts';
import { counted } from '../verb/table.ts';
import type { VerifiedPart } from './verify.ts';

export type AskVerifyPart = (from: string | undefined) => Promise<VerifiedPart>;

export type Verified = {
  /** Everything was looked at, and nothing is wrong. */
  readonly ok: boolean;
  /** False when so much is wrong that the rest was not looked at. */
  readonly isWhole: boolean;
  readonly checked: Readonly<Record<string, number>>;
  readonly violations: readonly VerificationFinding[];
  /** What a person has to settle; no violation. Of many the first. */
  readonly waiting: readonly VerificationFinding[];
  /** How many more wait. */
  readonly moreWaiting: number;
  /** Orders that were held to what is left of them, because their early changes lie in files. */
  readonly unreplayed: { readonly orders: number; readonly files: readonly string[] };
};

/** More than anybody reads, of each kind. */
const MOST_FINDINGS = 10_000;

/** Where the audit chain begins, as a part of its own. */
export const FROM_AUDIT = `audit:${headText(BEFORE_ALL)}`;

/** From the beginning, or only what follows `begin`. */
export async function verifyWhole(ask: AskVerifyPart, watch: ProgressWatch, begin?: string): Promise<Verified> {
  const violations: VerificationFinding[] = [];
  const waiting: VerificationFinding[] = [];
  let moreWaiting = 0;
  const checked: Record<string, number> = {};
  let orders: number | undefined;
  let unreplayed = 0;
  const files = new Set<string>();
  watch.show({ doing: 'Verifying' });
  let from: string | null | undefined = begin;
  while (from !== null && violations.length < MOST_FINDINGS) {
    const part: VerifiedPart = await ask(from);
    const { what } = part.checked;
    const done = (checked[what] ?? 0) + part.checked.count;
    checked[what] = done;
    for (const finding of part.findings) {
      if (finding.kind === 'violation') violations.push(finding);
      else if (waiting.length < MOST_FINDINGS) waiting.push(finding);
      else moreWaiting++;
    }
    orders = part.total ?? orders;
    unreplayed += part.archived.orders;
    for (const file of part.archived.files) files.add(file);
    watch.show({ doing: `Verifying ${what}`, done, total: what === 'orders' ? orders : undefined });
    from = part.next;
  }
  const isWhole = from === null;
  return {
    ...{ ok: isWhole && violations.length === 0, isWhole, checked, violations, waiting, moreWaiting },
    unreplayed: { orders: unreplayed, files: [...files].sort() },
  };
}

/** How much of what was looked at: `1 order, 17 tables`. */
export function checkedText({ checked }: Pick<Verified, 'checked'>): string {
  return Object.entries(checked)
    .map(([what, count]) => `${count.toLocaleString('en')} ${count === 1 ? oneOf(what) : what}`)
    .join(', ');
}

const oneOf = (many: string) => many.replace(/ies$/, 'y').replace(/s$/, '');

/** What could not be looked at for want of files; undefined when nothing was archived. */
export function unreplayedText({ unreplayed: { orders, files } }: Pick<Verified, 'unreplayed'>): string | undefined {
  if (orders === 0) return undefined;
  const which =
    orders === 1 ? 'The changes of 1 order lie' : `The changes of ${orders.toLocaleString('en')} orders lie`;
  return `${which} in ${files.join(', ')}: they were held to what is left in the database`;
}

/** The verdict in a few words. */
export function verdictOf({ ok, isWhole, checked, violations, unreplayed }: Verified): string {
  if (ok && unreplayed.orders > 0) {
    const all = counted(checked.orders ?? 0, 'order');
    return `Nothing is wrong in what could be verified: of ${all} ${unreplayed.orders} could not be played again`;
  }
  if (ok) return 'Everything is as it must be';
  const found = counted(violations.length, 'violation');
  return isWhole ? found : `${found}, at which it ended: the rest was not looked at`;
}
