// Payouts that wait for somebody's word: their merchant's, or that of a person here.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { foldedForm, typedIn } from '../pieces/forms.ts';
import { orderLink } from '../pieces/links.ts';
import { unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { below, longText, moment, sum } from '../pieces/values.ts';
import { reasonField } from './order-actions.ts';

type Payout = AnswerTo<'listPayouts'>[number];

const HOME = '/console/payouts';

export const payoutsPage = definePage({
  path: 'payouts',
  needs: 'listPayouts',
  menu: { section: 'Payments', name: 'Payouts to confirm' },
  sayings: { confirmed: 'The payout is on its way.', waits: 'It waits until a second person approves it.' },
  async show(visit) {
    const rows = await visit.ask('listPayouts');
    const body = tableOf({
      label: 'Payouts to confirm',
      rows,
      columns: {
        'Asked for': (one: Payout) => below(moment(one.createdAt), html`until ${moment(one.expiresAt)}`),
        Order: (one: Payout) => orderLink(visit, one.orderId),
        ...unlessOfMerchant(visit, { Merchant: (one: Payout) => one.login }),
        "Merchant's id": (one: Payout) => longText(one.clientOrderId),
        Amount: { of: (one: Payout) => sum(one.amount, one.currency), kind: 'number' },
        To: (one: Payout) => one.payee ?? undefined,
        ...(visit.may('approvePayout')
          ? { 'Your word': { of: (one: Payout) => confirmForm(visit, one), kind: 'actions' as const } }
          : {}),
      },
      otherwise: 'No payout waits. One that is to be confirmed before it is paid would be here.',
    });
    return { title: 'Payouts to confirm', body };
  },
  forms: {
    confirm: async (visit) => {
      const { login, orderId } = visit.given;
      const given = { login, orderId: Number(orderId), reason: typedIn(visit, 'reason') };
      const { waits } = await visit.ask('approvePayout', given);
      return { to: HOME, said: waits === null ? 'confirmed' : 'waits' };
    },
  },
});

function confirmForm(visit: Visit, { login, orderId, amount, currency }: Payout): Piece {
  const isThis = visit.refusedForm === 'confirm' && visit.given.orderId === String(orderId);
  const asked = isThis ? visit : { ...visit, refusedForm: undefined };
  const body = html`<input type="hidden" name="orderId" value="${orderId}"><input type="hidden" name="login" value="${login}">
${reasonField(asked, `confirm-${orderId}`)}`;
  return foldedForm(asked, 'Confirm it', { action: `${HOME}/confirm`, submit: `Pay out ${amount} ${currency}` }, body);
}
