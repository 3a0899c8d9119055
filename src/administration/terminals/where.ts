// Where a payment would go: the rules of an endpoint, judged as for real payments, for people who ask. Of a card only
// the digits that name its issuer are taken; whatever follows them is cut off before anything is done.

import { ROUTED_KINDS, type RoutedKind } from '../../domain/acquirer/routing-rules.ts';
import { brandOf, issuerDigitsOf, SHORTEST_CARD_NUMBER } from '../../domain/card/card.ts';
import { type InputKind, id, Misread, nameOf, word } from '../../domain/input-kinds.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { countryCode } from '../../domain/merchant/setting-kinds.ts';
import { readAmount, writeAmount } from '../../domain/money/money.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration } from '../../storage/configuration.ts';
import { endpointOf } from '../lookups.ts';
import { givenCurrency } from '../merchants/endpoints.ts';
import { type Answered, aFlag, aList, aMeasure, aNumber, anObject, aText, orNull } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { properties } from '../verb/table.ts';
import { defineReading } from '../verb/verb.ts';

const FEWEST_DIGITS = 6;
const MOST_DIGITS = 8;

/** The digits of a card that name its issuer; undefined when there are too few. A number that was typed ends here. */
export function issuerPart(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{6,19}$/.test(digits)) return undefined;
  if (digits.length < SHORTEST_CARD_NUMBER) return digits.slice(0, MOST_DIGITS);
  return issuerDigitsOf(digits) ?? digits.slice(0, FEWEST_DIGITS);
}

/** What was typed is not repeated. */
const cardDigits: InputKind<string> = {
  schema: { type: 'string' },
  what: 'the first six or eight digits of a card',
  spelling: 'text',
  read: (value) =>
    (typeof value === 'string' ? issuerPart(value) : undefined) ??
    new Misread('the first six or eight digits of a card are needed'),
};

const triedRoute = anObject({
  endpointId: aNumber('The endpoint, or of a group the one that takes the currency.'),
  currency: aText(),
  digits: aText('What was taken of the card.'),
  brand: aText(),
  refusal: orNull(aText('Why the endpoint takes no orders at all.')),
  rules: aList(
    anObject({
      text: aText('The rule as it is written.'),
      chance: aMeasure('Of a hundred such payments, how many it decides; shares are chosen by the id of an order.'),
      unmet: orNull(aText('Which of its conditions do not hold.')),
      terminals: aList(
        anObject({
          name: aText(),
          turn: orNull(aNumber('Which it is of those that are tried, from 1; null when it is left out.')),
          why: orNull(aText('Why it is left out, or what is the matter with it.')),
        }),
      ),
    }),
  ),
  isRouted: aFlag('Whether every such payment has a terminal.'),
});

type TriedRoute = Answered<typeof triedRoute>;

export const showRoute = defineReading({
  name: 'showRoute',
  command: 'endpoint where',
  summary: 'say which terminals a payment would go to, and why not to others',
  example: 'tender endpoint where 101 --card 411111 --amount 10.00',
  given: {
    endpointId: mustGive(id, 'an endpoint or a group', { as: '<id>', what: 'the id of an endpoint or a group' }),
    card: mustGive(cardDigits, 'its first six or eight digits; more are cut off', { as: '--card <digits>' }),
    amount: mustGive(nameOf('an amount'), 'how much, in major units with a point (10.00)', { as: '--amount <amount>' }),
    currency: mayGive(givenCurrency, 'the currency, which chooses among the endpoints of a group', {
      as: '--currency <code>',
    }),
    kind: mayGive(word(ROUTED_KINDS), 'what is done with the card; a sale when left out', { as: '--kind <kind>' }),
    initiator: mayGive(word(['payer', 'merchant']), 'who begins it; the payer when left out', {
      as: '--initiator <who>',
    }),
    payerCountry: mayGive(countryCode, "the payer's country, such as US", { as: '--payer-country <code>' }),
  },
  answer: triedRoute,
  run: async ({ endpointId, card, amount, currency, kind = 'sale', initiator = 'payer', payerCountry }, parts) => {
    const { configuration, routeOffice } = parts;
    const endpoint = addressed(endpointId, currency, await configuration.read());
    const minor = readAmount(amount, endpoint.currency, 'major');
    if (minor === undefined) {
      const example = writeAmount({ minor: 1000n, currency: endpoint.currency }, 'major');
      throw new InvalidInput(`amount: an amount in ${endpoint.currency} such as ${example} is needed`);
    }
    if (!routeOffice) throw new InvalidInput('no gateway runs here, and only a running one knows how terminals stand');
    const brand = brandOf(card.padEnd(MOST_DIGITS, '0'));
    const asked = { kinds: [kind], brands: [brand], bin: card, currency: endpoint.currency };
    const amounts = MOVES_NOTHING.has(kind) ? [] : [minor];
    const rules = routeOffice.wouldGo(endpoint, { ...asked, amounts, initiator, payerCountry });
    const refusal = routeOffice.unroutable(endpoint)?.faults[0].message;
    return {
      ...{ endpointId: endpoint.endpointId, currency: endpoint.currency, digits: card, brand, refusal, rules },
      isRouted: refusal === undefined && rules.reduce((sum, rule) => sum + routedBy(rule), 0) >= ALL,
    };
  },
  show: whole,
});

const MOVES_NOTHING: ReadonlySet<RoutedKind> = new Set(['verification', 'eligibility']);

/** Percentages are added up, and fractions of them are not exact. */
const ALL = 99.999;

const routedBy = ({ chance, terminals }: { chance: number; terminals: readonly { turn: number | undefined }[] }) =>
  terminals.some(({ turn }) => turn !== undefined) ? chance : 0;

function addressed(pathId: number, currency: string | undefined, all: Configuration): Endpoint {
  const group = all.groups.find(({ groupId }) => groupId === pathId);
  if (!group) {
    const endpoint = endpointOf(pathId, all);
    if (currency === undefined || currency === endpoint.currency) return endpoint;
    throw new InvalidInput(`currency: endpoint ${pathId} takes ${endpoint.currency}, not ${shown(currency)}`);
  }
  const members = all.endpoints.filter(({ endpointId }) => group.endpointIds.includes(endpointId));
  const found = members.find((one) => one.currency === currency);
  if (found) return found;
  throw new InvalidInput(`currency: group ${pathId} has ${members.map((one) => one.currency).join(', ') || 'none'}`);
}

function whole({ endpointId, currency, digits, brand, refusal, rules }: TriedRoute): string {
  const lines = rules.map(({ text, chance, unmet, terminals }, index) => {
    const title = `Rule ${index + 1}`;
    if (unmet !== null) return [title, `${text}: not for it (${unmet})`] as const;
    if (chance === 0) return [title, `${text}: never reached`] as const;
    return [title, `${text}: ${Math.round(chance)}%, ${terminals.map(triedText).join('; ')}`] as const;
  });
  return properties([
    ['Endpoint', `${endpointId}, ${currency}`],
    ['Card', `${digits}, ${brand}`],
    ...(refusal === null ? lines : [['Refused', refusal] as const]),
  ]);
}

function triedText({ name, turn, why }: TriedRoute['rules'][number]['terminals'][number]): string {
  const place = turn === null ? `${name} left out` : `${turn}. ${name}`;
  return why === null ? place : `${place}: ${why}`;
}
