// One endpoint: what it takes and how it answers, where its payments go, its limits, and the way to its look.

import type { AnswerTo } from '../../administration/administration.ts';
import { endpointSettings } from '../../domain/merchant/endpoint-settings.ts';
import { settingText, titleOf } from '../../domain/merchant/setting-spelling.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { formOf, textArea, typed } from '../pieces/forms.ts';
import { merchantLink } from '../pieces/links.ts';
import { merchantsAbove } from '../pieces/reader.ts';
import { facts, nothing, onOrOff, panel } from '../pieces/values.ts';
import { fieldGroup, verbFields, verbGiven, verbInputNames } from '../pieces/verb-form.ts';
import { limitTable } from './limits.ts';
import { routeInWords, terminalsIn } from './route-words.ts';

type EndpointView = AnswerTo<'showEndpoint'>;

/** What belongs together; a setting that is named nowhere stands among the others. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'What it is': ['name', 'enabled', 'descriptor', 'sandbox'],
  'Amounts and fields': ['minimum', 'maximum', 'creditLimit', 'requiredFields', 'demandAmounts'],
  '3-D Secure': ['threeDSecure', 'unauthenticated', 'acquirerBin', 'acquirerMerchantId', 'category', 'country'],
  'Hosted forms': ['signedForms', 'formAddresses', 'formTries', 'frameAncestors'],
  'Against those who try cards': ['cardTesting', 'cardsPerNetwork', 'cardsPerEmail'],
};

/** Known from the path, kept for ever, or asked for in a form of its own. */
const APART = ['endpointId', 'currency', 'route'];

export const endpointPage = definePage({
  path: 'endpoints/:endpointId',
  needs: 'showEndpoint',
  sayings: {
    set: 'The endpoint is changed.',
    same: 'Nothing was different, so nothing was changed.',
    route: 'The route is changed. New payments follow it at once.',
  },
  async show(visit) {
    const endpointId = Number(visit.params.endpointId);
    const endpoint = await visit.ask('showEndpoint', { endpointId });
    const limits = await visit.ask('listLimits', { endpointId });
    const { login } = endpoint;
    return {
      title: `Endpoint ${endpointId}`,
      above: [merchantsAbove(visit), [`/console/merchants/${encodeURIComponent(login)}`, login]],
      body: html`<div class="panels">
${panel('facts', 'What it is', [factsOf(endpoint), lookLink(endpointId)], { wide: true })}
${panel('route', 'Where its payments go', await routePanel(visit, endpoint), { wide: true })}
${panel('limits', 'Limits', limitTable(limits), { wide: true })}
${visit.may('setEndpoint') && panel('settings', 'Change it', settingsForm(visit, endpoint), { wide: true })}
</div>`,
    };
  },
  forms: {
    async set(visit) {
      const endpointId = Number(visit.params.endpointId);
      const now = settingsNow(await visit.ask('showEndpoint', { endpointId }));
      const changes = verbGiven(visit, 'setEndpoint', { now, without: APART });
      if (Object.keys(changes).length === 0) return { to: `/console/endpoints/${endpointId}`, said: 'same' };
      await visit.ask('setEndpoint', { endpointId, ...changes });
      return { to: `/console/endpoints/${endpointId}`, said: 'set' };
    },
    async reroute(visit) {
      const endpointId = Number(visit.params.endpointId);
      await visit.ask('setEndpoint', { endpointId, ...verbGiven(visit, 'setEndpoint', { only: ['route'] }) });
      return { to: `/console/endpoints/${endpointId}#route`, said: 'route' };
    },
  },
  data: {
    /** What rules that are being typed mean, or what is wrong with them. */
    async rules(visit) {
      const text = visit.query.get('text')?.trim() ?? '';
      if (text === '') return { lines: ['Without rules, payments go to the simulated bank.'] };
      const { lines, fault } = routeInWords(text);
      if (fault !== undefined || !visit.may('listTerminals')) return { lines, fault };
      const known = (await visit.ask('listTerminals')).map(({ name }) => name);
      const missing = terminalsIn(text).find((name) => !known.includes(name));
      return missing === undefined ? { lines } : { lines, fault: `there is no terminal "${missing}"` };
    },
  },
});

/** What is so now, by the names of the inputs. */
function settingsNow({ acquiring, ...endpoint }: EndpointView): Readonly<Record<string, unknown>> {
  const { bin: acquirerBin, merchantId: acquirerMerchantId, category, country } = acquiring;
  return { ...endpoint, acquirerBin, acquirerMerchantId, category, country };
}

function factsOf(endpoint: EndpointView): Piece {
  const now = settingsNow(endpoint);
  const settings = endpointSettings.filter(({ name }) => name !== 'enabled' && name !== 'route');
  return facts([
    ['Merchant', merchantLink(endpoint)],
    ['Currency', endpoint.currency],
    ['State', onOrOff(endpoint)],
    ...settings.map((one) => [titleOf(one), settingText(one, now[one.name])] as const),
  ]);
}

const lookLink = (endpointId: number) =>
  html`<p><a class="button quiet small" href="/console/endpoints/${endpointId}/look">How its payment pages look</a></p>`;

async function routePanel(visit: Visit, { endpointId, route }: EndpointView): Promise<Piece> {
  const { lines } = routeInWords(route ?? '');
  const words =
    route === null
      ? nothing(
          'It has no rules: its payments go to the simulated bank, in a sandbox or while there is no other terminal.',
        )
      : html`<ol class="route">${lines.map((line) => html`<li>${line}</li>`)}</ol>`;
  const tester =
    visit.may('showRoute') &&
    html`<p><a class="button quiet small" href="/console/where?endpoint=${endpointId}">Where would this card go?</a></p>`;
  return [words, tester, visit.may('setEndpoint') && routeForm(visit, endpointId, route)];
}

function routeForm(visit: Visit, endpointId: number, route: string | null): Piece {
  const value = typed(visit, 'reroute', 'route', route?.replaceAll('; ', ';\n'));
  const field = textArea({
    name: 'route',
    label: 'Rules',
    of: 'reroute',
    value,
    hint: 'The first rule that holds decides: brand=VISA amount=-50.00 -> bank-a,bank-b; share=20 -> bank-b; bank-a',
  });
  const options = { action: `/console/endpoints/${endpointId}/reroute`, submit: 'Save the rules' };
  const check = html`<div class="checked" data-check="reroute-route" data-address="/console/endpoints/${endpointId}/rules.json" aria-live="polite"></div>`;
  return formOf(visit, options, [field, check]);
}

function settingsForm(visit: Visit, endpoint: EndpointView): Piece {
  const hints = { threeDSecure: 'Whether payers show their issuer that the card is theirs.' };
  const options = { form: 'set', now: settingsNow(endpoint), hints };
  const named = Object.values(GROUPS).flat();
  const others = verbInputNames('setEndpoint', { without: [...APART, ...named] });
  const groups = Object.entries({ ...GROUPS, Others: others }).map(([title, only]) =>
    fieldGroup(title, verbFields(visit, 'setEndpoint', { ...options, only })),
  );
  return formOf(visit, { action: `/console/endpoints/${endpoint.endpointId}/set`, submit: 'Save' }, groups);
}
