// All terminals: the ways to banks, and how each stands.

import type { AnswerTo } from '../../administration/administration.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage } from '../page.ts';
import { terminalLink } from '../pieces/links.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, live, moment, onOrOff, panel } from '../pieces/values.ts';

export type TerminalRow = AnswerTo<'listTerminals'>[number];

export const terminalsPage = definePage({
  path: 'terminals',
  needs: 'listTerminals',
  menu: { section: 'Set-up', name: 'Terminals' },
  sayings: { added: 'The terminal is added. Test it before a route names it.' },
  async show(visit) {
    const terminals = await visit.ask('listTerminals');
    return {
      title: 'Terminals',
      body: html`<p class="intro">A terminal is a way to a bank. The rules of endpoints say which payments go to which.
${visit.may('showRoute') && html`<a href="/console/where">Where would this card go?</a>`}</p>
${live('terminals-now', 10, terminalTable(terminals))}
${visit.may('addTerminal') && panel('connectors', 'Add a terminal', connectorTable(await visit.ask('listConnectors')))}`,
    };
  },
});

function terminalTable(terminals: readonly TerminalRow[]): Piece {
  return tableOf<TerminalRow>({
    label: 'Terminals',
    columns: {
      Terminal: ({ name }) => terminalLink(name),
      Connector: ({ connector }) => connector,
      State: onOrOff,
      Currencies: ({ currencies }) => currencies.join(', ') || 'all',
      Brands: ({ brands }) => brands.join(', ') || 'all',
      'Its bank': { of: ({ connection }) => connectionPiece(connection), kind: 'wide' },
    },
    rows: terminals,
    otherwise: 'Terminals would be here: the ways to banks. Add one by choosing its connector.',
  });
}

export function connectionPiece(connection: TerminalRow['connection']): Piece {
  if (connection === null) return 'not known';
  const { answeredAt, failingSince, reason, leftOut } = connection;
  const left = leftOut && html` ${badge('left out', 'bad')}`;
  if (failingSince !== null)
    return html`${badge('failing', 'bad')}${left} since ${moment(failingSince)}: ${reason ?? ''}`;
  return answeredAt === null
    ? html`not used yet${left}`
    : html`${badge('answers', 'good')}${left} last at ${moment(answeredAt)}`;
}

function connectorTable(connectors: AnswerTo<'listConnectors'>): Piece {
  return tableOf({
    label: 'Connectors',
    columns: {
      Connector: ({ name }) => html`<a href="/console/connectors/${encodeURIComponent(name)}">${name}</a>`,
      Reaches: { of: ({ says }) => says, kind: 'wide' },
      Does: { of: ({ does }) => does.join(', '), kind: 'wide' },
    },
    rows: connectors,
    otherwise: 'There are no connectors.',
  });
}
