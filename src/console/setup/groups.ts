// Groups of endpoints: one number for several currencies.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { endpointLink, merchantLink } from '../pieces/links.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';

export const groupsPage = definePage({
  path: 'groups',
  needs: 'listGroups',
  menu: { section: 'Set-up', name: 'Groups' },
  async show(visit) {
    const hint = visit.may('addGroup') && ' Groups are added on the page of their merchant.';
    return {
      title: 'Groups of endpoints',
      body: html`<p class="intro">A group is one number for endpoints of different currencies; the currency of an order
chooses among them.${hint}</p>
${groupTable(await visit.ask('listGroups'), !isOfMerchant(visit))}`,
    };
  },
});

export function groupTable(groups: AnswerTo<'listGroups'>, withMerchant = false): Piece {
  return tableOf({
    label: 'List of groups',
    columns: {
      Group: ({ groupId }) => groupId,
      ...(withMerchant ? { Merchant: merchantLink } : {}),
      Endpoints: ({ endpoints }) =>
        endpoints.map((endpoint, index) => html`${index > 0 && ', '}${endpointLink(endpoint)} (${endpoint.currency})`),
    },
    rows: groups,
    otherwise: 'Groups would be here: one number for endpoints of different currencies.',
  });
}
