// How the simulated card networks misbehave: one word for each kind of message of 3-D Secure.

import { html } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { choiceField, formOf, textField, typed } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, panel } from '../pieces/values.ts';

const AT = '/console/sandbox/networks';

type NetworkWords = Readonly<Record<string, readonly string[]>>;
type NetworkState = { readonly place: string; readonly word: string };

const PLACES: Readonly<Record<string, string>> = {
  directory: 'Card ranges and enrolment (PRes, VERes)',
  authentication: 'The answer to an authentication (ARes)',
  results: 'The result of a challenge (RReq)',
  challenge: 'What the browser brings back (CRes)',
  pares: 'What the browser brings back in 1.0.2 (PARes)',
};

const MEANINGS: Readonly<Record<string, string>> = {
  none: 'as it should be',
  'no-answer': 'no answer',
  slow: 'late',
  late: 'late',
  never: 'never sent',
  twice: 'sent twice',
  contradicting: 'sent twice, the second says the opposite',
  erro: 'an error message',
  garbage: 'nothing that can be read',
  malformed: 'with fields missing',
  'unsupported-version': 'a version nobody speaks',
  'foreign-id': 'the id of another authentication',
  tampered: 'says the opposite',
  unsigned: 'without a signature',
  'foreign-signer': "with a stranger's signature",
  'other-purchase': 'signed for another purchase',
};

const meaningOf = (word: string) => `${word}${MEANINGS[word] === undefined ? '' : `: ${MEANINGS[word]}`}`;

export const networkFaultsPage = definePage({
  path: 'sandbox/networks',
  needs: 'showNetworkFaults',
  menu: { section: 'Sandbox', name: 'Network faults' },
  sandboxOnly: true,
  sayings: { set: 'The card networks do so from now on.', none: 'The card networks behave well again.' },
  async show(visit) {
    const answer = await visit.ask('showNetworkFaults');
    const faults = answer.faults as Readonly<Record<string, string | number>>;
    const words = answer.words as NetworkWords;
    const states = Object.keys(words).map((place) => ({ place, word: String(faults[place] ?? 'none') }));
    const isGood = states.every(({ word }) => word === 'none');
    const maySet = visit.may('setNetworkFaults');
    return {
      title: 'Faults of the simulated card networks',
      body: html`<p>${isGood ? badge('behave well', 'good') : badge('misbehave', 'bad')} Faults meet every payment with 3-D
Secure until they are switched off.</p>
${tableOf<NetworkState>({
  label: 'Faults of the card networks',
  columns: {
    Message: ({ place }) => PLACES[place] ?? place,
    Now: ({ word }) => badge(meaningOf(word), word === 'none' ? 'plain' : 'bad'),
  },
  rows: states,
  otherwise: 'The card networks say nothing of their faults.',
})}
${maySet && !isGood && formOf(visit, { action: `${AT}/none`, submit: 'End all faults', kind: 'quiet' })}
${maySet && panel('set', 'Change', changeForm(visit, words, faults))}`,
    };
  },
  forms: {
    set: async ({ ask, given }) => {
      const { words } = await ask('showNetworkFaults');
      const places = Object.keys(words as NetworkWords).filter((place) => given[place] !== undefined);
      const chosen = Object.fromEntries(places.map((place) => [place, given[place]]));
      await ask('setNetworkFaults', { faults: { ...chosen, delayMs: Number(given.delayMs) } });
      return { to: AT, said: 'set' };
    },
    none: async ({ ask }) => {
      await ask('setNetworkFaults');
      return { to: AT, said: 'none' };
    },
  },
});

function changeForm(visit: Visit, words: NetworkWords, faults: Readonly<Record<string, string | number>>) {
  const was = (name: string) => typed(visit, 'set', name, faults[name]);
  const choices = Object.entries(words).map(([place, all]) =>
    choiceField(
      { name: place, label: PLACES[place] ?? place, value: was(place) },
      all.map((word) => [word, meaningOf(word)] as const),
    ),
  );
  return formOf(
    visit,
    { action: `${AT}/set`, submit: 'Let exactly these come into force' },
    html`<div class="columns">${choices}
${textField({ name: 'delayMs', label: 'How late slow and late ones are (ms)', numeric: true, value: was('delayMs') })}</div>`,
  );
}
