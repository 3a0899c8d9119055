// The trial page: a payment is written, signed and sent to an endpoint as its merchant would, and each step is shown.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, filled, formOf, textField, typed } from '../pieces/forms.ts';
import { nothing, panel } from '../pieces/values.ts';
import { triedSteps } from './steps.ts';

const FORM = 'send';
const TITLE = 'Try an endpoint';
const OPERATIONS = [
  ['SALE', 'a sale: charge the card at once'],
  ['PREAUTH', 'a preauthorization: hold the amount'],
  ['SALEFORM', 'a form on which the payer enters the card'],
] as const;

export const trialPage = definePage({
  path: 'try',
  needs: 'showTrial',
  menu: { section: 'Payments', name: TITLE },
  async show(visit) {
    return { title: TITLE, body: html`${INTRODUCTION}${await form(visit)}` };
  },
  forms: {
    [FORM]: async (visit) => {
      const given = filled(visit.given, ['operation', 'amount', 'card', 'outcome', 'email', 'callbackUrl']);
      const endpoint = visit.given.endpointId ?? '';
      const endpointId = /^\d{1,15}$/.test(endpoint) ? Number(endpoint) : endpoint;
      const tried = await visit.ask('tryRequest', { ...given, endpointId });
      const { cards } = await visit.ask('showTrial');
      const card = cards.find(({ name }) => name === visit.given.card) ?? cards[0];
      const values = { number: card?.number ?? '', code: given.outcome ?? '123', endpointId: Number(endpointId) };
      return {
        title: TITLE,
        above: [['/console/try', TITLE]],
        body: html`${triedSteps(tried, values, visit)}${await form({ ...visit, refusedForm: FORM })}`,
      };
    },
  },
});

const INTRODUCTION = html`<p>The gateway writes a payment, signs it with a key of the endpoint's merchant, and sends it to
its own address over HTTP, as a merchant would. You see every step, and code to paste.</p>`;

async function form(visit: Visit): Promise<Piece> {
  const trial = await visit.ask('showTrial');
  if (!trial.isOpen) {
    return nothing(
      'Requests are tried in a sandbox only: here they would move money. Start a sandbox, and try them there.',
    );
  }
  if (!visit.may('tryRequest'))
    return nothing('Operators and administrators can send requests here; you can look only.');
  const endpoints = (await visit.ask('listEndpoints')).filter(({ enabled }) => enabled);
  if (endpoints.length === 0) return nothing('There is no endpoint yet that takes payments.');
  return panel('payment', 'The payment', fieldsOf(visit, trial, endpoints));
}

function fieldsOf(
  visit: Visit,
  { cards, outcomes }: AnswerTo<'showTrial'>,
  endpoints: AnswerTo<'listEndpoints'>,
): Piece {
  const was = (name: string, now?: string) => typed(visit, FORM, name, now);
  const places = endpoints.map(({ endpointId, name, currency }) => {
    return [String(endpointId), `${endpointId} · ${name} · ${currency}`] as const;
  });
  return formOf(
    visit,
    { action: `/console/try/${FORM}`, submit: 'Sign and send' },
    html`<div class="form-columns">
${choiceField({ name: 'endpointId', label: 'Endpoint', value: was('endpointId', visit.query.get('endpoint') ?? '') }, places)}
${choiceField({ name: 'operation', label: 'What is asked for', value: was('operation') }, OPERATIONS)}
${textField({ name: 'amount', label: 'Amount', value: was('amount', '10.42'), required: true, numeric: true, hint: "In the endpoint's currency, such as 10.42" })}
${choiceField(
  { name: 'card', label: 'Test card', value: was('card') },
  cards.map(({ name, number, means }) => [name, `${number} · ${means}`]),
)}
${choiceField(
  { name: 'outcome', label: 'How the simulated bank answers', value: was('outcome') },
  outcomes.map(({ code, means }) => [code, `${means} (security code ${code})`]),
)}
${textField({ name: 'email', label: "Payer's e-mail address", value: was('email', 'ann@example.com') })}
${textField({ name: 'callbackUrl', label: 'Address of the callback', value: was('callbackUrl'), hint: 'Sent as server_callback_url; empty, nobody is called.' })}
</div>`,
  );
}
