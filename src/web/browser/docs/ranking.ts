// Which entries of the index fit what somebody typed, best first: every word must be there, words in titles count more
// than words in the text, and whole words more than parts of longer ones.

export type Searched = {
  readonly p: string;
  readonly a?: string;
  readonly t: string;
  readonly h?: string;
  readonly x: string;
};

const MAX_RESULTS = 30;
const WEIGHTS = { title: 8, heading: 5, whole: 4, text: 1, wordOfText: 6 };

export function ranked<Entry extends Searched>(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
}

/** Zero when a word is missing. */
function scoreOf({ t, h = '', x }: Searched, words: readonly string[]): number {
  const title = t.toLowerCase();
  const heading = h.toLowerCase();
  const text = x.toLowerCase();
  let sum = 0;
  for (const word of words) {
    let score = 0;
    if (title.includes(word)) score += h === '' ? WEIGHTS.title : 1;
    if (heading.includes(word)) score += WEIGHTS.heading;
    if (wordsOf(`${title} ${heading}`).includes(word)) score += WEIGHTS.whole;
    if (text.includes(word)) score += WEIGHTS.text;
    // The word itself is worth more than a longer one that holds it.
    if (score > 0 && hasWord(text, word)) score += WEIGHTS.wordOfText;
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

function hasWord(text: string, word: string): boolean {
  const isPart = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_-]/u.test(letter);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}
