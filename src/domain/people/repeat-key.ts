// A change that may have been done, though its answer never arrived, is asked for again by the same key: it is done
// once, and answered as the first time.

/** How long the answer to a change is kept for whoever asks again. */
export const REPEATS_KEPT_MS = 24 * 60 * 60_000;

const REPEAT_KEY = /^[\x21-\x7e]{1,64}$/;

export function isRepeatKey(text: string | readonly string[]): text is string {
  return typeof text === 'string' && REPEAT_KEY.test(text);
}

/** A text that is the same for the same JSON, in whatever order the members of its objects stand. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** What was done by a key: still under way, or with its answer. */
export type Repeatable<Answer> = { readonly body: Buffer; readonly answer: Answer | undefined };

/** What becomes of a request whose key may have been used before. */
export function judgeAskedAgain<Answer>(
  before: Repeatable<Answer> | undefined,
  body: Buffer,
):
  | { readonly do: 'anew' }
  | { readonly do: 'refuse'; readonly why: string }
  | { readonly do: 'answer'; readonly answer: Answer } {
  if (!before) return { do: 'anew' };
  if (!before.body.equals(body)) return { do: 'refuse', why: 'this idempotency-key was used for another request' };
  if (before.answer === undefined) {
    return {
      do: 'refuse',
      why: 'a request with this idempotency-key was begun and its end is not known; look what became of it',
    };
  }
  return { do: 'answer', answer: before.answer };
}
