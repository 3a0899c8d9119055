// A script of faults: what happens to one message after the other, in the order of their arrival. For example
// `3*ok, lose-answer, late-answer=45000, refuse` lets three messages pass and spoils the next three.

/** What happens to one message. */
export type Fate = {
  readonly end: 'answered' | 'refused' | 'request-lost' | 'answer-lost' | 'garbled' | 'doubled';
  readonly requestDelayMs: number;
  readonly answerDelayMs: number;
};

const ENDS = {
  ok: 'answered',
  refuse: 'refused',
  'lose-request': 'request-lost',
  'lose-answer': 'answer-lost',
  garble: 'garbled',
  double: 'doubled',
} as const satisfies Readonly<Record<string, Fate['end']>>;

type Word = keyof typeof ENDS;

/** A word, or how many milliseconds a request or an answer is late. */
export type ScriptStep = Word | `late-request=${number}` | `late-answer=${number}`;

const LATE = /^late-(request|answer)=(\d{1,6})$/;
const MAX_STEPS = 10_000;
const MAX_LATE_MS = 600_000;

export const SCRIPT_WORDS = `${Object.keys(ENDS).join(', ')}, late-request=<ms>, late-answer=<ms>`;

/** Undefined when a word is unknown or the script has too many steps. */
export function readScript(words: readonly string[]): ScriptStep[] | undefined {
  const steps: ScriptStep[] = [];
  for (const word of words) {
    const [, times = '1', name = ''] = /^(?:(\d{1,5})\*)?(.+)$/.exec(word.trim()) ?? [];
    if (!isStep(name) || steps.length + Number(times) > MAX_STEPS) return undefined;
    for (let time = 0; time < Number(times); time++) steps.push(name);
  }
  return steps;
}

function isStep(name: string): name is ScriptStep {
  const late = LATE.exec(name);
  return late ? Number(late[2]) <= MAX_LATE_MS : Object.hasOwn(ENDS, name);
}

export function scriptedFate(step: ScriptStep): Fate {
  const [, what, ms = '0'] = LATE.exec(step) ?? [];
  return {
    end: what === undefined ? ENDS[step as Word] : 'answered',
    requestDelayMs: what === 'request' ? Number(ms) : 0,
    answerDelayMs: what === 'answer' ? Number(ms) : 0,
  };
}
