// Where a transaction stands. The stage decides what merchants are shown and what the service does next by itself.

export type Stage =
  | 'awaiting-payer'
  | 'waiting'
  | 'authenticating'
  | 'sending'
  | 'challenged'
  | 'asking'
  | 'undoing'
  | 'stuck'
  | 'approved'
  | 'declined'
  | 'passed-on'
  | 'filtered'
  | 'expired'
  | 'abandoned'
  | 'given-up'
  | 'error';

/** What merchants are shown. */
export const PUBLIC_STATUSES = ['processing', 'unknown', 'approved', 'declined', 'filtered', 'error'] as const;
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];

/** What must happen when the transaction is due: something by itself, something by a person, or nothing. */
export type NextStep = 'expire' | 'end-authentication' | 'send' | 'inquire' | 'reverse' | 'person' | 'none';

type StageRow = { readonly status: PublicStatus; readonly final: boolean; readonly next: NextStep };

export const stages: Readonly<Record<Stage, StageRow>> = {
  // The hosted form is open; nothing is known of the card yet.
  'awaiting-payer': { status: 'processing', final: false, next: 'expire' },
  // Checked and written down; nothing is sent before the merchant confirms it.
  waiting: { status: 'processing', final: false, next: 'expire' },
  // The payer proves to be the cardholder (3-D Secure); nothing is sent before that, and the time for it is limited.
  authenticating: { status: 'processing', final: false, next: 'end-authentication' },
  // The instruction is on its way to the acquirer, or will be when a crashed node's lease has run out.
  sending: { status: 'processing', final: false, next: 'send' },
  // The payer is at an address of the bank; ask it what came of it, for as long as a payer may take.
  challenged: { status: 'processing', final: false, next: 'inquire' },
  // Nobody knows whether money moved: ask the acquirer by our reference.
  asking: { status: 'unknown', final: false, next: 'inquire' },
  // The acquirer cannot say: take back whatever may have happened.
  undoing: { status: 'unknown', final: false, next: 'reverse' },
  // Not even the reversal was answered: an operator decides.
  stuck: { status: 'unknown', final: false, next: 'person' },
  approved: { status: 'approved', final: true, next: 'none' },
  declined: { status: 'declined', final: true, next: 'none' },
  // Another terminal was tried instead: this one declined it, or never got it.
  'passed-on': { status: 'declined', final: true, next: 'none' },
  filtered: { status: 'filtered', final: true, next: 'none' },
  // It was never confirmed, and so never sent.
  expired: { status: 'error', final: true, next: 'none' },
  // The payer left the hosted form without a card.
  abandoned: { status: 'error', final: true, next: 'none' },
  // The payer entered no other card after a decline: the order ended like the card before, and nothing was sent.
  'given-up': { status: 'declined', final: true, next: 'none' },
  // It was taken back, because the acquirer could not say what became of it.
  error: { status: 'error', final: true, next: 'none' },
};

export function isFinal(stage: Stage): boolean {
  return stages[stage].final;
}

// Object.keys has lost that the names are stages.
const ALL_STAGES = Object.keys(stages) as readonly Stage[];

export const openStages = ALL_STAGES.filter((stage) => !isFinal(stage));

/** What merchants are shown of an order that has not ended. */
export const openStatuses: readonly PublicStatus[] = [...new Set(openStages.map((stage) => stages[stage].status))];

export function stagesShownAs(...statuses: readonly PublicStatus[]): readonly Stage[] {
  return ALL_STAGES.filter((stage) => statuses.includes(stages[stage].status));
}

/** Stages that one of these steps follows. */
export function stagesBefore(...steps: readonly NextStep[]): readonly Stage[] {
  return ALL_STAGES.filter((stage) => steps.includes(stages[stage].next));
}

/** Open stages whose end the terminal tells. */
export const AT_TERMINAL = stagesBefore('send', 'inquire', 'reverse');

/** Open stages that the service ends by itself, and neither a payer nor a merchant. */
export const ENDED_BY_SERVICE = stagesBefore('end-authentication', 'send', 'inquire', 'reverse');

/** Stages in which no bank was asked, and none is being asked. */
export const unsentStages: readonly Stage[] = [
  'awaiting-payer',
  'waiting',
  'authenticating',
  'filtered',
  'expired',
  'abandoned',
  'given-up',
];
