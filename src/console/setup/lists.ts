// Block lists: cards, issuers, e-mail addresses, internet addresses and countries that may not pay, at one merchant or
// at all.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, filled, foldedForm, formOf, searchForm, textField, typed, typedIn } from '../pieces/forms.ts';
import { isOfMerchant, unlessOfMerchant } from '../pieces/reader.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, moment } from '../pieces/values.ts';

type Blocked = AnswerTo<'listBlocks'>[number];

/** The list for every merchant, in the place of a login, which is never empty. */
const EVERYWHERE = '';

const KINDS = [
  ['bin', 'cards by their first digits'],
  ['email', 'an e-mail address or domain'],
  ['address', 'a network address'],
  ['country', 'a country'],
  ['card', 'one card'],
] as const;

const OF_OWN =
  ' This list is for your own payments; who runs the gateway changes it. Another, for all merchants, is not shown here.';

export const listsPage = definePage({
  path: 'lists',
  needs: 'listBlocks',
  menu: { section: 'Set-up', name: 'Block lists' },
  sayings: { added: 'It is blocked from now on.', removed: 'It is no longer blocked.' },
  async show(visit) {
    const merchants = await visit.ask('listMerchants');
    const own = isOfMerchant(visit) ? merchants[0]?.login : undefined;
    const of = own ?? visit.query.get('of')?.trim() ?? visit.given.of ?? EVERYWHERE;
    const kind = visit.query.get('kind') ?? '';
    const whose = [
      [EVERYWHERE, 'Every merchant'],
      ...merchants.map(({ login, name }) => [login, `${name} (${login})`]),
    ];
    const blocks = await visit.ask('listBlocks', { ...whoseOf(of), ...(kind === '' ? {} : { kind }) });
    const whoseField = choiceField({ name: 'of', label: 'Whose list', value: of }, whose as [string, string][]);
    const filters = html`${own === undefined && whoseField}
${choiceField({ name: 'kind', label: 'What', value: kind }, [['', 'everything'], ...KINDS])}`;
    return {
      title: 'Block lists',
      body: html`<p class="intro">What is blocked is filtered before a bank is asked.${own !== undefined && OF_OWN}</p>
${searchForm('/console/lists', filters, 'Show')}
${visit.may('addBlock') && addBlockForm(visit, of)}
${tableOf<Blocked>({
  label: 'What is blocked',
  columns: {
    What: (one) => badge(one.kind),
    Value: { of: ({ label }) => label, kind: 'wide' },
    ...unlessOfMerchant(visit, { Why: { of: ({ note }: Blocked) => note ?? undefined, kind: 'wide' as const } }),
    Since: ({ createdAt }) => moment(createdAt),
    ...(visit.may('removeBlock')
      ? { Remove: { of: (one: Blocked) => removeBlockForm(visit, one, of), kind: 'actions' as const } }
      : {}),
  },
  rows: blocks,
  otherwise: 'Nothing is on this list. What is blocked would be here.',
})}`,
    };
  },
  forms: {
    async add(visit) {
      const { of = EVERYWHERE } = visit.given;
      const { kind, value, note } = filled(visit.given, ['kind', 'value', 'note']);
      const orderId = typedIn(visit, 'orderId');
      const merchant = typedIn(visit, 'cardMerchant');
      const whose = kind === 'card' && of === EVERYWHERE ? { ...whoseOf(of), login: merchant } : whoseOf(of);
      await visit.ask('addBlock', {
        ...definedOf({ ...whose, kind, value, note }),
        ...(orderId === undefined ? {} : { orderId: Number(orderId) }),
      });
      return { to: listAddress(of), said: 'added' };
    },
    async remove(visit) {
      const { of = EVERYWHERE, kind, value } = visit.given;
      await visit.ask('removeBlock', { ...whoseOf(of), kind, value });
      return { to: listAddress(of), said: 'removed' };
    },
  },
});

const whoseOf = (of: string) => (of === EVERYWHERE ? { everywhere: true } : { login: of });

const listAddress = (of: string) => `/console/lists?${new URLSearchParams({ of })}`;

function definedOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function addBlockForm(visit: Visit, of: string): Piece {
  const value = (name: string, now?: string) => typed(visit, 'add', name, now);
  const body = html`<input type="hidden" name="of" value="${of}"><div class="field-grid">
${choiceField({ name: 'kind', label: 'What', value: value('kind', 'bin'), of: 'add' }, KINDS)}
${textField({ name: 'value', label: 'Value', value: value('value'), hint: 'Such as 411111, ann@example.com, @example.com, 192.0.2.0/24 or US. Never a card number.' })}
${textField({ name: 'orderId', label: 'For one card: an order that was paid with it', value: value('orderId'), numeric: true })}
${of === EVERYWHERE && textField({ name: 'cardMerchant', label: "That order's merchant", value: value('cardMerchant'), hint: 'Its login.' })}
${textField({ name: 'note', label: 'Why', value: value('note'), hint: 'For people who look at this list later.' })}
</div>`;
  const where = of === EVERYWHERE ? 'at every merchant' : `at ${of}`;
  return foldedForm(visit, `Block something ${where}`, { action: '/console/lists/add', submit: 'Block it' }, body);
}

function removeBlockForm(visit: Visit, { kind, value, label }: Blocked, of: string): Piece {
  const hidden = Object.entries({ of, kind, value }).map(
    ([name, one]) => html`<input type="hidden" name="${name}" value="${one}">`,
  );
  const options = { action: '/console/lists/remove', submit: 'Remove', kind: 'quiet' } as const;
  return formOf(visit, { ...options, confirm: `Let ${label} pay again?` }, hidden);
}
