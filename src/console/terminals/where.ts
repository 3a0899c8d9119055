// "Where would this card go?": the rules of an endpoint, tried by the same judgement as for payments. Of a card number
// that was typed the first digits are kept until the answer is written, and nothing of the rest.

import type { AnswerTo } from '../../administration/administration.ts';
import { issuerPart } from '../../administration/terminals/where.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, filled, formOf, textField } from '../pieces/forms.ts';
import { endpointLink, terminalLink } from '../pieces/links.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, nothing, panel } from '../pieces/values.ts';

type Tried = AnswerTo<'showRoute'>;

const KINDS = [
  ['sale', 'a sale'],
  ['preauth', 'a preauthorization'],
  ['verification', 'a verification of the account'],
  ['push', 'a payout to the card'],
  ['pull', 'a transfer from the card'],
  ['eligibility', 'a question about the card'],
] as const;

const INITIATORS = [
  ['payer', 'the payer'],
  ['merchant', 'the merchant'],
] as const;

export const wherePage = definePage({
  path: 'where',
  needs: 'showRoute',
  menu: { section: 'Set-up', name: 'Where a card goes' },
  show: (visit) => whereShown(visit),
  forms: {
    async try(visit) {
      const given = filled(visit.given, ['amount', 'currency', 'kind', 'initiator', 'payerCountry']);
      const endpointId = Number(visit.given.endpointId?.trim());
      return whereShown(visit, await visit.ask('showRoute', { ...given, endpointId, card: cutCard(visit) ?? '' }));
    },
  },
});

/** A number goes no further than here. */
const cutCard = ({ given }: Visit) => issuerPart(given.card ?? '');

async function whereShown(visit: Visit, tried?: Tried) {
  return {
    title: 'Where would this card go?',
    above: [['/console/terminals', 'Terminals']] as const,
    body: html`<div class="look-page">
${panel('ask', 'A payment', await askForm(visit))}
${panel('answer', 'Where it would go', tried ? answerPiece(tried) : nothing('The terminals would be here, in the order in which they are tried, and why others are left out.'))}
</div>`,
  };
}

async function askForm(visit: Visit): Promise<Piece> {
  const endpoints = (await visit.ask('listEndpoints')).map(({ endpointId, name, currency }): [string, string] => [
    String(endpointId),
    `${endpointId}, ${name} (${currency})`,
  ]);
  const groups = (await visit.ask('listGroups')).map(({ groupId, endpoints: members }): [string, string] => [
    String(groupId),
    `${groupId}, a group (${members.map(({ currency }) => currency).join(', ')})`,
  ]);
  const { given } = visit;
  const wanted = given.endpointId ?? visit.query.get('endpoint') ?? '';
  const body = html`${choiceField({ name: 'endpointId', label: 'Endpoint or group', value: wanted }, [...endpoints, ...groups])}
${textField({
  name: 'card',
  label: 'Card',
  value: cutCard(visit) ?? '',
  required: true,
  numeric: true,
  hint: 'Its first six or eight digits. Of a whole number the rest is cut off at once, and kept nowhere.',
})}
${textField({ name: 'amount', label: 'Amount', value: given.amount ?? '', required: true, numeric: true, hint: "In major units of the endpoint's currency, such as 10.00." })}
${textField({ name: 'currency', label: 'Currency', value: given.currency ?? '', hint: 'Needed for a group only.' })}
${choiceField({ name: 'kind', label: 'What is done', value: given.kind ?? 'sale' }, KINDS)}
${choiceField({ name: 'initiator', label: 'Begun by', value: given.initiator ?? 'payer' }, INITIATORS)}
${textField({ name: 'payerCountry', label: "Payer's country", value: given.payerCountry ?? '', hint: 'Two letters such as US, or empty.' })}
<p class="hint">Rules know neither 3-D Secure nor the time of day. Limits of the day count as they stand now.</p>`;
  return formOf(visit, { action: '/console/where/try', submit: 'Try it' }, body);
}

function answerPiece({ endpointId, currency, digits, brand, refusal, rules, isRouted }: Tried): Piece {
  const about = html`<p>A card that begins with ${digits} (${brand}), in ${currency}, at endpoint ${endpointLink({ endpointId })}.</p>`;
  if (refusal !== null) return [about, html`<p class="notice bad" role="status">${refusal}</p>`];
  const end = isRouted
    ? html`<p role="status">${badge('has a terminal', 'good')}</p>`
    : html`<p class="notice bad" role="status">Not every such payment has a terminal: those without one are refused.</p>`;
  return [about, end, rules.map(rulePiece)];
}

function rulePiece({ text, chance, unmet, terminals }: Tried['rules'][number], index: number): Piece {
  const state =
    unmet !== null
      ? html`<p class="hint">It is not for this payment: ${unmet} does not hold.</p>`
      : chance === 0
        ? html`<p class="hint">No such payment comes so far: a rule before it decides.</p>`
        : html`<p>It decides ${chance >= 100 ? 'every such payment' : `${rounded(chance)}% of such payments`}.</p>`;
  const table =
    chance > 0 &&
    tableOf({
      label: `Terminals of rule ${index + 1}`,
      columns: {
        Terminal: ({ name }) => terminalLink(name),
        Turn: ({ turn }) => (turn === null ? badge('left out', 'bad') : badge(`tried ${ordinal(turn)}`, 'good')),
        Why: { of: ({ why }) => why ?? undefined, kind: 'wide' },
      },
      rows: terminals,
      otherwise: 'The rule names no terminal.',
    });
  return html`<section class="rule"><h3>Rule ${index + 1}: <code>${text}</code></h3>${state}${table}</section>`;
}

const rounded = (chance: number) => Math.round(chance * 10) / 10;

const ordinal = (turn: number) => ['first', 'second', 'third'][turn - 1] ?? `${turn}th`;
