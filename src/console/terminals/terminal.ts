// One terminal: how it stands, a test without money, the latest messages with its bank, and what it takes.

import type { AnswerTo } from '../../administration/administration.ts';
import { terminalSettings } from '../../domain/acquirer/terminal-settings.ts';
import { settingText, titleOf } from '../../domain/merchant/setting-spelling.ts';
import { html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { formOf } from '../pieces/forms.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, block, facts, live, moment, nothing, onOrOff, panel } from '../pieces/values.ts';
import { fieldGroup, verbFields, verbGiven } from '../pieces/verb-form.ts';
import { connectorFields, connectorGiven, settingsByName } from './connector-fields.ts';
import { connectionPiece, type TerminalRow } from './terminals.ts';

const placeOf = (name: string) => `/console/terminals/${encodeURIComponent(name)}`;

export const terminalPage = definePage({
  path: 'terminals/:name',
  needs: 'showTerminal',
  sayings: {
    set: 'The terminal is changed.',
    same: 'Nothing was different, so nothing was changed.',
    on: 'The terminal takes new payments again.',
    off: 'The terminal takes no new payments; what has begun there ends there.',
  },
  show: (visit) => pageWith(visit),
  forms: {
    async test(visit) {
      return pageWith(visit, await visit.ask('testTerminal', { name: visit.params.name }));
    },
    async switch(visit) {
      const { name = '' } = visit.params;
      const enabled = visit.given.enabled === 'on';
      await visit.ask('setTerminal', { name, enabled });
      return { to: placeOf(name), said: enabled ? 'on' : 'off' };
    },
    async set(visit) {
      const { name = '' } = visit.params;
      const now = await visit.ask('showTerminal', { name });
      const { settings } = await visit.ask('showConnector', { name: now.connector });
      const own = connectorGiven(visit, settings, settingsByName(now.settings));
      const changes = { ...verbGiven(visit, 'setTerminal', { now, without: APART }), ...own };
      if (Object.keys(changes).length === 0) return { to: placeOf(name), said: 'same' };
      await visit.ask('setTerminal', { name, ...changes });
      return { to: placeOf(name), said: 'set' };
    },
  },
});

const APART = ['name', 'connector', 'settings', 'secrets', 'unset', 'enabled'];

async function pageWith(visit: Visit, tested?: AnswerTo<'testTerminal'>) {
  const { name = '' } = visit.params;
  const terminal = await visit.ask('showTerminal', { name });
  return {
    title: `Terminal ${terminal.name}`,
    above: [['/console/terminals', 'Terminals']] as const,
    body: html`<div class="panels">
${panel('facts', 'What it is', [factsOf(terminal), visit.may('setTerminal') && switchForm(visit, terminal)])}
${panel('test', 'Test it', testPiece(visit, terminal.name, tested))}
${visit.may('readTerminalTrace') && panel('trace', 'Latest messages', await tracePiece(visit, terminal.name), { wide: true })}
${visit.may('setTerminal') && panel('settings', 'Change it', await changeForm(visit, terminal), { wide: true })}
</div>`,
  };
}

function factsOf(terminal: TerminalRow): Piece {
  const settings = terminalSettings.filter(({ name }) => name !== 'enabled');
  return facts([
    [
      'Connector',
      html`<a href="/console/connectors/${encodeURIComponent(terminal.connector)}">${terminal.connector}</a>`,
    ],
    ['State', onOrOff(terminal)],
    ['Its bank', live('bank-now', 10, connectionPiece(terminal.connection))],
    ...settings.map((one) => [titleOf(one), settingText(one, terminal[one.name])] as const),
    ...Object.entries(settingsByName(terminal.settings)),
    ...terminal.secrets.map((secret) => [secret, 'is set, and never shown'] as const),
  ]);
}

function switchForm(visit: Visit, { name, enabled }: TerminalRow): Piece {
  const submit = enabled ? 'Send no new payments to it' : 'Send new payments to it again';
  const body = html`<input type="hidden" name="enabled" value="${enabled ? 'off' : 'on'}">`;
  return formOf(visit, { action: `${placeOf(name)}/switch`, submit, kind: enabled ? 'bad' : 'usual' }, body);
}

function testPiece(visit: Visit, name: string, tested: AnswerTo<'testTerminal'> | undefined): Piece {
  if (!visit.may('testTerminal')) return html`<p>Operators can test it here.</p>`;
  const form = formOf(visit, { action: `${placeOf(name)}/test`, submit: 'Test it now', kind: 'quiet' });
  if (!tested) return [html`<p>What can be tried without money: connect, sign on, authenticate.</p>`, form];
  const lines = tableOf({
    label: 'What was tried',
    columns: {
      Result: ({ works }) => (works ? badge('works', 'good') : badge('fails', 'bad')),
      What: ({ what }) => what,
      Detail: { of: ({ detail }) => detail ?? undefined, kind: 'wide' },
    },
    rows: tested.lines,
    otherwise: 'Nothing can be tried without money.',
  });
  return html`<div role="status">${lines}</div>${form}`;
}

/** Every look is told to the audit chain, so messages are shown when somebody asks for them, and brought up to date. */
async function tracePiece(visit: Visit, name: string): Promise<Piece> {
  if (!visit.query.has('trace')) {
    return html`<p>Messages are masked. They are brought up to date every 30 seconds, and each look is kept in the audit chain.
<a class="button quiet small" href="${placeOf(name)}?trace=1#trace">Show the latest messages</a></p>`;
  }
  const lines = await visit.ask('readTerminalTrace', { name });
  if (lines.length === 0) {
    return nothing('Messages would be here: none was sent since the gateway started, or its connector keeps none.');
  }
  return live('trace-now', 30, [
    lines.map(({ at, direction, text }) => [
      html`<p class="hint">${direction === 'out' ? 'To the bank' : 'From the bank'}, ${moment(at)}</p>`,
      block(text, `Message ${direction === 'out' ? 'to' : 'from'} the bank`),
    ]),
  ]);
}

async function changeForm(visit: Visit, terminal: TerminalRow): Promise<Piece> {
  const { name, connector, secrets } = terminal;
  const { settings } = await visit.ask('showConnector', { name: connector });
  const now = { form: 'set', settings: settingsByName(terminal.settings), secrets };
  return formOf(visit, { action: `${placeOf(name)}/set`, submit: 'Save' }, [
    fieldGroup('What it takes', verbFields(visit, 'setTerminal', { form: 'set', now: terminal, without: APART })),
    settings.length > 0 &&
      html`<fieldset class="group"><legend>Its bank</legend>${connectorFields(visit, settings, now)}</fieldset>`,
  ]);
}
