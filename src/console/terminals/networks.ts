// The directory servers of card brands, for 3-D Secure: where each is, its certificates, and a look at it.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { checkField, formOf } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, facts, moment, panel } from '../pieces/values.ts';

type NetworkRow = AnswerTo<'listNetworks'>[number];

export const networksPage = definePage({
  path: 'networks',
  needs: 'listNetworks',
  menu: { section: 'Set-up', name: 'Card networks' },
  async show(visit) {
    return {
      title: 'Card networks',
      body: html`<p class="intro">The directory servers that 3-D Secure asks about cards, by brand.</p>
${tableOf<NetworkRow>({
  label: 'Directory servers',
  columns: {
    Brand: ({ brand }) => html`<a href="/console/networks/${brand}">${brand}</a>`,
    Address: { of: ({ address }) => address, kind: 'wide' },
    'Our certificate': ({ certificate: [own] }) => (own ? html`until ${moment(own.validUntil)}` : 'none'),
  },
  rows: await visit.ask('listNetworks'),
  otherwise:
    'Directory servers of brands would be here. They come with certificates and keys, so they are named on the machine of the gateway: tender network set VISA --address https://…',
})}`,
    };
  },
});

export const networkPage = definePage({
  path: 'networks/:brand',
  needs: 'showNetwork',
  show: (visit) => networkShown(visit),
  forms: {
    async look(visit) {
      const given = { brand: visit.params.brand, ranges: visit.given.ranges === 'yes' };
      return networkShown(visit, await visit.ask('testNetwork', given));
    },
  },
});

async function networkShown(visit: Visit, tested?: AnswerTo<'testNetwork'>) {
  const network = await visit.ask('showNetwork', { brand: visit.params.brand });
  return {
    title: `Directory server of ${network.brand}`,
    above: [['/console/networks', 'Card networks']] as const,
    body: html`<div class="panels">
${panel('facts', 'What it is', factsOf(network))}
${panel('test', 'Look at it', lookPiece(visit, network, tested))}
</div>`,
  };
}

function factsOf({ brand, address, ca, certificate, ...names }: NetworkRow): Piece {
  const certificates = (all: NetworkRow['ca']) =>
    all.map(({ subject, validUntil }) => html`<p>${subject}, until ${moment(validUntil)}</p>`);
  return facts([
    ['Brand', brand],
    ['Address', address],
    ['It must be signed by', ca.length === 0 ? 'what the system trusts' : certificates(ca)],
    ['Our certificate', certificate.length === 0 ? 'none' : certificates(certificate)],
    ['Operator', names.operatorId ?? undefined],
    ['Requestor', names.requestorId ?? undefined],
    ['Name of the requestor', names.requestorName ?? undefined],
    ['Acquirer', names.acquirerBin ?? undefined],
  ]);
}

function lookPiece(visit: Visit, { brand }: NetworkRow, tested: AnswerTo<'testNetwork'> | undefined): Piece {
  if (!visit.may('testNetwork')) return html`<p>Operators can look at it here.</p>`;
  const hint = 'Real networks count how often they are asked.';
  const form = formOf(
    visit,
    { action: `/console/networks/${brand}/look`, submit: 'Connect to it now', kind: 'quiet' },
    checkField({ name: 'ranges', label: 'Ask for its ranges of cards too', hint }),
  );
  if (!tested) return form;
  return html`<div role="status"><p>${tested.ok ? badge('can be used', 'good') : badge('cannot be used', 'bad')}</p>
${facts(tested.lines.map(({ what, says }) => [what, says] as const))}</div>${form}`;
}
