// What people may do with an order's money, each as a form with a reason: those that the order allows now, to whoever
// may. What is above the second person's amount says that it will wait.

import type { WholeOrderAnswer } from '../../administration/orders/order-answers.ts';
import { html, type Piece } from '../../web/design/html.ts';
import type { Done, Visit } from '../page.ts';
import { checkField, choiceField, foldedForm, textField, typed, typedIn } from '../pieces/forms.ts';
import { panel } from '../pieces/values.ts';

type Offer = {
  readonly word: string;
  readonly title: string;
  readonly submit: string;
  readonly verb: 'returnOrder' | 'captureOrder' | 'voidOrder' | 'bookReturnedPayout';
  readonly most: (possible: WholeOrderAnswer['possible']) => string | null;
  readonly isWhole?: boolean;
  /** Whether it takes a charge back. */
  readonly takesBack?: boolean;
  readonly gives?: object;
  readonly says: string;
  readonly said: string;
};

const OFFERS: readonly Offer[] = [
  {
    word: 'return',
    title: 'Give money back',
    submit: 'Give it back',
    verb: 'returnOrder',
    most: (possible) => possible.return,
    gives: { from: 'payment' },
    takesBack: true,
    says: 'The payer gets it within days, on the same card.',
    said: 'returned',
  },
  {
    word: 'capture',
    title: 'Take what is held',
    submit: 'Take it',
    verb: 'captureOrder',
    most: (possible) => possible.capture,
    says: 'The payer is charged. What is not taken stays held until it is released.',
    said: 'captured',
  },
  {
    word: 'release',
    title: 'Release what is held',
    submit: 'Release it',
    verb: 'returnOrder',
    most: (possible) => possible.release,
    gives: { from: 'hold' },
    says: 'The payer can use the money again; nothing was charged.',
    said: 'released',
  },
  {
    word: 'void',
    title: 'Void it, before the bank clears it',
    submit: 'Void it',
    verb: 'voidOrder',
    most: (possible) => possible.void,
    isWhole: true,
    takesBack: true,
    says: 'While the bank has not cleared the charge, mostly until the end of the day: all of it is taken back, and the payer sees no charge. A charge that is cleared cannot be voided; give the money back instead.',
    said: 'voided',
  },
  {
    word: 'came-back',
    title: 'Book that the bank returned it',
    submit: 'Book it back',
    verb: 'bookReturnedPayout',
    most: (possible) => possible.payoutReturn,
    isWhole: true,
    says: 'For a bank that tells it by other means, such as a statement. The money is in the balance again.',
    said: 'came-back',
  },
];

const SETTLED = 'settled';
const CONFIRMED = 'confirmed';
const WAITS = 'waits';

export const ACTION_SAYINGS = {
  returned: 'The bank gives the money back. The payer sees it on the card within days.',
  captured: 'The money is being taken.',
  released: 'The hold is being released.',
  voided: 'It is being voided.',
  'came-back': 'The payout is in the balance again.',
  [SETTLED]: 'What the bank told you is booked.',
  [CONFIRMED]: 'The payout is on its way.',
  [WAITS]: 'This takes a second person: it waits until somebody else approves it. See “Waiting for approval”.',
  replayed: 'The callback is sent again now.',
};

const actionOf = (orderId: number, word: string) => `/console/orders/${orderId}/${word}`;

/** `because` is the likeliest reason to give its money back, for people to keep or to write over. */
export function orderActions(visit: Visit, order: WholeOrderAnswer, because?: string): Piece {
  const forms = [
    ...OFFERS.map((offer) => offerForm(visit, order, offer, because)),
    ...order.transactions.filter(({ stage }) => stage === 'stuck').map(({ seq }) => settleForm(visit, order, seq)),
    confirmForm(visit, order),
  ].filter(Boolean);
  return forms.length > 0 && panel('actions', 'What you can do', html`${secondPersonNote(order)}${forms}`);
}

function secondPersonNote({ possible: { alone }, currency }: WholeOrderAnswer): Piece {
  if (alone === null) return undefined;
  return html`<p class="hint">Above ${alone} ${currency} it waits until a second person approves it.</p>`;
}

function offerForm(visit: Visit, order: WholeOrderAnswer, offer: Offer, because: string | undefined): Piece {
  const { orderId, currency, possible } = order;
  const { word, title, submit, verb, isWhole = false, says } = offer;
  const most = offer.most(possible);
  if (most === null || !visit.may(verb)) return undefined;
  const amount = textField({
    name: 'amount',
    of: word,
    label: `Amount in ${currency}`,
    value: typed(visit, word, 'amount'),
    placeholder: most,
    numeric: true,
    hint: `Leave it empty for all of it, ${most} ${currency}.`,
  });
  const isRefused = visit.refusedForm === word;
  const again = checkField({ name: 'again', of: word, label: 'Do it again, although the same was done within a day' });
  const body = html`<p class="hint">${says}</p>${isWhole ? undefined : amount}${reasonField(visit, word, 'reason', offer.takesBack && because)}
${isRefused && !isWhole && again}`;
  const heading = `${title}: ${isWhole ? '' : 'up to '}${most} ${currency}`;
  return foldedForm(visit, heading, { action: actionOf(orderId, word), submit, oneOf: 'actions' }, body);
}

/** `of` begins with the word of its form, and tells it apart from others on the page. */
export function reasonField(visit: Visit, of: string, name = 'reason', suggested: string | false = ''): Piece {
  return textField({
    name,
    of,
    label: 'Why',
    value: visit.refusedForm !== undefined && of.startsWith(visit.refusedForm) ? visit.given[name] : suggested || '',
    required: true,
    placeholder: 'ticket 77',
    hint: 'Kept with the order and in the audit chain.',
  });
}

export const OUTCOMES = [
  ['', 'choose'],
  ['approved', 'approved: the money moved'],
  ['declined', 'declined: no money moved'],
  ['reversed', 'reversed: it moved and went back'],
] as const;

function settleForm(visit: Visit, { orderId }: WholeOrderAnswer, seq: number): Piece {
  if (!visit.may('settleStuck')) return undefined;
  const word = 'settle';
  const outcome = { name: 'outcome', of: `${word}-${seq}`, label: 'The bank says', required: true };
  const body = html`<input type="hidden" name="seq" value="${seq}">
<p class="hint">The bank gave no answer. Ask it by other means, and book what it told you.</p>
${choiceField({ ...outcome, value: typed(visit, word, 'outcome') }, OUTCOMES)}${reasonField(visit, word, 'note')}`;
  return foldedForm(visit, `Settle transaction ${seq}`, { action: actionOf(orderId, word), submit: 'Book it' }, body);
}

function confirmForm(visit: Visit, { orderId, operation, transactions }: WholeOrderAnswer): Piece {
  const isWaiting = operation === 'payout' && transactions.at(-1)?.stage === 'waiting';
  if (!isWaiting || !visit.may('approvePayout')) return undefined;
  const body = reasonField(visit, 'confirm');
  return foldedForm(visit, 'Confirm this payout', { action: actionOf(orderId, 'confirm'), submit: 'Pay it out' }, body);
}

type Asked = { readonly waits: object | null };

const done = (orderId: number, { waits }: Asked, said: string): Done => ({
  to: `/console/orders/${orderId}`,
  said: waits === null ? said : WAITS,
});

const idIn = ({ params }: Visit) => Number(params.orderId);

const offerForms = Object.fromEntries(
  OFFERS.map(({ word, verb, gives, isWhole, said }) => [
    word,
    async (visit: Visit) => {
      const orderId = idIn(visit);
      const part = isWhole ? {} : { amount: typedIn(visit, 'amount'), again: visit.given.again === 'yes' || undefined };
      const reason = typedIn(visit, 'reason');
      return done(orderId, await visit.ask(verb, { orderId, reason, ...part, ...gives }), said);
    },
  ]),
);

export const actionForms: Readonly<Record<string, (visit: Visit) => Promise<Done>>> = {
  ...offerForms,
  settle: async (visit) => {
    const [orderId, seq] = [idIn(visit), Number(visit.given.seq)];
    const told = { outcome: typedIn(visit, 'outcome'), note: typedIn(visit, 'note') };
    return done(orderId, await visit.ask('settleStuck', { orderId, seq, ...told }), SETTLED);
  },
  confirm: async (visit) => {
    const orderId = idIn(visit);
    const { found } = await visit.ask('listOrders', { orderId });
    const given = { login: found[0]?.login, orderId, reason: typedIn(visit, 'reason') };
    return done(orderId, await visit.ask('approvePayout', given), CONFIRMED);
  },
  replay: async (visit) => {
    await visit.ask('replayCallback', { callbackId: visit.given.callbackId });
    return { to: `/console/orders/${idIn(visit)}`, said: 'replayed' };
  },
};
