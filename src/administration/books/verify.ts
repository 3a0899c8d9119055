// Verification, a part at a time so that a running gateway goes on with its work: all orders, every merchant's
// accounts, the tables as wholes, and the audit chain. Where the next part begins is told by the part before.

import { type AuditHead, BEFORE_ALL, breakAt } from '../../domain/audit.ts';
import { formed, type InputKind, line, Misread } from '../../domain/input-kinds.ts';
import { CVV_MS } from '../../domain/order/retry-schedule.ts';
import { findingsOf, lacksEvents, type VerificationFinding } from '../../domain/order/verification.ts';
import { shown } from '../../domain/text.ts';
import type { DueBefore } from '../../storage/orders/table-checks.ts';
import type { DatedOrder } from '../../storage/orders/verification.ts';
import type { Parts } from '../parts.ts';
import { type Answered, aList, aNumber, anObject, aText, aWord, orNull } from '../verb/answers.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { archiveOddities } from './archive-checks.ts';
import { storedText } from './stored-order-text.ts';

/** Orders in one statement, merchants in one part, entries of the audit chain in one part. */
const ORDERS = 200;
const MERCHANTS = 20;
const ENTRIES = 1_000;

/** What due work may be late beyond a lease, and how long after its time a security code may still be there. */
const PATIENCE_MS = 60_000;
const CVV_GONE_MS = CVV_MS + 2 * PATIENCE_MS;

/** Merchants that fail are tried more and more rarely: for so long nothing need happen. */
const CALLBACK_PATIENCE_MS = 30 * 60_000;

/** A node whose clock is behind writes a change before the order was made. */
const CLOCKS_APART_MS = 24 * 60 * 60_000;

const verifiedPart = anObject({
  findings: aList(
    anObject({
      kind: aWord(['violation', 'waiting'], 'What waits for a person is no violation.'),
      place: aText(),
      cause: aText(),
    }),
  ),
  checked: anObject({ what: aWord(['orders', 'merchants', 'tables', 'records', 'audit entries']), count: aNumber() }),
  archived: anObject({
    orders: aNumber('Orders of this part that cannot be played again without files.'),
    files: aList(aText(), 'Which may hold their other changes.'),
    stored: aList(aText(), 'Each of these orders as JSON, of verifyStoredPart alone.'),
  }),
  total: orNull(aNumber('How many orders there are, in the first part; null in the others.')),
  next: orNull(aText('Where the next part begins; null at the end.')),
});

export type VerifiedPart = Answered<typeof verifiedPart>;

type VerifyParts = Parts<'archives' | 'audit' | 'clock' | 'leaseMs' | 'records' | 'verification'>;

type CheckedPart = Omit<VerifiedPart, 'total' | 'archived'> & Partial<Pick<VerifiedPart, 'archived'>>;

type Given = { readonly kept: AuditHead | undefined; readonly isWithStored: boolean };

type Step = (parts: VerifyParts, from: readonly string[], given: Given) => Promise<CheckedPart>;

const STEPS: Readonly<Record<string, Step>> = { orders, merchants, tables, records, audit };

/** A head of the audit chain, as it is printed. */
export const auditHeadKind: InputKind<AuditHead> = {
  ...formed(/^\d{1,15}:[0-9a-f]{64}$/, 'a head as "tender audit list" prints it'),
  read: (value) =>
    typeof value === 'string' && /^\d{1,15}:[0-9a-f]{64}$/.test(value)
      ? headOf(value.split(':'))
      : new Misread('a head as "tender audit list" prints it is needed'),
};

const given = {
  from: mayGive(line(200), 'where the last part said the next one begins; the beginning when left out'),
  auditHead: mayGive(auditHeadKind, 'a head of the audit chain that was kept elsewhere'),
};

type Asked = { readonly from?: string | undefined; readonly auditHead?: AuditHead | undefined };

export const verifyPart = defineReading({
  name: 'verifyPart',
  summary: 'check a part of the invariants of the database',
  given,
  answer: verifiedPart,
  run: (asked, parts) => partFrom(asked, parts, false),
});

/** Whole orders, for who has the files beside the gateway: whoever else looks at one uses a verb that tells of it. */
export const verifyStoredPart = defineVerb({
  name: 'verifyStoredPart',
  summary: 'check a part of the invariants, and answer orders whose early changes were archived as they are stored',
  role: 'administrator',
  conduct: 'read',
  localOnly: true,
  given,
  answer: verifiedPart,
  run: (asked, parts) => partFrom(asked, parts, true),
});

async function partFrom({ from = 'orders:0:0', auditHead }: Asked, parts: VerifyParts, isWithStored: boolean) {
  const [step = '', ...rest] = from.split(':');
  const run = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
  if (!run) throw new InvalidInput(`from: ${shown(from)} is where no part begins`);
  const isFirst = rest.every((place) => place === '0') && run === orders;
  const total = isFirst ? await parts.verification.orderCount() : undefined;
  const checked = await run(parts, rest, { kept: auditHead, isWithStored });
  return { archived: { orders: 0, files: [], stored: [] }, ...checked, total };
}

async function orders(
  parts: VerifyParts,
  [merchantId, orderId]: readonly string[],
  { isWithStored }: Given,
): Promise<CheckedPart> {
  const { clock, leaseMs, verification } = parts;
  const now = clock.now();
  const isServed = await verification.isServed(now);
  const moment = { now, overdueMs: leaseMs + PATIENCE_MS, cvvMs: CVV_GONE_MS, isServed };
  const page = await verification.orders({ merchantId: Number(merchantId), orderId: Number(orderId) }, ORDERS);
  const last = page.at(-1)?.order;
  const lacking = page.filter(lacksEvents);
  // Asked for behind the orders: what left the database before they were read is among them.
  const filed = lacking.length > 0 ? (await parts.archives.list()).filter(({ table }) => table === 'order_events') : [];
  const filesOf = (stored: DatedOrder) => {
    const { order, events, changedAt } = stored;
    // Of an order that has nothing left the last change went too.
    const since = events.length === 0 ? changedAt : order.createdAt;
    return filed.some(({ until }) => until > since - CLOCKS_APART_MS)
      ? filed.filter(({ until }) => until > order.createdAt - CLOCKS_APART_MS)
      : [];
  };
  const rests = new Set(lacking.filter((stored) => filesOf(stored).length > 0));
  return {
    archived: {
      orders: rests.size,
      files: [...new Set([...rests].flatMap(filesOf).map(({ file }) => file))],
      stored: isWithStored ? [...rests].map(storedText) : [],
    },
    findings: page.flatMap((stored) => findingsOf(stored, moment, rests.has(stored))),
    checked: { what: 'orders', count: page.length },
    next: last ? `orders:${last.merchantId}:${last.orderId}` : 'merchants:0',
  };
}

async function merchants({ verification }: VerifyParts, [after]: readonly string[]): Promise<CheckedPart> {
  const page = await verification.merchants(Number(after), MERCHANTS);
  const findings: VerificationFinding[] = [];
  for (const merchantId of page) findings.push(...violations(await verification.accounts(merchantId)));
  const last = page.at(-1);
  return {
    findings,
    checked: { what: 'merchants', count: page.length },
    next: last === undefined ? 'tables:0' : `merchants:${last}`,
  };
}

async function tables(parts: VerifyParts, [index]: readonly string[]): Promise<CheckedPart> {
  const { verification } = parts;
  const next = Number(index) + 1;
  return {
    findings: violations(await verification.tables(Number(index), await dueBefore(parts))),
    checked: { what: 'tables', count: 1 },
    next: next < verification.tableChecks ? `tables:${next}` : 'records',
  };
}

/** Keys, endpoints, limits and whatever else gives power, archives too: each as the administration wrote it. */
async function records({ archives, audit, clock, records }: VerifyParts): Promise<CheckedPart> {
  const { count, tampered } = await records.look();
  return {
    findings: violations([...tampered, ...(await archiveOddities({ archives, audit }, clock.now()))]),
    checked: { what: 'records', count },
    next: `audit:${BEFORE_ALL.seq}:${BEFORE_ALL.hash}`,
  };
}

/** While a node lives nothing that was due is left alone: authentications, recurring payments, callbacks. */
async function dueBefore({ clock, leaseMs, verification }: VerifyParts): Promise<DueBefore | undefined> {
  const now = clock.now();
  const isServed = await verification.isServed(now);
  return isServed ? { work: now - leaseMs - PATIENCE_MS, callbacks: now - CALLBACK_PATIENCE_MS } : undefined;
}

async function audit({ audit }: VerifyParts, from: readonly string[], { kept }: Given): Promise<CheckedPart> {
  let head: AuditHead = headOf(from);
  const findings: VerificationFinding[] = [];
  const entries = await audit.following(head.seq, ENTRIES);
  for (const entry of entries) {
    const wrong = breakAt(head, entry);
    if (wrong !== undefined) findings.push(auditFinding(entry.seq, wrong));
    if (entry.seq === kept?.seq && entry.hash !== kept.hash) {
      findings.push(auditFinding(entry.seq, 'is another one than the one whose hash was kept'));
    }
    head = entry;
  }
  const isEnd = entries.length === 0;
  if (isEnd) findings.push(...(await endFindings(audit, head, kept)));
  const next = isEnd ? null : `audit:${head.seq}:${head.hash}`;
  return { findings, checked: { what: 'audit entries', count: entries.length }, next };
}

/** Nothing follows `last`: neither the chain's head nor the one that was kept may be later. */
async function endFindings(
  audit: VerifyParts['audit'],
  last: AuditHead,
  kept: AuditHead | undefined,
): Promise<VerificationFinding[]> {
  const head = await audit.head();
  // Somebody may have added one since.
  const isNew = head.seq > last.seq && (await audit.following(last.seq, 1)).length > 0;
  const findings: VerificationFinding[] = [];
  if (!isNew && (head.seq !== last.seq || head.hash !== last.hash)) {
    findings.push(auditFinding(head.seq, `is the head of the chain, which ends with entry ${last.seq}`));
  }
  if (kept && kept.seq > last.seq && !isNew) {
    findings.push(auditFinding(kept.seq, `was there when its hash was kept; the chain ends with entry ${last.seq}`));
  }
  return findings;
}

function headOf([seq, hash]: readonly string[]): AuditHead {
  return { seq: Number(seq), hash: hash ?? '' };
}

function auditFinding(seq: number, cause: string): VerificationFinding {
  return { kind: 'violation', place: `audit entry ${seq}`, cause };
}

function violations(oddities: readonly { readonly place: string; readonly cause: string }[]): VerificationFinding[] {
  return oddities.map(({ place, cause }) => ({ kind: 'violation', place, cause }));
}
