// The card references of a merchant: the names by which it charges stored cards.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, formOf, searchForm } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { moment, mono } from '../pieces/values.ts';
import { olderLink } from './recurring.ts';

type Reference = AnswerTo<'listCardReferences'>[number];

const PAGE_SIZE = 100;

export const cardReferencesPage = definePage({
  path: 'cards',
  needs: 'listCardReferences',
  menu: { section: 'Payments', name: 'Stored cards' },
  sayings: { deleted: 'The card reference is deleted.' },
  async show(visit) {
    const { query } = visit;
    const merchants = await visit.ask('listMerchants');
    const login = isOfMerchant(visit) ? merchants[0]?.login : query.get('login')?.trim() || merchants[0]?.login;
    const before = query.get('before') ?? '';
    const older = /^\d{1,15}$/.test(before) ? { before: Number(before) } : {};
    const found = login === undefined ? [] : await visit.ask('listCardReferences', { login, ...older });
    const last = found.length === PAGE_SIZE ? found.at(-1) : undefined;
    const logins = merchants.map((one) => [one.login, one.login] as const);
    return {
      title: 'Stored cards',
      body: html`<p>Merchants charge a stored card by its reference. Of its number only the ends are shown, and who looked
at this list is kept in the audit chain.</p>
${!isOfMerchant(visit) && searchForm('/console/cards', choiceField({ name: 'login', label: 'Merchant', value: login }, logins), 'Show')}
${list(visit, found)}
${last && olderLink('/console/cards', query, last.cardReference)}`,
    };
  },
  forms: {
    delete: async (visit) => {
      const { login = '', cardReference = '' } = visit.given;
      const id = /^\d{1,15}$/.test(cardReference) ? Number(cardReference) : cardReference;
      await visit.ask('deleteCardReference', { login, cardReference: id });
      const to = isOfMerchant(visit) ? '' : `?login=${encodeURIComponent(login)}`;
      return { to: `/console/cards${to}`, said: 'deleted' };
    },
  },
});

function list(visit: Visit, rows: readonly Reference[]): Piece {
  const mayDelete = visit.may('deleteCardReference');
  return tableOf({
    label: 'Stored cards',
    columns: {
      Reference: ({ cardReference }) => mono(cardReference),
      Card: ({ card }) => mono(card),
      Brand: ({ brand }) => brand,
      Expires: ({ expires }) => expires ?? undefined,
      Holder: ({ holder }) => holder ?? undefined,
      Made: ({ createdAt }) => moment(createdAt),
      ...(mayDelete ? { 'What can be done': { of: (one: Reference) => deletion(visit, one), kind: 'actions' } } : {}),
    },
    rows,
    otherwise: 'This merchant has stored no card. It asks for a reference with the operation CARD_REF.',
  });
}

function deletion(visit: Visit, { login, cardReference, card }: Reference): Piece {
  return formOf(
    visit,
    {
      action: '/console/cards/delete',
      submit: 'Delete',
      kind: 'quiet',
      confirm: `Nothing can be charged by reference ${cardReference} (${card}) any more. Delete it?`,
      inline: true,
    },
    html`<input type="hidden" name="login" value="${login}">
<input type="hidden" name="cardReference" value="${cardReference}">`,
  );
}
