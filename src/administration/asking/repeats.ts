// Changes that are done once, however often they are asked for by the same key. What a change answered is sealed by the
// vault, because it may tell of payers; a key or a code that is told once is not kept at all.

import { createHash } from 'node:crypto';
import { canonicalJson, judgeAskedAgain, REPEATS_KEPT_MS } from '../../domain/people/repeat-key.ts';
import { Secret } from '../../domain/secret.ts';
import type { RepeatKey } from '../../storage/people/repeats.ts';
import { repeatPlace } from '../../vault/places.ts';
import type { Parts } from '../parts.ts';
import { type AnswerShape, tellsOnce } from '../verb/answers.ts';
import { subjectsIn } from '../verb/audit-note.ts';
import type { Given } from '../verb/inputs.ts';
import { OtherThanBefore } from '../verb/invalid-input.ts';

export type AskedAgain = {
  readonly asker: string;
  readonly repeatKey: string;
  readonly verb: string;
  readonly given: Given;
  /** How much later it is by the clock when the change is over. */
  readonly endsAfterMs?: number | undefined;
  /** What its verb answers. */
  readonly shape: AnswerShape<unknown>;
};

/** `made` names what came of it, so that whoever never saw the secret can take it away again. */
const shownOnceText = (made: readonly string[]) =>
  `this was done before${made.length > 0 ? ` (${made.join(', ')})` : ''}, and the secret that came of it ` +
  'was shown that once; make another one if nobody has it';

type RepeatParts = Parts<'clock' | 'staff' | 'vault'>;

type Answered = { readonly answer: unknown };

/** The answer to the same request before; undefined when it is the first. */
export async function answeredBefore(
  asked: AskedAgain,
  { clock, staff, vault }: RepeatParts,
): Promise<Answered | undefined> {
  const key = keyOf(asked);
  const before = await staff.repeats.find(key, clock.now() - REPEATS_KEPT_MS);
  const judged = judgeAskedAgain(before, bodyOf(asked, vault));
  if (judged.do === 'refuse') throw new OtherThanBefore(judged.why);
  if (judged.do === 'anew') return undefined;
  const kept = JSON.parse((await vault.reveal(judged.answer, repeatPlace(key))).reveal());
  if (kept.wasToldOnce) throw new OtherThanBefore(shownOnceText(kept.made ?? []));
  return { answer: kept.answer };
}

/** Keeps the answer, in the transaction of the change. */
export async function keepAnswer(asked: AskedAgain, answer: unknown, parts: RepeatParts): Promise<void> {
  await begin(asked, parts, sealedAnswer(asked, answer, parts));
}

/** For what no transaction covers: whoever asks again meanwhile is refused. */
export function beginRepeatable(asked: AskedAgain, parts: RepeatParts): Promise<void> {
  return begin(asked, parts, undefined);
}

export async function endRepeatable(asked: AskedAgain, answer: unknown, parts: RepeatParts): Promise<void> {
  if (parts.vault.isStale) await parts.vault.freshen();
  await parts.staff.repeats.end(keyOf(asked), sealedAnswer(asked, answer, parts));
}

/** It was refused, so the same may be tried again. */
export function forgetRepeatable(asked: AskedAgain, { staff }: RepeatParts): Promise<void> {
  return staff.repeats.remove(keyOf(asked));
}

async function begin(asked: AskedAgain, { clock, staff, vault }: RepeatParts, answer: Sealed | undefined) {
  const now = clock.now();
  const change = {
    ...keyOf(asked),
    verb: asked.verb,
    body: bodyOf(asked, vault),
    answer,
    at: now + (asked.endsAfterMs ?? 0),
  };
  if (await staff.repeats.begin(change, now - REPEATS_KEPT_MS)) return;
  throw new OtherThanBefore('a request with this idempotency-key is under way');
}

type Sealed = ReturnType<RepeatParts['vault']['seal']>;

function sealedAnswer(asked: AskedAgain, answer: unknown, { vault }: RepeatParts): Sealed {
  const { shape } = asked;
  const kept = tellsOnce(shape, answer) ? { wasToldOnce: true, made: subjectsIn(shape, answer) } : { answer };
  return vault.seal(new Secret(JSON.stringify(kept)), repeatPlace(keyOf(asked)));
}

function keyOf({ asker, repeatKey }: AskedAgain): RepeatKey {
  return { asker, key: createHash('sha256').update(repeatKey).digest('hex') };
}

/** Under a key of the vault: a short password for a bank could be guessed by a plain digest. */
function bodyOf({ verb, given }: AskedAgain, { recordKey }: RepeatParts['vault']): Buffer {
  if (!recordKey) throw new OtherThanBefore('the records of this database are not signed, so nothing can be repeated');
  return recordKey.mac(canonicalJson(['repeat', verb, given]));
}
