// What waits for a second person: somebody else than who asked for it approves it, anybody who may rejects it.

import type { AnswerTo } from '../../administration/administration.ts';
import { whoIn } from '../../domain/people/caller.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, formOf, typedIn } from '../pieces/forms.ts';
import { orderLink } from '../pieces/links.ts';
import { unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { below, moment, sum } from '../pieces/values.ts';
import { reasonField } from './order-actions.ts';

type Deed = AnswerTo<'listDeeds'>[number];

const HOME = '/console/waiting';

export const waitingPage = definePage({
  path: 'waiting',
  needs: 'listDeeds',
  menu: { section: 'Payments', name: 'Waiting for approval' },
  sayings: { approved: 'It is approved and on its way.', rejected: 'It is rejected; nothing comes of it.' },
  async show(visit) {
    const rows = await visit.ask('listDeeds');
    const body = tableOf({
      label: 'What waits for a second person',
      rows,
      columns: {
        Asked: (one: Deed) => below(moment(one.askedAt), html`until ${moment(one.expiresAt)}`),
        What: (one: Deed) => (one.outcome === null ? one.kind : `${one.kind} as ${one.outcome}`),
        Amount: { of: (one: Deed) => sum(one.amount, one.currency), kind: 'number' },
        Order: (one: Deed) => orderLink(visit, one.orderId),
        ...unlessOfMerchant(visit, { Merchant: (one: Deed) => one.login }),
        'Asked by': (one: Deed) => html`<span title="${one.askedBy}">${whoIn(one.askedBy)}</span>`,
        Why: (one: Deed) => one.reason,
        'Your word': { of: (one: Deed) => answers(visit, one), kind: 'actions' },
      },
      otherwise:
        'Nothing waits. What moves more money than one person may move alone would be here, until a second one approves it.',
    });
    return { title: 'Waiting for approval', body };
  },
  forms: {
    approve: async (visit) => {
      await visit.ask('approveDeed', { deedId: Number(visit.given.deedId) });
      return { to: HOME, said: 'approved' };
    },
    reject: async (visit) => {
      await visit.ask('rejectDeed', { deedId: Number(visit.given.deedId), reason: typedIn(visit, 'reason') });
      return { to: HOME, said: 'rejected' };
    },
  },
});

function answers(visit: Visit, { deedId, askedBy }: Deed): Piece {
  const id = html`<input type="hidden" name="deedId" value="${deedId}">`;
  const isOwn = whoIn(askedBy) === visit.person.name;
  const approve = isOwn
    ? html`<p class="hint">You asked for it; somebody else approves it.</p>`
    : formOf(visit, { action: `${HOME}/approve`, submit: 'Approve' }, id);
  const isThis = visit.refusedForm === 'reject' && visit.given.deedId === String(deedId);
  const asked = isThis ? visit : { ...visit, refusedForm: undefined };
  const word = `reject-${deedId}`;
  const form = { action: `${HOME}/reject`, submit: 'Reject', kind: 'quiet' } as const;
  return html`${visit.may('approveDeed') && approve}
${visit.may('rejectDeed') && foldedForm(asked, 'Reject it', form, html`${id}${reasonField(asked, word)}`)}`;
}
