// Orders as a file of comma-separated values, as many as there are: page after page is read as the file is taken.

import type { AnswerTo } from '../../administration/administration.ts';
import { csvRow } from '../../domain/csv.ts';
import { definePage, type Visit } from '../page.ts';
import { csvFile } from '../pieces/files.ts';
import { givenBy, soughtIn } from './search-fields.ts';

const PAGE_ROWS = 500;

const HEAD = [
  ...['order', 'made at (UTC)', 'merchant', "merchant's id", 'type', 'status', 'amount', 'currency', 'given back'],
  ...['card', 'e-mail', 'endpoint'],
];

export const exportPage = definePage({
  path: 'orders/export.csv',
  needs: 'exportOrders',
  cutsCards: true,
  async show(visit) {
    const given = givenBy(soughtIn(visit.query), visit.now);
    const { name } = await visit.ask('exportOrders', given);
    return csvFile(name, { body: '', stream: rowsOf(visit, given) });
  },
});

async function* rowsOf(visit: Visit, given: object): AsyncGenerator<string> {
  yield csvRow(HEAD);
  let after: string | undefined;
  do {
    const { found, next } = await visit.askAnew('listOrders', { ...given, after, limit: PAGE_ROWS });
    // Also where a page found nothing: whoever waits sees that it goes on.
    yield found.map(rowOf).join('');
    after = next ?? undefined;
  } while (after !== undefined);
}

function rowOf(one: AnswerTo<'listOrders'>['found'][number]): string {
  return csvRow([
    ...[one.orderId, one.createdAt, one.login, one.clientOrderId, one.operation, one.status],
    ...[one.amount, one.currency, one.reversed, one.card, one.email, one.endpointId],
  ]);
}
