// Plays orders again whose early changes lie in files: what the database answers of them is put together with those.

import { storedFrom } from '../../administration/books/stored-order-text.ts';
import type { VerifiedPart } from '../../administration/books/verify.ts';
import type { Verified } from '../../administration/books/whole-verification.ts';
import {
  lacksEvents,
  replayFindings,
  type StoredOrder,
  type VerificationFinding,
} from '../../domain/order/verification.ts';
import type { HeldArchives } from './archive-sources.ts';
import type { ArchivedEvents } from './archived-events.ts';

/**
 * The part with what was found of its orders. Left as they are: those of files that could not be read, or that were
 * archived since the files were looked at.
 */
export async function replayed(
  part: VerifiedPart,
  events: ArchivedEvents,
  { readable }: Pick<HeldArchives, 'readable'>,
): Promise<VerifiedPart> {
  const isLacking = part.archived.files.some((file) => !readable.has(file));
  const findings: VerificationFinding[] = [];
  const left: string[] = [];
  for (const text of part.archived.stored) {
    const stored = await whole(storedFrom(text), events);
    if (isLacking && lacksEvents(stored)) left.push(text);
    else findings.push(...replayFindings(stored));
  }
  const files = left.length > 0 ? part.archived.files : [];
  const archived = { orders: left.length, files, stored: [] };
  return { ...part, findings: [...part.findings, ...findings], archived };
}

/**
 * Orders that are gone though files have changes of them. Every order that is there is asked for when all parts were
 * looked at, because what lies in files is missing in the database.
 */
export async function goneOrders(
  events: ArchivedEvents,
  { isWhole, violations }: Pick<Verified, 'isWhole' | 'violations'>,
): Promise<VerificationFinding[]> {
  if (!isWhole) return [];
  const told = new Set(violations.map(({ place }) => place));
  const places = (await events.unasked()).map(({ orderId }) => `order ${orderId}`);
  const cause = 'is not there, but has changes in the archives';
  return places.filter((place) => !told.has(place)).map((place) => ({ kind: 'violation', place, cause }));
}

async function whole(stored: StoredOrder, events: ArchivedEvents): Promise<StoredOrder> {
  const all = [...(await events.of(stored.order)), ...stored.events];
  return { ...stored, events: all.toSorted((one, other) => one.version - other.version) };
}
