// The manual queue: what banks gave no answer about. Somebody asks them by other means, and books what they said.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, foldedForm, typedIn } from '../pieces/forms.ts';
import { orderLink } from '../pieces/links.ts';
import { unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { longText, moment, mono, sum } from '../pieces/values.ts';
import { OUTCOMES, reasonField } from './order-actions.ts';

type Stuck = AnswerTo<'listStuck'>[number];

const HOME = '/console/queue';

export const queuePage = definePage({
  path: 'queue',
  needs: 'listStuck',
  menu: { section: 'Payments', name: 'Manual queue' },
  sayings: { settled: 'What the bank told you is booked.', waits: 'It waits until a second person approves it.' },
  async show(visit) {
    const rows = await visit.ask('listStuck', { after: visit.query.get('after') ?? undefined });
    const body = tableOf({
      label: 'What waits for a person',
      rows,
      columns: {
        'Waits since': (one: Stuck) => moment(one.stuckAt),
        Order: (one: Stuck) => orderLink(visit, one.orderId),
        What: (one: Stuck) => `${one.type}, transaction ${one.seq}`,
        Amount: { of: (one: Stuck) => sum(one.amount, one.currency), kind: 'number' },
        ...unlessOfMerchant(visit, { Merchant: (one: Stuck) => one.login }),
        "Merchant's id": (one: Stuck) => longText(one.clientOrderId),
        "Bank's reference": (one: Stuck) => mono(one.reference),
        Because: (one: Stuck) => one.reason ?? undefined,
        ...(visit.may('settleStuck')
          ? { 'What the bank says': { of: (one: Stuck) => settleForm(visit, one), kind: 'actions' as const } }
          : {}),
      },
      otherwise:
        'Nothing waits for a person. What a bank gave no answer about, however often it was asked, would be here.',
    });
    return { title: 'Manual queue', body: html`${body}${more(rows)}` };
  },
  forms: {
    settle: async (visit) => {
      const { orderId, seq } = visit.given;
      const told = { outcome: typedIn(visit, 'outcome'), note: typedIn(visit, 'note') };
      const { waits } = await visit.ask('settleStuck', { orderId: Number(orderId), seq: Number(seq), ...told });
      return { to: HOME, said: waits === null ? 'settled' : 'waits' };
    },
  },
});

const FULL_LIST = 100;

function more(rows: readonly Stuck[]): Piece {
  const last = rows.length >= FULL_LIST ? rows.at(-1) : undefined;
  return (
    last &&
    html`<nav class="pages" aria-label="Pages"><a class="button quiet small" rel="next" href="${HOME}?after=${last.stuckAt}">Next page</a></nav>`
  );
}

function settleForm(visit: Visit, { orderId, seq }: Stuck): Piece {
  const isThis =
    visit.refusedForm === 'settle' && visit.given.orderId === String(orderId) && visit.given.seq === String(seq);
  const asked = isThis ? visit : { ...visit, refusedForm: undefined };
  const of = `settle-${orderId}-${seq}`;
  const value = isThis ? visit.given.outcome : '';
  const body = html`<input type="hidden" name="orderId" value="${orderId}"><input type="hidden" name="seq" value="${seq}">
${choiceField({ name: 'outcome', of, label: 'The bank says', required: true, value }, OUTCOMES)}${reasonField(asked, of, 'note')}`;
  return foldedForm(asked, 'Settle it', { action: `${HOME}/settle`, submit: 'Book it' }, body);
}
